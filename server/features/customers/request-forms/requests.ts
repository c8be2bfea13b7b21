import { type Caller, inCallersHubs } from "#core/access/caller.ts"
import type { Sql, Tx } from "#core/database/database.ts"
import type { Id } from "#core/ids.ts"
import { type Listed, listRows } from "#core/list-rows.ts"
import type { PageOptions } from "#core/paging.ts"
import { codeMakerOf } from "../tracking-pages/index.ts"

export interface RequestRow {
  organizationId: string
  id: Id<"task-request">
  formId: string
  hubId: string
  flowId: string
  status: "pending" | "approved" | "rejected"
  values: Record<string, unknown>
  name: string | null
  language: string
  slotId: string | null
  startsAt: Temporal.Instant | null
  endsAt: Temporal.Instant | null
  taskId: string | null
  createdTime: Temporal.Instant
  decidedTime: Temporal.Instant | null
  decidedBy: string | null
  reason: string | null
}

export const requestColumns = (sql: Sql) => sql`
  organization_id, id, form_id, hub_id, flow_id, status, "values", name, language, slot_id, starts_at, ends_at, task_id,
  created_time, decided_time, decided_by, reason`

/** The code of the page on which a customer sees what became of a request. */
export async function codeOfRequest(pool: Sql, requestId: string) {
  return (await codeMakerOf(pool)).codeOf("task-request", requestId)
}

const visible = (sql: Sql, caller: Caller) =>
  sql`organization_id = ${caller.organizationId} and ${inCallersHubs(sql, caller, sql`hub_id`)}`

export interface RequestFilter {
  status?: string | undefined
  formId?: string | undefined
}

export function listRequests(
  sql: Sql,
  caller: Caller,
  { status, formId }: RequestFilter,
  page: PageOptions,
): Promise<Listed<RequestRow>> {
  return listRows<RequestRow>(sql, page, {
    columns: requestColumns(sql),
    from: sql`from task_requests where ${visible(sql, caller)}
      ${status === undefined ? sql`` : sql`and status = ${status}`}
      ${formId === undefined ? sql`` : sql`and form_id = ${formId.toLowerCase()}`}`,
    order: sql`created_time desc, id`,
  })
}

export async function lockRequest(
  tx: Tx,
  caller: Caller,
  requestId: string,
): Promise<RequestRow | undefined> {
  const rows = await tx<RequestRow[]>`
    select ${requestColumns(tx)} from task_requests
    where ${visible(tx, caller)} and id = ${requestId.toLowerCase()} for update`
  return rows[0]
}

export async function findRequestByHash(sql: Sql, hash: Buffer): Promise<RequestRow | undefined> {
  const rows = await sql<RequestRow[]>`
    select ${requestColumns(sql)} from task_requests where code_hash = ${hash}`
  return rows[0]
}

export async function findSubmission(
  sql: Sql,
  { organizationId, id }: { organizationId: string; id: string },
  submission: Buffer,
): Promise<RequestRow | undefined> {
  const rows = await sql<RequestRow[]>`
    select ${requestColumns(sql)} from task_requests
    where organization_id = ${organizationId} and form_id = ${id} and submission = ${submission}`
  return rows[0]
}

/** How many requests a form has received since a time. */
export async function countRequests(
  tx: Tx,
  { organizationId, id }: { organizationId: string; id: string },
  since: Temporal.Instant,
): Promise<number> {
  const rows = await tx<{ count: number }[]>`
    select count(*)::int as count from task_requests
    where organization_id = ${organizationId} and form_id = ${id} and created_time >= ${since}`
  return rows[0]?.count ?? 0
}

export interface Decision {
  status: "approved" | "rejected"
  taskId: string | null
  by: string | null
  reason: string | null
}

export async function writeDecision(
  tx: Tx,
  { organizationId, id }: Pick<RequestRow, "organizationId" | "id">,
  { status, taskId, by, reason }: Decision,
  now: Temporal.Instant,
): Promise<void> {
  await tx`
    update task_requests set status = ${status}, task_id = ${taskId}, decided_time = ${now}, decided_by = ${by},
      reason = ${reason}, slot_id = null
    where organization_id = ${organizationId} and id = ${id}`
}
