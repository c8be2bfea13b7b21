import { type FileHandle, open } from "node:fs/promises"
import type { SheetRow } from "../cell.ts"
import { readExactly } from "../file-bytes.ts"
import { parseSpoolLine, toSpoolLine } from "./spool-line.ts"

/*
 * A spool is one file: a line per row, then where each chunk of rows begins (8 bytes each), then the first row given as
 * header, then a trailer of fixed size. A job that works through a sheet in chunks goes to any of them
 * by one read. The trailer comes last, so a file whose writing was interrupted is recognised.
 */
const trailerBytes = 64
const mark = "rowspool"
const writeBytes = 256 * 1024

export interface SpoolSummary {
  /** Rows without the header. */
  readonly rowCount: number
  readonly chunkCount: number
  readonly rowsPerChunk: number
}

/**
 * Writes rows to a new file at `path`, in chunks of `rowsPerChunk`. The first row becomes the header and is not
 * counted. Errors of the rows, such as SuspectFileError, pass through; the unfinished file is left for the caller.
 */
export async function writeSpool(
  path: string,
  rows: AsyncIterable<SheetRow>,
  { rowsPerChunk }: { readonly rowsPerChunk: number },
): Promise<SpoolSummary & { readonly header: SheetRow | undefined }> {
  const file = await open(path, "w", 0o600)
  try {
    let header: SheetRow | undefined
    let rowCount = 0
    let bytes = 0
    let chunk = ""
    let unwritten: Buffer[] = []
    let unwrittenBytes = 0
    const starts: number[] = []
    const closeChunk = async (atLeast: number) => {
      const encoded = Buffer.from(chunk)
      chunk = ""
      bytes += encoded.length
      unwrittenBytes += encoded.length
      unwritten.push(encoded)
      if (unwrittenBytes < atLeast) return
      // appendFile goes on after a short write, so that a full disk is an error and never a gap.
      await file.appendFile(Buffer.concat(unwritten))
      unwritten = []
      unwrittenBytes = 0
    }
    for await (const row of rows) {
      if (header === undefined) {
        header = row
        continue
      }
      if (rowCount % rowsPerChunk === 0) {
        await closeChunk(writeBytes)
        starts.push(bytes)
      }
      chunk += `${toSpoolLine(row)}\n`
      rowCount++
    }
    await closeChunk(0)
    const index = Buffer.alloc(starts.length * 8)
    for (const [place, start] of starts.entries()) index.writeDoubleLE(start, place * 8)
    const headerLine = Buffer.from(header ? toSpoolLine(header) : "")
    const trailer = Buffer.alloc(trailerBytes)
    for (const [place, value] of [
      bytes,
      rowCount,
      rowsPerChunk,
      starts.length,
      headerLine.length,
    ].entries()) {
      trailer.writeDoubleLE(value, place * 8)
    }
    trailer.write(mark, trailerBytes - mark.length)
    await file.appendFile(Buffer.concat([index, headerLine, trailer]))
    return { header, rowCount, chunkCount: starts.length, rowsPerChunk }
  } finally {
    await file.close()
  }
}

/** Where a spool is read from: a local file, or an object store that can give ranges. */
export interface SpoolSource {
  readonly bytes: number
  read(offset: number, length: number): Promise<Buffer>
}

export interface Spool extends SpoolSummary {
  readonly header: SheetRow | undefined
  /** The rows of one chunk, counted from 0. Throws RangeError for a chunk that is not there. */
  chunk(index: number): Promise<SheetRow[]>
  /** The lines of the chunks from `start` up to but without `end`, by one read; `parseSpoolLine` makes rows of them. */
  lines(start: number, end: number): Promise<string[]>
}

/** Reads the index of a spool. Throws when the spool was never finished: it then has to be written again. */
export async function readSpool(source: SpoolSource): Promise<Spool> {
  const trailer = await source.read(
    Math.max(0, source.bytes - trailerBytes),
    Math.min(trailerBytes, source.bytes),
  )
  if (trailer.length < trailerBytes || trailer.toString("latin1", trailerBytes - mark.length) !== mark) {
    throw new Error("The spool of this file was not finished")
  }
  const field = (place: number) => trailer.readDoubleLE(place * 8)
  const [rowsEnd, rowCount, rowsPerChunk] = [field(0), field(1), field(2)]
  const [chunkCount, headerLength] = [field(3), field(4)]
  const index = await source.read(rowsEnd, chunkCount * 8 + headerLength)
  const headerLine = index.toString("utf8", chunkCount * 8)
  const startOf = (chunk: number) => (chunk < chunkCount ? index.readDoubleLE(chunk * 8) : rowsEnd)
  async function lines(start: number, end: number): Promise<string[]> {
    if (!(start >= 0 && start < end && end <= chunkCount))
      throw new RangeError(`The spool has no chunks from ${start} to ${end}`)
    const from = startOf(start)
    const texts = (await source.read(from, startOf(end) - from)).toString("utf8").split("\n")
    texts.pop()
    return texts
  }
  return {
    rowCount,
    chunkCount,
    rowsPerChunk,
    header: headerLine === "" ? undefined : parseSpoolLine(headerLine),
    chunk: async (chunk) => (await lines(chunk, chunk + 1)).map(parseSpoolLine),
    lines,
  }
}

/** Reads a spool from a local file that the caller keeps open. */
export async function fileSpoolSource(file: FileHandle): Promise<SpoolSource> {
  const { size } = await file.stat()
  return { bytes: size, read: (offset, length) => readExactly(file, offset, length) }
}
