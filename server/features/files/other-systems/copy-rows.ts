import { createHash } from "node:crypto"
import { createWriteStream } from "node:fs"
import { Transform } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { isId } from "#core/ids.ts"
import type { Objects } from "#core/objects/objects.ts"
import { otherSystemErrors } from "./errors.ts"
import { findReading } from "./queries.ts"

/** Copies the rows of a reading to a file, from which they are imported like an upload. */
export async function copyRows(
  { sql, objects }: { sql: Sql; objects: Objects },
  caller: Caller,
  readingId: string,
  path: string,
): Promise<{ path: string; filename: string; bytes: number; sha256: Buffer }> {
  const reading = isId(readingId) ? await findReading(sql, caller, readingId) : undefined
  if (!reading) throw otherSystemErrors.notFound()
  const stored = reading.fileKey === null ? undefined : await objects.open(reading.fileKey)
  if (!stored) throw otherSystemErrors.notDone()
  const hash = createHash("sha256")
  let bytes = 0
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
  })
  await pipeline(stored.stream, measure, createWriteStream(path, { mode: 0o600 }))
  return { path, filename: `${reading.system}-${reading.collection}.csv`, bytes, sha256: hash.digest() }
}
