import {
  message,
  TrackerFormatError,
  type TrackerMessage,
  type TrackerProtocol,
  type TrackerSession,
} from "./tracker.ts"

/** Bytes that belong to no frame, since the last readable one, before a connection is given up. */
const maxNoiseBytes = 4_096

export function newSession(now: () => number = Date.now): TrackerSession {
  return { device: undefined, zoneOffsetMilliseconds: 0, status: {}, now }
}

/**
 * Cuts the bytes of a connection into frames and decodes them. Holds one incomplete frame at most, provided that the
 * caller takes all messages after each push.
 */
export class TrackerStream {
  readonly session: TrackerSession
  readonly #protocol: TrackerProtocol
  #bytes = new Uint8Array(0)
  #start = 0
  #end = 0
  #noise = 0

  constructor(protocol: TrackerProtocol, session: TrackerSession = newSession()) {
    this.#protocol = protocol
    this.session = session
  }

  /** Bytes of the frame that is incomplete. */
  get pendingBytes(): number {
    return this.#end - this.#start
  }

  push(chunk: Uint8Array): void {
    const pending = this.pendingBytes
    if (this.#end + chunk.length > this.#bytes.length) {
      const isLargeEnough = pending + chunk.length <= this.#bytes.length
      const target = isLargeEnough ? this.#bytes : new Uint8Array(Math.max(64, 2 * pending) + chunk.length)
      target.set(this.#bytes.subarray(this.#start, this.#end))
      this.#bytes = target
      this.#start = 0
      this.#end = pending
    }
    this.#bytes.set(chunk, this.#end)
    this.#end += chunk.length
  }

  /** The next message; undefined until more bytes arrive. Throws a TrackerFormatError when no frame can follow any more. */
  next(): TrackerMessage | undefined {
    while (this.pendingBytes > 0) {
      const pending = this.#bytes.subarray(this.#start, this.#end)
      const found = this.#protocol.find(pending, this.session)
      if (!found) {
        if (pending.length >= this.#protocol.maxFrameBytes)
          throw new TrackerFormatError(`A frame is longer than ${this.#protocol.maxFrameBytes} bytes`)
        return undefined
      }
      this.#start += found.length
      if (found.kind === "frame") {
        const decoded = decodeFrame(this.#protocol, pending.slice(0, found.length), this.session)
        // Some devices end each frame with a line break, or send frames without a length in between, for months.
        if (decoded.kind !== "unreadable") this.#noise = 0
        return decoded
      }
      this.#noise += found.length
      if (this.#noise > maxNoiseBytes) throw new TrackerFormatError("The bytes are not of this protocol")
    }
    this.#bytes = new Uint8Array(0)
    this.#start = 0
    this.#end = 0
    return undefined
  }
}

function decodeFrame(
  protocol: TrackerProtocol,
  frame: Uint8Array,
  session: TrackerSession,
  decode: TrackerProtocol["decode"] = protocol.decode,
): TrackerMessage {
  try {
    return decode(frame, session)
  } catch (error) {
    if (error instanceof TrackerFormatError)
      return message("unreadable", frame, session, { problem: error.message })
    throw error
  }
}

/** The messages of one datagram. */
export function readDatagram(
  protocol: TrackerProtocol,
  datagram: Uint8Array,
  session: TrackerSession = newSession(),
): TrackerMessage[] {
  if (protocol.decodeDatagram)
    return [decodeFrame(protocol, datagram.slice(), session, protocol.decodeDatagram)]
  const stream = new TrackerStream(protocol, session)
  stream.push(datagram)
  const messages: TrackerMessage[] = []
  try {
    for (let next = stream.next(); next; next = stream.next()) messages.push(next)
  } catch (error) {
    if (!(error instanceof TrackerFormatError)) throw error
    messages.push(message("unreadable", datagram.slice(), session, { problem: error.message }))
  }
  return messages
}
