import type { Fragment, Sql } from "#core/database/database.ts"

/** What can be counted about tasks, each by a time of its own. */
export type TaskFacet = "created" | "planned" | "finished"

/**
 * One row per task as reports count it: when (`at`), where, by whom, and what came of it. `condition` narrows `tasks`;
 * `timeZone` decides which hour a visit belongs to. Activities are counted by their steps.
 */
export function taskFacts(sql: Sql, facet: TaskFacet, timeZone: Fragment, condition: Fragment): Fragment {
  const counted = sql`${condition} and tasks.task_type <> 'activityMaster'`
  if (facet === "finished") return finishedFacts(sql, timeZone, counted)
  const { at, person, meters } =
    facet === "created"
      ? { at: sql`tasks.created_time`, person: sql`tasks.created_by`, meters: sql`0` }
      : {
          at: sql`tasks.start_time`,
          person: sql`tasks.first_assignee`,
          meters: sql`case when jsonb_typeof(tasks.attributes -> 'distance') = 'number'
            then (tasks.attributes -> 'distance')::float8 else 0 end`,
        }
  return sql`
    select tasks.id, ${at} as at, tasks.hub_id, tasks.flow_id, coalesce(${person}, '') as person, '' as outcome,
      false as is_late, '' as reason, '' as late_reason, 0 as stops, 0 as first_attempts, 0 as timed, 0 as service_seconds,
      0 as waiting_seconds, 0 as late_seconds, ${meters} as meters
    from tasks where ${counted}`
}

/** The column of a facet's time, for conditions that an index serves. */
export function factTime(sql: Sql, facet: TaskFacet): Fragment {
  if (facet === "finished") return sql`tasks.done_time`
  return facet === "created" ? sql`tasks.created_time` : sql`tasks.start_time`
}

/**
 * Tasks that a person finishes within an hour at one place are one stop. Service is from the arrival, or from the begin of
 * the window where somebody arrived early, until the departure; what was early is waiting.
 */
function finishedFacts(sql: Sql, timeZone: Fragment, condition: Fragment): Fragment {
  const isFirst = sql`row_number() over (
    partition by done_by, lat, lng, date_trunc('hour', done_time, ${timeZone}) order by done_time, id) = 1`
  return sql`
    select id, done_time as at, hub_id, flow_id, coalesce(done_by, '') as person, outcome, is_late, reason, late_reason,
      case when lat is null or ${isFirst} then 1 else 0 end as stops,
      case when outcome = 'done' and not is_again then 1 else 0 end as first_attempts,
      case when is_timed then 1 else 0 end as timed,
      case when is_timed then extract(epoch from left_time - greatest(arrived_time, least(start_time, left_time)))::float8
        else 0 end as service_seconds,
      case when is_timed then greatest(0, extract(epoch from least(start_time, left_time) - arrived_time))::float8
        else 0 end as waiting_seconds,
      case when is_late then greatest(0, extract(epoch from done_time - end_time))::float8 else 0 end as late_seconds,
      0 as meters
    from (
      select *, coalesce(arrived_time <= left_time, false) as is_timed from (
        select tasks.id, tasks.done_time, tasks.hub_id, tasks.flow_id, tasks.done_by, tasks.lat, tasks.lng, tasks.start_time,
          tasks.end_time, coalesce(tasks.attributes ->> 'outcome', 'done') as outcome,
          coalesce(tasks.attributes -> 'isLate' = 'true', false) as is_late,
          left(coalesce(tasks.attributes ->> 'outcomeReason', ''), ${reasonCharacters}) as reason,
          case when tasks.attributes -> 'isLate' = 'true'
            then left(coalesce(tasks.attributes ->> 'lateReason', ''), ${reasonCharacters}) else '' end as late_reason,
          tasks.attributes ? 'previousTaskId' as is_again,
          (tasks.attributes ->> 'arrivedTime')::timestamptz as arrived_time,
          coalesce((tasks.attributes ->> 'leftTime')::timestamptz, tasks.done_time) as left_time
        from tasks where ${condition} and tasks.status = 'DONE' and tasks.done_time is not null
      ) finished
    ) timed`
}

/** Longer reasons are counted by their beginning. */
export const reasonCharacters = 200
