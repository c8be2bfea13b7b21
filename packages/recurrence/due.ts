import { millisecondsPerMinute } from "./calendar.ts"
import type { RunExceptions } from "./exceptions.ts"
import type { Recurrence } from "./recurrence.ts"
import { countRuns, listRuns, nextRun, previousRun } from "./runs.ts"

/** After downtime a run is still made when it is at most this late; older ones are skipped. */
export const latestRunMinutes = 60

// Enough for two months of a run every minute; what lies beyond need not be counted to the last one.
const skippedCountLimit = 100_000

export type DueRuns = {
  /** To be made now, oldest first. */
  readonly due: readonly number[]
  /** Missed for good, or null where none was. */
  readonly skipped: SkippedRuns | null
  /** When to look again; null when the schedule is expired, or paused with no end in sight. */
  readonly next: number | null
}

type SkippedRuns = {
  /** At most 100,000: then the true number is that or more. */
  readonly count: number
  readonly first: number
  readonly last: number
}

/**
 * What a schedule owes at `now`, all instants in milliseconds since the epoch.
 * `after` is the latest of the schedule's creation, its last edit of the recurrence, its last resume and
 * the last run that was made or skipped: nothing up to it is owed.
 */
export function dueRuns(
  recurrence: Recurrence,
  { after, now }: { readonly after: number; readonly now: number },
  exceptions?: RunExceptions,
): DueRuns {
  const tooLate = now - latestRunMinutes * millisecondsPerMinute
  const due = listRuns(
    recurrence,
    { after: Math.max(after, tooLate - 1), until: now, limit: latestRunMinutes + 1 },
    exceptions,
  )
  return {
    due,
    skipped: skippedRuns(recurrence, after, tooLate, exceptions),
    next: nextRun(recurrence, Math.max(after, now), exceptions) ?? null,
  }
}

function skippedRuns(
  recurrence: Recurrence,
  after: number,
  tooLate: number,
  exceptions: RunExceptions | undefined,
): SkippedRuns | null {
  const first = nextRun(recurrence, after, exceptions)
  const last = previousRun(recurrence, tooLate, exceptions)
  if (first === undefined || last === undefined || first > last) return null
  const count = countRuns(recurrence, { after, until: last, limit: skippedCountLimit }, exceptions)
  return { count, first, last }
}
