import type { Sql } from "#core/database/database.ts"

/** What work in the background needs to know of tasks that people are on. */
export interface OpenTask {
  id: string
  hubId: string
  startTime: Temporal.Instant
  endTime: Temporal.Instant
}

const maxTasks = 20_000

/** Assigned tasks of an organization whose time window touches a range, the earliest first. */
export function listOpenTasks(
  sql: Sql,
  organizationId: string,
  range: { from: Temporal.Instant; to: Temporal.Instant },
): Promise<OpenTask[]> {
  return sql<OpenTask[]>`
    select id, hub_id, start_time, end_time from tasks
    where organization_id = ${organizationId} and status = 'ONGOING' and task_type = 'task'
      and start_time <= ${range.to} and end_time >= ${range.from}
    order by start_time, id limit ${maxTasks}`
}
