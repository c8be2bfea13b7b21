import { inTransaction, type Pool, type Tx } from "#core/database/database.ts"
import { publish } from "#core/events/publish.ts"
import type { JobContext } from "#core/jobs/define-job.ts"
import { ownedState } from "#core/owned-state.ts"
import { cellToText } from "#packages/spreadsheets/cell-text.ts"
import { type ImportRow, lockImport } from "../queries.ts"
import { type Line, type Outcome, refused, type Target, type WriteContext } from "../targets/target.ts"
import { evictKeys, keepKeys } from "../upload/file-keys.ts"
import { withFileColumns } from "./file-columns.ts"
import { type Batch, type Opened, readBatch } from "./read-batch.ts"
import {
  alreadyResolved,
  type Counts,
  recordOutcomes,
  resolveFailures,
  tryLines,
  writeLines,
} from "./write-batch.ts"

/** Batches whose transactions run at a time, where the target bears it: one commits while the next one's rows are written. */
const maxInFlight = 2
/** Imports that this process writes right now. Beside others each keeps to one batch, so that a small one gets its turn. */
const writingOf = ownedState((_sql: Pool) => ({ count: 0 }))

/** Where an import stands after a batch; undefined when somebody ended it meanwhile. */
type Place = number | undefined

/**
 * A batch waits for the one before it outside of the database, which cannot see a circle of writers through that wait:
 * a lock that takes longer ends the batch, and the job tries again.
 */
const lockMilliseconds = 10_000

/**
 * Writes batch after batch until the time is up; the next one is read and checked while the database works on those
 * before. They commit in the order of the file.
 */
export async function writeInOrder(context: JobContext, opened: Opened, until: number): Promise<void> {
  const { record, target } = opened
  const most = target.isIndependent && !record.isDryRun && record.continues === null ? maxInFlight : 1
  const inFlight: Promise<Place>[] = []
  let chunk = record.processedChunks
  let slowestMilliseconds = 0
  let isWhole = false
  const writing = writingOf(context.sql)
  writing.count += 1
  try {
    while (chunk < record.totalChunks && !context.signal.aborted) {
      if (chunk > record.processedChunks && Date.now() + slowestMilliseconds >= until) break
      const batch = await readBatch(context.sql, opened, chunk)
      const { geocoderUrl } = context.config
      await target.locate?.(batch.lines, { sql: context.sql, geocoderUrl, caller: opened.caller })
      while (inFlight.length >= (writing.count > 1 ? 1 : most))
        if ((await inFlight.shift()) === undefined) return
      const start = Date.now()
      const written = writeBatch(context, opened, batch, inFlight.at(-1)).finally(() => {
        slowestMilliseconds = Math.max(slowestMilliseconds, Date.now() - start)
      })
      // The caller that waits for it gets its error.
      written.catch(() => undefined)
      inFlight.push(written)
      chunk = batch.end
    }
    for (const written of inFlight) if ((await written) === undefined) return
    isWhole = true
  } finally {
    writing.count -= 1
    await Promise.allSettled(inFlight)
    // The keys of batches that did not come in.
    if (!isWhole) evictKeys(context.sql, record.id)
  }
}

/** Another worker wrote these rows or ended the import concurrently: the transaction is rolled back. */
class ConcurrentModification extends Error {}

/**
 * Writes one batch, in one transaction that also moves the counter of chunks: a chunk that is tried again finds itself
 * done, wherever the last worker died. `before` is the batch before while that is being written: this one takes its
 * place behind it.
 */
async function writeBatch(
  context: JobContext,
  opened: Opened,
  batch: Batch,
  before: Promise<Place> | undefined,
): Promise<Place> {
  const { record, caller } = opened
  const now = context.clock.now()
  const writing: WriteContext = {
    caller,
    now,
    live: context.live,
    importId: record.id,
    acceptedTime: record.createdTime,
    publicUrl: context.config.publicUrl,
  }
  try {
    return await inTransaction(context.sql, async (tx) => {
      const early = before ? undefined : await takePlace(tx, record, batch)
      if (opened.target.isIndependent)
        await tx`select set_config('lock_timeout', ${String(lockMilliseconds)}, true)`
      await keepKeys(tx, record, batch.chunk, batch.keys)
      const outcomes = withFileColumns(await outcomesOf(tx, opened, batch, writing), opened)
      const place = { ...record, processedChunks: batch.chunk }
      const counts = await recordOutcomes(tx, place, batch.lines, outcomes, now)
      if (before && (await before) !== batch.chunk) throw new ConcurrentModification()
      await moveOn(tx, context, early ?? (await takePlace(tx, record, batch)), {
        end: batch.end,
        counts,
        now,
      })
      return batch.end
    })
  } catch (error) {
    if (error instanceof ConcurrentModification) return undefined
    throw error
  }
}

/** The import, held, when it goes on with this batch. */
async function takePlace(tx: Tx, { organizationId, id }: ImportRow, { chunk }: Batch): Promise<ImportRow> {
  const record = await lockImport(tx, organizationId, id)
  if (record?.status !== "onprocess" || record.cancelledTime || record.processedChunks !== chunk)
    throw new ConcurrentModification()
  return record
}

async function moveOn(
  tx: Tx,
  context: JobContext,
  record: ImportRow,
  { end, counts, now }: { end: number; counts: Counts; now: Temporal.Instant },
): Promise<void> {
  await tx`
    update imports set
      processed_chunks = ${end}, total_valid = total_valid + ${counts.valid}, total_invalid = total_invalid + ${counts.invalid},
      created_count = created_count + ${counts.created}, changed_count = changed_count + ${counts.changed},
      started_time = coalesce(started_time, ${now}), updated_time = ${now}, updated_by = 'system'
    where organization_id = ${record.organizationId} and id = ${record.id}`
  await publish(tx, context.live, "import.progress", {
    organizationId: record.organizationId,
    hubId: record.hubId,
    content: {
      importId: record.id,
      status: record.status,
      totalRows: record.totalRows,
      totalValid: record.totalValid + counts.valid,
      totalInvalid: record.totalInvalid + counts.invalid,
    },
  })
}

/** Every line's outcome; one whose key stood earlier in the file is refused. */
async function outcomesOf(
  tx: Tx,
  opened: Opened,
  { lines, keys: { repeats } }: Batch,
  writing: WriteContext,
): Promise<Outcome[]> {
  if (repeats.size === 0) return outcomesOfFresh(tx, opened, lines, writing)
  const fresh = lines.filter((line) => !repeats.has(line))
  const written = await outcomesOfFresh(tx, opened, fresh, writing)
  const byLine = new Map(fresh.map((line, index) => [line, written[index]]))
  return lines.map((line) => byLine.get(line) ?? repeated(line, opened.target))
}

function repeated(line: Line, { fields, keyId, uniqueKey }: Target): Outcome {
  const title = fields.find(({ id }) => id === keyId)?.title ?? keyId
  return refused(title, uniqueKey?.(line) ?? "", "is repeated in the file")
}

/** Of a corrected file, rows that came in before are refused and the others ticked off. */
async function outcomesOfFresh(
  tx: Tx,
  { record, target, plan }: Opened,
  lines: readonly Line[],
  writing: WriteContext,
): Promise<Outcome[]> {
  const write = record.isDryRun ? tryLines : writeLines
  const position = plan.firstRowPosition
  if (record.continues === null || position === undefined) return write(tx, target, lines, writing)
  const firstRows = lines.map(({ cells }) =>
    Number(cells[position] ? cellToText(cells[position]) : Number.NaN),
  )
  const wanted = firstRows.filter(Number.isSafeInteger)
  const done = await alreadyResolved(tx, record, wanted)
  const fresh = lines.filter((_line, index) => !done.has(firstRows[index] ?? Number.NaN))
  const written = await write(tx, target, fresh, writing)
  const outcomes = new Map(fresh.map((line, index) => [line, written[index]]))
  const cameIn = lines.flatMap((line, index) => {
    const kind = outcomes.get(line)?.kind
    return kind !== undefined && kind !== "refused" ? [firstRows[index] ?? Number.NaN] : []
  })
  if (!record.isDryRun) await resolveFailures(tx, record, cameIn.filter(Number.isSafeInteger))
  return lines.map(
    (line, index) =>
      outcomes.get(line) ??
      refused("Row", String(firstRows[index]), "was already imported by a corrected file"),
  )
}
