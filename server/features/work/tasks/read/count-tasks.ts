import { type Caller, inCallersHubs } from "#core/access/caller.ts"
import type { Fragment, Sql } from "#core/database/database.ts"
import { type Audience, partsOfAudience, unionOf } from "./audience.ts"
import type { TaskConditions } from "./list-query.ts"

export interface TaskCounts {
  total: number
  doneTotal: number
  ongoingTotal: number
}

export async function countTasks(
  sql: Sql,
  caller: Caller,
  conditions: TaskConditions,
  audience: Audience | undefined,
): Promise<TaskCounts> {
  const query = sql<TaskCounts[]>`${totals(sql, caller, conditions, audience)}`
  const [counts] = await (conditions.counts && !audience ? query.reusePlan() : query)
  return counts as TaskCounts
}

/**
 * A query of the exact totals of a filter. Where only hub, flow, status and type decide, they are sums over a few
 * counted groups, whatever the number of tasks; else the matching rows are counted, through an index alone where
 * the filter's columns are in one.
 */
export function totals(
  sql: Sql,
  caller: Caller,
  conditions: TaskConditions,
  audience: Audience | undefined,
): Fragment {
  const { organizationId } = caller
  const counted = sql`(
    select hub_id, flow_id, flow, status, task_type, count from task_counts where organization_id = ${organizationId}
    union all
    select hub_id, flow_id, flow, status, task_type, change from task_count_changes where organization_id = ${organizationId}
  ) counted`
  const ofHubs = inCallersHubs(sql, caller, sql`hub_id`)
  if (conditions.doneCounts && !audience) {
    const { counts, others } = conditions.doneCounts
    return sql`
      select finished.total - other.total as total, finished.total - other.total as done_total, 0::bigint as ongoing_total
      from (select coalesce(sum(count), 0)::bigint as total from ${counted} where ${counts} and ${ofHubs}) finished,
        (select count(*) as total from tasks where organization_id = ${organizationId} and ${others} and ${ofHubs}) other`
  }
  return conditions.counts && !audience
    ? sql`
        select coalesce(sum(count), 0)::bigint as total,
          coalesce(sum(count) filter (where status = 'DONE'), 0)::bigint as done_total,
          coalesce(sum(count) filter (where status = 'ONGOING'), 0)::bigint as ongoing_total
        from ${counted} where ${conditions.counts} and ${ofHubs}`
    : totalsOfRows(sql, caller, conditions, audience)
}

/**
 * Each part of an audience is counted by itself: counted as one list, its rows would be passed on one by one, which is
 * nearly half of the price.
 */
function totalsOfRows(
  sql: Sql,
  caller: Caller,
  { where, words }: TaskConditions,
  audience: Audience | undefined,
): Fragment {
  const counted = (part: Fragment) => sql`
    select count(*) as total, count(*) filter (where status = 'DONE') as done_total,
      count(*) filter (where status = 'ONGOING') as ongoing_total
    from tasks where tasks.organization_id = ${caller.organizationId} and ${inCallersHubs(sql, caller, sql`tasks.hub_id`)}
      and ${where} and ${words ?? sql`true`} and ${part}`
  if (!audience) return counted(sql`true`)
  return sql`
    select sum(total)::bigint as total, sum(done_total)::bigint as done_total, sum(ongoing_total)::bigint as ongoing_total
    from (${unionOf(sql, partsOfAudience(sql, audience).map(counted))}) parts`
}
