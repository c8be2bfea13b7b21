import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { join } from "node:path"
import { findCallerOfUser, may } from "#core/access/caller.ts"
import { inTransaction, type Sql } from "#core/database/database.ts"
import { publish } from "#core/events/publish.ts"
import type { JobContext } from "#core/jobs/define-job.ts"
import { discardFiles, keepFile } from "#core/objects/loose-files.ts"
import { privateKey } from "#core/objects/objects.ts"
import { unseal } from "#core/security/sealing.ts"
import { storeFile } from "../exports/index.ts"
import { askAndKeep, Ended, type ReadingLimits, readingLimits } from "./kept-responses.ts"
import { ReadingError, type ReadingProblem } from "./problem.ts"
import { endRow, keyPurpose, type ReadingEnd, type ReadingRow } from "./queries.ts"
import { readerOf } from "./read-collection.ts"
import { readDumpFile } from "./read-dump-file.ts"
import type { OtherRow } from "./reader.ts"
import { createRowFile } from "./row-file.ts"

/**
 * Reads the list into a file, or as far as this run goes. Throws `Postponed` when it goes on later; everything else that
 * the person can act on ends the reading with its reason.
 */
export async function runReading(
  context: JobContext,
  reading: ReadingRow,
  limits: ReadingLimits = readingLimits,
): Promise<void> {
  try {
    const caller = await findCallerOfUser(context.sql, reading.organizationId, reading.userId)
    if (!caller || !may(caller, "import/data"))
      throw new ReadingError("member-left", "The member who started this may no longer import data")
    await readInto(context, reading, limits)
  } catch (error) {
    if (error instanceof Ended) return
    if (!(error instanceof ReadingError)) throw error
    await endReading(context, reading, { status: "failed", problem: error.problem })
  }
}

async function readInto(context: JobContext, reading: ReadingRow, limits: ReadingLimits): Promise<void> {
  const root = join(context.config.dataDir, "uploads")
  await mkdir(root, { recursive: true })
  const folder = await mkdtemp(join(root, "reading-"))
  const fileKey = privateKey(reading.organizationId, `reading-${reading.id}.csv`)
  try {
    const counts =
      reading.dumpKey === null
        ? await readPages(context, reading, limits, { folder, fileKey })
        : await readDumpFile(context, reading, { folder, fileKey, maxRows: limits.rows })
    await endReading(context, reading, {
      ...{ status: "done", fileKey: counts.rowCount > 0 ? fileKey : null },
      ...counts,
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Reads page by page, and stores the rows under `fileKey` if there are any. */
async function readPages(
  context: JobContext,
  reading: ReadingRow,
  limits: ReadingLimits,
  { folder, fileKey }: { folder: string; fileKey: string },
): Promise<{ rowCount: number; emptyCount: number }> {
  const rows = createRowFile(join(folder, "rows"))
  try {
    for await (const page of await pagesOf(context, reading, () => rows.counts, limits)) {
      await rows.add(page)
      if (rows.counts.rowCount > limits.rows)
        throw new ReadingError(
          "too-many-rows",
          `The list has more than ${limits.rows.toLocaleString("en")} rows. Choose a shorter range of dates`,
        )
    }
    if (rows.counts.rowCount > 0) await storeFile(context, fileKey, (out) => rows.writeCsv(out))
    return rows.counts
  } finally {
    rows.close()
  }
}

async function pagesOf(
  context: JobContext,
  reading: ReadingRow,
  counts: () => { rowCount: number; emptyCount: number },
  limits: ReadingLimits,
): Promise<AsyncIterable<readonly OtherRow[]>> {
  const { sql, config } = context
  const { system, collection, address, sealedKey, fromDay: from, toDay: to } = reading
  const read = readerOf(system, collection)
  if (!read || address === null || !sealedKey) throw new Error("a stored reading is incomplete")
  const token = await unseal({ sql, config }, keyPurpose(reading.id), sealedKey)
  return read(askAndKeep(context, reading, address, counts, limits), { address, token, from, to })
}

/** Ends the reading once, in whichever way: the job, a cancellation or the job that tidies. */
export async function endReading(
  context: Pick<JobContext, "clock" | "live" | "objects"> & { sql: Sql },
  reading: ReadingRow,
  end: ReadingEnd,
): Promise<ReadingRow | undefined> {
  return inTransaction(context.sql, async (tx) => {
    const ended = await endRow(tx, reading, end, context.clock.now())
    if (!ended) return undefined
    if (ended.fileKey) await keepFile(tx, ended.fileKey)
    await discardFiles(tx, context.objects, [reading.dumpKey])
    await publish(tx, context.live, "import.reading", {
      organizationId: reading.organizationId,
      emails: [reading.createdBy],
      content: { readingId: reading.id, status: ended.status },
    })
    return ended
  })
}

export const serverFault: ReadingProblem = {
  code: "server-fault",
  message: "Reading stopped because of a server error, which has been logged. Start it again",
}
