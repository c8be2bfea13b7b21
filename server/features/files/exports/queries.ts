import type { Caller } from "#core/access/caller.ts"
import { type Fragment, json, type Sql } from "#core/database/database.ts"
import type { Id } from "#core/ids.ts"
import { containing, type Listed, listRows, orderOf } from "#core/list-rows.ts"
import type { PageOptions } from "#core/paging.ts"
import type { ExportFormat } from "#shared/export-formats.ts"
import type { DataExportOptions } from "./data-source.ts"
import type { TaskExportOptions } from "./task-source.ts"

/** What an export is made from; kept with its entry, so that a job can make it. */
export type ExportRequest = { body: unknown } & (TableRequest | ReportRequest)

export type TableRequest = { format: ExportFormat } & (
  | { collection: "task"; options: TaskExportOptions }
  | { collection: "data"; options: DataExportOptions }
)

/** Service reports of tasks: one PDF each, or all in one. */
export interface ReportRequest {
  format: "zip" | "pdf"
  collection: "report"
  options: TaskExportOptions
  /** Undefined: of each customer. */
  language: string | undefined
}

export const exportStatuses = ["Processing", "Done", "Failed"] as const
export type ExportStatus = (typeof exportStatuses)[number]

export interface ExportRow {
  id: Id<"export">
  organizationId: Id<"organization">
  dataType: string
  dataName: string
  status: ExportStatus
  request: ExportRequest
  isBackground: boolean
  fileKey: string | null
  fileType: string
  totalRecords: number
  errorMessage: string | null
  hubNames: string[]
  exportConfigId: string | null
  userId: Id<"user">
  email: string
  userName: string
  requestedTime: Temporal.Instant
  completedTime: Temporal.Instant | null
  /** Who gets a mail when it is ready. */
  notifyEmails: string[]
}

export function exportColumns(sql: Sql): Fragment {
  return sql`exports.id, exports.organization_id, exports.data_type, exports.data_name, exports.status, exports.request,
    exports.is_background, exports.file_key, exports.file_type, exports.total_records, exports.error_message,
    exports.hub_names, exports.export_config_id, exports.user_id, exports.email, exports.user_name,
    exports.requested_time, exports.completed_time, exports.notify_emails`
}

export async function insertExport(sql: Sql, row: ExportRow): Promise<void> {
  await sql`
    insert into exports (organization_id, id, data_type, data_name, status, request, is_background, file_key, file_type,
      total_records, hub_names, export_config_id, user_id, email, user_name, requested_time, completed_time, notify_emails)
    values (${row.organizationId}, ${row.id}, ${row.dataType}, ${row.dataName}, ${row.status}, ${json(sql, row.request)},
      ${row.isBackground}, ${row.fileKey}, ${row.fileType}, ${row.totalRecords}, ${row.hubNames}, ${row.exportConfigId},
      ${row.userId}, ${row.email}, ${row.userName}, ${row.requestedTime}, ${row.completedTime}, ${row.notifyEmails})`
}

/** For the work in the background, which belongs to nobody who calls. */
export async function findExport(
  sql: Sql,
  organizationId: string,
  exportId: string,
): Promise<ExportRow | undefined> {
  const rows = await sql<ExportRow[]>`
    select ${exportColumns(sql)} from exports where organization_id = ${organizationId} and id = ${exportId}`
  return rows[0]
}

/** The names of the hubs that an export reads: those asked for, or all that the caller has. */
export async function hubNamesOf(
  sql: Sql,
  caller: Caller,
  hubIds: readonly string[] | undefined,
): Promise<string[]> {
  const wanted =
    caller.hubs === "all"
      ? hubIds
      : (hubIds ?? caller.hubs).filter((id) => (caller.hubs as readonly string[]).includes(id))
  const rows = await sql<{ name: string }[]>`
    select name from hubs where organization_id = ${caller.organizationId}
      ${wanted ? sql`and id = any (${wanted as string[]})` : sql``} order by lower(name) limit 1000`
  return rows.map(({ name }) => name)
}

export interface ExportFilter {
  email: string
  dataName?: string | undefined
  dataType?: string | undefined
  status?: string | undefined
  sortBy?: string | undefined
  direction: "asc" | "desc"
  since: Temporal.Instant
}

export const exportSorts: Readonly<Record<string, string>> = {
  requestAt: "requested_time",
  status: "status",
  dataType: "data_type",
  dataName: "data_name",
}

export function listExports(
  sql: Sql,
  organizationId: string,
  filter: ExportFilter,
  page: PageOptions,
): Promise<Listed<ExportRow>> {
  const { dataName, dataType, status } = filter
  const where = sql`organization_id = ${organizationId} and email = ${filter.email} and requested_time >= ${filter.since}
    ${dataName === undefined ? sql`` : sql`and data_name ilike ${containing(dataName)}`}
    ${dataType === undefined ? sql`` : sql`and data_type = ${dataType}`}
    ${status === undefined ? sql`` : sql`and status = ${status}`}`
  return listRows<ExportRow>(sql, page, {
    columns: exportColumns(sql),
    from: sql`from exports where ${where}`,
    order: orderOf(sql, exportSorts, filter, "requested_time"),
  })
}
