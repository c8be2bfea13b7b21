import { Type } from "typebox"
import { type Caller, findCallerOfUser } from "#core/access/caller.ts"
import { inTransaction, type Tx } from "#core/database/database.ts"
import { AppError } from "#core/errors.ts"
import { publish } from "#core/events/publish.ts"
import { defineJob, type Job, type JobContext, longQueue, send } from "#core/jobs/define-job.ts"
import { discardFiles, keepFile } from "#core/objects/loose-files.ts"
import { queueMail } from "../../organization/mails/index.ts"
import { findOrganization } from "../../organization/organizations/index.ts"
import { countDataRows } from "./data-source.ts"
import { fileTypeOf, maxReports, maxRows } from "./formats.ts"
import { makeFile } from "./make-file.ts"
import { type ExportRow, exportColumns, findExport } from "./queries.ts"
import { makeReportFile } from "./report-archive.ts"
import { fileKeyOf } from "./request-export.ts"
import { countTaskRows } from "./task-source.ts"

const writeFile = defineJob({
  name: "exports.write",
  payload: Type.Object({ organizationId: Type.String(), exportId: Type.String() }),
  maxAttempts: 5,
  timeoutSeconds: 7_200,
  isLong: true,
  async handle(context, { organizationId, exportId }) {
    const row = await findExport(context.sql, organizationId, exportId)
    if (row?.status !== "Processing") return
    try {
      await writeExportFile(context, row)
    } catch (error) {
      const isRefused = error instanceof AppError
      if (!isRefused && !(context.isLastAttempt && !context.signal.aborted)) throw error
      await endExport(context, row, {
        error: isRefused ? error.message : "The export failed because of a server error",
      })
      if (!isRefused) throw error
    }
  },
})

/** Queued behind the organization's other exports, so that nobody fills all workers. */
export async function sendExport(tx: Tx, row: Pick<ExportRow, "organizationId" | "id">): Promise<void> {
  const { organizationId, id: exportId } = row
  await send(
    tx,
    writeFile,
    { organizationId, exportId },
    { queue: longQueue("export", organizationId), priority: 10 },
  )
}

async function writeExportFile(context: JobContext, row: ExportRow): Promise<void> {
  const { sql, clock } = context
  const caller = await findCallerOfUser(sql, row.organizationId, row.userId)
  if (!caller)
    return endExport(context, row, { error: "The member who requested the export is no longer active" })
  const expectedRows = await countRows(context, caller, row)
  if (expectedRows > maxRows)
    return endExport(context, row, { error: "More than 1,000,000 rows match. Narrow the filter" })
  const { request } = row
  const isReports = request.collection === "report"
  if (isReports && expectedRows > maxReports)
    return endExport(context, row, { error: `More than ${maxReports} tasks match. Narrow the filter` })
  const fileType = fileTypeOf(request.format, expectedRows)
  const key = fileKeyOf({ ...row, fileType })
  const making = { ...context, now: clock.now() }
  const { rowCount } = isReports
    ? await makeReportFile(making, caller, request, key)
    : await makeFile(making, caller, request, { key, expectedRows, baseName: row.dataName })
  await endExport(context, row, { key, fileType, rowCount })
}

async function countRows(
  { sql, clock }: JobContext,
  caller: Caller,
  { request }: ExportRow,
): Promise<number> {
  return request.collection === "data"
    ? countDataRows(sql, caller, request.options, clock.now())
    : countTaskRows(sql, caller, request.options, clock.now())
}

async function endExport(
  context: JobContext,
  row: ExportRow,
  end: { error: string } | { key: string; fileType: string; rowCount: number },
): Promise<void> {
  const now = context.clock.now()
  const isDone = "key" in end
  await inTransaction(context.sql, async (tx) => {
    const ended = await tx`
      update exports set status = ${isDone ? "Done" : "Failed"}, completed_time = ${now},
        file_key = ${isDone ? end.key : null}, file_type = ${isDone ? end.fileType : row.fileType},
        total_records = ${isDone ? end.rowCount : 0}, error_message = ${isDone ? null : end.error}
      where organization_id = ${row.organizationId} and id = ${row.id} and status = 'Processing' returning 1`
    if (ended.length === 0) return
    if (isDone) await keepFile(tx, end.key)
    for (const email of row.notifyEmails)
      await mailReady(tx, context, row, email, isDone ? end.key : undefined)
    await publish(tx, context.live, "export.finished", {
      organizationId: row.organizationId,
      emails: [row.email],
      content: { exportId: row.id, status: isDone ? "Done" : "Failed" },
    })
  })
}

const linkDays = 7

/** Mails the link, or that there is none. */
async function mailReady(
  tx: Tx,
  { links, clock }: JobContext,
  row: ExportRow,
  email: string,
  key: string | undefined,
): Promise<void> {
  const { organizationId, dataName: name } = row
  const organization = await findOrganization(tx, organizationId)
  const to = { organizationId, email, language: organization.language }
  if (key === undefined) await queueMail(tx, to, "exportFailed", { name })
  else {
    const link = links.sign(key, clock.now(), linkDays * 86_400)
    await queueMail(tx, to, "exportReady", { name, link, days: linkDays })
  }
}

const keptDays = 30

/** Deletes exports after 30 days, files included. */
const tidyExports = defineJob({
  name: "exports.tidy",
  payload: Type.Object({}),
  maxAttempts: 3,
  timeoutSeconds: 600,
  cron: "23 * * * *",
  async handle({ sql, clock, objects, signal }) {
    const before = clock.now().subtract({ hours: 24 * keptDays })
    for (;;) {
      const old = await sql<ExportRow[]>`
        select ${exportColumns(sql)} from exports where requested_time < ${before} limit 50`
      for (const row of old) {
        if (signal.aborted) return
        await inTransaction(sql, async (tx) => {
          await tx`delete from exports where organization_id = ${row.organizationId} and id = ${row.id}`
          await discardFiles(tx, objects, [row.fileKey])
        })
      }
      if (old.length === 0) return
    }
  },
})

export const exportJobs: readonly Job[] = [writeFile, tidyExports]
