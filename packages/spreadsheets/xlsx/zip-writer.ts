import { once } from "node:events"
import { Readable, type Writable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { crc32, createDeflateRaw } from "node:zlib"

/** Writes a zip archive to a stream, part after part, holding nothing but the list of parts. */
export interface ZipWriter {
  /** Deflates one part. Resolves when it is handed to the stream; rejects when the stream breaks. */
  part(
    name: string,
    content: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
  ): Promise<void>
  /** Writes the directory. Does not end the stream. */
  finish(): Promise<void>
}

const most = 0xffffffff
// Sizes follow behind each part, and names are UTF-8.
const flags = 0x0808
// 1980-01-01, the first day of the format: the same content gives the same bytes.
const dosDate = 0x0021

/**
 * `level` is zlib's, 1 (fast) to 9. A part or an archive over 4 GiB is refused by a RangeError in the middle:
 * the zip64 records that would allow it make spreadsheet programs offer a repair.
 */
export function zipWriter(out: Writable, { level = 6 }: { readonly level?: number } = {}): ZipWriter {
  const directory: Buffer[] = []
  let offset = 0

  async function put(bytes: Buffer): Promise<void> {
    offset += bytes.length
    if (offset > most) throw new RangeError("A zip archive cannot hold more than 4 GiB")
    await writeTo(out, bytes)
  }

  return {
    async part(name, content) {
      const nameBytes = Buffer.from(name)
      const start = offset
      const sizes = { crc: 0, packed: 0, expanded: 0 }
      const header = Buffer.alloc(30)
      header.writeUInt32LE(0x04034b50, 0)
      header.writeUInt16LE(20, 4)
      header.writeUInt16LE(flags, 6)
      header.writeUInt16LE(8, 8)
      header.writeUInt16LE(dosDate, 12)
      header.writeUInt16LE(nameBytes.length, 26)
      await put(Buffer.concat([header, nameBytes]))
      await pipeline(
        Readable.from(measured(content, sizes), { objectMode: true, highWaterMark: 2 }),
        createDeflateRaw({ level, chunkSize: 64 * 1024 }),
        async (packed: AsyncIterable<Buffer>) => {
          for await (const chunk of packed) {
            sizes.packed += chunk.length
            await put(chunk)
          }
        },
      )
      const trailer = Buffer.alloc(16)
      trailer.writeUInt32LE(0x08074b50, 0)
      trailer.writeUInt32LE(sizes.crc, 4)
      trailer.writeUInt32LE(sizes.packed, 8)
      trailer.writeUInt32LE(sizes.expanded, 12)
      await put(trailer)
      const entry = Buffer.alloc(46)
      entry.writeUInt32LE(0x02014b50, 0)
      entry.writeUInt16LE(20, 4)
      header.copy(entry, 6, 4, 14)
      trailer.copy(entry, 16, 4, 16)
      entry.writeUInt16LE(nameBytes.length, 28)
      entry.writeUInt32LE(start, 42)
      directory.push(Buffer.concat([entry, nameBytes]))
    },
    async finish() {
      const start = offset
      for (const entry of directory) await put(entry)
      const end = Buffer.alloc(22)
      end.writeUInt32LE(0x06054b50, 0)
      end.writeUInt16LE(directory.length, 8)
      end.writeUInt16LE(directory.length, 10)
      end.writeUInt32LE(offset - start, 12)
      end.writeUInt32LE(start, 16)
      await put(end)
    },
  }
}

async function* measured(
  content: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
  sizes: { crc: number; expanded: number },
): AsyncGenerator<Uint8Array> {
  for await (const piece of content) {
    const bytes = typeof piece === "string" ? Buffer.from(piece) : piece
    sizes.crc = crc32(bytes, sizes.crc)
    sizes.expanded += bytes.length
    if (sizes.expanded > most) throw new RangeError("A part of a zip archive cannot hold more than 4 GiB")
    yield bytes
  }
}

/**
 * Writes one chunk and waits while the stream is full. Rejects when the stream breaks or is closed meanwhile,
 * so that the work for a client who has left stops.
 */
export async function writeTo(out: Writable, chunk: Uint8Array | string): Promise<void> {
  if (out.destroyed) throw out.errored ?? new Error("The stream was closed before everything was written")
  if (out.write(chunk)) return
  const waiting = new AbortController()
  try {
    await Promise.race([
      once(out, "drain", { signal: waiting.signal }),
      once(out, "close", { signal: waiting.signal }).then(() => {
        throw out.errored ?? new Error("The stream was closed before everything was written")
      }),
    ])
  } finally {
    waiting.abort()
  }
}
