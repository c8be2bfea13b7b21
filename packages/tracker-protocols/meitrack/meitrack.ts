import { asciiOf, bytesOf, indexOfByte } from "../bytes.ts"
import { sumOf } from "../checksums.ts"
import {
  deviceNumber,
  type Found,
  message,
  TrackerFormatError,
  type TrackerMessage,
  type TrackerProtocol,
  type TrackerSession,
} from "../tracker.ts"
import { readCcc, readCce } from "./binary-reports.ts"
import { readReport } from "./text-report.ts"

const maxFrameBytes = 8_192
const dollar = 0x24
const comma = 0x2c

/** `$$`, a letter, the length from the first comma to the end of the line, `,IMEI,command,…*checksum`. */
function find(bytes: Uint8Array): Found {
  if (bytes[0] !== dollar) {
    const next = indexOfByte(bytes, dollar)
    return { kind: "noise", length: next < 0 ? bytes.length : next }
  }
  if (bytes.length < 9 && indexOfByte(bytes, comma) < 0) return undefined
  const [head, length] = /^\$\$[!-~](\d{1,5})(?=,)/.exec(asciiOf(bytes.subarray(0, 9))) ?? []
  if (head === undefined) return { kind: "noise", length: 1 }
  const end = head.length + Number(length)
  if (end > maxFrameBytes) throw new TrackerFormatError(`A frame is longer than ${maxFrameBytes} bytes`)
  if (bytes.length < end) return undefined
  const isWhole = bytes[end - 2] === 0x0d && bytes[end - 1] === 0x0a
  return isWhole ? { kind: "frame", length: end } : { kind: "noise", length: 2 }
}

function decode(frame: Uint8Array, session: TrackerSession): TrackerMessage {
  const start = indexOfByte(frame, comma)
  const end = frame.length - 5
  if (sumOf(frame.subarray(0, end + 1)) !== asciiOf(frame.subarray(end + 1, end + 3)).toUpperCase())
    throw new TrackerFormatError("The checksum is wrong")
  const [, device = "", command = ""] =
    /^,(\d+),([0-9A-Z]{3})(?=[,*])/.exec(asciiOf(frame.subarray(start, start + 32))) ?? []
  session.device = deviceNumber(device)
  const content = frame.subarray(start + device.length + command.length + 3, end)
  const flag = asciiOf(frame.subarray(2, 3))
  if (command === "CCC" || command === "CCE") {
    const { count, positions } = command === "CCC" ? readCcc(content) : readCce(content)
    return message("position", frame, session, {
      positions,
      withoutFix: count - positions.length,
      acknowledgement: confirm(flag, device, command, count),
    })
  }
  if (command !== "AAA" && command !== "AFF") return message("other", frame, session)
  const fields = asciiOf(content).split(",")
  // A stored report has the number of those that are left before it.
  const { position, attributes } = readReport(command === "AFF" ? fields.slice(1) : fields)
  return message("position", frame, session, {
    positions: position ? [position] : [],
    withoutFix: position ? 0 : 1,
    attributes,
    ...(command === "AFF" ? { acknowledgement: confirm(flag, device, command, 1) } : {}),
  })
}

/** Reports how many stored reports the device may delete. */
function confirm(flag: string, device: string, command: string, count: number): Uint8Array {
  const content = `,${device},${command},${count}*`
  const text = `@@${flag}${content.length + 4}${content}`
  return bytesOf(`${text}${sumOf(bytesOf(text))}\r\n`)
}

/** Meitrack: AAA and AFF in text, CCC and CCE in bytes. Times are in UTC. */
export const meitrack: TrackerProtocol = {
  name: "meitrack",
  title: "Meitrack",
  transports: ["tcp", "udp"],
  isText: true,
  maxFrameBytes,
  find,
  decode,
}
