import { inTransaction, type Pool, type Tx } from "#core/database/database.ts"
import { timeZoneOf } from "../../organization/organizations/index.ts"
import { backfillMonth, foldChanges } from "./fold-changes.ts"
import {
  type Counted,
  columnList,
  type Facet,
  facets,
  hourRows,
  keyColumns,
  measureColumns,
  resultColumns,
} from "./hour-rows.ts"
import {
  grainsOfDays,
  grainsOfHours,
  grainsOfMonths,
  lockRollups,
  monthsAround,
  recountHours,
  type SummedGrain,
  summedRows,
} from "./recount.ts"

export interface Difference {
  facet: Facet
  grain: string
  /** When the hour, day or month begins whose numbers are wrong. */
  at: Temporal.Instant
}

export interface Verified {
  hours: number
  differences: Difference[]
}

/**
 * Compares every stored number of an organization with the tasks, ratings and sessions, after counting what is waiting.
 * With `repair`, months with differences are counted again first. Safe while the service runs: each comparison is one
 * statement, which leaves out the hours that changed and are not counted yet.
 */
export async function verifyRollups(
  sql: Pool,
  organizationId: string,
  { now, repair = false }: { now: Temporal.Instant; repair?: boolean },
): Promise<Verified> {
  while (await backfillMonth(sql, organizationId, now));
  await foldChanges(sql, organizationId, new AbortController().signal)
  const timeZone = await timeZoneOf(sql, organizationId)
  const months = await sql<{ at: Temporal.Instant }[]>`
    select distinct date_trunc('month', at, ${timeZone}::text) as at from (
      select at from work_times where organization_id = ${organizationId}
      union all select at from rollups where organization_id = ${organizationId}) times order by 1`
  const verified: Verified = { hours: 0, differences: [] }
  for (const { at } of months)
    for (const facet of facets) {
      const counted = { organizationId, timeZone, facet }
      const { from, until } = monthsAround({ from: at, until: at.add({ nanoseconds: 1000 }) }, timeZone)
      if (!from || !until) continue
      const { hours, differences } = await inTransaction(sql, async (tx) => {
        await lockRollups(tx, organizationId)
        const found = await compareMonth(tx, counted, { from, until })
        if (!repair || found.differences.length === 0) return found
        await recountHours(tx, counted, { from, until })
        return found
      })
      verified.hours += hours
      verified.differences.push(...differences)
    }
  return verified
}

const maxDifferences = 100

async function compareMonth(
  tx: Tx,
  counted: Counted,
  month: { from: Temporal.Instant; until: Temporal.Instant },
): Promise<Verified> {
  const { organizationId, facet, timeZone } = counted
  const keys = columnList(tx, ["at", ...keyColumns])
  // Sums of the same numbers in another order differ in their last digits.
  const measures = measureColumns.map((name) => `round(${name}::numeric, 3) as ${name}`)
  const rounded = columnList(tx, [...measures, ...resultColumns])
  const stored = (grain: string) => tx`
    select ${keys}, ${rounded} from rollups where organization_id = ${organizationId} and grain = ${grain} and facet = ${facet}
      and at >= ${month.from} and at < ${month.until}`
  const summed = (grain: SummedGrain) =>
    [grain, tx`select ${keys}, ${rounded} from (${summedRows(tx, counted, grain, month)}) summed`] as const
  const [months] = await tx<{ isCurrent: boolean }[]>`
    select is_current from rollup_months where organization_id = ${organizationId} and facet = ${facet} and at = ${month.from}`
  const pairs = [
    [
      "hour",
      tx`
        select ${keys}, ${columnList(tx, measures)}, ${columnList(
          tx,
          resultColumns.map((name) => `0 as ${name}`),
        )} from (${hourRows(tx, counted, month)}) computed`,
    ] as const,
    ...[...grainsOfHours, ...grainsOfDays].map(summed),
    ...(months?.isCurrent ? grainsOfMonths.map(summed) : []),
  ]
  const differences: Difference[] = []
  for (const [grain, expected] of pairs) {
    const rows = await tx<{ at: Temporal.Instant }[]>`
      with expected as (${expected}), stored as (${stored(grain)})
      select distinct at from (
        (select * from expected except all select * from stored) union all
        (select * from stored except all select * from expected)) different
      where not exists (select from rollup_changes c where c.organization_id = ${organizationId} and c.facet = ${facet}
        and date_trunc('hour', c.at, ${timeZone}::text) = different.at)
      order by at limit ${maxDifferences}`
    differences.push(...rows.map(({ at }) => ({ facet, grain, at })))
  }
  const [hours] = await tx<{ count: number }[]>`
    select count(distinct at)::int as count from rollups where organization_id = ${organizationId} and grain = 'hourHub' and facet = ${facet}
      and at >= ${month.from} and at < ${month.until}`
  return { hours: hours?.count ?? 0, differences }
}
