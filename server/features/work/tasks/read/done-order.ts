import type { Caller } from "#core/access/caller.ts"
import type { Fragment, Tx } from "#core/database/database.ts"
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
      select counted.count, last.done_time, last.coordinate
      from (select count(*), max(done_time) as last_time from tasks where ${ofDay(tx, caller, day)}) counted
      left join lateral (
        select done_time, coalesce(attributes->>'doneCoordinate', attributes->>'expectedCoordinate') as coordinate
        from tasks
        where organization_id = ${caller.organizationId} and done_by = ${caller.email} and done_time = counted.last_time
        order by (attributes->>'doneOrder')::int desc nulls last limit 1
      ) last on true`.reusePlan()
    found.set(day, { count: 0, doneTime: null, coordinate: null, ...rows[0], last: undefined })
  })
  await Promise.all([lock, ...reads])
  return found
}

/** Counted within an index: the day's other tasks need not be read. */
function ofDay(tx: Tx, caller: Caller, day: string): Fragment {
  return tx`organization_id = ${caller.organizationId} and done_by = ${caller.email}
    and done_time >= ${`${day}T00:00:00Z`}::timestamptz
    and done_time < ${`${day}T00:00:00Z`}::timestamptz + interval '1 day'`
}
