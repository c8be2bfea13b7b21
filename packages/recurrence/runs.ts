import { millisecondsPerMinute, minutesPerDay } from "./calendar.ts"
import { firstDayFrom, firstIndexFrom, lastDayUntil, minutesOn } from "./day-pattern.ts"
import { noExceptions, pauseAt, type RunExceptions } from "./exceptions.ts"
import type { Recurrence } from "./recurrence.ts"

/*
 * When a schedule runs. Instants are milliseconds since the epoch. Wall times are walked in order; the
 * clock maps them to instants that never decrease, so the first later instant is the next run and wall
 * times that fall on one instant are one run.
 */

/**
 * The first run later than `after`, or undefined when none is left.
 * A schedule's own history starts at its last edit: pass the later of that and the last run.
 */
export function nextRun(
  recurrence: Recurrence,
  after: number,
  exceptions: RunExceptions = noExceptions,
): number | undefined {
  let floor = after
  for (;;) {
    const run = nextUnpaused(recurrence, floor, exceptions.skippedDays)
    if (run === undefined) return undefined
    const pause = pauseAt(exceptions.pauses, run)
    if (!pause) return run
    if (pause.until === null) return undefined
    floor = pause.until - 1
  }
}

/** The last run earlier than `before`, or undefined where there is none. */
export function previousRun(
  recurrence: Recurrence,
  before: number,
  exceptions: RunExceptions = noExceptions,
): number | undefined {
  let ceiling = before
  for (;;) {
    const run = previousUnpaused(recurrence, ceiling, exceptions.skippedDays)
    if (run === undefined) return undefined
    const pause = pauseAt(exceptions.pauses, run)
    if (!pause) return run
    ceiling = pause.from
  }
}

export type RunSpan = {
  /** Excluded; everything when absent. */
  readonly after?: number
  /** Included; everything when absent. */
  readonly until?: number
  /** The maximum number of runs to return. */
  readonly limit: number
}

/** The runs of a span, ascending, at most `limit` of them. */
export function listRuns(recurrence: Recurrence, span: RunSpan, exceptions?: RunExceptions): number[] {
  const runs: number[] = []
  const until = span.until ?? Number.POSITIVE_INFINITY
  let run = nextRun(recurrence, span.after ?? beforeAll(recurrence), exceptions)
  while (run !== undefined && run <= until && runs.length < span.limit) {
    runs.push(run)
    run = nextRun(recurrence, run, exceptions)
  }
  return runs
}

/** How many runs a span has. Counting ends at `limit`: then the true number is that or more. */
export function countRuns(recurrence: Recurrence, span: RunSpan, exceptions?: RunExceptions): number {
  const until = span.until ?? Number.POSITIVE_INFINITY
  let count = 0
  let run = nextRun(recurrence, span.after ?? beforeAll(recurrence), exceptions)
  while (run !== undefined && run <= until && count < span.limit) {
    count++
    run = nextRun(recurrence, run, exceptions)
  }
  return count
}

/** The very last run: after it the schedule is expired. Undefined where it never runs. */
export function lastRun(recurrence: Recurrence, exceptions?: RunExceptions): number | undefined {
  return previousRun(recurrence, Number.POSITIVE_INFINITY, exceptions)
}

export function runsAt(recurrence: Recurrence, instant: number, exceptions?: RunExceptions): boolean {
  return nextRun(recurrence, instant - 1, exceptions) === instant
}

/**
 * The runs that belong to one day of the schedule's wall clock, ascending. A run that a gap moved past
 * midnight still belongs to the day that names it, as do skipped dates.
 */
export function runsOnDay(recurrence: Recurrence, day: number): number[] {
  if (firstDayFrom(recurrence.pattern, day, day) === undefined) return []
  const runs = new Set<number>()
  for (const minute of minutesOn(recurrence.pattern, day)) {
    const wallMinute = day * minutesPerDay + minute
    if (wallMinute >= recurrence.window.firstMinute && wallMinute <= recurrence.window.lastMinute) {
      runs.add(recurrence.clock.toInstant(wallMinute))
    }
  }
  return [...runs]
}

function nextUnpaused(
  { pattern, window, clock }: Recurrence,
  after: number,
  skippedDays: ReadonlySet<number>,
): number | undefined {
  // A wall time below the one that the clock shows has its first pass at or before `after`.
  const earliest = Math.max(window.firstMinute, clock.toWallMinute(after))
  const lastDay = Math.floor(window.lastMinute / minutesPerDay)
  let from = Math.floor(earliest / minutesPerDay)
  for (;;) {
    const day = firstDayFrom(pattern, from, lastDay)
    if (day === undefined) return undefined
    if (!skippedDays.has(day)) {
      const midnight = day * minutesPerDay
      const minutes = minutesOn(pattern, day)
      for (let index = firstIndexFrom(minutes, earliest - midnight); index < minutes.length; index++) {
        const wallMinute = midnight + (minutes[index] ?? 0)
        if (wallMinute > window.lastMinute) return undefined
        const run = clock.toInstant(wallMinute)
        if (run > after) return run
      }
    }
    from = day + 1
  }
}

function previousUnpaused(
  { pattern, window, clock }: Recurrence,
  before: number,
  skippedDays: ReadonlySet<number>,
): number | undefined {
  // During a second pass the clock shows wall times whose first pass is over, later ones included: a day
  // more than the clock shows covers every overlap there has been.
  const latest =
    before === Number.POSITIVE_INFINITY
      ? window.lastMinute
      : Math.min(window.lastMinute, clock.toWallMinute(before) + minutesPerDay)
  const firstDay = Math.floor(window.firstMinute / minutesPerDay)
  let until = Math.floor(latest / minutesPerDay)
  for (;;) {
    const day = lastDayUntil(pattern, until, firstDay)
    if (day === undefined) return undefined
    if (!skippedDays.has(day)) {
      const midnight = day * minutesPerDay
      const minutes = minutesOn(pattern, day)
      for (let index = firstIndexFrom(minutes, latest - midnight + 1) - 1; index >= 0; index--) {
        const wallMinute = midnight + (minutes[index] ?? 0)
        if (wallMinute < window.firstMinute) return undefined
        const run = clock.toInstant(wallMinute)
        if (run < before) return run
      }
    }
    until = day - 1
  }
}

/** An instant before the first wall minute, whatever the zone. */
function beforeAll({ window }: Recurrence): number {
  return (window.firstMinute - 2 * minutesPerDay) * millisecondsPerMinute
}
