import { runExceptions } from "#shared/recurrence/exceptions.ts"
import { recurrenceOf } from "#shared/recurrence/recurrence.ts"
import { nextRun } from "#shared/recurrence/runs.ts"
import type { ScheduleRow } from "./wire.ts"

type Planned = Pick<ScheduleRow, "recurrence" | "skippedDates" | "pausedTime" | "handledUntil" | "nextRunAt">

/**
 * A schedule whose runs change at `now`: what is due by then is no longer owed, and the next run is computed
 * anew. None while it is paused.
 */
export function replanned<Row extends Planned>(row: Row, now: Temporal.Instant): Row {
  return { ...row, handledUntil: now, nextRunAt: nextRunAfter(row, now) }
}

function nextRunAfter(row: Planned, after: Temporal.Instant): Temporal.Instant | null {
  if (row.pausedTime) return null
  const exceptions = runExceptions({ skippedDates: row.skippedDates })
  return instantOf(nextRun(recurrenceOf(row.recurrence), after.epochMilliseconds, exceptions))
}

export function instantOf(milliseconds: number | null | undefined): Temporal.Instant | null {
  return milliseconds === null || milliseconds === undefined
    ? null
    : Temporal.Instant.fromEpochMilliseconds(milliseconds)
}
