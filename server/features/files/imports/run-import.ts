import { findCallerOfUser } from "#core/access/caller.ts"
import type { JobContext } from "#core/jobs/define-job.ts"
import { readSpool, type Spool } from "#packages/spreadsheets/spool/spool.ts"
import { endImport } from "./end-import.ts"
import { type ImportRow, importColumns } from "./queries.ts"
import { FileProblem, planColumns } from "./rows/plan-columns.ts"
import type { Opened } from "./rows/read-batch.ts"
import { writeInOrder } from "./rows/write-in-order.ts"
import { openTarget } from "./targets/open-target.ts"

/** How long one job works before another tenant's turn. */
const sliceMilliseconds = 2_000
/**
 * Works on an import for about two seconds. Returns true when there is more to do.
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
      await endImport(context, record, opened ?? "The uploaded file no longer exists")
      return false
    }
    await writeInOrder(context, opened, Date.now() + sliceMilliseconds)
    const after = await readRecord(context, organizationId, importId)
    if (after?.status !== "onprocess") return false
    if (after.processedChunks < after.totalChunks && !after.cancelledTime) return true
    await endImport(context, after, undefined, opened.target)
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
  if (spool.rowCount === 0) return "File validation failed: there are no rows below the header"
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
