import type { Caller } from "#core/access/caller.ts"
import { type Fragment, json, type Sql, type Tx } from "#core/database/database.ts"
import { type Id, newId } from "#core/ids.ts"
import { containing, type Listed, listRows, orderOf } from "#core/list-rows.ts"
import type { PageOptions } from "#core/paging.ts"
import { toT2 } from "#shared/wire-time.ts"
import type { ConfigWrite, ExportSchedule } from "./read-config.ts"

/** A column: a flow's component copied with more keys, all kept as they came. */
export interface ConfigField {
  id: string
  component: string
  title: string
  uniqueTitle?: string
  [key: string]: unknown
}

export interface ExportConfigRow {
  id: Id<"exportConfig">
  organizationId: Id<"organization">
  name: string
  description: string | null
  collection: string
  flowIds: string[]
  fields: ConfigField[]
  filters: Record<string, string> | null
  format: string | null
  schedule: ExportSchedule | null
  scheduledBy: Id<"user"> | null
  nextRunTime: Temporal.Instant | null
  createdTime: Temporal.Instant
  updatedTime: Temporal.Instant
}

export function exportConfigColumns(sql: Sql): Fragment {
  return sql`export_configs.id, export_configs.organization_id, export_configs.name, export_configs.description,
    export_configs.collection, export_configs.flow_ids, export_configs.fields, export_configs.filters,
    export_configs.format, export_configs.schedule, export_configs.scheduled_by,
    export_configs.next_run_time, export_configs.created_time, export_configs.updated_time`
}

export async function findExportConfig(
  sql: Sql,
  caller: Pick<Caller, "organizationId">,
  configId: string,
): Promise<ExportConfigRow | undefined> {
  const rows = await sql<ExportConfigRow[]>`
    select ${exportConfigColumns(sql)} from export_configs
    where organization_id = ${caller.organizationId} and id = ${configId.toLowerCase()}`
  return rows[0]
}

export interface ConfigFilter {
  collection?: string | undefined
  name?: string | undefined
  sortBy?: string | undefined
  direction: "asc" | "desc"
}

const sortColumns: Record<string, string> = {
  createdTime: "created_time",
  updatedTime: "updated_time",
  name: "name",
}

export function listExportConfigs(
  sql: Sql,
  caller: Caller,
  filter: ConfigFilter,
  page: PageOptions,
): Promise<Listed<ExportConfigRow>> {
  const where = sql`organization_id = ${caller.organizationId}
    ${filter.collection === undefined ? sql`` : sql`and collection = ${filter.collection}`}
    ${filter.name === undefined ? sql`` : sql`and name ilike ${containing(filter.name)}`}`
  return listRows<ExportConfigRow>(sql, page, {
    columns: exportConfigColumns(sql),
    from: sql`from export_configs where ${where}`,
    order: orderOf(sql, sortColumns, filter, "created_time"),
  })
}

/** Undefined when the name is taken. */
export async function insertExportConfig(
  sql: Sql,
  caller: Caller,
  config: ConfigWrite,
): Promise<ExportConfigRow | undefined> {
  const rows = await sql<ExportConfigRow[]>`
    insert into export_configs (organization_id, id, name, description, collection, flow_ids, fields, filters, format,
      schedule, scheduled_by, next_run_time)
    values (${caller.organizationId}, ${newId()}, ${config.name}, ${config.description}, ${config.collection},
      ${config.flowIds}, ${json(sql, config.fields)}, ${config.filters && json(sql, config.filters)}, ${config.format},
      ${config.schedule && json(sql, config.schedule)}, ${config.schedule ? caller.userId : null}, ${config.nextRunTime})
    on conflict (organization_id, lower(name)) do nothing
    returning ${exportConfigColumns(sql)}`
  return rows[0]
}

export async function updateExportConfig(
  sql: Sql,
  caller: Caller,
  configId: string,
  config: ConfigWrite,
): Promise<ExportConfigRow | undefined> {
  const rows = await sql<ExportConfigRow[]>`
    update export_configs set name = ${config.name}, description = ${config.description}, collection = ${config.collection},
      flow_ids = ${config.flowIds}, fields = ${json(sql, config.fields)}, filters = ${config.filters && json(sql, config.filters)},
      format = ${config.format}, schedule = ${config.schedule && json(sql, config.schedule)},
      scheduled_by = ${config.schedule ? caller.userId : null}, next_run_time = ${config.nextRunTime}, updated_time = now()
    where organization_id = ${caller.organizationId} and id = ${configId}
      and not exists (select from export_configs other where other.organization_id = ${caller.organizationId}
        and lower(other.name) = lower(${config.name}) and other.id <> ${configId})
    returning ${exportConfigColumns(sql)}`
  return rows[0]
}

export async function removeExportConfig(sql: Sql, caller: Caller, configId: string): Promise<void> {
  await sql`delete from export_configs where organization_id = ${caller.organizationId} and id = ${configId}`
}

/** A configuration as the wire has it, its id last; what was never set is absent. */
export function toWireConfig(row: ExportConfigRow) {
  return {
    organizationId: row.organizationId,
    name: row.name,
    ...(row.description === null ? {} : { description: row.description }),
    collection: row.collection,
    flowIds: row.flowIds,
    fields: row.fields,
    ...(row.filters === null ? {} : { filters: row.filters }),
    ...(row.format === null ? {} : { format: row.format }),
    ...(row.schedule === null ? {} : { schedule: row.schedule }),
    ...(row.nextRunTime === null ? {} : { nextRunTime: toT2(row.nextRunTime) }),
    updatedTime: toT2(row.updatedTime),
    createdTime: toT2(row.createdTime),
    _id: row.id,
  }
}

/** Configurations whose scheduled run is due, locked against other workers. */
export function lockDueConfigs(tx: Tx, now: Temporal.Instant, limit: number): Promise<ExportConfigRow[]> {
  return tx<ExportConfigRow[]>`
    select ${exportConfigColumns(tx)} from export_configs where next_run_time <= ${now}
    order by next_run_time limit ${limit} for update skip locked`
}

export async function setNextRun(
  tx: Tx,
  { organizationId, id }: Pick<ExportConfigRow, "organizationId" | "id">,
  next: Temporal.Instant | null,
): Promise<void> {
  await tx`
    update export_configs set next_run_time = ${next} where organization_id = ${organizationId} and id = ${id}`
}
