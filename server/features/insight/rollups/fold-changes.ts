import { inTransaction, type Pool, type Sql, type Tx } from "#core/database/database.ts"
import { timeZoneOf } from "../../organization/organizations/index.ts"
import { type Counted, type Facet, facets, type Span } from "./hour-rows.ts"
import { hoursAround, lockRollups, monthsAround, recountHours, sumUpMonth } from "./recount.ts"

interface ChangedMonth {
  facet: Facet
  month: Temporal.Instant
  hours: number
}

/** Where hours changed that are not counted again yet, by month. */
export function changedMonths(sql: Sql, organizationId: string, timeZone: string): Promise<ChangedMonth[]> {
  return sql<ChangedMonth[]>`
    select facet, date_trunc('month', at, ${timeZone}::text) as month, count(distinct date_trunc('hour', at, ${timeZone}::text)) as hours
    from rollup_changes where organization_id = ${organizationId} group by 1, 2 order by 2 desc, 1`
}

/**
 * Counts the changed hours of one month again. The changes leave with the transaction that counted them: one that is
 * committed later is seen later, so each is counted once, also when several processes count at the same time.
 */
export async function foldMonth(
  sql: Sql,
  organizationId: string,
  { facet, month }: Pick<ChangedMonth, "facet" | "month">,
): Promise<void> {
  await inTransaction(sql, async (tx) => {
    await lockRollups(tx, organizationId)
    const timeZone = await timeZoneOf(tx, organizationId)
    const { from, until } = monthsAround({ from: month, until: month.add({ nanoseconds: 1000 }) }, timeZone)
    const changes = await tx<{ at: Temporal.Instant }[]>`
      with taken as (
        delete from rollup_changes where organization_id = ${organizationId} and facet = ${facet}
          and at >= ${from as Temporal.Instant} and at < ${until as Temporal.Instant} returning at
      )
      select distinct at from taken order by at`
    const times = changes.map(({ at }) => at)
    for (const span of spansOf(times, timeZone))
      await recountHours(tx, { organizationId, timeZone, facet }, span)
  })
}

/** More separate spans than this are counted as one. */
const maxSpans = 12

/** The hours that contain these quarters of an hour in order, neighbours together. */
function spansOf(times: readonly Temporal.Instant[], timeZone: string): Span[] {
  const spans: { from: Temporal.Instant; until: Temporal.Instant }[] = []
  for (const at of times) {
    const { from, until } = hoursAround({ from: at, until: at.add({ minutes: 15 }) }, timeZone)
    const last = spans.at(-1)
    if (!from || !until) continue
    if (last && Temporal.Instant.compare(from, last.until) <= 0) last.until = until
    else spans.push({ from, until })
  }
  const [first, last] = [spans[0], spans.at(-1)]
  return first && last && spans.length > maxSpans ? [{ from: first.from, until: last.until }] : spans
}

/** Counts everything that changed again; stops when asked to, and goes on the next time. */
export async function foldChanges(sql: Pool, organizationId: string, signal: AbortSignal): Promise<void> {
  const timeZone = await timeZoneOf(sql, organizationId)
  for (const month of await changedMonths(sql, organizationId, timeZone)) {
    if (signal.aborted) return
    await foldMonth(sql, organizationId, month)
  }
}

/** Reports count this much themselves; more is left to the job. */
const maxAtOnce = { hours: 1000, months: 12 }

/**
 * Brings the numbers of an organization up to date before they are read, so that they say what its lists say. Returns
 * whether they are complete: after an import of a year they are not for some seconds.
 */
export async function catchUp(sql: Sql, organizationId: string): Promise<boolean> {
  const timeZone = await timeZoneOf(sql, organizationId)
  const months = await changedMonths(sql, organizationId, timeZone)
  const hours = months.reduce((sum, month) => sum + month.hours, 0)
  const isSmall = hours <= maxAtOnce.hours && months.length <= maxAtOnce.months
  if (isSmall) for (const month of months) await foldMonth(sql, organizationId, month)
  const [state] = await sql<{ isDone: boolean }[]>`
    select covered_since = '-infinity' as is_done from rollup_states where organization_id = ${organizationId}`
  return isSmall && (state?.isDone ?? false)
}

/**
 * The first count of an organization with older work, the newest month first. One month a transaction: a process that
 * dies goes on where it was. Returns whether there is more.
 */
export async function backfillMonth(
  sql: Pool,
  organizationId: string,
  now: Temporal.Instant,
): Promise<boolean> {
  return inTransaction(sql, async (tx) => {
    await lockRollups(tx, organizationId)
    const timeZone = await timeZoneOf(tx, organizationId)
    const [state] = await tx<{ isDone: boolean; since: Temporal.Instant | null }[]>`
      select coalesce(covered_since = '-infinity', false) as is_done, nullif(covered_since, '-infinity') as since
      from rollup_states where organization_id = ${organizationId}`
    if (!state || state.isDone) return false
    if (!state.since) await tx`delete from rollups where organization_id = ${organizationId}`
    const newest = state.since ? await newestBefore(tx, organizationId, state.since) : now
    const from = newest && monthsAround({ from: newest, until: undefined }, timeZone).from
    if (from)
      for (const facet of facets)
        await recountHours(tx, { organizationId, timeZone, facet }, { from, until: state.since ?? undefined })
    await tx`
      update rollup_states set covered_since = ${from ?? "-infinity"}::timestamptz where organization_id = ${organizationId}`
    return from !== undefined
  })
}

async function newestBefore(
  tx: Tx,
  organizationId: string,
  before: Temporal.Instant,
): Promise<Temporal.Instant | undefined> {
  const [found] = await tx<{ newest: Temporal.Instant | null }[]>`
    select max(at) as newest from work_times where organization_id = ${organizationId} and at < ${before}`
  return found?.newest ?? undefined
}

/** Sums up the months that are over. */
export async function sumUpMonths(
  sql: Pool,
  organizationId: string,
  now: Temporal.Instant,
  signal: AbortSignal,
): Promise<void> {
  const timeZone = await timeZoneOf(sql, organizationId)
  const current = monthsAround({ from: now, until: undefined }, timeZone).from ?? now
  const due = await sql<{ facet: Facet; at: Temporal.Instant }[]>`
    select facet, at from rollup_months where organization_id = ${organizationId} and not is_current and at < ${current}`
  for (const { facet, at } of due) {
    if (signal.aborted) return
    await inTransaction(sql, async (tx) => {
      await lockRollups(tx, organizationId)
      const counted: Counted = { organizationId, facet, timeZone }
      const { from, until } = monthsAround({ from: at, until: at.add({ nanoseconds: 1000 }) }, timeZone)
      if (from && until) await sumUpMonth(tx, counted, { from, until })
    })
  }
}
