import { SuspectFileError } from "../suspect-file.ts"
import type { CompoundStream } from "./compound-file.ts"

/** Record numbers of BIFF8 (MS-XLS 2.3) that matter for values. */
export const xlsRecord = {
  formula: 0x0006,
  endOfPart: 0x000a,
  dateMode: 0x0022,
  filePassword: 0x002f,
  continued: 0x003c,
  sheet: 0x0085,
  multipleRk: 0x00bd,
  cellFormat: 0x00e0,
  sharedStrings: 0x00fc,
  sharedText: 0x00fd,
  number: 0x0203,
  label: 0x0204,
  booleanOrError: 0x0205,
  formulaText: 0x0207,
  rk: 0x027e,
  numberFormat: 0x041e,
  beginningOfPart: 0x0809,
} as const

export interface XlsRecord {
  readonly id: number
  readonly body: Buffer
}

/**
 * The records of one part (the globals, or one sheet) that begins at byte `from`, up to and without the end of the part.
 * Charts that are embedded in a sheet are parts inside it; their records are left out.
 */
export async function* readXlsPart(stream: CompoundStream, from: number): AsyncGenerator<XlsRecord> {
  let rest: Buffer = Buffer.alloc(0)
  let depth = 0
  for await (const chunk of stream.chunks(from)) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let at = 0
    while (at + 4 <= bytes.length) {
      const id = bytes.readUInt16LE(at)
      const end = at + 4 + bytes.readUInt16LE(at + 2)
      if (end > bytes.length) break
      if (depth === 0 && id !== xlsRecord.beginningOfPart) throw new SuspectFileError("damaged")
      if (id === xlsRecord.beginningOfPart) depth++
      if (id === xlsRecord.endOfPart && --depth === 0) return
      if (depth === 1) yield { id, body: bytes.subarray(at + 4, end) }
      at = end
    }
    rest = bytes.subarray(at)
  }
  throw new SuspectFileError("damaged")
}

/** A text with its length in front (one byte or two), as in names of sheets and formats. */
export function readXlsText(body: Buffer, at: number, lengthBytes: 1 | 2): string {
  const length = lengthBytes === 1 ? body.readUInt8(at) : body.readUInt16LE(at)
  return readXlsCharacters(body, at + lengthBytes, length).text
}

/** Up to `length` characters behind their flag byte; fewer when the record ends first. */
export function readXlsCharacters(
  body: Buffer,
  at: number,
  length: number,
): { text: string; missing: number } {
  const isWide = ((body[at] ?? 0) & 1) === 1
  const start = at + 1
  const present = Math.min(length, Math.max(0, Math.floor((body.length - start) / (isWide ? 2 : 1))))
  const text = body.toString(isWide ? "utf16le" : "latin1", start, start + present * (isWide ? 2 : 1))
  return { text, missing: length - present }
}

/**
 * Parser of the shared strings, which run on over continuation records, breaking anywhere; a text that breaks
 * has a new flag byte behind the break. Prime it with next(), then feed it the bodies of the records in turn.
 */
export function* sharedStringParser(add: (text: string) => void): Generator<undefined, void, Buffer> {
  let body: Buffer = yield
  let at = 0

  function* byte(): Generator<undefined, number, Buffer> {
    while (at >= body.length) {
      body = yield
      at = 0
    }
    return body[at++] ?? 0
  }
  function* number(bytes: number): Generator<undefined, number, Buffer> {
    let value = 0
    for (let index = 0; index < bytes; index++) value += (yield* byte()) * 2 ** (8 * index)
    return value
  }

  yield* number(4)
  const count = yield* number(4)
  for (let index = 0; index < count; index++) {
    let missing = yield* number(2)
    const flags = yield* byte()
    const runs = flags & 8 ? yield* number(2) : 0
    const phonetic = flags & 4 ? yield* number(4) : 0
    let width = flags & 1 ? 2 : 1
    let text = ""
    while (missing > 0) {
      if (body.length - at < width) {
        body = yield
        at = 0
        width = (yield* byte()) & 1 ? 2 : 1
        continue
      }
      const present = Math.min(missing, Math.floor((body.length - at) / width))
      text += body.toString(width === 2 ? "utf16le" : "latin1", at, at + present * width)
      at += present * width
      missing -= present
    }
    for (let skip = runs * 4 + phonetic; skip > 0; ) {
      const present = Math.min(skip, body.length - at)
      at += present
      skip -= present
      if (skip > 0) {
        body = yield
        at = 0
      }
    }
    add(text)
  }
}

/** The four-byte packed number of RK cells (MS-XLS 2.5.122). */
export function readRk(body: Buffer, at: number): number {
  const packed = body.readInt32LE(at)
  let value: number
  if (packed & 2) value = packed >> 2
  else {
    const double = Buffer.alloc(8)
    double.writeInt32LE(packed & ~3, 4)
    value = double.readDoubleLE(0)
  }
  return packed & 1 ? value / 100 : value
}
