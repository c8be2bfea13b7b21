import type { Static } from "typebox"
import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import type { Id } from "#core/ids.ts"
import type { PageOptions } from "#core/paging.ts"
import { toT1 } from "#shared/wire-time.ts"
import type { Step, WorkflowSchema } from "./schemas.ts"

export interface WorkflowRow {
  id: Id<"workflow">
  organizationId: Id<"organization">
  name: string
  steps: Step[]
  customStatuses: { name: string; isDefault: boolean }[]
  createdBy: string | null
  updatedBy: string | null
  createdTime: Temporal.Instant
  updatedTime: Temporal.Instant
}

export interface WorkflowFilter {
  q?: string
  createdBy?: string
  stepsCountMin?: number
  stepsCountMax?: number
}

export async function listWorkflows(
  sql: Sql,
  caller: Caller,
  filter: WorkflowFilter,
  page: PageOptions,
): Promise<{ rows: WorkflowRow[]; total: number }> {
  const pattern = filter.q === undefined ? undefined : `%${filter.q.replace(/[\\%_]/g, "\\$&")}%`
  const condition = sql`organization_id = ${caller.organizationId}
    ${pattern === undefined ? sql`` : sql`and name ilike ${pattern}`}
    ${filter.createdBy === undefined ? sql`` : sql`and created_by = ${filter.createdBy.toLowerCase()}`}
    ${filter.stepsCountMin === undefined ? sql`` : sql`and jsonb_array_length(steps) >= ${filter.stepsCountMin}`}
    ${filter.stepsCountMax === undefined ? sql`` : sql`and jsonb_array_length(steps) <= ${filter.stepsCountMax}`}`
  const [rows, counted] = await Promise.all([
    sql<WorkflowRow[]>`
      select * from workflows where ${condition} order by created_time desc, id desc limit ${page.limit} offset ${page.offset}`,
    sql<{ total: number }[]>`select count(*) as total from workflows where ${condition}`,
  ])
  return { rows, total: counted[0]?.total ?? 0 }
}

export async function findWorkflow(sql: Sql, caller: Caller, id: string): Promise<WorkflowRow | undefined> {
  const rows = await sql<WorkflowRow[]>`
    select * from workflows where organization_id = ${caller.organizationId} and id = ${id.toLowerCase()}`
  return rows[0]
}

export function toWireWorkflow(row: WorkflowRow): Static<typeof WorkflowSchema> {
  return {
    _id: row.id,
    name: row.name,
    organizationId: row.organizationId,
    steps: row.steps,
    customStatuses: row.customStatuses,
    createdBy: row.createdBy,
    updatedBy: row.updatedBy,
    createdTime: toT1(row.createdTime),
    updatedTime: toT1(row.updatedTime),
  }
}
