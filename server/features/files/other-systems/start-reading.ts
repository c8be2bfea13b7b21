import { createReadStream } from "node:fs"
import type { Caller } from "#core/access/caller.ts"
import { inTransaction, type Sql } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { newId } from "#core/ids.ts"
import { expectFile, keepFile } from "#core/objects/loose-files.ts"
import { privateKey } from "#core/objects/objects.ts"
import { dumpCollections } from "#shared/other-systems.ts"
import { otherSystemErrors } from "./errors.ts"
import { sendReading } from "./jobs.ts"
import { countRunning, insertReading, type NewReading, type ReadingRow } from "./queries.ts"
import { toWireReading } from "./wire.ts"

const maxRunning = 10

/** Stores the reading and enqueues its job. */
export function startReading(app: App, sql: Sql, caller: Caller, made: NewReading): Promise<ReadingRow> {
  return inTransaction(sql, async (tx) => {
    if ((await countRunning(tx, caller)) >= maxRunning) throw otherSystemErrors.tooManyReadings()
    const row = await insertReading(tx, caller, made, app.clock.now())
    if (made.dumpKey) await keepFile(tx, made.dumpKey)
    await sendReading(tx, row)
    return row
  })
}

/** Stores an uploaded dump of Traccar's database, for a reading that starts afterwards. */
export async function storeDump(
  app: App,
  caller: Caller,
  { path, filename }: { path: string; filename: string },
  collection: string,
): Promise<NewReading> {
  if (!dumpCollections.some((known) => known === collection)) {
    const reason = `must be one of ${dumpCollections.join(", ")}`
    throw otherSystemErrors.badChoice({ message: `collection ${reason}`, fields: { collection: [reason] } })
  }
  const id = newId<"reading">(app.clock.now().epochMilliseconds)
  const dumpKey = privateKey(caller.organizationId, `dump-${id}`)
  await expectFile(app.sql, dumpKey)
  await app.objects.put(dumpKey, createReadStream(path))
  return {
    ...{ id, system: "traccar", collection, address: null, fromDay: "", toDay: "", sealedKey: null },
    ...{ dumpKey, dumpName: filename.slice(0, 255) },
  }
}

/** The dump is kept until a job has read a list out of it. */
export async function startDump(app: App, sql: Sql, caller: Caller, dump: NewReading) {
  const row = await startReading(app, sql, caller, dump)
  return toWireReading(row, (key) => app.links.sign(key, app.clock.now()))
}
