import type { Caller } from "#core/access/caller.ts"
import type { Fragment, Sql } from "#core/database/database.ts"
import { visibleTasks } from "../../work/tasks/index.ts"
import { inSpan, noTimes, type Span } from "./hour-rows.ts"

/** Open tasks as they are now, by the end of their time window; late are those that are expected to miss it. */
export function openRows(sql: Sql, caller: Caller, span: Span): Fragment {
  return sql`
    select end_time as at, hub_id, flow_id, coalesce(first_assignee, '') as person, '' as outcome,
      task_expected_late(organization_id, id, status, end_time) as is_late, '' as reason, '' as late_reason, '' as vehicle_id,
      1 as tasks, 0 as stops, 0 as first_attempts, 0 as timed, 0::float8 as service_seconds, 0::float8 as waiting_seconds,
      0::float8 as late_seconds, 0 as ratings, 0 as stars, 0::float8 as meters, 0::float8 as seconds, ${noTimes(sql)}
    from tasks where ${visibleTasks(sql, caller)} and status <> 'DONE' and task_type <> 'activityMaster'
      and ${inSpan(sql, sql`end_time`, span)}`
}
