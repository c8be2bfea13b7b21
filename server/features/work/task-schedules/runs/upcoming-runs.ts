import { runExceptions } from "#packages/recurrence/exceptions.ts"
import { listRuns } from "#packages/recurrence/runs.ts"
import type { ScheduleRow } from "../wire.ts"
import { storedRecurrence } from "./next-run.ts"

/** When the schedule runs after `after` until `until`; nothing while it is paused. Milliseconds, ascending. */
export function upcomingRuns(
  row: Pick<ScheduleRow, "recurrence" | "skippedDates" | "pausedTime">,
  after: number,
  until: number,
  limit: number,
): number[] {
  const recurrence = row.pausedTime ? undefined : storedRecurrence(row.recurrence)
  const exceptions = runExceptions({ skippedDates: row.skippedDates })
  return recurrence ? listRuns(recurrence, { after, until, limit }, exceptions) : []
}
