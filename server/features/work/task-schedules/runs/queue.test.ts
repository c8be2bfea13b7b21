import assert from "node:assert/strict"
import { test } from "node:test"
import { setTimeout as pause } from "node:timers/promises"
import { inTransaction, type Pool } from "#core/database/database.ts"
import { send } from "#core/jobs/define-job.ts"
import { startWorker } from "#core/jobs/worker.ts"
import type { Organization } from "#samples/builders.ts"
import { aSchedule } from "#samples/schedule-builder.ts"
import { testOrganization } from "#testing/test-app.ts"
import { generateScheduledTasks, scheduleJobs } from "../jobs.ts"

const count = process.env.FIELDWAY_LONG === "1" ? 10_000 : 1_100

async function dueSchedules(sql: Pool, org: Organization): Promise<void> {
  const { id } = await aSchedule(sql, {
    org,
    recurrence: {
      periode: "daily",
      startTime: "2031-01-01",
      endTime: "2031-01-31",
      schedules: [{ time: "10:00" }],
    },
    handledUntil: Temporal.Instant.from("2031-01-05T00:00:00Z"),
    nextRunAt: Temporal.Instant.from("2031-01-05T10:00:00Z"),
  })
  await sql`
    insert into task_schedules (organization_id, id, hub_id, flow_id, flow, name, recurrence, task, created_by, created_time,
      updated_time, handled_until, next_run_at)
    select organization_id, lpad(to_hex(number), 24, '0'), hub_id, flow_id, flow, name, recurrence, task, created_by,
      created_time, updated_time, handled_until, next_run_at
    from task_schedules, generate_series(1, ${count - 1}::int) as number where id = ${id}`
}

async function madeOf(sql: Pool, org: Organization) {
  const [row] = await sql<{ tasks: number; occurrences: number; waiting: number }[]>`
    select (select count(*) from tasks where organization_id = ${org.id}) as tasks,
      (select count(*) from task_schedule_runs where organization_id = ${org.id} and status = 'SUCCESS') as occurrences,
      (select count(*) from task_schedules where organization_id = ${org.id} and execution_count = 0) as waiting`
  return row ?? { tasks: 0, occurrences: 0, waiting: 0 }
}

test("two workers share a minute with many schedules, each of them made once", async (t) => {
  const server = await testOrganization(t)
  const { sql, clock, org } = server
  await dueSchedules(sql, org)
  clock.move("2031-01-05T10:00:05Z")
  const { signal: _signal, attempt: _attempt, isLastAttempt: _last, ...context } = server.jobContext()
  const options = { ...server, jobs: scheduleJobs, concurrency: 2, context, log: context.log }
  const workers = [await startWorker(options), await startWorker(options)]
  try {
    for (let tick = 0; tick < 3; tick += 1)
      await inTransaction(sql, (tx) => send(tx, generateScheduledTasks, {}))
    while ((await madeOf(sql, org)).waiting > 0) await pause(20)
  } finally {
    for (const worker of workers) await worker.stop()
  }
  assert.deepEqual(await madeOf(sql, org), { tasks: count, occurrences: count, waiting: 0 })
})
