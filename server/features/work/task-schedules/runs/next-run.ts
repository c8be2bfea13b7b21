import { runExceptions } from "#packages/recurrence/exceptions.ts"
import { type Recurrence, recurrenceOf } from "#packages/recurrence/recurrence.ts"
import { nextRun } from "#packages/recurrence/runs.ts"
import type { Schedule } from "#packages/recurrence/schedule.ts"
import { scheduleErrors } from "../errors.ts"
import type { ScheduleRow } from "../wire.ts"

type Planned = Pick<ScheduleRow, "recurrence" | "skippedDates" | "pausedTime" | "handledUntil" | "nextRunAt">

/**
 * A schedule whose runs change at `now`: what is due by then is no longer owed, and the next run is computed
 * again. None while it is paused.
 */
export function replanned<Row extends Planned>(row: Row, now: Temporal.Instant): Row {
  return { ...row, handledUntil: now, nextRunAt: nextRunAfter(row, now) }
}

function nextRunAfter(row: Planned, after: Temporal.Instant): Temporal.Instant | null {
  if (row.pausedTime) return null
  const recurrence = storedRecurrence(row.recurrence)
  if (!recurrence) throw scheduleErrors.unknownTimeZone()
  const exceptions = runExceptions({ skippedDates: row.skippedDates })
  return instantOf(nextRun(recurrence, after.epochMilliseconds, exceptions))
}

/**
 * A stored schedule, ready for computing. Undefined when this machine does not know its time zone: names come
 * and go with the versions of the zone database, and what was accepted elsewhere may be unknown here.
 */
export function storedRecurrence(schedule: Schedule): Recurrence | undefined {
  try {
    return recurrenceOf(schedule)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

export function instantOf(milliseconds: number | null | undefined): Temporal.Instant | null {
  return milliseconds === null || milliseconds === undefined
    ? null
    : Temporal.Instant.fromEpochMilliseconds(milliseconds)
}
