import { createReadStream } from "node:fs"
import { open } from "node:fs/promises"
import { createGunzip } from "node:zlib"
import { DumpError } from "./dump-error.ts"

const binaries: readonly [string, string][] = [
  ["PGDMP", "it is in pg_dump's custom format. Export it with pg_dump --format=plain"],
  ["PK\u0003\u0004", "it is a ZIP archive. Unpack it first"],
  ["H:2,", "it is a database file of H2. Export it with: SCRIPT TO 'dump.sql'"],
  ["SQLite format 3", "it is a database file of SQLite. Only dumps of MySQL, PostgreSQL and H2 are read"],
]
const pieceBytes = 256 * 1024
const maxTextBytes = 16 * 1024 ** 3

/** The text of a dump, piece by piece; also of one that gzip has packed. Throws a DumpError for other files. */
export async function* openDump(path: string): AsyncGenerator<string> {
  const file = await open(path, "r")
  const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0).finally(() => file.close())
  const start = buffer.subarray(0, bytesRead)
  if (bytesRead === 0) throw new DumpError("the file is empty")
  const opening = start.toString("latin1")
  for (const [mark, reason] of binaries) if (opening.startsWith(mark)) throw new DumpError(reason)
  const isPacked = start[0] === 0x1f && start[1] === 0x8b
  const input = createReadStream(path, { highWaterMark: pieceBytes })
  const source = isPacked ? input.pipe(createGunzip({ chunkSize: pieceBytes })) : input
  input.on("error", (error) => source.destroy(error))
  let bytes = 0
  let decoder: TextDecoder | undefined
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > maxTextBytes) throw new DumpError("it is larger than 16 GB when unpacked")
      decoder ??= new TextDecoder(encodingOf(chunk))
      const text = decoder.decode(chunk, { stream: true })
      if (text.includes("\0")) throw new DumpError("it is a binary file, not an SQL dump")
      yield text
    }
  } catch (error) {
    const { code } = error as { code?: string }
    if (code?.startsWith("Z_")) throw new DumpError("it is packed and damaged, or cut off", { cause: error })
    throw error
  } finally {
    input.destroy()
  }
}

/** PowerShell redirects output as UTF-16. */
function encodingOf(start: Buffer): string {
  if (start[0] === 0xff && start[1] === 0xfe) return "utf-16le"
  return start[0] === 0xfe && start[1] === 0xff ? "utf-16be" : "utf-8"
}
