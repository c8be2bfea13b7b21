import type { Tx } from "#core/database/database.ts"
import { rowsTable } from "#core/database/rows-table.ts"
import { newId } from "#core/ids.ts"
import type { ScheduleRow } from "../wire.ts"
import type { RunOutcome } from "./make-tasks.ts"

export interface LoggedRun {
  /** Null for a run by hand. Milliseconds since the epoch. */
  occurrence: number | null
  outcome: RunOutcome | { skipped: string }
}

export interface SettledSchedule {
  schedule: Pick<ScheduleRow, "organizationId" | "id">
  /** In the order in which they took place. */
  runs: readonly LoggedRun[]
  /** What the schedule owes from now on; a run by hand changes nothing about it. */
  plan?: { handledUntil: Temporal.Instant; nextRunAt: Temporal.Instant | null }
}

/** Writes the log and the state of any number of schedules with one statement each. */
export async function recordRuns(
  tx: Tx,
  settled: readonly SettledSchedule[],
  now: Temporal.Instant,
): Promise<void> {
  await insertRuns(tx, settled, now)
  await updateSchedules(tx, settled, now)
}

async function insertRuns(tx: Tx, settled: readonly SettledSchedule[], now: Temporal.Instant): Promise<void> {
  const runs = settled.flatMap(({ schedule, runs }) => runs.map((run) => ({ schedule, ...run })))
  if (runs.length === 0) return
  await tx`
    insert into task_schedule_runs (organization_id, schedule_id, id, occurrence, status, task_id, failed_code, message, executed_time)
    select organization_id, schedule_id, id, occurrence, status, task_id, failed_code,
      array(select jsonb_array_elements_text(message)), ${now}::timestamptz
    from ${rowsTable(tx, "run", runs, {
      organizationId: ["id", ({ schedule }) => schedule.organizationId],
      scheduleId: ["id", ({ schedule }) => schedule.id],
      id: ["id", () => newId()],
      occurrence: ["timestamptz", ({ occurrence }) => timeOf(occurrence)],
      status: ["text", statusOf],
      taskId: ["id", ({ outcome }) => ("skipped" in outcome ? null : outcome.taskId)],
      failedCode: ["text", ({ outcome }) => ("failedCode" in outcome ? outcome.failedCode : null)],
      message: ["json", messageOf],
    })}`
}

/** A schedule shows how its last run went; runs that were skipped are in the log only. */
async function updateSchedules(
  tx: Tx,
  settled: readonly SettledSchedule[],
  now: Temporal.Instant,
): Promise<void> {
  const made = (entry: SettledSchedule) => entry.runs.filter((run) => !("skipped" in run.outcome))
  const ofLast = <T>(entry: SettledSchedule, read: (run: LoggedRun) => T): T | null => {
    const last = made(entry).at(-1)
    return last ? read(last) : null
  }
  await tx`
    update task_schedules s set
      handled_until = coalesce(run.handled_until, s.handled_until),
      next_run_at = case when run.handled_until is null then s.next_run_at else run.next_run_at end,
      last_status = coalesce(run.status, s.last_status),
      last_task_id = case when run.status is null then s.last_task_id else run.task_id end,
      last_message = case when run.status is null then s.last_message
        else array(select jsonb_array_elements_text(run.message)) end,
      last_executed_time = case when run.status is null then s.last_executed_time else ${now}::timestamptz end,
      updated_time = case when run.status is null then s.updated_time else ${now}::timestamptz end,
      execution_count = s.execution_count + run.made,
      failed_count = s.failed_count + run.failed
    from ${rowsTable(tx, "run", settled, {
      organizationId: ["id", ({ schedule }) => schedule.organizationId],
      id: ["id", ({ schedule }) => schedule.id],
      handledUntil: ["timestamptz", ({ plan }) => plan?.handledUntil.toString() ?? null],
      nextRunAt: ["timestamptz", ({ plan }) => plan?.nextRunAt?.toString() ?? null],
      status: ["text", (entry) => ofLast(entry, statusOf)],
      taskId: [
        "id",
        (entry) => ofLast(entry, ({ outcome }) => ("taskId" in outcome ? outcome.taskId : null)),
      ],
      message: ["json", (entry) => ofLast(entry, messageOf)],
      made: ["int", (entry) => made(entry).length],
      failed: ["int", (entry) => made(entry).filter((run) => statusOf(run) === "FAILED").length],
    })}
    where s.organization_id = run.organization_id and s.id = run.id`
}

function statusOf({ outcome }: LoggedRun): "SUCCESS" | "FAILED" | "SKIPPED" {
  if ("skipped" in outcome) return "SKIPPED"
  return "failedCode" in outcome ? "FAILED" : "SUCCESS"
}

function messageOf({ outcome }: LoggedRun): readonly string[] {
  return "skipped" in outcome ? [outcome.skipped] : outcome.message
}

function timeOf(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString()
}
