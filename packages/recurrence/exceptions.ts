import { parseDate } from "./calendar.ts"

/** A time during which nothing runs. Instants in milliseconds since the epoch. */
export type Pause = {
  /** The first instant that does not run. */
  readonly from: number
  /** The first instant that runs again, or null while the pause lasts. */
  readonly until: number | null
}

/** What takes runs away from a schedule. Nothing of it is made up for later. */
export type RunExceptions = {
  /** Day numbers on the schedule's own wall clock. */
  readonly skippedDays: ReadonlySet<number>
  readonly pauses: readonly Pause[]
}

export const noExceptions: RunExceptions = { skippedDays: new Set(), pauses: [] }

/**
 * Exceptions from their stored form: skipped dates as `Y-m-d` in the schedule's time zone. Throws a
 * RangeError on a malformed date.
 */
export function runExceptions(stored: {
  readonly skippedDates?: readonly string[]
  readonly pauses?: readonly Pause[]
}): RunExceptions {
  const skippedDays = (stored.skippedDates ?? []).map((date) => {
    const day = parseDate(date)
    if (day === undefined) throw new RangeError(`Not a date: ${date}`)
    return day
  })
  return {
    skippedDays: new Set(skippedDays),
    pauses: stored.pauses ?? [],
  }
}

export function pauseAt(pauses: readonly Pause[], instant: number): Pause | undefined {
  return pauses.find(({ from, until }) => from <= instant && (until === null || instant < until))
}
