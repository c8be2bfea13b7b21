import type { Caller } from "#core/access/caller.ts"
import type { Tx } from "#core/database/database.ts"
import { AppError } from "#core/errors.ts"
import { parseSkipDate } from "#packages/recurrence/parse.ts"
import { runsOnDay } from "#packages/recurrence/runs.ts"
import { scheduleErrors } from "../errors.ts"
import type { ScheduleRow } from "../wire.ts"
import { lockUnchanged, saveEdit, type WriteContext } from "../write-schedule.ts"
import { replanned, storedRecurrence } from "./next-run.ts"

/** Nothing runs until the schedule is resumed. Pausing twice is pausing once. */
export async function pauseSchedule(
  tx: Tx,
  caller: Caller,
  scheduleId: string,
  context: WriteContext,
): Promise<ScheduleRow> {
  const row = await lockUnchanged(tx, caller, scheduleId, context.ifMatch)
  if (row.pausedTime) return row
  return saveEdit(tx, caller, replanned({ ...row, pausedTime: context.now }, context.now), context)
}

/** Runs go on from now. What the pause left out is not made up for. */
export async function resumeSchedule(
  tx: Tx,
  caller: Caller,
  scheduleId: string,
  context: WriteContext,
): Promise<ScheduleRow> {
  const row = await lockUnchanged(tx, caller, scheduleId, context.ifMatch)
  if (!row.pausedTime) return row
  return saveEdit(tx, caller, replanned({ ...row, pausedTime: null }, context.now), context)
}

/** More than a year of days that somebody took out one by one is another schedule. */
const maxSkippedDates = 400

/** Takes a date out of the schedule, on its own wall clock, or puts it back. */
export async function skipDate(
  tx: Tx,
  caller: Caller,
  scheduleId: string,
  options: { date: string; isSkipped: boolean },
  context: WriteContext,
): Promise<ScheduleRow> {
  const row = await lockUnchanged(tx, caller, scheduleId, context.ifMatch)
  const parsed = parseSkipDate(options.date)
  if ("problem" in parsed) {
    const { field, code, message } = parsed.problem
    throw new AppError(400, code, message, { fields: { [field]: [message] } })
  }
  if (row.skippedDates.includes(options.date) === options.isSkipped) return row
  const others = row.skippedDates.filter((date) => date !== options.date)
  const skippedDates = options.isSkipped ? [...others, options.date].sort() : others
  if (options.isSkipped) {
    const recurrence = storedRecurrence(row.recurrence)
    if (!recurrence) throw scheduleErrors.unknownTimeZone()
    const runs = runsOnDay(recurrence, parsed.day)
    const hasRunLeft = runs.some((run) => run > context.now.epochMilliseconds)
    const message = `This schedule has no remaining run on ${options.date}. Choose a date on which it runs`
    if (!hasRunLeft) throw scheduleErrors.noRunOnDate({ message, fields: { date: [message] } })
    if (skippedDates.length > maxSkippedDates)
      throw scheduleErrors.tooMany({
        message: `At most ${maxSkippedDates} dates can be skipped. Change the schedule instead`,
      })
  }
  return saveEdit(tx, caller, replannedUnlessDue({ ...row, skippedDates }, context.now), context)
}

/** A run that is due but not yet started must not be lost when a date is skipped or restored. */
function replannedUnlessDue(row: ScheduleRow, now: Temporal.Instant): ScheduleRow {
  const isDue = row.nextRunAt !== null && Temporal.Instant.compare(row.nextRunAt, now) <= 0
  return isDue ? row : replanned(row, now)
}
