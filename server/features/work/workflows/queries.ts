import type { Static } from "typebox"
import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import type { Id } from "#core/ids.ts"
import { containing, type Listed, listRows } from "#core/list-rows.ts"
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

export function listWorkflows(
  sql: Sql,
  caller: Caller,
  filter: WorkflowFilter,
  page: PageOptions,
): Promise<Listed<WorkflowRow>> {
  const pattern = filter.q === undefined ? undefined : containing(filter.q)
  const condition = sql`organization_id = ${caller.organizationId}
    ${pattern === undefined ? sql`` : sql`and name ilike ${pattern}`}
    ${filter.createdBy === undefined ? sql`` : sql`and created_by = ${filter.createdBy.toLowerCase()}`}
    ${filter.stepsCountMin === undefined ? sql`` : sql`and jsonb_array_length(steps) >= ${filter.stepsCountMin}`}
    ${filter.stepsCountMax === undefined ? sql`` : sql`and jsonb_array_length(steps) <= ${filter.stepsCountMax}`}`
  return listRows<WorkflowRow>(sql, page, {
    columns: sql`*`,
    from: sql`from workflows where ${condition}`,
    order: sql`created_time desc, id desc`,
  })
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
