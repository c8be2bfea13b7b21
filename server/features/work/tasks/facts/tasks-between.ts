import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { relatedColumns, taskColumns, visibleTasks } from "../queries.ts"
import type { TaskRow } from "../wire.ts"

export interface TaskSpan {
  from: Temporal.Instant
  to: Temporal.Instant
  /** E-mail of one of the assignees. */
  assignee?: string
  hubId?: string
  limit: number
}

/** The visible tasks that start in a span, the earliest first. */
export function listTasksBetween(sql: Sql, caller: Caller, span: TaskSpan): Promise<TaskRow[]> {
  return sql<TaskRow[]>`
    select ${taskColumns(sql)}, ${relatedColumns(sql)} from tasks
    where ${visibleTasks(sql, caller)} and tasks.start_time >= ${span.from} and tasks.start_time < ${span.to}
      ${span.assignee === undefined ? sql`` : sql`and tasks.assignee @> array[${span.assignee}]::text[]`}
      ${span.hubId === undefined ? sql`` : sql`and tasks.hub_id = ${span.hubId}`}
    order by tasks.start_time, tasks.id limit ${span.limit}`
}
