import { formatWallTime, minutesPerDay } from "./calendar.ts"
import { firstDayFrom, minutesOn } from "./day-pattern.ts"
import type { RunExceptions } from "./exceptions.ts"
import type { Recurrence } from "./recurrence.ts"
import { runsAt } from "./runs.ts"

/** Worth a second look before saving; nothing here is forbidden. */
export type Clash = {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Other schedules that run at the same instant, in the order given. */
  readonly scheduleIds: readonly string[]
  /**
   * The schedule's own wall times (`Y-m-d HH:mm`) that a clock change lets fall on this one instant, so
   * that they make one task instead of several. Empty, or two and more.
   */
  readonly mergedTimes: readonly string[]
}

export type OtherSchedule = {
  readonly id: string
  readonly recurrence: Recurrence
  readonly exceptions?: RunExceptions
}

/**
 * The clashes among `runs`, which are runs of `recurrence` (as `listRuns` returns them). Which other
 * schedules matter, say those of the same people, is the caller's choice.
 */
export function findClashes(
  recurrence: Recurrence,
  runs: readonly number[],
  others: readonly OtherSchedule[],
): Clash[] {
  return runs.flatMap((at) => {
    const scheduleIds = others
      .filter((other) => runsAt(other.recurrence, at, other.exceptions))
      .map((other) => other.id)
    const mergedTimes = wallTimesAt(recurrence, at)
    if (scheduleIds.length === 0 && mergedTimes.length < 2) return []
    return [{ at, scheduleIds, mergedTimes: mergedTimes.length < 2 ? [] : mergedTimes }]
  })
}

/** The wall times of the schedule that give this instant: several where clocks go forward. */
function wallTimesAt({ pattern, window, clock }: Recurrence, at: number): string[] {
  const shown = clock.toWallMinute(at)
  const lastDay = Math.floor(shown / minutesPerDay)
  const wallTimes: string[] = []
  // The longest gap ever was the day that a zone skipped when it crossed the date line.
  for (let day = lastDay - 1; day <= lastDay; day++) {
    if (firstDayFrom(pattern, day, day) === undefined) continue
    for (const minute of minutesOn(pattern, day)) {
      const wallMinute = day * minutesPerDay + minute
      const inWindow = wallMinute >= window.firstMinute && wallMinute <= window.lastMinute
      if (inWindow && wallMinute <= shown && clock.toInstant(wallMinute) === at) {
        wallTimes.push(formatWallTime(wallMinute))
      }
    }
  }
  return wallTimes
}
