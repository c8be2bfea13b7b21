import { setImmediate } from "node:timers/promises"
import { type Caller, findCallerOfUser } from "#core/access/caller.ts"
import { inTransaction, type Tx } from "#core/database.ts"
import { publish } from "#core/events/live-events.ts"
import type { JobContext } from "#core/jobs/define-job.ts"
import type { Cell, SheetRow } from "#core/spreadsheets/cell.ts"
import { cellToText } from "#core/spreadsheets/cell-text.ts"
import { readSpool, type Spool } from "#core/spreadsheets/spool.ts"
import { parseSpoolLine } from "#core/spreadsheets/spool-line.ts"
import { endImport } from "./end-import.ts"
import { importProgress } from "./events.ts"
import { registerKeys } from "./file-keys.ts"
import { gatheredText } from "./gathered-row.ts"
import { openTarget, readingOf } from "./open-target.ts"
import { type ColumnPlan, cellOf, FileProblem, planColumns } from "./plan-columns.ts"
import { type ImportRow, importColumns, lockImport } from "./queries.ts"
import { rowsPerChunk } from "./settings.ts"
import { type Line, type Outcome, refused, type Target, type WriteContext } from "./target.ts"
import { alreadyResolved, recordOutcomes, resolveFailures, tryLines, writeLines } from "./write-batch.ts"

/** Chunks that one transaction writes: statements over a thousand rows cost half of those over a hundred. */
const chunksPerBatch = 20
/** How long one job works before another tenant's turn. */
const sliceMilliseconds = 2_000
/** Lines that are read before anything else has its turn: about two milliseconds. */
const linesPerTurn = 50

interface Opened {
  record: ImportRow
  caller: Caller
  target: Target
  spool: Spool
  plan: ColumnPlan
}

/**
 * Works on an import for about a second, batch by batch. A batch is one transaction that also moves the
 * counter of chunks, so a chunk that is tried again finds itself done, wherever the last worker died.
 * Returns true when there is more to do.
 */
export async function runSlice(
  context: JobContext,
  organizationId: string,
  importId: string,
): Promise<boolean> {
  const record = await readRecord(context, organizationId, importId)
  if (record?.status !== "onprocess") return false
  if (record.cancelledTime) {
    await endImport(context, record)
    return false
  }
  const rows = await context.objects.openRanges(record.rowsKey)
  try {
    const opened = rows && (await open(context, record, await readSpool(rows)))
    if (!opened || typeof opened === "string") {
      await endImport(context, record, opened ?? "The uploaded file is gone")
      return false
    }
    const chunk = await writeBatches(context, opened, Date.now() + sliceMilliseconds)
    if (chunk !== undefined && chunk < record.totalChunks) return true
    const ended = await readRecord(context, organizationId, importId)
    if (ended?.status === "onprocess") await endImport(context, ended, undefined, opened.target)
    return false
  } finally {
    await rows?.close()
  }
}

async function readRecord(context: JobContext, organizationId: string, importId: string) {
  const rows = await context.sql<ImportRow[]>`
    select ${importColumns(context.sql)} from imports where organization_id = ${organizationId} and id = ${importId}`
  return rows[0]
}

/** Everything that the rows need, or why the file cannot be imported. */
async function open(context: JobContext, record: ImportRow, spool: Spool): Promise<Opened | string> {
  const caller = await findCallerOfUser(context.sql, record.organizationId, record.userId)
  if (!caller) return "The member who started this import is no longer active"
  const target = await openTarget(context.sql, caller, record)
  if (!target) return `File validation failed: ${record.targetName ?? "what it was for"} no longer exists`
  if (spool.rowCount === 0) return "File validation failed: there is no row below the header"
  try {
    const keyId = target.keyId
    const plan = planColumns(spool.header?.cells ?? [], target.fields, {
      mapping: record.columns,
      mode: record.mode,
      keyId,
    })
    return { record, caller, target, spool, plan }
  } catch (error) {
    if (error instanceof FileProblem) return `File validation failed: ${error.message}`
    throw error
  }
}

interface Batch {
  chunk: number
  end: number
  lines: Line[]
}

/**
 * Writes batch after batch until the time is up; the next one is read and checked while the database works on the
 * one before. Returns the chunk to go on with, undefined when there is nothing left to do here.
 */
async function writeBatches(context: JobContext, opened: Opened, until: number): Promise<number | undefined> {
  const { processedChunks, totalChunks } = opened.record
  let chunk: number | undefined = processedChunks
  let ready: Promise<Batch> | undefined
  let lastMilliseconds = 0
  while (chunk !== undefined && chunk < totalChunks && !context.signal.aborted && Date.now() < until) {
    const start = Date.now()
    const batch: Batch = await (ready ?? readBatch(opened, chunk))
    ready = undefined
    const isNextInTime = batch.end < totalChunks && Date.now() + lastMilliseconds < until
    if (isNextInTime) {
      ready = readBatch(opened, batch.end)
      // Whoever takes it meets its error; until then nobody else needs to.
      ready.catch(() => undefined)
    }
    const next = await writeBatch(context, opened, batch)
    if (next !== batch.end) ready = undefined
    chunk = next
    lastMilliseconds = Date.now() - start
  }
  return chunk
}

async function readBatch(opened: Opened, chunk: number): Promise<Batch> {
  const end = Math.min(chunk + chunksPerBatch, opened.record.totalChunks)
  const lines = await readLines(opened, chunk, end)
  return { chunk, end, lines }
}

/** Writes one batch. Returns the next chunk, undefined when there is nothing left to do here. */
async function writeBatch(
  context: JobContext,
  opened: Opened,
  { chunk, end, lines }: Batch,
): Promise<number | undefined> {
  return inTransaction(context.sql, async (tx) => {
    const record = await lockImport(tx, opened.record.organizationId, opened.record.id)
    if (record?.status !== "onprocess" || record.cancelledTime) return undefined
    if (record.processedChunks !== chunk) return record.processedChunks
    const now = context.clock.now()
    const writing: WriteContext = {
      caller: opened.caller,
      now,
      live: context.live,
      importId: record.id,
      acceptedTime: record.createdTime,
    }
    const repeats = await registerKeys(tx, record, opened.target, lines, { chunk, end })
    const fresh = lines.filter((line) => !repeats.has(line))
    const written = await outcomesOf(tx, record, opened, fresh, writing)
    const byLine = new Map(fresh.map((line, index) => [line, written[index]]))
    const outcomes = lines.map((line) => byLine.get(line) ?? repeated(line, opened.target))
    const counts = await recordOutcomes(tx, record, lines, outcomes, now)
    await tx`
      update imports set
        processed_chunks = ${end}, total_valid = total_valid + ${counts.valid}, total_invalid = total_invalid + ${counts.invalid},
        created_count = created_count + ${counts.created}, changed_count = changed_count + ${counts.changed},
        started_time = coalesce(started_time, ${now}), updated_time = ${now}, updated_by = 'system'
      where organization_id = ${record.organizationId} and id = ${record.id}`
    await publish(tx, context.live, importProgress, {
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
    return end
  })
}

async function readLines({ spool, plan, caller, target }: Opened, from: number, to: number): Promise<Line[]> {
  const { separators } = readingOf(caller)
  const cellIn = (cells: readonly Cell[], fieldId: string) => cellOf(cells, plan.sources, fieldId, separators)
  const lines: Line[] = []
  for (const text of to > from ? await spool.lines(from, to) : []) {
    let row: SheetRow | undefined = parseSpoolLine(text)
    const line: Line = {
      index: from * rowsPerChunk + lines.length,
      rowNumber: row.rowNumber,
      get cells() {
        row ??= parseSpoolLine(text)
        return row.cells
      },
      cell: (fieldId) => cellIn(line.cells, fieldId),
      cellIn,
      gathered: gatheredText(row.cells, plan.gatheredPosition),
    }
    if (target.prepare) {
      target.prepare(line)
      // Only refused lines are asked for their cells again, and the cells of a batch are most of its memory.
      row = undefined
    }
    lines.push(line)
    if (lines.length % linesPerTurn === 0) await setImmediate()
  }
  return lines
}

function repeated(line: Line, { fields, keyId, uniqueKey }: Target): Outcome {
  const title = fields.find(({ id }) => id === keyId)?.title ?? keyId
  return refused(title, uniqueKey?.(line) ?? "", "is repeated in the file")
}

/** Every line's outcome. Of a corrected file, rows that came in before are refused and the others ticked off. */
async function outcomesOf(
  tx: Tx,
  record: ImportRow,
  { target, plan }: Opened,
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
      refused("Row", String(firstRows[index]), "was imported already by a corrected file"),
  )
}
