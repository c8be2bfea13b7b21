import type { Sql } from "#core/database/database.ts"
import { type PlannedTable, planTables } from "./table-plan.ts"

export interface TenantTable extends PlannedTable {
  /** The column that identifies the organization of a row: the organization's id, or its number in the tables of locations. */
  key: "organization_id" | "organization_number"
}

/** Kept by triggers from other tables, so that loading those rebuilds them. */
export const derived: ReadonlySet<string> = new Set([
  "task_counts",
  "task_count_changes",
  "data_counts",
  "data_count_changes",
  "data_search",
  "data_search_order",
  "data_search_buckets",
  "data_search_trigrams",
  "data_search_notes",
  "rollups",
  "rollup_changes",
  "rollup_months",
  "rollup_states",
])

/**
 * Specific to a moment and an installation: unfinished sign-ins, responses stored for repeated requests, files that wait to be removed, columns that undo needs, archives that
 * an owner asked for, readings of other systems, and estimates that are due.
 */
export const passing: ReadonlySet<string> = new Set([
  "organization_archives",
  "loose_files",
  "sign_in_challenges",
  "sso_requests",
  "sso_assertions",
  "idempotency_keys",
  "undo_columns",
  "task_estimate_requests",
  "other_system_readings",
  "other_system_answers",
])

/** Every table that holds rows of organizations, parents first. */
export async function tenantTables(sql: Sql): Promise<TenantTable[]> {
  const tables = await planTables(sql)
  return tables.flatMap((table) => {
    const key = (["organization_id", "organization_number"] as const).find((name) =>
      table.columns.includes(name),
    )
    return key && table.schema === "public" ? [{ ...table, key }] : []
  })
}

/** Those that move with an organization. */
export async function movedTables(sql: Sql): Promise<TenantTable[]> {
  return (await tenantTables(sql)).filter(({ name }) => !derived.has(name) && !passing.has(name))
}

export function ownRows(table: TenantTable, organization: { id: string; number: number }): string {
  return table.key === "organization_id"
    ? `${table.key} = '${organization.id}'`
    : `${table.key} = ${organization.number}`
}

/** How many rows of an organization there are, by table, without those that have none. */
export async function countRows(
  sql: Sql,
  organization: { id: string; number: number },
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of await tenantTables(sql)) {
    const rows = await sql.unsafe<{ count: number }[]>(
      `select count(*) as count from "${table.name}" where ${ownRows(table, organization)}`,
    )
    if (rows[0]?.count) counts[table.name] = rows[0].count
  }
  return counts
}
