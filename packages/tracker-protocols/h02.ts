import { asciiOf, ByteReader, bytesOf, hexOf, indexOfByte } from "./bytes.ts"
import {
  deviceNumber,
  type Found,
  isDeviceNumber,
  known,
  message,
  type TrackerAlarm,
  type TrackerAttributes,
  TrackerFormatError,
  type TrackerMessage,
  type TrackerPosition,
  type TrackerProtocol,
  type TrackerSession,
} from "./tracker.ts"
import { decimal, degreesOf, digitsOfTime, knotsToKilometersPerHour, pairsOf, utcTime } from "./values.ts"

const maxFrameBytes = 1_024
const star = 0x2a
const dollar = 0x24
const hash = 0x23
/** With a number of 10 digits, and with one of 15; what follows differs between models and is skipped. */
const shortBytes = 32
const longBytes = 42

function find(bytes: Uint8Array): Found {
  if (bytes[0] === star) {
    if (bytes.length < 4) return undefined
    if (!/^\*[A-Za-z]{2},$/.test(asciiOf(bytes.subarray(0, 4)))) return { kind: "noise", length: 1 }
    const end = indexOfByte(bytes.subarray(0, maxFrameBytes), hash)
    return end < 0 ? undefined : { kind: "frame", length: end + 1 }
  }
  if (bytes[0] === dollar) return findBinary(bytes)
  const next = bytes.findIndex((byte) => byte === star || byte === dollar)
  return { kind: "noise", length: next < 0 ? bytes.length : next }
}

/** Binary frames have neither length nor end: they are recognized by the date and time after the number. */
function findBinary(bytes: Uint8Array): Found {
  if (bytes.length < 15) return undefined
  for (const [idBytes, length] of [
    [5, shortBytes],
    [8, longBytes],
  ] as const) {
    if (!isDateTime(hexOf(bytes.subarray(1 + idBytes, 7 + idBytes)))) continue
    return bytes.length < length ? undefined : { kind: "frame", length }
  }
  return { kind: "noise", length: 1 }
}

/** `hhmmssddmmyy` */
function isDateTime(digits: string): boolean {
  return /^(?:[01]\d|2[0-3])[0-5]\d[0-5]\d(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])\d\d$/.test(digits)
}

function decode(frame: Uint8Array, session: TrackerSession): TrackerMessage {
  return frame[0] === dollar ? decodeBinary(frame, session) : decodeText(frame, session)
}

function decodeBinary(frame: Uint8Array, session: TrackerSession): TrackerMessage {
  const isLong = frame.length === longBytes
  const reader = new ByteReader(frame)
  reader.skip(1)
  session.device = deviceNumber(isLong ? hexOf(reader.bytes(8)).slice(0, 15) : hexOf(reader.bytes(5)))
  const time = hexOf(reader.bytes(3))
  const recordedAt = timeOf(time, hexOf(reader.bytes(3)))
  const latitude = hexOf(reader.bytes(4))
  const batteryPercent = percentOf(reader.u8())
  const longitude = hexOf(reader.bytes(5))
  const flags = Number.parseInt(longitude.slice(9), 16)
  const motion = hexOf(reader.bytes(3))
  const speed = decimal(motion.slice(0, 3))
  const attributes = known<TrackerAttributes>({
    batteryPercent,
    ...attributesOfStatus(hexOf(reader.bytes(4))),
  })
  if ((flags & 0x02) === 0) return message("position", frame, session, { withoutFix: 1, attributes })
  const position = known<TrackerPosition>({
    recordedAt,
    latitude: degreesOf(`${latitude.slice(0, 4)}.${latitude.slice(4)}`, (flags & 0x04) !== 0 ? "N" : "S"),
    longitude: degreesOf(
      `${longitude.slice(0, 5)}.${longitude.slice(5, 9)}`,
      (flags & 0x08) !== 0 ? "E" : "W",
    ),
    speedKilometersPerHour: speed === undefined ? undefined : knotsToKilometersPerHour(speed),
    bearingDegrees: decimal(motion.slice(3), 0, 360),
    attributes,
  })
  return message("position", frame, session, { positions: [position] })
}

function percentOf(value: number): number | undefined {
  if (value >= 1 && value <= 3) return (value - 1) * 10
  if (value >= 4 && value <= 6) return (value - 1) * 20
  return value > 6 && value <= 100 ? value : undefined
}

function timeOf(hhmmss: string, ddmmyy: string): number {
  const [day, month, year] = pairsOf(ddmmyy)
  return utcTime(year, month, day, ...pairsOf(hhmmss))
}

function decodeText(frame: Uint8Array, session: TrackerSession): TrackerMessage {
  const text = asciiOf(frame)
  const fields = text.slice(1, -1).split(",")
  const [maker = "HQ", id = "", command = ""] = fields
  if (isDeviceNumber(id)) session.device = id
  if (session.device === undefined) throw new TrackerFormatError("The frame contains no device number")
  const reply = (type: string) =>
    bytesOf(`*${maker},${session.device},V4,${type},${digitsOfTime(session.now())}#`)
  if (/^(?:NBR|LINK|HTBT|XT|V3|SOS)$/.test(command)) {
    const attributes = attributesOfReport(command, fields)
    return message("status", frame, session, { attributes, acknowledgement: reply(command) })
  }
  const place = fields.findIndex((field, index) => index > 3 && /^[NS]$/.test(field))
  if (place < 0 || !/^(?:V|VI)\d+$/.test(command)) return message("other", frame, session)
  const acknowledgement = command === "V1" ? { acknowledgement: reply("V1") } : {}
  const attributes = attributesOfStatus(fields[place + 6])
  if (!isFix(fields, place))
    return message("position", frame, session, { withoutFix: 1, attributes, ...acknowledgement })
  return message("position", frame, session, {
    positions: [positionOf(fields, place, attributes)],
    ...acknowledgement,
  })
}

/** Before the latitude: the time, and A for a fix or the number of a coding scheme. */
function isFix(fields: readonly string[], place: number): boolean {
  return /^(?:A|\d+)$/.test(fields[place - 2] ?? "") && /^\d{6}$/.test(fields[place - 3] ?? "")
}

/** `time,A,latitude,N,longitude,E,knots,course[,battery],date,status,…` */
function positionOf(
  fields: readonly string[],
  place: number,
  attributes: TrackerAttributes,
): TrackerPosition {
  const hasBattery = !/^\d{6}$/.test(fields[place + 5] ?? "") && /^\d{6}$/.test(fields[place + 6] ?? "")
  const date = fields[place + (hasBattery ? 6 : 5)] ?? ""
  const speed = decimal(fields[place + 3]?.trim(), 0)
  return known<TrackerPosition>({
    recordedAt: timeOf(fields[place - 3] ?? "", date),
    latitude: degreesOf(fields[place - 1] ?? "", fields[place] ?? ""),
    longitude: degreesOf(fields[place + 1] ?? "", fields[place + 2] ?? ""),
    speedKilometersPerHour: speed === undefined ? undefined : knotsToKilometersPerHour(speed),
    bearingDegrees: decimal(fields[place + 4], 0, 360),
    attributes: hasBattery ? attributesOfStatus(fields[place + 7]) : attributes,
  })
}

/** 32 bits that are 0 while something is the case. */
function attributesOfStatus(hex: string | undefined): TrackerAttributes {
  if (hex === undefined || !/^[0-9A-Fa-f]{8}$/.test(hex)) return {}
  const status = Number.parseInt(hex, 16)
  const isLow = (bit: number) => ((status >>> bit) & 1) === 0
  // Somebody who calls for help may also shake the device.
  const alarm: TrackerAlarm | undefined =
    isLow(1) || isLow(18)
      ? "sos"
      : isLow(0)
        ? "vibration"
        : isLow(2)
          ? "overspeed"
          : isLow(19)
            ? "power-cut"
            : undefined
  return known<TrackerAttributes>({ ignition: !isLow(10), alarm })
}

function attributesOfReport(command: string, fields: readonly string[]): TrackerAttributes {
  // LINK: time, signal, satellites, battery, …; HTBT: battery; XT: a mode, battery.
  const battery =
    command === "LINK" ? fields[6] : command === "HTBT" ? fields[3] : command === "XT" ? fields[4] : undefined
  const satellites = command === "LINK" ? decimal(fields[5], 0, 99) : undefined
  const status = fields.find((field, index) => index > 4 && /^[0-9A-F]{8}$/.test(field))
  return known<TrackerAttributes>({
    batteryPercent: decimal(battery, 0, 100),
    satellites,
    ...attributesOfStatus(status),
  })
}

/** H02, text (`*HQ,…#`) and binary (`$…`). Speeds are in knots, times in UTC. */
export const h02: TrackerProtocol = {
  name: "h02",
  title: "H02",
  transports: ["tcp", "udp"],
  isText: true,
  maxFrameBytes,
  find,
  decode,
}
