import type { Sql, Tx } from "#core/database/database.ts"
import { type Counted, columnList, hourRows, keyColumns, measureColumns, type Span } from "./hour-rows.ts"

const keys = ["at", ...keyColumns]
const columns = [...keys, ...measureColumns]

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
  await sumUp(tx, counted, { from: "hour", to: "hourHub", byPerson: false }, span)
  const days = daysAround(span, counted.timeZone)
  await sumUp(tx, counted, { from: "hour", to: "day", unit: "day", byPerson: true }, days)
  await sumUp(tx, counted, { from: "hourHub", to: "dayHub", unit: "day", byPerson: false }, days)
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

/** Sums up the days of one month that is over, so that a year of many people is read from twelve rows each. */
export async function sumUpMonth(
  tx: Tx,
  counted: Counted,
  month: { from: Temporal.Instant; until: Temporal.Instant },
): Promise<void> {
  await sumUp(tx, counted, { from: "day", to: "month", unit: "month", byPerson: true }, month)
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

interface SumUp {
  from: string
  to: string
  /** Undefined keeps the time of the rows. */
  unit?: "day" | "month"
  byPerson: boolean
}

async function sumUp(
  tx: Tx,
  counted: Counted,
  { from, to, unit, byPerson }: SumUp,
  span: Span,
): Promise<void> {
  const { organizationId, facet, timeZone } = counted
  await removeRows(tx, counted, to, span)
  const at = unit ? tx`date_trunc(${unit}, at, ${timeZone}::text)` : tx`at`
  const others = keyColumns.filter((name) => name !== "person")
  await tx`
    insert into rollups (organization_id, grain, facet, at, person, ${columnList(tx, others)}, ${columnList(tx, measureColumns)})
    select ${organizationId}, ${to}, ${facet}, ${at}, ${byPerson ? tx`person` : tx`''`}, ${columnList(tx, others)},
      ${sums(tx)}
    from rollups where organization_id = ${organizationId} and grain = ${from} and facet = ${facet}
      and at >= ${span.from ?? "-infinity"}::timestamptz and at < ${span.until ?? "infinity"}::timestamptz
    group by 4, 5, ${columnList(tx, others)}`
}

function sums(sql: Sql) {
  return columnList(
    sql,
    measureColumns.map((name) => `sum(${name})`),
  )
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
