import { type Caller, inCallersHubs } from "#core/access/caller.ts"
import type { Fragment, Sql } from "#core/database/database.ts"
import type { ReportDimension } from "#shared/report-metrics.ts"
import { visibleTasks } from "../../work/tasks/index.ts"
import { drivingRows } from "./driving-rows.ts"
import {
  type Counted,
  columnList,
  type Facet,
  hourRows,
  inSpan,
  keyColumns,
  measureColumns,
  resultColumns,
  type Span,
  tasksWith,
} from "./hour-rows.ts"
import { openRows } from "./open-rows.ts"
import { isSumOfResults, monthsAround, type SummedGrain } from "./recount.ts"

type Grain = "hour" | SummedGrain

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
  /** What is needed of the sums: of a year's thousands of groups, each column more is felt. */
  measures: ReadonlySet<Measure>
  maxRows: number
}

/** The sums of one group that were asked for. Days are `2031-05-04`, weeks `2031-W18`, months `2031-05`, weekdays 1 for Monday to 7, hours 0 to 23. */
export interface Sums extends Partial<Record<Measure, number>> {
  key: string[]
}

export type Measure = keyof Measures

interface Measures {
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
  const { rows, hour } = await sourceOf(sql, caller, query)
  const keys = groupBy.map((dimension, index) => {
    const key = dimension === "hour" && hour ? hour : keyOf(sql, dimension, caller.timeZone)
    return sql`, ${key} as ${sql(`key${index}`)}`
  })
  const names = groupBy.map((_, index) => sql(`key${index}`))
  const ofPeople = facet === "attended" || facet === "driving"
  const conditions = sql`
    ${query.hubIds && !ofPeople ? sql`and hub_id = any (${[...query.hubIds]})` : sql``}
    ${ofPeople ? sql`` : sql`and ${inCallersHubs(sql, caller, sql`hub_id`)}`}
    ${query.flowIds && !ofPeople ? sql`and flow_id = any (${[...query.flowIds]})` : sql``}
    ${query.people ? sql`and person = any (${[...query.people]})` : sql``}`
  const sums = sumsOf(sql)
  return sql<Sums[]>`
    select array[${joined(
      sql,
      names.map((name) => sql`${name}::text`),
    )}]::text[] as key
      ${[...query.measures].reduce((all, name) => sql`${all}, ${sums[name]} as ${sql(name)}`, sql``)}
    from (select *${keys.reduce((all, key) => sql`${all}${key}`, sql``)} from ${rows} counted where true ${conditions}) counted
    ${names.length === 0 ? sql`having count(*) > 0` : sql`group by ${joined(sql, names)}`}
    limit ${query.maxRows}`
}

function sumsOf(sql: Sql): Record<Measure, Fragment> {
  const sum = (column: string) => sql`sum(${sql(column)})::float8`
  const count = (kind: string) => sql`coalesce(sum(tasks) filter (where outcome = ${kind}), 0)::float8`
  return {
    tasks: sum("tasks"),
    ...{ done: sum("done"), partial: sum("partial"), failed: sum("failed"), returned: sum("returned") },
    ...{ late: sum("late"), stops: sum("stops"), firstAttempts: sum("first_attempts") },
    ...{
      timed: sum("timed"),
      serviceSeconds: sum("service_seconds"),
      waitingSeconds: sum("waiting_seconds"),
    },
    ...{ lateSeconds: sum("late_seconds"), ratings: sum("ratings"), stars: sum("stars") },
    ...{ speeding: count("speeding"), harshDriving: count("harshDriving") },
    ...{ meters: sum("meters"), seconds: sum("seconds"), travelSeconds: sum("travel_seconds") },
    ...{ idleSeconds: sum("idle_seconds"), usedSeconds: sum("used_seconds") },
    ...{ shiftSeconds: sum("shift_seconds"), loads: sum("loads"), loadUsed: sum("load_used") },
  }
}

function joined(sql: Sql, parts: readonly Fragment[]): Fragment {
  return parts.reduce<Fragment>(
    (all, part, index) => (index === 0 ? sql`${part}` : sql`${all}, ${part}`),
    sql``,
  )
}

function keyOf(sql: Sql, dimension: ReportDimension, timeZone: string): Fragment {
  const local = sql`(at at time zone ${timeZone})`
  switch (dimension) {
    case "day":
      return sql`${local}::date`
    case "week":
      return sql`to_char(${local}, 'IYYY-"W"IW')`
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

interface Source {
  rows: Fragment
  /** The hour of the day, where it is not that of `at`. */
  hour?: Fragment
}

/** The rows to sum up. In an object, because a fragment that is awaited runs. */
async function sourceOf(sql: Sql, caller: Caller, query: SumsQuery): Promise<Source> {
  const { facet, from, until } = query
  const { organizationId, timeZone } = caller
  if (facet === "driving")
    return { rows: withResults(sql, drivingRows(sql, organizationId, { from, until })) }
  if (facet === "open") return { rows: withResults(sql, openRows(sql, caller, { from, until })) }
  const counted: Counted = { organizationId, timeZone, facet }
  const span = { from, until }
  if (facet !== "attended" && seesPart(caller))
    return { rows: withResults(sql, hourRows(sql, counted, span, visibleTasks(sql, caller))) }
  const rowsOf = (grain: string, { from, until }: Span, more = sql``) => sql`
    select ${columnList(sql, columns)}${resultsOf(sql, isSumOfResults(grain))}${more} from rollups where organization_id = ${organizationId} and grain = ${grain} and facet = ${facet}
      and ${inSpan(sql, sql`at`, { from, until })}`
  const grains = grainsFor(query)
  if (!grains.month) return { rows: sql`(${rowsOf(grains.fine, span)})` }
  const parts = await splitByMonth(sql, counted, span)
  const isByHour = grains.month === "monthHour"
  const zone = sql`${timeZone}::text`
  const hours = {
    fine: sql`, extract(hour from at at time zone ${zone}) as hour_of_day`,
    month: sql`, extract(epoch from at - date_trunc('month', at, ${zone})) / 3600 as hour_of_day`,
  }
  const rows = parts.map(({ isMonths, ...part }) =>
    rowsOf(
      (isMonths ? grains.month : undefined) ?? grains.fine,
      part,
      isByHour ? hours[isMonths ? "month" : "fine"] : sql``,
    ),
  )
  return {
    rows: sql`(${rows.reduce((all, part) => sql`${all} union all ${part}`)})`,
    ...(isByHour ? { hour: sql`round(hour_of_day)` } : {}),
  }
}

const columns = ["at", ...keyColumns, ...measureColumns]

function resultsOf(sql: Sql, isSum: boolean): Fragment {
  return resultColumns.reduce(
    (all, name) => sql`${all}, ${tasksWith(sql, name, { isSum })} as ${sql(name)}`,
    sql``,
  )
}

/** Rows that are not stored, with the counts of results. */
function withResults(sql: Sql, rows: Fragment): Fragment {
  return sql`(select *${resultsOf(sql, false)} from (${rows}) counted)`
}

/** The coarsest rows that keep apart what is asked for: those of days or hours, and those of months that are over. */
function grainsFor({ groupBy, people, flowIds }: Pick<SumsQuery, "groupBy" | "people" | "flowIds">): {
  fine: Grain
  month?: Grain
} {
  const has = (...dimensions: ReportDimension[]) => groupBy.some((name) => dimensions.includes(name))
  const byPerson = has("person") || people !== undefined
  const byFlow = has("flow") || flowIds !== undefined
  const byReason = has("reason", "lateReason")
  const byOutcome = has("outcome")
  const isByDay = has("day", "week", "weekday")
  if (byPerson && byReason) return { fine: "hour" }
  if (has("hour")) {
    if (byPerson || byReason) return { fine: "hour" }
    return isByDay ? { fine: byOutcome ? "hourHub" : "hourSum" } : { fine: "hourHub", month: "monthHour" }
  }
  const [fine, month]: [Grain, Grain] = byPerson
    ? byFlow || byOutcome
      ? ["day", "month"]
      : ["dayPerson", "monthPerson"]
    : [byReason || byOutcome ? "dayReason" : "dayHub", "monthHub"]
  return isByDay ? { fine } : { fine, month }
}

/** Whether the rows that a query reads are as many as people and their days: no sums of months have what it shows. */
export function readsDaysOfPeople(query: Pick<SumsQuery, "groupBy" | "people" | "flowIds">): boolean {
  const { fine, month } = grainsFor(query)
  return month === undefined && ["hour", "day", "dayPerson"].includes(fine)
}

interface Part {
  isMonths: boolean
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
    if (Temporal.Instant.compare(sofar, at) < 0) parts.push({ isMonths: false, from: sofar, until: at })
    const last = parts.at(-1)
    if (last?.isMonths && last.until.equals(at)) last.until = end
    else parts.push({ isMonths: true, from: at, until: end })
    sofar = end
  }
  if (parts.length === 0 || Temporal.Instant.compare(sofar, until) < 0)
    parts.push({ isMonths: false, from: sofar, until })
  return parts
}
