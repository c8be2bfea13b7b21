import { type Caller, inCallersHubs } from "#core/access/caller.ts"
import { readByCaller } from "#core/access/read-by-caller.ts"
import type { Fragment, Sql, Tx } from "#core/database/database.ts"
import { hubCountry } from "../../organization/hubs/index.ts"
import { type HistoryEntries, historiesOf, historyEntries } from "./read/histories.ts"
import type { HistoryRow, TaskRow } from "./wire.ts"

/**
 * Tenant, hubs, "only my tasks" and teams, applied once. Every read of tasks starts from this condition.
 * Somebody in teams sees what is assigned to team mates or to people without a team, and what is unassigned.
 */
export function visibleTasks(sql: Sql, caller: Caller): Fragment {
  return sql`tasks.organization_id = ${caller.organizationId} and ${inSightOf(sql, caller, sql`tasks`)}`
}

/** Whether the caller sees a task of the organization, by `hub_id` and `assignee` of a row: those that it has, or had. */
export function inSightOf(sql: Sql, caller: Caller, row: Fragment): Fragment {
  const onlyMine = caller.permissions.has("view/task/only-me")
    ? sql`and ${row}.assignee @> array[${caller.email}]::text[]`
    : sql``
  return sql`${inCallersHubs(sql, caller, sql`${row}.hub_id`)} ${onlyMine} ${teamCondition(sql, caller, row)}`
}

function teamCondition(sql: Sql, caller: Caller, row: Fragment): Fragment {
  if (caller.isOwner || caller.teamIds.length === 0) return sql``
  return sql`and (${row}.assignee = '{}' or ${row}.assignee && array(
    select users.email from users
    where users.organization_id = ${caller.organizationId} and (
      not exists (select from user_teams t where t.organization_id = users.organization_id and t.user_id = users.id)
      or exists (select from user_teams t where t.organization_id = users.organization_id and t.user_id = users.id
        and t.team_id = any (${[...caller.teamIds]})))))`
}

/** The row without its hub, for the innermost query of a list. */
export function taskColumns(sql: Sql): Fragment {
  return sql`tasks.id, tasks.organization_id, tasks.hub_id, tasks.flow_id, tasks.flow, tasks.status, tasks.task_type,
    tasks.title, tasks.content, tasks.label, tasks.assignee, tasks.assigned_to, tasks.assigned_by, tasks.assigned_time,
    tasks.start_time, tasks.end_time, tasks.created_time, tasks.updated_time, tasks.created_by, tasks.updated_by,
    tasks.created_from, tasks.done_by, tasks.done_time, tasks.order_index, tasks.ref_id, tasks.parent_id,
    tasks.routing_result_id, tasks.lng, tasks.lat, tasks.flow_version, tasks."values", tasks.attributes`
}

/** The hub and the organization's name, as tasks carry them. */
export function hubAndOrganization(sql: Sql): Fragment {
  return sql`(
    select json_build_object('_id', hubs.id, 'name', hubs.name, 'lat', hubs.lat, 'lng', hubs.lng,
      'countryCode', ${hubCountry(sql)}) from hubs
    where hubs.organization_id = tasks.organization_id and hubs.id = tasks.hub_id) as hub,
    (select organizations.name from organizations where organizations.id = tasks.organization_id) as organization_name`
}

/** What a task carries that lies in other rows: its hub, the organization's name, and whether it is its person's last of that day (UTC). */
export function relatedColumns(sql: Sql): Fragment {
  return sql`${hubAndOrganization(sql)},
    case when tasks.done_time is not null and tasks.attributes ? 'doneOrder' then not exists (
      select from tasks later
      where later.organization_id = tasks.organization_id and later.done_by = tasks.done_by
        and later.done_time >= tasks.done_time
        and later.done_time < (date_trunc('day', tasks.done_time at time zone 'UTC') + interval '1 day') at time zone 'UTC'
        and (later.done_time, (later.attributes->>'doneOrder')::int)
          > (tasks.done_time, (tasks.attributes->>'doneOrder')::int)
    ) end as is_last_done_order`
}

export async function findTask(sql: Sql, caller: Caller, taskId: string): Promise<TaskRow | undefined> {
  const rows = await sql<TaskRow[]>`
    select ${taskColumns(sql)}, ${relatedColumns(sql)} from tasks
    where ${visibleTasks(sql, caller)} and tasks.id = ${taskId.toLowerCase()}`.reusePlan()
  return rows[0]
}

export function findTasks(sql: Sql, caller: Caller, taskIds: readonly string[]): Promise<TaskRow[]> {
  return sql<TaskRow[]>`
    select ${taskColumns(sql)}, ${relatedColumns(sql)} from tasks
    where ${visibleTasks(sql, caller)} and tasks.id = any (${taskIds.map((id) => id.toLowerCase())})`.reusePlan()
}

/** What was just written, even when the change took it out of the caller's own sight. */
export function findWritten(tx: Sql, caller: Caller, taskIds: readonly string[]): Promise<TaskRow[]> {
  const permissions = new Set([...caller.permissions].filter((name) => name !== "view/task/only-me"))
  return findTasks(tx, { ...caller, permissions, hubs: "all", teamIds: [] }, taskIds)
}

/** Locks the visible ones among these tasks in the order of their ids, which prevents deadlocks. */
export function lockTasks(tx: Tx, caller: Caller, taskIds: readonly string[]): Promise<TaskRow[]> {
  return tx<TaskRow[]>`
    select ${taskColumns(tx)}, ${relatedColumns(tx)} from tasks
    where ${visibleTasks(tx, caller)} and tasks.id = any (${taskIds.map((id) => id.toLowerCase())})
    order by tasks.id for update`.reusePlan()
}

const readTask = readByCaller<TaskRow & HistoryEntries>((sql, caller, taskIds) =>
  sql<(TaskRow & HistoryEntries)[]>`
    select ${taskColumns(sql)}, ${relatedColumns(sql)}, ${historyEntries(sql)}
    from tasks where ${visibleTasks(sql, caller)} and tasks.id = any (${taskIds as string[]})`.reusePlan(),
)

/** One task and what happened to it, with one statement. */
export async function findTaskWithHistories(
  sql: Sql,
  caller: Caller,
  taskId: string,
): Promise<{ task: TaskRow; histories: HistoryRow[] } | undefined> {
  const row = await readTask(sql, caller, taskId)
  if (!row) return undefined
  return { task: row, histories: historiesOf(row) }
}

/** When a hub's tasks last changed within the last three days, deletes included; null when they did not. */
export async function lastTaskChangeInHub(
  sql: Sql,
  organizationId: string,
  hubId: string,
): Promise<Temporal.Instant | null> {
  const rows = await sql<{ changed: Temporal.Instant | null }[]>`
    select greatest(
      (select updated_time from tasks
        where organization_id = ${organizationId} and hub_id = ${hubId} and updated_time > now() - interval '3 days'
        order by updated_time desc limit 1),
      (select max(deleted_time) from trash
        where organization_id = ${organizationId} and type = 'Task' and hub_id = ${hubId}
          and deleted_time > now() - interval '3 days')) as changed`
  return rows[0]?.changed ?? null
}

/** When the organization's tasks last changed, deletes included. */
export async function lastTaskChange(sql: Sql, organizationId: string): Promise<Temporal.Instant | null> {
  const rows = await sql<{ changed: Temporal.Instant | null }[]>`
    select ${timeOfLastChange(sql, organizationId)} as changed`.reusePlan()
  return rows[0]?.changed ?? null
}

export function timeOfLastChange(sql: Sql, organizationId: string): Fragment {
  return sql`greatest(
    (select max(updated_time) from tasks where organization_id = ${organizationId}),
    (select max(deleted_time) from trash where organization_id = ${organizationId} and type = 'Task'))`
}

/** A task of any organization, for its public page: whoever knows the id may read what that page shows. */
export async function findPublicTask(sql: Sql, taskId: string): Promise<TaskRow | undefined> {
  const rows = await sql<TaskRow[]>`
    select ${taskColumns(sql)}, ${relatedColumns(sql)} from tasks where tasks.id = ${taskId.toLowerCase()}`
  return rows[0]
}
