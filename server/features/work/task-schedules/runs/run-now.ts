import type { Caller } from "#core/access/caller.ts"
import type { Tx } from "#core/database/database.ts"
import { scheduleErrors } from "../errors.ts"
import { publishSchedules } from "../events.ts"
import { findSchedule, lockSchedule } from "../queries.ts"
import type { ScheduleRow } from "../wire.ts"
import type { WriteContext } from "../write-schedule.ts"
import { makeTasks, type RunOutcome } from "./make-tasks.ts"
import { recordRuns } from "./record-runs.ts"

export interface RanNow {
  row: ScheduleRow
  outcome: RunOutcome
}

/**
 * Makes the schedule's task now, beside its plan, paused or expired as it may be. The task is signed by the
 * caller. A run that fails is logged as any other; the caller of this function reports it after the commit.
 */
export async function runNow(
  tx: Tx,
  caller: Caller,
  scheduleId: string,
  { now, live }: WriteContext,
): Promise<RanNow> {
  const schedule = await lockSchedule(tx, caller, scheduleId)
  if (!schedule) throw scheduleErrors.notFound()
  const request = { schedule, at: now.epochMilliseconds, author: caller }
  const [outcome] = await makeTasks(tx, [request], { now, live })
  if (!outcome) throw scheduleErrors.failed()
  await recordRuns(tx, [{ schedule, runs: [{ occurrence: null, outcome }] }], now)
  await publishSchedules(tx, live, "schedule.executed", [schedule])
  const row = await findSchedule(tx, caller, scheduleId)
  if (!row) throw new Error("a schedule vanished in the transaction that ran it")
  return { row, outcome }
}
