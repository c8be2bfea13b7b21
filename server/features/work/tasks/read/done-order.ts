import type { Caller } from "#core/access/caller.ts"
import type { Tx } from "#core/database/database.ts"
import type { TaskRow } from "../wire.ts"

/** The work that one person finished on one day (UTC), which gives the next task its number and its distance. */
export interface DoneDay {
  count: number
  doneTime: Temporal.Instant | null
  coordinate: string | null
  /** The last one finished within the same call: it is no longer the last when another follows. */
  last: TaskRow | undefined
}

export function dayOf(time: Temporal.Instant): string {
  return time.toString().slice(0, 10)
}

/**
 * What the caller finished on these days so far. Two calls that finish tasks of one person wait for each
 * other, so that no number is given twice.
 */
export async function lockDoneDays(
  tx: Tx,
  caller: Caller,
  days: readonly string[],
): Promise<Map<string, DoneDay>> {
  const found = new Map<string, DoneDay>()
  if (days.length === 0) return found
  const lock = tx`
    select pg_advisory_xact_lock(hashtextextended(${`done:${caller.organizationId}:${caller.email}`}, 0))`
    .reusePlan()
    .send()
  // The days are read behind the lock, in the order in which the statements are sent.
  const reads = [...new Set(days)].map(async (day) => {
    const rows = await tx<Omit<DoneDay, "last">[]>`
      with own as (
        select done_time, (attributes->>'doneOrder')::int as done_order,
          coalesce(attributes->>'doneCoordinate', attributes->>'expectedCoordinate') as coordinate
        from tasks
        where organization_id = ${caller.organizationId} and done_by = ${caller.email}
          and done_time >= ${`${day}T00:00:00Z`}::timestamptz
          and done_time < ${`${day}T00:00:00Z`}::timestamptz + interval '1 day'
      )
      select (select count(*) from own) as count, last.done_time, last.coordinate
      from (select 1) one left join lateral (select * from own order by done_time desc, done_order desc nulls last limit 1) last on true`.reusePlan()
    found.set(day, { count: 0, doneTime: null, coordinate: null, ...rows[0], last: undefined })
  })
  await Promise.all([lock, ...reads])
  return found
}
