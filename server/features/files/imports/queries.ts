import type { Caller } from "#core/access/caller.ts"
import { type Fragment, json, type Sql, type Tx } from "#core/database/database.ts"
import type { Id } from "#core/ids.ts"
import { containing, type Listed, listRows, orderOf } from "#core/list-rows.ts"
import type { PageOptions } from "#core/paging.ts"
import type { ColumnMapping, ImportMode, ImportStatus, ImportType } from "./settings.ts"
import type { UndoResult } from "./undo-import.ts"

export interface ImportRow {
  id: Id<"import">
  organizationId: Id<"organization">
  type: ImportType
  mode: ImportMode
  hubId: string | null
  targetId: string | null
  targetName: string | null
  name: string | null
  filename: string
  rowsKey: string
  columns: ColumnMapping
  isDryRun: boolean
  continues: string | null
  totalRows: number
  totalChunks: number
  totalValid: number
  totalInvalid: number
  processedChunks: number
  createdCount: number
  changedCount: number
  status: ImportStatus
  errorMessage: string | null
  failedKey: string | null
  userId: Id<"user">
  createdBy: string
  updatedBy: string | null
  createdTime: Temporal.Instant
  updatedTime: Temporal.Instant
  startedTime: Temporal.Instant | null
  processedTime: Temporal.Instant | null
  cancelledTime: Temporal.Instant | null
  undoneTime: Temporal.Instant | null
  undoResult: UndoResult | null
}

/** Tenant and hubs, once. Imports without a hub, such as of common data, are seen by everybody who may import. */
export function visibleImports(sql: Sql, caller: Caller): Fragment {
  return caller.hubs === "all"
    ? sql`imports.organization_id = ${caller.organizationId}`
    : sql`imports.organization_id = ${caller.organizationId}
        and (imports.hub_id is null or imports.hub_id = any (${[...caller.hubs]}))`
}

export function importColumns(sql: Sql): Fragment {
  return sql`imports.id, imports.organization_id, imports.type, imports.mode, imports.hub_id, imports.target_id,
    imports.target_name, imports.name, imports.filename, imports.rows_key, imports.columns, imports.is_dry_run,
    imports.continues, imports.total_rows, imports.total_chunks, imports.total_valid, imports.total_invalid,
    imports.processed_chunks, imports.created_count, imports.changed_count, imports.status, imports.error_message,
    imports.failed_key, imports.user_id, imports.created_by, imports.updated_by, imports.created_time,
    imports.updated_time, imports.started_time, imports.processed_time, imports.cancelled_time, imports.undone_time,
    imports.undo_result`
}

export interface NewImport
  extends Pick<
    ImportRow,
    | "id"
    | "type"
    | "mode"
    | "hubId"
    | "targetId"
    | "targetName"
    | "name"
    | "filename"
    | "rowsKey"
    | "columns"
    | "isDryRun"
    | "continues"
    | "totalRows"
    | "totalChunks"
  > {
  contentHash: Buffer
}

export async function insertImport(
  tx: Tx,
  caller: Caller,
  made: NewImport,
  now: Temporal.Instant,
): Promise<ImportRow> {
  const rows = await tx<ImportRow[]>`
    insert into imports (organization_id, id, type, mode, hub_id, target_id, target_name, name, filename, content_hash,
      rows_key, columns, is_dry_run, continues, total_rows, total_chunks, user_id, created_by, created_time, updated_time)
    values (${caller.organizationId}, ${made.id}, ${made.type}, ${made.mode}, ${made.hubId}, ${made.targetId},
      ${made.targetName}, ${made.name}, ${made.filename}, ${made.contentHash}, ${made.rowsKey}, ${json(tx, made.columns)},
      ${made.isDryRun}, ${made.continues}, ${made.totalRows}, ${made.totalChunks}, ${caller.userId}, ${caller.email},
      ${now}, ${now})
    returning ${importColumns(tx)}`
  if (!rows[0]) throw new Error("an inserted import was not returned")
  return rows[0]
}

export async function findImport(sql: Sql, caller: Caller, importId: string): Promise<ImportRow | undefined> {
  const rows = await sql<ImportRow[]>`
    select ${importColumns(sql)} from imports where ${visibleImports(sql, caller)} and id = ${importId.toLowerCase()}`
  return rows[0]
}

/**
 * For the work in the background, which belongs to nobody who calls. Rows that refer to the import, such as its keys,
 * can be written meanwhile.
 */
export async function lockImport(
  tx: Tx,
  organizationId: string,
  importId: string,
): Promise<ImportRow | undefined> {
  const rows = await tx<ImportRow[]>`
    select ${importColumns(tx)} from imports where organization_id = ${organizationId} and id = ${importId} for no key update`
  return rows[0]
}

/** An import of the same file to the same end, made within the hour, that did something or still may. */
export async function findSameImport(
  tx: Tx,
  caller: Caller,
  contentHash: Buffer,
  now: Temporal.Instant,
): Promise<ImportRow | undefined> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`import:${caller.organizationId}:${contentHash.toString("hex")}`}, 0))`
  const rows = await tx<ImportRow[]>`
    select ${importColumns(tx)} from imports
    where organization_id = ${caller.organizationId} and content_hash = ${contentHash} and not is_dry_run
      and created_time > ${now.subtract({ hours: 1 })} and status <> 'failed' and undone_time is null and cancelled_time is null
    order by created_time desc limit 1`
  return rows[0]
}

export interface ImportFilter {
  types?: readonly string[] | undefined
  statuses?: readonly string[] | undefined
  dataTypeId?: string | undefined
  hubId?: string | undefined
  flowId?: string | undefined
  filename?: string | undefined
  createdBy?: string | undefined
  sortBy?: string | undefined
  direction: "asc" | "desc"
}

const sortColumns: Record<string, string> = {
  createdTime: "created_time",
  updatedTime: "updated_time",
  status: "status",
  type: "type",
  filename: "filename",
  totalRows: "total_rows",
  totalValid: "total_valid",
  totalInvalid: "total_invalid",
  createdBy: "created_by",
  processedAt: "processed_time",
}

export function listImports(
  sql: Sql,
  caller: Caller,
  filter: ImportFilter,
  page: PageOptions,
): Promise<Listed<ImportRow>> {
  const { types, statuses, dataTypeId, hubId, flowId, filename, createdBy } = filter
  const where = sql`${visibleImports(sql, caller)}
    ${types ? sql`and type = any (${types as string[]})` : sql``}
    ${statuses ? sql`and status = any (${statuses as string[]})` : sql``}
    ${dataTypeId === undefined ? sql`` : sql`and type = 'datasource' and target_id = ${dataTypeId}`}
    ${hubId === undefined ? sql`` : sql`and hub_id = ${hubId}`}
    ${flowId === undefined ? sql`` : sql`and type in ('task', 'visit') and target_id = ${flowId}`}
    ${filename === undefined ? sql`` : sql`and filename ilike ${containing(filename)}`}
    ${createdBy === undefined ? sql`` : sql`and created_by = ${createdBy.toLowerCase()}`}`
  return listRows<ImportRow>(sql, page, {
    columns: importColumns(sql),
    from: sql`from imports where ${where}`,
    order: orderOf(sql, sortColumns, filter, "created_time"),
  })
}

const maxWrittenListed = 2000

/** Ids of what an import wrote, in the order of the file's parts. At most as many as a plan takes as visits. */
export async function listWritten(
  sql: Sql,
  { organizationId, id }: Pick<ImportRow, "organizationId" | "id">,
): Promise<string[]> {
  const rows = await sql<{ writtenId: string }[]>`
    select written_id from import_batches b, lateral (
      select unnest(b.created_ids) as written_id
      union all
      select change ->> 'id' from jsonb_array_elements(b.changed) change) written
    where b.organization_id = ${organizationId} and b.import_id = ${id} and b.undone_time is null
    order by b.first_chunk limit ${maxWrittenListed}`
  return rows.map(({ writtenId }) => writtenId)
}

/** Asks the running import to end; rows that were written stay. */
export async function cancelImport(
  tx: Tx,
  caller: Caller,
  importId: string,
  now: Temporal.Instant,
): Promise<ImportRow | undefined> {
  const [row] = await tx<ImportRow[]>`
    update imports set cancelled_time = coalesce(cancelled_time, ${now}), updated_by = ${caller.email}, updated_time = ${now}
    where organization_id = ${caller.organizationId} and id = ${importId} returning ${importColumns(tx)}`
  return row
}
