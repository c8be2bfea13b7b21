import { PassThrough } from "node:stream"
import type { Caller } from "#core/access/caller.ts"
import type { Pool } from "#core/database/database.ts"
import type { ReadReplica } from "#core/database/read-replica.ts"
import { expectFile } from "#core/objects/loose-files.ts"
import type { Objects } from "#core/objects/objects.ts"
import { exportFiles } from "#shared/export-formats.ts"
import { dataSource } from "./data-source.ts"
import type { TableRequest } from "./queries.ts"
import { taskSource } from "./task-source.ts"
import { type Written, writeExport } from "./write-export.ts"

/** From here on the order of an index is worth rows that are read and left out. */
const manyRows = 50_000

export interface MakeContext {
  sql: Pool
  /** Read instead, where it shows everything that was committed before. */
  replica?: ReadReplica | undefined
  objects: Objects
  now: Temporal.Instant
  /** Stops the work: a client who left, a process that ends. */
  signal: AbortSignal
}

/** Writes the file of an export. Everything is read in one snapshot, so that no row shifts or appears twice however long it takes. */
export async function makeFile(
  context: MakeContext,
  caller: Caller,
  request: TableRequest,
  file: { key: string; expectedRows: number; baseName: string },
): Promise<Written> {
  const { sql, replica, now } = context
  return storeFile(context, file.key, async (out) => {
    const source = (await replica?.caughtUp()) ?? sql
    return source.begin("isolation level repeatable read read only", async (tx) => {
      await tx`set local statement_timeout = 0`
      // Sorted, every row is written to the disk and read again before the first one leaves. An index gives them in order.
      if (file.expectedRows >= manyRows) await tx`set local enable_sort = off`
      const form = { format: request.format, ...file }
      if (request.collection !== "task")
        return writeExport(tx, out, await dataSource(tx, caller, request.options, now), form)
      const rules = { now, hasPlaces: "hasOnlyPlaces" in exportFiles[request.format] }
      return writeExport(tx, out, await taskSource(tx, caller, request.options, rules), form)
    })
  })
}

/**
 * Stores what `write` writes under `key`, whole or not at all; the caller writes the row that refers to it and keeps the
 * file.
 */
export async function storeFile<Result>(
  { sql, objects, signal }: Pick<MakeContext, "sql" | "objects" | "signal">,
  key: string,
  write: (out: PassThrough) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted()
  const out = new PassThrough()
  const stop = () =>
    out.destroy(signal.reason instanceof Error ? signal.reason : new Error("the export was stopped"))
  signal.addEventListener("abort", stop, { once: true })
  await expectFile(sql, key)
  const stored = objects.put(key, out)
  // A store that breaks must end the writer too, which would otherwise wait for a reader forever. It may break before
  // anything was written, when nobody listens yet.
  out.on("error", () => undefined)
  let storeFault: unknown
  stored.catch((error) => {
    storeFault ??= error
    out.destroy(error)
  })
  try {
    const written = await write(out)
    out.end()
    await stored
    return written
  } catch (error) {
    // What broke the store says more than that its stream is gone.
    const cause = storeFault ?? error
    out.destroy(error as Error)
    await stored.catch(() => undefined)
    throw cause
  } finally {
    signal.removeEventListener("abort", stop)
  }
}
