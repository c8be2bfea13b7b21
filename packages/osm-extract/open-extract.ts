import { type FileHandle, open } from "node:fs/promises"
import { type BlobPlace, readBlob, readBlobPlace } from "./blobs.ts"
import type { Block, Kinds } from "./block.ts"
import { decodeBlock } from "./decode-block.ts"
import { ExtractError } from "./extract-error.ts"
import { type ExtractHeader, parseHeader } from "./header.ts"
import { defaultExtractLimits, type ExtractLimits } from "./limits.ts"
import { decodeSafely } from "./message-reader.ts"

export interface ExtractOptions {
  readonly limits?: Partial<ExtractLimits>
  readonly signal?: AbortSignal
}

/** An open OpenStreetMap file. It can be read as often as needed; only some blocks are in memory at a time. */
export interface Extract {
  readonly header: ExtractHeader
  /** Reads the file from its beginning and decodes the given kinds only. */
  blocks(kinds: Kinds): AsyncIterable<Block>
  close(): Promise<void>
}

export async function openExtract(path: string, options: ExtractOptions = {}): Promise<Extract> {
  const limits = { ...defaultExtractLimits, ...options.limits }
  const file = await openFile(path)
  try {
    return await readExtract(file, limits, options.signal)
  } catch (error) {
    await file.close()
    throw error
  }
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path)
  } catch (error) {
    throw new ExtractError("not-found", path, { cause: error })
  }
}

async function readExtract(
  file: FileHandle,
  limits: ExtractLimits,
  signal: AbortSignal | undefined,
): Promise<Extract> {
  const stats = await file.stat()
  if (!stats.isFile()) throw new ExtractError("not-an-extract")
  if (stats.size === 0) throw new ExtractError("empty")
  if (stats.size > limits.maxFileBytes) throw new ExtractError("too-large", `${stats.size} bytes`)
  await rejectOtherFormats(file)
  const place = await readBlobPlace(file, 0, stats.size, limits)
  if (!place) throw new ExtractError("empty")
  const bytes = await readBlob(file, place, limits)
  const header = decodeSafely(() => parseHeader(bytes))
  const index: IndexedBlob[] = []
  return {
    header,
    blocks: (kinds) =>
      readBlocks({ file, limits, signal, index, start: place.next, size: stats.size }, kinds),
    close: () => file.close(),
  }
}

const otherFormats: readonly { readonly start: string; readonly advice: string }[] = [
  { start: "<", advice: "this is XML; convert it with: osmium cat FILE -o NEW.osm.pbf" },
  { start: "PK\u0003\u0004", advice: "this is a ZIP archive; unpack it first" },
  { start: "\u001f\u008b", advice: "this is compressed with gzip; unpack it first" },
  { start: "BZh", advice: "this is compressed with bzip2; unpack it first" },
  { start: "PMTiles", advice: "this is a PMTiles archive" },
]

async function rejectOtherFormats(file: FileHandle): Promise<void> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(8), 0, 8, 0)
  const start = buffer.toString("latin1", 0, bytesRead)
  const format = otherFormats.find((other) => start.startsWith(other.start))
  if (format) throw new ExtractError("not-an-extract", format.advice)
}

interface IndexedBlob extends BlobPlace {
  /** Filled when the block has been decoded once. */
  contains?: Required<Kinds>
}

interface BlobSource {
  readonly file: FileHandle
  readonly limits: ExtractLimits
  readonly signal: AbortSignal | undefined
  /** Blobs that a pass has already seen, in the order of the file. */
  readonly index: IndexedBlob[]
  readonly start: number
  readonly size: number
}

/** Blobs that are read and inflated ahead of the one that is decoded. */
const readAhead = 3

async function* readBlocks(source: BlobSource, kinds: Kinds): AsyncGenerator<Block> {
  const ahead: { blob: IndexedBlob; bytes: Promise<Uint8Array> }[] = []
  let position = 0
  try {
    while (true) {
      while (ahead.length < readAhead) {
        const blob = await blobAt(source, position)
        if (!blob) break
        position += 1
        if (!isNeeded(blob, kinds)) continue
        const bytes = readBlob(source.file, blob, source.limits)
        // It is awaited below; until then a failure must not count as unhandled.
        bytes.catch(() => undefined)
        ahead.push({ blob, bytes })
      }
      const next = ahead.shift()
      if (!next) return
      source.signal?.throwIfAborted()
      const bytes = await next.bytes
      const { block, contains } = decodeSafely(() => decodeBlock(bytes, kinds, source.limits))
      next.blob.contains = contains
      if (block.nodes || block.ways.length > 0 || block.relations.length > 0) yield block
    }
  } finally {
    await Promise.allSettled(ahead.map(({ bytes }) => bytes))
  }
}

function isNeeded({ type, contains }: IndexedBlob, kinds: Kinds): boolean {
  if (type !== "OSMData") return false
  if (!contains) return true
  return Boolean(
    (kinds.nodes && contains.nodes) ||
      (kinds.ways && contains.ways) ||
      (kinds.relations && contains.relations),
  )
}

async function blobAt(source: BlobSource, position: number): Promise<IndexedBlob | undefined> {
  const known = source.index[position]
  if (known) return known
  const offset = source.index[position - 1]?.next ?? source.start
  const place = await readBlobPlace(source.file, offset, source.size, source.limits)
  // Two passes at the same time may both have read the same header.
  if (place && source.index.length === position) source.index.push({ ...place })
  return source.index[position]
}
