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
] as const

export function columnList(sql: Sql, names: readonly string[]): Fragment {
  return sql.unsafe(names.join(", "))
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
        '' as reason, '' as late_reason, count(*) as tasks, 0 as stops, 0 as first_attempts, 0 as timed,
        0::float8 as service_seconds, 0::float8 as waiting_seconds, 0::float8 as late_seconds, 0 as ratings, 0 as stars,
        sum(meters) as meters, sum(seconds) as seconds
      from attended_sessions where organization_id = ${organizationId} and ${inSpan(sql, sql`at`, span)}
      group by 1, person`
  const own = visible ?? sql`tasks.organization_id = ${organizationId}`
  const condition = sql`${own} and ${inSpan(sql, factTime(sql, facet), span)}`
  return sql`
    select date_trunc('hour', f.at, ${zone}) as at, f.hub_id, f.flow_id, f.person, f.outcome, f.is_late, f.reason,
      f.late_reason, count(*) as tasks, sum(f.stops) as stops, sum(f.first_attempts) as first_attempts,
      sum(f.timed) as timed, sum(f.service_seconds)::float8 as service_seconds,
      sum(f.waiting_seconds)::float8 as waiting_seconds, sum(f.late_seconds)::float8 as late_seconds,
      ${facet === "finished" ? sql`count(r.stars)` : sql`0`} as ratings,
      ${facet === "finished" ? sql`coalesce(sum(r.stars), 0)` : sql`0`} as stars, sum(f.meters)::float8 as meters,
      0::float8 as seconds
    from (${taskFacts(sql, facet, zone, condition)}) f
    ${facet === "finished" ? sql`left join ${ratedTasks(sql, organizationId)} r on r.task_id = f.id` : sql``}
    group by 1, 2, 3, 4, 5, 6, 7, 8`
}
