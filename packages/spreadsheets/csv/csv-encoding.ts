import { isUtf8 } from "node:buffer"
import type { FileHandle } from "node:fs/promises"
import { SuspectFileError } from "../suspect-file.ts"

export type CsvEncoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252"

export interface CsvText {
  readonly encoding: CsvEncoding
  /** Length of the byte-order mark, 0 without one. */
  readonly markBytes: number
  /** The beginning of the text, decoded, for detecting the delimiter. */
  readonly sample: string
}

const sampleBytes = 64 * 1024
const scanBytes = 1024 * 1024

/**
 * Finds the encoding of a text file: by its byte-order mark, by the zero bytes of UTF-16, else UTF-8 when every
 * byte of the file agrees, else windows-1252, which contains latin-1. The whole file is scanned (about 1 GB/s):
 * the one `é` that decides may be in the last row. Throws SuspectFileError `wrong-type` for binary data.
 */
export async function detectCsvEncoding(file: FileHandle, fileBytes: number): Promise<CsvText> {
  const start = Buffer.alloc(Math.min(sampleBytes, fileBytes))
  await file.read(start, 0, start.length, 0)
  const found = byMark(start) ?? byZeros(start)
  if (found) {
    const decoder = new TextDecoder(found.encoding)
    const sample = decoder.decode(start.subarray(found.markBytes), { stream: true })
    if (looksBinary(sample)) throw new SuspectFileError("wrong-type", "it holds binary data")
    return { ...found, sample }
  }
  const encoding = (await isUtf8File(file)) ? "utf-8" : "windows-1252"
  const sample = new TextDecoder(encoding).decode(start, { stream: true })
  if (looksBinary(sample)) throw new SuspectFileError("wrong-type", "it holds binary data")
  return { encoding, markBytes: 0, sample }
}

function byMark(start: Buffer): { encoding: CsvEncoding; markBytes: number } | undefined {
  if (start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf) return { encoding: "utf-8", markBytes: 3 }
  if (start[0] === 0xff && start[1] === 0xfe) return { encoding: "utf-16le", markBytes: 2 }
  if (start[0] === 0xfe && start[1] === 0xff) return { encoding: "utf-16be", markBytes: 2 }
  return undefined
}

/** Latin text in UTF-16 has a zero in every other byte; in no other text encoding does a zero occur. */
function byZeros(start: Buffer): { encoding: CsvEncoding; markBytes: number } | undefined {
  let even = 0
  let odd = 0
  for (let at = 0; at < start.length; at++) {
    if (start[at] !== 0) continue
    if (at % 2 === 0) even++
    else odd++
  }
  const many = start.length / 8
  if (odd > many && even < odd / 20) return { encoding: "utf-16le", markBytes: 0 }
  if (even > many && odd < even / 20) return { encoding: "utf-16be", markBytes: 0 }
  return undefined
}

/** True when a text contains what no text contains: zeros, or more than a few control characters. */
function looksBinary(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  const controls: readonly string[] = text.match(/[\x00-\x08\x0e-\x1f]/g) ?? []
  return controls.includes("\0") || controls.length > text.length / 200
}

async function isUtf8File(file: FileHandle): Promise<boolean> {
  const bytes = Buffer.alloc(scanBytes)
  let held = 0
  for (let offset = 0; ; ) {
    const { bytesRead } = await file.read(bytes, held, scanBytes - held, offset)
    offset += bytesRead
    const length = held + bytesRead
    if (bytesRead === 0) return isUtf8(bytes.subarray(0, length))
    const whole = length - openSequence(bytes, length)
    if (!isUtf8(bytes.subarray(0, whole))) return false
    bytes.copy(bytes, 0, whole, length)
    held = length - whole
  }
}

/** Bytes at the end that begin a UTF-8 sequence which goes on in the next block. */
function openSequence(bytes: Buffer, length: number): number {
  for (let back = 1; back <= 3 && back <= length; back++) {
    const byte = bytes[length - back] ?? 0
    if (byte < 0x80) return 0
    if (byte < 0xc0) continue
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
    return needed > back ? back : 0
  }
  return 0
}
