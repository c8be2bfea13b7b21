import type { Fragment, Sql } from "#core/database/database.ts"
import { ratedTasks } from "../../customers/feedback/index.ts"
import { factTime, taskFacts } from "../../work/tasks/index.ts"

/** What is counted, each by a time of its own: tasks by creation, start and finish, sessions by their begin. */
export const facets = ["created", "planned", "finished", "attended"] as const
export type Facet = (typeof facets)[number]

/** From one moment to just before another; undefined is without end. */
export interface Span {
  from: Temporal.Instant | undefined
  until: Temporal.Instant | undefined
}

export interface Counted {
  organizationId: string
  timeZone: string
  facet: Facet
}

/** What a row is about, besides its organization, facet and time. */
export const keyColumns = [
  "hub_id",
  "flow_id",
  "person",
  "outcome",
  "is_late",
  "reason",
  "late_reason",
  "vehicle_id",
] as const

export const measureColumns = [
  "tasks",
  "stops",
  "first_attempts",
  "timed",
  "service_seconds",
  "waiting_seconds",
  "late_seconds",
  "ratings",
  "stars",
  "meters",
  "seconds",
  "travel_seconds",
  "idle_seconds",
  "used_seconds",
  "shift_seconds",
  "loads",
  "load_used",
] as const

/** How many tasks of a row were late or had an outcome, in sums that do not keep these apart. */
export const resultColumns = ["late", "done", "partial", "failed", "returned"] as const
type ResultColumn = (typeof resultColumns)[number]

/** The tasks of a row with this result: from its column, or from the row's own outcome. */
export function tasksWith(sql: Sql, result: ResultColumn, { isSum }: { isSum: boolean }): Fragment {
  if (isSum) return sql`${sql(result)}`
  return sql`case when ${result === "late" ? sql`is_late` : sql`outcome = ${result}`} then tasks else 0 end`
}

export function columnList(sql: Sql, names: readonly string[]): Fragment {
  return sql.unsafe(names.join(", "))
}

/** Of rows that are not about sessions. */
export function noTimes(sql: Sql): Fragment {
  return sql`0::float8 as travel_seconds, 0::float8 as idle_seconds, 0::float8 as used_seconds, 0::float8 as shift_seconds,
    0 as loads, 0::float8 as load_used`
}

/** A span as a condition on a time. */
export function inSpan(sql: Sql, time: Fragment, { from, until }: Span): Fragment {
  return sql`(${from ? sql`${time} >= ${from}` : sql`true`} and ${until ? sql`${time} < ${until}` : sql`true`})`
}

/**
 * The rows of grain `hour`, counted from tasks, ratings and sessions: what the rollups must say, and what people see
 * whose lists show less than a hub has. `visible` narrows the tasks; it is ignored for sessions.
 */
export function hourRows(sql: Sql, counted: Counted, span: Span, visible?: Fragment): Fragment {
  const { organizationId, timeZone, facet } = counted
  const zone = sql`${timeZone}::text`
  if (facet === "attended")
    return sql`
      select date_trunc('hour', at, ${zone}) as at, '' as hub_id, '' as flow_id, person, '' as outcome, false as is_late,
        '' as reason, '' as late_reason, vehicle_id, count(*) as tasks, 0 as stops, 0 as first_attempts, 0 as timed,
        0::float8 as service_seconds, 0::float8 as waiting_seconds, 0::float8 as late_seconds, 0 as ratings, 0 as stars,
        sum(meters) as meters, sum(seconds) as seconds, sum(times[1]) as travel_seconds, sum(times[2]) as idle_seconds,
        coalesce(sum(times[1] + times[3]) filter (where vehicle_id <> ''), 0) as used_seconds,
        coalesce(sum(shift_seconds), 0) as shift_seconds, count(load_used) as loads, coalesce(sum(load_used), 0) as load_used
      from (
        -- Without the offset the times of a session would be computed for each of their sums.
        select * from attended_sessions where organization_id = ${organizationId} and ${inSpan(sql, sql`at`, span)} offset 0
      ) sessions
      group by 1, person, vehicle_id`
  const own = visible ?? sql`tasks.organization_id = ${organizationId}`
  const condition = sql`${own} and ${inSpan(sql, factTime(sql, facet), span)}`
  return sql`
    select date_trunc('hour', f.at, ${zone}) as at, f.hub_id, f.flow_id, f.person, f.outcome, f.is_late, f.reason,
      f.late_reason, '' as vehicle_id, count(*) as tasks, sum(f.stops) as stops, sum(f.first_attempts) as first_attempts,
      sum(f.timed) as timed, sum(f.service_seconds)::float8 as service_seconds,
      sum(f.waiting_seconds)::float8 as waiting_seconds, sum(f.late_seconds)::float8 as late_seconds,
      ${facet === "finished" ? sql`count(r.stars)` : sql`0`} as ratings,
      ${facet === "finished" ? sql`coalesce(sum(r.stars), 0)` : sql`0`} as stars, sum(f.meters)::float8 as meters,
      0::float8 as seconds, ${noTimes(sql)}
    from (${taskFacts(sql, facet, zone, condition)}) f
    ${facet === "finished" ? sql`left join ${ratedTasks(sql, organizationId)} r on r.task_id = f.id` : sql``}
    group by 1, 2, 3, 4, 5, 6, 7, 8`
}
