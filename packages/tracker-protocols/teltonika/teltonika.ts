import { asciiOf, ByteReader, u16Bytes } from "../bytes.ts"
import { crc16Ibm } from "../checksums.ts"
import {
  deviceNumber,
  type Found,
  message,
  TrackerFormatError,
  type TrackerMessage,
  type TrackerProtocol,
  type TrackerSession,
} from "../tracker.ts"
import { isPositionCodec, readRecords } from "./records.ts"

const maxFrameBytes = 16_384
/** Preamble and length before the data, checksum after it. */
const headerBytes = 8
const checksumBytes = 4
const keepAlive = 0xff
const accepted = new Uint8Array([1])
const refused = new Uint8Array([0])

/** Before the login only its length and the IMEI are read, so that a stranger can make nobody hold more. */
function find(bytes: Uint8Array, session: TrackerSession): Found {
  if (session.device === undefined) {
    if (bytes.length < 2) return undefined
    const length = new ByteReader(bytes).u16()
    if (length < 8 || length > 20) throw new TrackerFormatError("The connection does not start with an IMEI")
    return bytes.length < 2 + length ? undefined : { kind: "frame", length: 2 + length }
  }
  if (bytes[0] === keepAlive) return { kind: "noise", length: 1 }
  if (bytes.length < headerBytes) return undefined
  const reader = new ByteReader(bytes)
  if (reader.u32() !== 0) throw new TrackerFormatError("The packet does not start with four zero bytes")
  const length = headerBytes + reader.u32() + checksumBytes
  if (length > maxFrameBytes) throw new TrackerFormatError(`A frame is longer than ${maxFrameBytes} bytes`)
  return bytes.length < length ? undefined : { kind: "frame", length }
}

function decode(frame: Uint8Array, session: TrackerSession): TrackerMessage {
  if (session.device === undefined) {
    session.device = deviceNumber(asciiOf(frame.subarray(2)))
    return message("login", frame, session, { acknowledgement: accepted, rejection: refused })
  }
  const data = frame.subarray(headerBytes, frame.length - checksumBytes)
  const checksum = new ByteReader(frame.subarray(frame.length - checksumBytes)).u32()
  if (crc16Ibm(data) !== checksum) throw new TrackerFormatError("The checksum is wrong")
  if (!isPositionCodec(data[0] ?? 0)) return message("other", frame, session)
  const reader = new ByteReader(data)
  const { count, positions, withoutFix } = readRecords(reader)
  return message("position", frame, session, {
    positions,
    withoutFix,
    acknowledgement: new Uint8Array([0, 0, ...u16Bytes(count)]),
  })
}

/** UDP: the IMEI is in every datagram, and there is no checksum. */
function decodeDatagram(datagram: Uint8Array, session: TrackerSession): TrackerMessage {
  const reader = new ByteReader(datagram)
  if (reader.u16() !== reader.left) throw new TrackerFormatError("The length of the datagram is wrong")
  const packetId = reader.u16()
  reader.skip(1)
  const avlPacketId = reader.u8()
  session.device = deviceNumber(reader.ascii(reader.u16()))
  const { count, positions, withoutFix } = readRecords(reader)
  return message("position", datagram, session, {
    positions,
    withoutFix,
    acknowledgement: new Uint8Array([0, 5, ...u16Bytes(packetId), 1, avlPacketId, count]),
  })
}

/** Codec 8, 8 Extended and 16 over TCP and UDP. */
export const teltonika: TrackerProtocol = {
  name: "teltonika",
  title: "Teltonika",
  transports: ["tcp", "udp"],
  isText: false,
  maxFrameBytes,
  find,
  decode,
  decodeDatagram,
}
