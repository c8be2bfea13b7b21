import type { Fragment, Sql } from "#core/database/database.ts"
import type { Direction, PageOptions } from "#core/paging.ts"
import { type HistoryRow, maxHistories } from "../wire.ts"

/**
 * The newest entries of each task, oldest first: one more than a task carries, so that `toWireTask` knows whether there
 * are others.
 */
export function listHistories(
  sql: Sql,
  organizationId: string,
  taskIds: readonly string[],
): Promise<HistoryRow[]> {
  return sql<HistoryRow[]>`
    select entry.* from unnest(${taskIds as string[]}::text[]) as asked (id)
    cross join lateral ${newestHistories(sql, sql`${organizationId}`, sql`asked.id`)} entry
    order by entry.task_id, entry.created_at, entry.id`.reusePlan()
}

export interface HistoryEntries {
  entries: (Omit<HistoryRow, "taskId" | "createdAt"> & { createdAt: string })[]
}

/** The newest entries as a column of a statement on tasks; see `historiesOf`. */
export function historyEntries(sql: Sql): Fragment {
  return sql`coalesce((
    select json_agg(json_build_object('id', id, 'action', action, 'notes', notes, 'changeData', change_data,
      'details', details, 'createdAt', created_at) order by created_at, id)
    from ${newestHistories(sql, sql`tasks.organization_id`, sql`tasks.id`)} newest), '[]') as entries`
}

export function historiesOf({ id, entries }: HistoryEntries & { id: string }): HistoryRow[] {
  return entries.map((entry) => ({
    ...entry,
    taskId: id,
    createdAt: Temporal.Instant.from(entry.createdAt),
  }))
}

/** A subquery of one task's newest entries. */
function newestHistories(sql: Sql, organizationId: Fragment, taskId: Fragment): Fragment {
  return sql`(
    select task_id, id, action, notes, change_data, details, created_at from task_histories h
    where h.organization_id = ${organizationId} and h.task_id = ${taskId}
    order by h.created_at desc, h.id desc limit ${sql.unsafe(String(maxHistories + 1))})`
}

/** All entries of one task, a page at a time. */
export async function listHistoryPage(
  sql: Sql,
  task: { organizationId: string; id: string },
  page: PageOptions & { direction: Direction },
): Promise<{ rows: HistoryRow[]; total: number }> {
  const way = page.direction === "asc" ? sql`asc` : sql`desc`
  const ofTask = sql`organization_id = ${task.organizationId} and task_id = ${task.id}`
  // A task was created as it was before its first change.
  const rows = await sql<HistoryRow[]>`
    select task_id, id, action, notes, details, created_at, case when action = 'create' then (
        select change_data from task_histories where ${ofTask} and change_data is not null order by created_at, id limit 1)
      else change_data end as change_data
    from task_histories where ${ofTask} order by created_at ${way}, id ${way} limit ${page.limit} offset ${page.offset}`
  const [counted] = await sql<{ total: number }[]>`
    select count(*) as total from task_histories where ${ofTask}`
  return { rows, total: counted?.total ?? 0 }
}

/** Whether somebody is, or was at any time before a change, among the assignees of a task. */
export async function wasEverAssigned(
  sql: Sql,
  task: { organizationId: string; id: string },
  email: string,
): Promise<boolean> {
  const rows = await sql`
    select from task_histories where organization_id = ${task.organizationId} and task_id = ${task.id}
      and change_data -> 'assignee' ? ${email} limit 1`
  return rows.length > 0
}
