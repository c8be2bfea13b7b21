import { ByteReader, hexOf, u16Bytes } from "../bytes.ts"
import { crcItu } from "../checksums.ts"
import {
  deviceNumber,
  type Found,
  known,
  message,
  type TrackerAttributes,
  TrackerFormatError,
  type TrackerMessage,
  type TrackerProtocol,
  type TrackerSession,
} from "../tracker.ts"
import { digitsOfTime, round } from "../values.ts"
import { readModules } from "./modules.ts"
import { type Fix, readFix, readStatus } from "./positions.ts"

const maxFrameBytes = 4_096
const types = {
  login: 0x01,
  status: 0x13,
  text: 0x15,
  textExtended: 0x21,
  heartbeat: 0x23,
  x1: 0x34,
  modular: 0x70,
  time: 0x8a,
  information: 0x94,
} as const

/** Messages whose content starts with a fix, by what follows the cell. */
const onlyFix = new Set([0x10, 0x11, 0x12, 0x1a, 0x1e, 0x31])
const fixWithIgnition = new Set([0x22, 0x2d, 0x37])
const fixWithStatus = new Set([0x16, 0x26, 0x27, 0xa3, 0xa4])
const fixOf4G = 0xa0

function find(bytes: Uint8Array): Found {
  if (bytes.length < 2) return undefined
  const isExtended = bytes[0] === 0x79
  if ((bytes[0] !== 0x78 && !isExtended) || bytes[1] !== bytes[0])
    return { kind: "noise", length: noiseLength(bytes) }
  if (bytes.length < (isExtended ? 4 : 3)) return undefined
  const reader = new ByteReader(bytes.subarray(2))
  const length = isExtended ? reader.u16() + 6 : reader.u8() + 5
  if (length > maxFrameBytes) throw new TrackerFormatError(`A frame is longer than ${maxFrameBytes} bytes`)
  // Some messages about cells have no length; the next frame is found by its start.
  if (length < (isExtended ? 11 : 10)) return { kind: "noise", length: 2 }
  if (bytes.length < length) return undefined
  const isWhole = bytes[length - 2] === 0x0d && bytes[length - 1] === 0x0a
  return isWhole ? { kind: "frame", length } : { kind: "noise", length: 2 }
}

function noiseLength(bytes: Uint8Array): number {
  for (let index = 1; index < bytes.length; index++)
    if (bytes[index] === 0x78 || bytes[index] === 0x79) return index
  return bytes.length
}

interface Frame {
  isExtended: boolean
  type: number
  content: Uint8Array
  serial: number
}

function open(frame: Uint8Array): Frame {
  const isExtended = frame[0] === 0x79
  const start = isExtended ? 4 : 3
  const end = frame.length - 6
  if (crcItu(frame.subarray(2, end + 2)) !== new ByteReader(frame.subarray(end + 2)).u16())
    throw new TrackerFormatError("The checksum is wrong")
  return {
    isExtended,
    type: frame[start] ?? 0,
    content: frame.subarray(start + 1, end),
    serial: new ByteReader(frame.subarray(end)).u16(),
  }
}

/** The same type and serial number, with a content of its own where the device asks for one. */
function reply({ isExtended, type, serial }: Frame, content: readonly number[] = []): Uint8Array {
  const length = 5 + content.length
  const body = [...(isExtended ? u16Bytes(length) : [length]), type, ...content, ...u16Bytes(serial)]
  const start = isExtended ? [0x79, 0x79] : [0x78, 0x78]
  return new Uint8Array([...start, ...body, ...u16Bytes(crcItu(new Uint8Array(body))), 0x0d, 0x0a])
}

function decode(bytes: Uint8Array, session: TrackerSession): TrackerMessage {
  const frame = open(bytes)
  const reader = new ByteReader(frame.content)
  const acknowledgement = reply(frame)
  if (!frame.isExtended && frame.type === types.login) {
    readLogin(reader, session)
    return message("login", bytes, session, { acknowledgement })
  }
  if (session.device === undefined) throw new TrackerFormatError("The device has not sent a login message")
  if (frame.type === types.time) {
    const pairs = digitsOfTime(session.now()).slice(2).match(/\d\d/g) ?? []
    return message("other", bytes, session, { acknowledgement: reply(frame, pairs.map(Number)) })
  }
  if (frame.type === types.status || frame.type === types.heartbeat) {
    const attributes = frame.type === types.status ? readStatus(reader) : readHeartbeat(reader)
    session.status = { ...session.status, ...withoutAlarm(attributes) }
    return message("status", bytes, session, { attributes, acknowledgement })
  }
  const fix = readTypedFix(frame.type, reader, session)
  if (fix) return positionMessage(bytes, session, fix, acknowledgement)
  if (frame.isExtended) return decodeExtended(frame, reader, bytes, session)
  const isAnswered = frame.type < 0x80 && frame.type !== types.text
  return message("other", bytes, session, isAnswered ? { acknowledgement } : {})
}

/** The IMEI in eight bytes; then, if present, a model and the time zone of the device's clock. */
function readLogin(reader: ByteReader, session: TrackerSession): void {
  session.device = deviceNumber(hexOf(reader.bytes(8)).replace(/^0/, ""))
  if (reader.left < 4) return
  reader.skip(2)
  const zone = reader.u16()
  const minutes = Math.floor((zone >> 4) / 100) * 60 + ((zone >> 4) % 100)
  if (minutes <= 14 * 60) session.zoneOffsetMilliseconds = ((zone & 0x08) !== 0 ? -minutes : minutes) * 60_000
}

function readHeartbeat(reader: ByteReader): TrackerAttributes {
  const information = reader.u8()
  const attributes = { ignition: (information & 0x02) !== 0, charging: (information & 0x04) !== 0 }
  return reader.left >= 2 ? { ...attributes, batteryVolts: round(reader.u16() * 0.01, 2) } : attributes
}

function withoutAlarm({ alarm: _alarm, ...attributes }: TrackerAttributes): TrackerAttributes {
  return attributes
}

function positionMessage(
  bytes: Uint8Array,
  session: TrackerSession,
  { isValid, attributes, ...place }: Fix,
  acknowledgement?: Uint8Array,
): TrackerMessage {
  const all = { ...session.status, ...attributes }
  return message("position", bytes, session, {
    positions: isValid ? [{ ...place, attributes: all }] : [],
    withoutFix: isValid ? 0 : 1,
    attributes: isValid ? {} : attributes,
    ...(acknowledgement ? { acknowledgement } : {}),
  })
}

function readTypedFix(type: number, reader: ByteReader, session: TrackerSession): Fix | undefined {
  if (onlyFix.has(type)) return readFix(reader, session)
  if (fixWithIgnition.has(type)) return withIgnition(readFix(reader, session), reader, skipCell)
  if (type === fixOf4G) return withIgnition(readFix(reader, session), reader, skipCellOf4G)
  if (fixWithStatus.has(type)) return withStatus(readFix(reader, session), reader)
  if (type === types.x1) return readX1(reader, session)
  return undefined
}

function skipCell(reader: ByteReader): void {
  const hasLongNetwork = (reader.u16() & 0x8000) !== 0
  reader.skip((hasLongNetwork ? 2 : 1) + 2 + 3)
}

function skipCellOf4G(reader: ByteReader): void {
  const hasLongNetwork = (reader.u16() & 0x8000) !== 0
  reader.skip((hasLongNetwork ? 2 : 1) + 4 + 8)
}

/** After the cell: ignition, why it is sent, whether it is old, and the odometer in metres. */
function withIgnition(fix: Fix, reader: ByteReader, skip: (reader: ByteReader) => void): Fix {
  if (reader.left < 8) return fix
  skip(reader)
  if (reader.left < 3) return fix
  const ignition = reader.u8() > 0
  reader.skip(2)
  const meters = reader.left === 4 ? reader.u32() : undefined
  const odometerKilometers = meters === undefined ? undefined : round(meters / 1000, 3)
  return { ...fix, attributes: known<TrackerAttributes>({ ...fix.attributes, ignition, odometerKilometers }) }
}

/** The cell has a length before it. */
function withStatus(fix: Fix, reader: ByteReader): Fix {
  reader.skip(Math.max(0, reader.u8() - 1))
  return { ...fix, attributes: { ...fix.attributes, ...readStatus(reader) } }
}

function readX1(reader: ByteReader, session: TrackerSession): Fix {
  reader.skip(4)
  const fix = readFix(reader, session)
  reader.skip(2)
  const odometerKilometers = round(reader.u32() / 1000, 3)
  reader.skip(2 + 1 + 2 + 4 + 4)
  const externalVolts = round(reader.u16() * 0.01, 2)
  const batteryVolts = round(reader.u16() * 0.01, 2)
  return { ...fix, attributes: { ...fix.attributes, odometerKilometers, batteryVolts, externalVolts } }
}

/** Types that only frames with a length of two bytes have. */
function decodeExtended(
  frame: Frame,
  reader: ByteReader,
  bytes: Uint8Array,
  session: TrackerSession,
): TrackerMessage {
  if (frame.type === types.modular) {
    const { fix, attributes } = readModules(reader, session)
    if (!fix) return message("status", bytes, session, { attributes, acknowledgement: reply(frame) })
    return positionMessage(
      bytes,
      session,
      { ...fix, attributes: { ...fix.attributes, ...attributes } },
      reply(frame),
    )
  }
  if (frame.type === types.information && reader.peekU8() === 0 && reader.left >= 3) {
    reader.skip(1)
    const attributes = { externalVolts: round(reader.u16() * 0.01, 2) }
    session.status = { ...session.status, ...attributes }
    return message("status", bytes, session, { attributes })
  }
  const isAnswered = frame.type !== types.textExtended && frame.type !== types.information
  return message("other", bytes, session, isAnswered ? { acknowledgement: reply(frame) } : {})
}

/** GT06 and the devices that share its protocol (Concox, Jimi and others). TCP only: a login precedes all else. */
export const gt06: TrackerProtocol = {
  name: "gt06",
  title: "GT06",
  transports: ["tcp"],
  isText: false,
  maxFrameBytes,
  find,
  decode,
}
