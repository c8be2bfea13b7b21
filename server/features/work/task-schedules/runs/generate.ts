import { inTransaction, isDatabaseAway, isTransient, type Pool, type Tx } from "#core/database/database.ts"
import { rowsTable } from "#core/database/rows-table.ts"
import type { JobContext } from "#core/jobs/define-job.ts"
import { type DueRuns, dueRuns, latestRunMinutes } from "#packages/recurrence/due.ts"
import { runExceptions } from "#packages/recurrence/exceptions.ts"
import { toT3 } from "#shared/wire-time.ts"
import { scheduleErrors } from "../errors.ts"
import { publishSchedules } from "../events.ts"
import { scheduleColumns } from "../queries.ts"
import type { ScheduleRow } from "../wire.ts"
import { failure, makeTasks, type RunOutcome } from "./make-tasks.ts"
import { instantOf, storedRecurrence } from "./next-run.ts"
import { type LoggedRun, recordRuns, type SettledSchedule } from "./record-runs.ts"

/**
 * Schedules whose tasks are made in one transaction. Larger ones save little (the cost is in the rows) and
 * leave a second worker with nothing to do.
 */
export const batchSize = 500

export type Generation = Pick<JobContext, "sql" | "clock" | "live" | "log" | "signal">

interface DueSchedule extends ScheduleRow {
  authorName: string | null
}

/**
 * Makes the tasks of every schedule that is due, batch by batch, until none is left. What is due is read from
 * the stored state, so a missed tick heals itself. Any number of workers may do it at once: a schedule is
 * locked while its runs are made, and those that another worker holds are passed over.
 */
export async function generateDueTasks(context: Generation): Promise<void> {
  let claimed = batchSize
  while (claimed === batchSize && !context.signal.aborted) claimed = await generateBatch(context)
}

export async function countDue(sql: Pool, now: Temporal.Instant, most: number): Promise<number> {
  const rows = await sql<{ count: number }[]>`
    select count(*) as count from (
      select from task_schedules where next_run_at <= ${now} limit ${most}) due`
  return rows[0]?.count ?? 0
}

function generateBatch(context: Generation): Promise<number> {
  return inTransaction(context.sql, async (tx) => {
    const now = context.clock.now()
    const due = await claimDue(tx, now)
    if (due.length > 0) await settle(tx, due, now, context)
    return due.length
  })
}

function claimDue(tx: Tx, now: Temporal.Instant): Promise<DueSchedule[]> {
  return tx<DueSchedule[]>`
    select ${scheduleColumns(tx)}, (
      select users.name from users where users.organization_id = s.organization_id and users.email = s.created_by) as author_name
    from task_schedules s where s.next_run_at <= ${now}
    order by s.next_run_at, s.organization_id, s.id limit ${batchSize} for update of s skip locked`
}

/**
 * Runs the schedules. Should something fail that is nobody's mistake, the half with the culprit is found by
 * halving, so that one schedule that cannot be run never stops the others; its own run is logged as failed, or left to
 * the next minute where the database was only busy.
 */
async function settle(
  tx: Tx,
  due: readonly DueSchedule[],
  now: Temporal.Instant,
  context: Generation,
): Promise<void> {
  try {
    await inTransaction(tx, (step) => runSchedules(step, due, now, context))
  } catch (error) {
    if (isDatabaseAway(error)) throw error
    const [schedule] = due
    if (schedule && due.length === 1) {
      const fields = { organizationId: schedule.organizationId, scheduleId: schedule.id }
      if (isTransient(error)) {
        context.log.warn({ ...fields, reason: String(error) }, "schedule could not run yet")
        return
      }
      context.log.error({ ...fields, err: error }, "schedule could not run")
      await inTransaction(tx, (step) =>
        runSchedules(step, due, now, context, failure(scheduleErrors.failed())),
      )
      return
    }
    const middle = Math.ceil(due.length / 2)
    await settle(tx, due.slice(0, middle), now, context)
    await settle(tx, due.slice(middle), now, context)
  }
}

async function runSchedules(
  tx: Tx,
  schedules: readonly DueSchedule[],
  now: Temporal.Instant,
  context: Generation,
  fixedOutcome?: RunOutcome,
): Promise<void> {
  const made = await findMade(tx, schedules)
  const owed = schedules.map((schedule) => owedRuns(schedule, now, made.get(schedule.id)))
  const requests = owed.flatMap(({ schedule, due }) =>
    due.map((at) => ({ schedule, at, author: authorOf(schedule) })),
  )
  const outcomes = fixedOutcome
    ? requests.map(() => fixedOutcome)
    : await makeTasks(tx, requests, { now, live: context.live })
  const outcomeOf = outcomes.values()
  const settled = owed.map((entry): SettledSchedule => {
    const runs = entry.due.map((occurrence): LoggedRun => {
      const outcome = outcomeOf.next().value ?? failure(scheduleErrors.failed())
      return { occurrence, outcome }
    })
    return { schedule: entry.schedule, runs: [...entry.skipped, ...runs], plan: entry.plan }
  })
  await recordRuns(tx, settled, now)
  const executed = owed.filter((entry) => entry.due.length + entry.skipped.length > 0)
  await publishSchedules(
    tx,
    context.live,
    "schedule.executed",
    executed.map((entry) => entry.schedule),
  )
}

interface Owed {
  schedule: DueSchedule
  /** Occurrences to run now, oldest first. */
  due: readonly number[]
  skipped: readonly LoggedRun[]
  plan: { handledUntil: Temporal.Instant; nextRunAt: Temporal.Instant | null }
}

function owedRuns(schedule: DueSchedule, now: Temporal.Instant, made: ReadonlySet<number> | undefined): Owed {
  const runs = computeDue(schedule, now)
  if (!runs) {
    const outcome = failure(scheduleErrors.unknownTimeZone())
    const occurrence = schedule.nextRunAt?.epochMilliseconds ?? null
    const plan = { handledUntil: now, nextRunAt: null }
    return { schedule, due: [], skipped: [{ occurrence, outcome }], plan }
  }
  return {
    schedule,
    due: runs.due.filter((at) => !made?.has(at)),
    skipped: runs.skipped && !made?.has(runs.skipped.last) ? [skippedRun(runs.skipped)] : [],
    plan: { handledUntil: now, nextRunAt: instantOf(runs.next) },
  }
}

/** Undefined when the time zone is unknown here, which needs a person. */
function computeDue(schedule: DueSchedule, now: Temporal.Instant): DueRuns | undefined {
  const recurrence = storedRecurrence(schedule.recurrence)
  if (!recurrence) return undefined
  const span = { after: schedule.handledUntil.epochMilliseconds, now: now.epochMilliseconds }
  return dueRuns(recurrence, span, runExceptions({ skippedDates: schedule.skippedDates }))
}

function skippedRun({ count, first, last }: NonNullable<DueRuns["skipped"]>): LoggedRun {
  const why = `more than ${latestRunMinutes} minutes late`
  const [from, to] = [first, last].map((at) => `${toT3({ epochMilliseconds: at })} UTC`)
  const skipped =
    count === 1
      ? `The run of ${from} was skipped: it would have been ${why}.`
      : `${count} runs from ${from} to ${to} were skipped: they would have been ${why}.`
  return { occurrence: last, outcome: { skipped } }
}

/**
 * The occurrences that have a log row already. With the schedule locked that only happens when a clock was
 * set back; then the run is over all the same.
 */
async function findMade(tx: Tx, schedules: readonly DueSchedule[]): Promise<Map<string, Set<number>>> {
  const rows = await tx<{ scheduleId: string; occurrence: Temporal.Instant }[]>`
    select run.schedule_id, run.occurrence
    from ${rowsTable(tx, "due", schedules, {
      organizationId: ["id", ({ organizationId }) => organizationId],
      id: ["id", ({ id }) => id],
      handledUntil: ["timestamptz", ({ handledUntil }) => handledUntil.toString()],
    })}
    join task_schedule_runs run on run.organization_id = due.organization_id and run.schedule_id = due.id
      and run.occurrence > due.handled_until`
  const groups = Map.groupBy(rows, (row) => row.scheduleId)
  return new Map(
    [...groups].map(([id, group]) => [id, new Set(group.map((row) => row.occurrence.epochMilliseconds))]),
  )
}

function authorOf(schedule: DueSchedule): { email: string; name: string } {
  const email = schedule.createdBy ?? ""
  return { email, name: schedule.authorName ?? email }
}
