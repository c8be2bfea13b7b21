import { type Caller, inCallersHubs } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { type Audience, tasksOfAudience } from "./audience.ts"
import type { TaskConditions } from "./list-query.ts"

export interface TaskCounts {
  total: number
  doneTotal: number
  ongoingTotal: number
}

/**
 * Exact totals of a filter. Where only hub, flow, status and type decide, they are sums over a few counted
 * groups, whatever the number of tasks; else the matching rows are counted, through an index alone where
 * the filter's columns are in one.
 */
export async function countTasks(
  sql: Sql,
  caller: Caller,
  conditions: TaskConditions,
  audience: Audience | undefined,
): Promise<TaskCounts> {
  const rows =
    conditions.counts && !audience
      ? await sql<TaskCounts[]>`
          select coalesce(sum(count), 0)::bigint as total,
            coalesce(sum(count) filter (where status = 'DONE'), 0)::bigint as done_total,
            coalesce(sum(count) filter (where status = 'ONGOING'), 0)::bigint as ongoing_total
          from (
            select hub_id, flow_id, flow, status, task_type, count from task_counts where organization_id = ${caller.organizationId}
            union all
            select hub_id, flow_id, flow, status, task_type, change from task_count_changes where organization_id = ${caller.organizationId}
          ) counted
          where ${conditions.counts} and ${inCallersHubs(sql, caller, sql`hub_id`)}`.reusePlan()
      : await sql<TaskCounts[]>`
          select count(*) as total, count(*) filter (where status = 'DONE') as done_total,
            count(*) filter (where status = 'ONGOING') as ongoing_total
          from ${tasksOfAudience(sql, caller.organizationId, audience)}
          where tasks.organization_id = ${caller.organizationId} and ${inCallersHubs(sql, caller, sql`tasks.hub_id`)}
            and ${conditions.where} and ${conditions.words ?? sql`true`}`
  return rows[0] ?? { total: 0, doneTotal: 0, ongoingTotal: 0 }
}
