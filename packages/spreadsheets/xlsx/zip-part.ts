import type { FileHandle } from "node:fs/promises"
import { pipeline, Readable } from "node:stream"
import { crc32, createInflateRaw } from "node:zlib"
import { fileChunks, readExactly } from "../file-bytes.ts"
import { SuspectFileError } from "../suspect-file.ts"
import type { ZipEntry } from "./zip-directory.ts"

const chunkBytes = 64 * 1024

/**
 * Unpacks one part of a zip archive, chunk by chunk, reading only as fast as the chunks are taken.
 * A part that unpacks to more than its directory entry says is refused in the middle: sizes that lie are
 * how archives of a few kilobytes become gigabytes after a check of the directory alone.
 */
export async function* readZipPart(file: FileHandle, entry: ZipEntry): AsyncGenerator<Buffer> {
  if (entry.encrypted) throw new SuspectFileError("encrypted")
  if (entry.method !== 0 && entry.method !== 8) throw new SuspectFileError("damaged")
  const header = await readExactly(file, entry.headerOffset, 30)
  if (header.readUInt32LE(0) !== 0x04034b50) throw new SuspectFileError("damaged")
  const start = entry.headerOffset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28)
  if (entry.packedBytes === 0) return
  const packed = fileChunks(file, start, start + entry.packedBytes)
  const chunks = entry.method === 0 ? packed : inflate(packed)
  let expanded = 0
  let checksum = 0
  try {
    for await (const chunk of chunks) {
      expanded += chunk.length
      if (expanded > entry.expandedBytes) throw new SuspectFileError("expands-too-large")
      checksum = crc32(chunk, checksum)
      yield chunk
    }
  } catch (error) {
    if (error instanceof SuspectFileError) throw error
    throw new SuspectFileError("damaged", undefined, { cause: error })
  }
  if (expanded < entry.expandedBytes || checksum !== entry.checksum) throw new SuspectFileError("damaged")
}

async function* inflate(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  // pipeline() hands an error of the source to the iteration of its last stream, and stops it when that ends early.
  yield* pipeline(Readable.from(packed), createInflateRaw({ chunkSize: chunkBytes }), () => {})
}

/** A whole small part as text. Larger than `maxBytes` is refused: only lists of sheets and styles are read so. */
export async function readZipPartText(file: FileHandle, entry: ZipEntry, maxBytes: number): Promise<string> {
  if (entry.expandedBytes > maxBytes) throw new SuspectFileError("expands-too-large")
  const chunks: Buffer[] = []
  for await (const chunk of readZipPart(file, entry)) chunks.push(chunk)
  return Buffer.concat(chunks).toString("utf8")
}
