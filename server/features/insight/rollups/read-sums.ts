import { type Caller, inCallersHubs } from "#core/access/caller.ts"
import type { Fragment, Sql } from "#core/database/database.ts"
import type { ReportDimension } from "#shared/report-metrics.ts"
import { visibleTasks } from "../../work/tasks/index.ts"
import { drivingRows } from "./driving-rows.ts"
import { type Counted, type Facet, hourRows, inSpan, type Span } from "./hour-rows.ts"
import { openRows } from "./open-rows.ts"
import { monthsAround } from "./recount.ts"

export interface SumsQuery {
  /** `driving` and `open` have no rollups: alarms of trackers are few, and what is open changes by the minute. */
  facet: Facet | "driving" | "open"
  /** From a day's begin to another day's begin. */
  from: Temporal.Instant
  until: Temporal.Instant
  groupBy: readonly ReportDimension[]
  hubIds?: readonly string[]
  flowIds?: readonly string[]
  people?: readonly string[]
  maxRows: number
}

/** The sums of one group. Days are `2031-05-04`, months `2031-05`, weekdays 1 for Monday to 7, hours 0 to 23. */
export interface Sums {
  key: string[]
  tasks: number
  done: number
  partial: number
  failed: number
  returned: number
  late: number
  stops: number
  firstAttempts: number
  timed: number
  serviceSeconds: number
  waitingSeconds: number
  lateSeconds: number
  ratings: number
  stars: number
  speeding: number
  harshDriving: number
  meters: number
  seconds: number
  travelSeconds: number
  idleSeconds: number
  usedSeconds: number
  shiftSeconds: number
  loads: number
  loadUsed: number
}

/** Whose lists show less than everything in their hubs: only their own work, or only that of their teams. */
export function seesPart(caller: Caller): boolean {
  return caller.permissions.has("view/task/only-me") || (!caller.isOwner && caller.teamIds.length > 0)
}

/**
 * Sums of a facet by group, from the coarsest rows that have what is needed. For callers who see a part of their hubs, the
 * tasks that they see are counted instead.
 */
export async function readSums(sql: Sql, caller: Caller, query: SumsQuery): Promise<Sums[]> {
  const { groupBy, facet } = query
  const { rows } = await sourceOf(sql, caller, query)
  const keys = groupBy.map(
    (dimension, index) => sql`, ${keyOf(sql, dimension, caller.timeZone)} as ${sql(`key${index}`)}`,
  )
  const names = groupBy.map((_, index) => sql(`key${index}`))
  const ofPeople = facet === "attended" || facet === "driving"
  const conditions = sql`
    ${query.hubIds && !ofPeople ? sql`and hub_id = any (${[...query.hubIds]})` : sql``}
    ${ofPeople ? sql`` : sql`and ${inCallersHubs(sql, caller, sql`hub_id`)}`}
    ${query.flowIds && !ofPeople ? sql`and flow_id = any (${[...query.flowIds]})` : sql``}
    ${query.people ? sql`and person = any (${[...query.people]})` : sql``}`
  return sql<Sums[]>`
    select array[${joined(
      sql,
      names.map((name) => sql`${name}::text`),
    )}]::text[] as key,
      sum(tasks)::float8 as tasks, ${countOf(sql, sql`outcome = 'done'`)} as done,
      ${countOf(sql, sql`outcome = 'partial'`)} as partial, ${countOf(sql, sql`outcome = 'failed'`)} as failed,
      ${countOf(sql, sql`outcome = 'returned'`)} as returned, ${countOf(sql, sql`is_late`)} as late,
      sum(stops)::float8 as stops, sum(first_attempts)::float8 as first_attempts, sum(timed)::float8 as timed,
      sum(service_seconds) as service_seconds, sum(waiting_seconds) as waiting_seconds, sum(late_seconds) as late_seconds,
      sum(ratings)::float8 as ratings, sum(stars)::float8 as stars,
      ${countOf(sql, sql`outcome = 'speeding'`)} as speeding, ${countOf(sql, sql`outcome = 'harshDriving'`)} as harsh_driving,
      sum(meters) as meters, sum(seconds) as seconds,
      sum(travel_seconds) as travel_seconds, sum(idle_seconds) as idle_seconds, sum(used_seconds) as used_seconds,
      sum(shift_seconds) as shift_seconds, sum(loads)::float8 as loads, sum(load_used) as load_used
    from (select *${keys.reduce((all, key) => sql`${all}${key}`, sql``)} from ${rows} counted where true ${conditions}) counted
    ${names.length === 0 ? sql`having count(*) > 0` : sql`group by ${joined(sql, names)}`}
    limit ${query.maxRows}`
}

function joined(sql: Sql, parts: readonly Fragment[]): Fragment {
  return parts.reduce<Fragment>(
    (all, part, index) => (index === 0 ? sql`${part}` : sql`${all}, ${part}`),
    sql``,
  )
}

function countOf(sql: Sql, condition: Fragment): Fragment {
  return sql`coalesce(sum(tasks) filter (where ${condition}), 0)::float8`
}

function keyOf(sql: Sql, dimension: ReportDimension, timeZone: string): Fragment {
  const local = sql`(at at time zone ${timeZone})`
  switch (dimension) {
    case "day":
      return sql`${local}::date`
    case "month":
      return sql`to_char(${local}, 'YYYY-MM')`
    case "weekday":
      return sql`extract(isodow from ${local})`
    case "hour":
      return sql`extract(hour from ${local})`
    case "hub":
      return sql`hub_id`
    case "flow":
      return sql`flow_id`
    case "vehicle":
      return sql`vehicle_id`
    case "lateReason":
      return sql`late_reason`
    default:
      return sql.unsafe(dimension)
  }
}

/** The rows to sum up. In an object, because a fragment that is awaited runs. */
async function sourceOf(sql: Sql, caller: Caller, query: SumsQuery): Promise<{ rows: Fragment }> {
  const { facet, from, until, groupBy } = query
  const { organizationId, timeZone } = caller
  if (facet === "driving") return { rows: sql`(${drivingRows(sql, organizationId, { from, until })})` }
  if (facet === "open") return { rows: sql`(${openRows(sql, caller, { from, until })})` }
  const counted: Counted = { organizationId, timeZone, facet }
  const span = { from, until }
  if (facet !== "attended" && seesPart(caller))
    return { rows: sql`(${hourRows(sql, counted, span, visibleTasks(sql, caller))})` }
  const rowsOf = (grain: string, { from, until }: Span) => sql`
    select * from rollups where organization_id = ${organizationId} and grain = ${grain} and facet = ${facet}
      and ${inSpan(sql, sql`at`, { from, until })}`
  const byPerson = groupBy.includes("person") || query.people !== undefined || facet === "attended"
  if (groupBy.includes("hour")) return { rows: sql`(${rowsOf(byPerson ? "hour" : "hourHub", span)})` }
  if (!byPerson) return { rows: sql`(${rowsOf("dayHub", span)})` }
  if (groupBy.includes("day") || groupBy.includes("weekday")) return { rows: sql`(${rowsOf("day", span)})` }
  const parts = await splitByMonth(sql, counted, span)
  return {
    rows: sql`(${parts.map(({ grain, ...part }) => rowsOf(grain, part)).reduce((all, part) => sql`${all} union all ${part}`)})`,
  }
}

interface Part {
  grain: "day" | "month"
  from: Temporal.Instant
  until: Temporal.Instant
}

/** The range in order: months that are summed up, and the days around them. */
async function splitByMonth(
  sql: Sql,
  { organizationId, facet, timeZone }: Counted,
  { from, until }: { from: Temporal.Instant; until: Temporal.Instant },
): Promise<Part[]> {
  const current = await sql<{ at: Temporal.Instant }[]>`
    select at from rollup_months where organization_id = ${organizationId} and facet = ${facet} and is_current
      and at >= ${from} and at < ${until} order by at`
  const parts: Part[] = []
  let sofar = from
  for (const { at } of current) {
    const end = monthsAround({ from: at, until: at.add({ nanoseconds: 1000 }) }, timeZone).until
    if (!end || Temporal.Instant.compare(end, until) > 0) continue
    if (Temporal.Instant.compare(sofar, at) < 0) parts.push({ grain: "day", from: sofar, until: at })
    const last = parts.at(-1)
    if (last?.grain === "month" && last.until.equals(at)) last.until = end
    else parts.push({ grain: "month", from: at, until: end })
    sofar = end
  }
  if (parts.length === 0 || Temporal.Instant.compare(sofar, until) < 0)
    parts.push({ grain: "day", from: sofar, until })
  return parts
}
