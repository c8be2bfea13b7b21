import type { Caller } from "#core/access/caller.ts"
import { inTransaction, type Sql } from "#core/database/database.ts"
import { newId } from "#core/ids.ts"
import { keepFile } from "#core/objects/loose-files.ts"
import { directRows, fileTypeOf } from "./formats.ts"
import { sendExport } from "./jobs.ts"
import { type MakeContext, makeFile } from "./make-file.ts"
import { type ExportRequest, type ExportRow, hubNamesOf, insertExport, type TableRequest } from "./queries.ts"

export interface Finished {
  row: ExportRow
  lastId: string | undefined
  lastField: string | undefined
}

export interface RequestOptions {
  request: TableRequest & { body: unknown }
  expectedRows: number
  isBackground: boolean
  hubIds: readonly string[] | undefined
  exportConfigId?: string | null
}

/** `task_<organization>_<unix seconds>`, the base of file names and the name in the log. */
export function exportName(collection: string, organizationId: string, now: Temporal.Instant): string {
  return `${collection}_${organizationId}_${Math.floor(now.epochMilliseconds / 1000)}`
}

/**
 * `request` writes, in the transaction of an Idempotency-Key where there is one; the file is read with the pool.
 * Makes an export now, or, when it is requested so or large, leaves it to a job. Both have an entry in the log; one
 * that was stopped before its end has none.
 */
export async function requestExport(
  context: MakeContext & { request: Sql },
  caller: Caller,
  options: RequestOptions,
): Promise<Finished> {
  const { request: sql, now } = context
  const isBackground = options.isBackground || options.expectedRows > directRows
  const row = await newExport({ sql, now }, caller, { ...options, isBackground })
  if (isBackground) {
    return leaveToJob(sql, row)
  }
  const key = fileKeyOf(row)
  const file = { key, expectedRows: options.expectedRows, baseName: row.dataName }
  const written = await makeFile(context, caller, options.request, file)
  const done: ExportRow = {
    ...row,
    status: "Done",
    fileKey: key,
    totalRecords: written.rowCount,
    completedTime: now,
  }
  await inTransaction(sql, async (tx) => {
    await insertExport(tx, done)
    await keepFile(tx, key)
  })
  return { row: done, lastId: written.lastId, lastField: written.lastField }
}

export async function leaveToJob(sql: Sql, row: ExportRow): Promise<Finished> {
  await inTransaction(sql, async (tx) => {
    await insertExport(tx, row)
    await sendExport(tx, row)
  })
  return { row, lastId: undefined, lastField: undefined }
}

export async function newExport(
  { sql, now }: { sql: Sql; now: Temporal.Instant },
  caller: Caller,
  options: Omit<RequestOptions, "request"> & { request: ExportRequest },
): Promise<ExportRow> {
  const { collection, format } = options.request
  return {
    id: newId<"export">(now.epochMilliseconds),
    organizationId: caller.organizationId,
    dataType: collection,
    dataName: exportName(collection, caller.organizationId, now),
    status: "Processing",
    request: options.request,
    isBackground: options.isBackground,
    fileKey: null,
    fileType: fileTypeOf(format, options.expectedRows),
    totalRecords: 0,
    errorMessage: null,
    hubNames: await hubNamesOf(sql, caller, options.hubIds),
    exportConfigId: options.exportConfigId ?? null,
    userId: caller.userId,
    email: caller.email,
    userName: caller.name,
    requestedTime: now,
    completedTime: null,
    // A task export in the background is announced to the person who requested it.
    notifyEmails: options.isBackground && collection !== "data" ? [caller.email] : [],
  }
}

export function fileKeyOf(
  row: Pick<ExportRow, "organizationId" | "id" | "dataName" | "fileType" | "requestedTime">,
): string {
  const day = row.requestedTime.toString().slice(0, 10).replaceAll("-", "")
  return `${row.organizationId}/exports/${day}/${row.id}/${row.dataName}.${row.fileType}`
}
