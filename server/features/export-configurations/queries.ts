import type { Caller } from "#core/access/caller.ts"
import type { Fragment, Sql } from "#core/database.ts"
import type { Id } from "#core/ids.ts"

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
  schedule: unknown
  scheduledBy: Id<"user"> | null
  scheduledUntil: Temporal.Instant | null
  nextRunTime: Temporal.Instant | null
  createdTime: Temporal.Instant
  updatedTime: Temporal.Instant
}

export function exportConfigColumns(sql: Sql): Fragment {
  return sql`export_configs.id, export_configs.organization_id, export_configs.name, export_configs.description,
    export_configs.collection, export_configs.flow_ids, export_configs.fields, export_configs.filters,
    export_configs.format, export_configs.schedule, export_configs.scheduled_by, export_configs.scheduled_until,
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
