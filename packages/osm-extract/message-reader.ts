import { PbfReader } from "pbf"
import { ExtractError } from "./extract-error.ts"

const maxId = Number.MAX_SAFE_INTEGER

/** A protobuf reader that never follows a length beyond the end of the message that contains it. */
export class MessageReader extends PbfReader {
  /** End of the length-delimited value at the present position, after reading its length. */
  readEnd(limit: number): number {
    const length = this.readVarint()
    const end = this.pos + length
    if (!(end <= limit)) throw new ExtractError("damaged", `a value of ${length} bytes exceeds its message`)
    return end
  }

  readBytesWithin(limit: number): Uint8Array {
    const end = this.readEnd(limit)
    const bytes = this.buf.subarray(this.pos, end)
    this.pos = end
    return bytes
  }

  readText(limit: number): string {
    return utf8.decode(this.readBytesWithin(limit))
  }

  /** Fails if the last values reached beyond the end of their message. */
  checkEnd(end: number): void {
    if (this.pos !== end) throw new ExtractError("damaged", "a list of numbers exceeds its message")
  }

  /** The number of varints between the present position and `end`. */
  countVarints(end: number): number {
    let count = 0
    for (let at = this.pos; at < end; at += 1) if ((this.buf[at] ?? 0) < 0x80) count += 1
    return count
  }
}

const utf8 = new TextDecoder()

export function checkId(id: number): number {
  if (!(id >= -maxId && id <= maxId)) throw new ExtractError("damaged", "an id exceeds 53 bits")
  return id
}

/** Runs `decode`; what a decoder throws on garbage becomes an ExtractError. */
export function decodeSafely<Result>(decode: () => Result): Result {
  try {
    return decode()
  } catch (error) {
    if (error instanceof ExtractError) throw error
    throw new ExtractError("damaged", undefined, { cause: error })
  }
}
