import type { Fragment, Sql, Tx } from "#core/database/database.ts"
import {
  type Counted,
  columnList,
  hourRows,
  keyColumns,
  measureColumns,
  resultColumns,
  type Span,
  tasksWith,
} from "./hour-rows.ts"

const columns = ["at", ...keyColumns, ...measureColumns]

/**
 * What is summed up from which rows: by what time, and which of flows, people, reasons and results (outcome, late or not) are
 * kept apart. Reports read the coarsest grain that has what they show. Rows of `monthHour` are as many hours after the begin of
 * their month as the hour of the day that they are about.
 */
const summedGrains = {
  hourHub: { from: "hour", unit: "hour", keeps: ["flow_id", "result"] },
  hourSum: { from: "hourHub", unit: "hour", keeps: ["flow_id"] },
  day: { from: "hour", unit: "day", keeps: ["flow_id", "person", "result"] },
  dayHub: { from: "hourSum", unit: "day", keeps: ["flow_id"] },
  dayReason: { from: "hour", unit: "day", keeps: ["flow_id", "reason", "late_reason", "result"] },
  dayPerson: { from: "day", unit: "day", keeps: ["person"] },
  month: { from: "day", unit: "month", keeps: ["flow_id", "person", "result"] },
  monthHub: { from: "dayReason", unit: "month", keeps: ["flow_id", "reason", "late_reason", "result"] },
  monthHour: { from: "hourHub", unit: "hourOfMonth", keeps: ["flow_id", "result"] },
  monthPerson: { from: "dayPerson", unit: "month", keeps: ["person"] },
} as const satisfies Record<string, { from: string; unit: string; keeps: readonly Kept[] }>
type Kept = "flow_id" | "person" | "reason" | "late_reason" | "result"
export type SummedGrain = keyof typeof summedGrains
/** In this order: each is summed up from one before it. */
export const grainsOfHours = ["hourHub", "hourSum"] as const
export const grainsOfDays = ["day", "dayHub", "dayReason", "dayPerson"] as const
export const grainsOfMonths = ["month", "monthHub", "monthHour", "monthPerson"] as const

/**
 * Counts the hours of a span again, and the days that contain them. The span begins and ends with an hour of the
 * organization; callers hold `lockRollups`, so nobody else counts them at the same time.
 */
export async function recountHours(tx: Tx, counted: Counted, span: Span): Promise<void> {
  const { organizationId, facet } = counted
  await removeRows(tx, counted, "hour", span)
  await tx`
    insert into rollups (organization_id, grain, facet, ${columnList(tx, columns)})
    select ${organizationId}, 'hour', ${facet}, ${columnList(tx, columns)} from (${hourRows(tx, counted, span)}) counted`
  for (const grain of grainsOfHours) await sumUp(tx, counted, grain, span)
  const days = daysAround(span, counted.timeZone)
  for (const grain of grainsOfDays) await sumUp(tx, counted, grain, days)
  const months = monthsAround(days, counted.timeZone)
  await tx`
    update rollup_months set is_current = false where organization_id = ${organizationId} and facet = ${facet}
      and at >= ${months.from ?? "-infinity"}::timestamptz and at < ${months.until ?? "infinity"}::timestamptz`
  await tx`
    insert into rollup_months (organization_id, facet, at, is_current)
    select distinct organization_id, facet, date_trunc('month', at, ${counted.timeZone}::text), false
    from rollups where organization_id = ${organizationId} and facet = ${facet} and grain = 'dayHub'
      and at >= ${days.from ?? "-infinity"}::timestamptz and at < ${days.until ?? "infinity"}::timestamptz
    on conflict do nothing`
}

/** Sums up one month that is over, so that a year of many people is read from twelve rows each. */
export async function sumUpMonth(
  tx: Tx,
  counted: Counted,
  month: { from: Temporal.Instant; until: Temporal.Instant },
): Promise<void> {
  for (const grain of grainsOfMonths) await sumUp(tx, counted, grain, month)
  await tx`
    update rollup_months set is_current = true
    where organization_id = ${counted.organizationId} and facet = ${counted.facet} and at = ${month.from}`
}

/** One count of an organization at a time, also between nodes; until the transaction ends. */
export async function lockRollups(tx: Tx, organizationId: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('rollups ' || ${organizationId}, 0))`
}

async function removeRows(
  tx: Tx,
  { organizationId, facet }: Counted,
  grain: string,
  span: Span,
): Promise<void> {
  await tx`
    delete from rollups where organization_id = ${organizationId} and grain = ${grain} and facet = ${facet}
      and at >= ${span.from ?? "-infinity"}::timestamptz and at < ${span.until ?? "infinity"}::timestamptz`
}

/** Sums up the finer rows of a span. */
export async function sumUp(tx: Tx, counted: Counted, to: SummedGrain, span: Span): Promise<void> {
  await removeRows(tx, counted, to, span)
  await tx`
    insert into rollups (organization_id, grain, facet, ${columnList(tx, [...columns, ...resultColumns])})
    select ${counted.organizationId}, ${to}, ${counted.facet}, ${columnList(tx, [...columns, ...resultColumns])}
    from (${summedRows(tx, counted, to, span)}) summed`
}

/** Whether a row of a grain is about all outcomes, with their counts in columns. */
export function isSumOfResults(grain: string): boolean {
  const { keeps } = summedGrains[grain as SummedGrain] ?? {}
  return keeps !== undefined && !(keeps as readonly Kept[]).includes("result")
}

/** The rows that a grain must have, from those of the finer one. */
export function summedRows(sql: Sql, counted: Counted, to: SummedGrain, span: Span): Fragment {
  const { organizationId, facet, timeZone } = counted
  const { from, unit, keeps } = summedGrains[to]
  const zone = sql`${timeZone}::text`
  const at =
    unit === "hourOfMonth"
      ? sql`date_trunc('month', at, ${zone}) + extract(hour from at at time zone ${zone}) * interval '1 hour'`
      : sql`date_trunc(${unit}, at, ${zone})`
  const keepsApart = (name: Kept) => (keeps as readonly Kept[]).includes(name)
  const kept = (name: Exclude<Kept, "result">) => (keepsApart(name) ? sql(name) : sql`'' as ${sql(name)}`)
  return sql`
    select ${at} as at, hub_id, ${kept("flow_id")}, ${kept("person")},
      ${keepsApart("result") ? sql`outcome, is_late` : sql`'' as outcome, false as is_late`},
      ${kept("reason")}, ${kept("late_reason")}, vehicle_id, ${sums(sql)}, ${results(sql, from, to)}
    from rollups where organization_id = ${organizationId} and grain = ${from} and facet = ${facet}
      and at >= ${span.from ?? "-infinity"}::timestamptz and at < ${span.until ?? "infinity"}::timestamptz
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9`
}

function sums(sql: Sql) {
  return columnList(
    sql,
    measureColumns.map((name) => `sum(${name}) as ${name}`),
  )
}

/** The counts of results: zero where they are kept apart, as the outcome of a row says it. */
function results(sql: Sql, from: string, to: SummedGrain): Fragment {
  return resultColumns
    .map((name) =>
      isSumOfResults(to)
        ? sql`sum(${tasksWith(sql, name, { isSum: isSumOfResults(from) })}) as ${sql(name)}`
        : sql`0 as ${sql(name)}`,
    )
    .reduce((all, one) => sql`${all}, ${one}`)
}

/** The whole days of the organization that a span touches. */
export function daysAround(span: Span, timeZone: string): Span {
  return around(span, (time) => time.startOfDay(), { days: 1 }, timeZone)
}

export function monthsAround(span: Span, timeZone: string): Span {
  return around(span, (time) => time.with({ day: 1 }).startOfDay(), { months: 1 }, timeZone)
}

export function hoursAround(span: Span, timeZone: string): Span {
  return around(
    span,
    (time) => time.round({ smallestUnit: "hour", roundingMode: "floor" }),
    { hours: 1 },
    timeZone,
  )
}

function around(
  { from, until }: Span,
  begin: (time: Temporal.ZonedDateTime) => Temporal.ZonedDateTime,
  step: { months: 1 } | { days: 1 } | { hours: 1 },
  timeZone: string,
): Span {
  const start = (time: Temporal.Instant) => begin(time.toZonedDateTimeISO(timeZone))
  // A span ends just before `until`.
  return {
    from: from && start(from).toInstant(),
    until:
      until &&
      start(until.subtract({ nanoseconds: 1 }))
        .add(step)
        .toInstant(),
  }
}
