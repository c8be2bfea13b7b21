import type { Sql } from "#core/database/database.ts"

/** An assigned task whose time window has ended. */
export interface OverdueTask {
  taskId: string
  hubId: string
  emails: string[]
  deadline: Temporal.Instant
}

const maxTasks = 5_000
/** What nobody has touched for longer is forgotten rather than late. */
const lateDays = 2

/** Assigned open tasks of an organization after the end of their time window, the latest deadline first. */
export function listOverdueTasks(
  sql: Sql,
  organizationId: string,
  now: Temporal.Instant,
): Promise<OverdueTask[]> {
  return sql<OverdueTask[]>`
    select id as task_id, hub_id, assignee as emails, end_time as deadline from tasks
    where organization_id = ${organizationId} and status = 'ONGOING' and task_type = 'task' and assignee <> '{}'
      and end_time < ${now} and end_time > ${now.subtract({ hours: 24 * lateDays })}
    order by end_time desc, id limit ${maxTasks}`
}

/** The hubs of tasks that exist, by task. */
export async function hubsOfTasks(
  sql: Sql,
  organizationId: string,
  taskIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (taskIds.length === 0) return new Map()
  const rows = await sql<{ id: string; hubId: string }[]>`
    select id, hub_id from tasks where organization_id = ${organizationId} and id = any (${[...taskIds]})`
  return new Map(rows.map(({ id, hubId }) => [id, hubId]))
}
