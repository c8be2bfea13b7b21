import { asciiOf, indexOfByte } from "../bytes.ts"
import type { Found, TrackerMessage, TrackerProtocol, TrackerSession } from "../tracker.ts"
import { decodeBrackets } from "./brackets.ts"
import { decodeKeywords } from "./keywords.ts"

const maxFrameBytes = 2_048
const open = 0x28
const close = 0x29
const semicolon = 0x3b

/** How frames start that end with a semicolon: a position, a login, and a heartbeat of nothing but the IMEI. */
const keywordStarts = ["imei:", "##,"]
const heartbeat = /^\d{15};/
const partOfHeartbeat = /^\d{1,15}$/

function find(bytes: Uint8Array): Found {
  if (bytes[0] === open) return frameUntil(bytes, close)
  const start = asciiOf(bytes.subarray(0, 16))
  if (keywordStarts.some((text) => start.startsWith(text))) return frameUntil(bytes, semicolon)
  if (heartbeat.test(start)) return { kind: "frame", length: 16 }
  if (keywordStarts.some((text) => text.startsWith(start)) || partOfHeartbeat.test(start)) return undefined
  const next = bytes.findIndex((byte, index) => index > 0 && canStart(byte))
  return { kind: "noise", length: next < 0 ? bytes.length : next }
}

/** An opening bracket, `i`, `#` or a digit. */
function canStart(byte: number): boolean {
  return byte === open || byte === 0x69 || byte === 0x23 || (byte >= 0x30 && byte <= 0x39)
}

function frameUntil(bytes: Uint8Array, last: number): Found {
  const end = indexOfByte(bytes.subarray(0, maxFrameBytes), last)
  return end < 0 ? undefined : { kind: "frame", length: end + 1 }
}

function decode(frame: Uint8Array, session: TrackerSession): TrackerMessage {
  return frame[0] === open ? decodeBrackets(frame, session) : decodeKeywords(frame, session)
}

/** TK103: the messages in brackets, and those of Coban's devices that start with `imei:`. Times are in UTC. */
export const tk103: TrackerProtocol = {
  name: "tk103",
  title: "TK103",
  transports: ["tcp", "udp"],
  isText: true,
  maxFrameBytes,
  find,
  decode,
}
