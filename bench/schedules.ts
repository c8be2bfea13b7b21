/*
 * 10,000 schedules that are due at one minute, run by two workers at once, against bulk-creating the same
 * tasks by POST /tasks/bulk. Checks that each occurrence was made exactly once.
 * Run: node bench/schedules.ts [schedules] [rounds]
 */
import { createLog } from "#core/telemetry/log.ts"
import { generateDueTasks } from "#features/work/task-schedules/index.ts"
import { aFlow, aHub, anOrganization, aUser } from "#samples/builders.ts"
import { aSchedule } from "#samples/schedule-builder.ts"
import { median, printRatio, startBench } from "./load/harness.ts"

const scheduleCount = Number(process.argv[2] ?? 10_000)
const rounds = Number(process.argv[3] ?? 5)
const bulkSize = 2000
const workers = 2
const fieldCount = 10

const fields = Array.from({ length: fieldCount }, (_, index) => `field${index}`)
const values = Object.fromEntries(fields.map((id, index) => [id, `Value ${index} of this task`]))

const bench = await startBench()
try {
  const { sql, app } = bench
  const org = await anOrganization(sql)
  const hub = await aHub(sql, { org })
  const flow = await aFlow(sql, {
    org,
    pages: [
      {
        id: "page0",
        components: fields.map((id, index) => ({
          id,
          component: "input",
          type: "String",
          title: id,
          required: index < 3,
          ...(index === 0 ? { showAs: "title" } : {}),
        })),
      },
    ],
  })
  const worker = await aUser(sql, { org, role: "field user", hubs: [hub] })
  const token = await bench.tokenOf(org.owner)

  const first = await aSchedule(sql, { org, hub, flow, task: values, assignee: [worker] })
  await sql`
    insert into task_schedules (organization_id, id, hub_id, flow_id, flow, name, recurrence, task, assignee, created_by,
      created_time, updated_time, handled_until)
    select organization_id, lpad(to_hex(number), 24, '0'), hub_id, flow_id, flow, name, recurrence, task, assignee,
      created_by, created_time, updated_time, handled_until
    from task_schedules, generate_series(1, ${scheduleCount - 1}::int) as number where id = ${first.id}`

  // Years ahead, so that the installation's own worker, which lives by the real clock, does not join in.
  const dueOn = (round: number) => Temporal.Instant.from(`20${50 + round}-01-05T06:30:00Z`)

  const runSchedules = async (round: number) => {
    const due = dueOn(round)
    await sql`update task_schedules set handled_until = ${due.subtract({ minutes: 1 })}, next_run_at = ${due}`
    await sql`vacuum analyze task_schedules`
    const context = {
      sql,
      clock: { now: () => due.add({ seconds: 1 }) },
      live: app.live,
      log: createLog("error"),
      signal: new AbortController().signal,
    }
    const start = performance.now()
    await Promise.all(Array.from({ length: workers }, () => generateDueTasks(context)))
    return performance.now() - start
  }

  const task = { flow: flow.name, hubId: hub.id, assignee: [worker.email], ...values }
  const createInBulk = async () => {
    const start = performance.now()
    for (let made = 0; made < scheduleCount; made += bulkSize) {
      const tasks = Array(Math.min(bulkSize, scheduleCount - made)).fill(task)
      const reply = await fetch(`${bench.address}/api/v3/tasks/bulk`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ tasks }),
      })
      const response = (await reply.json()) as { failed: number }
      if (reply.status !== 201 || response.failed > 0)
        throw new Error(`bulk creation returned ${reply.status}`)
    }
    return performance.now() - start
  }

  const scheduled: number[] = []
  const bulk: number[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const [one, other] = [await runSchedules(round), await createInBulk()]
    if (round === 0) continue
    scheduled.push(one)
    bulk.push(other)
  }

  const [counts] = await sql<{ tasks: number; once: number; runs: number }[]>`
    select count(*) as tasks, count(distinct (run.schedule_id, run.occurrence)) as once,
      (select count(*) from task_schedule_runs) as runs
    from tasks join task_schedule_runs run on run.organization_id = tasks.organization_id and run.task_id = tasks.id
    where run.status = 'SUCCESS'`
  const expected = scheduleCount * (rounds + 1)
  const isOnce = counts?.tasks === expected && counts.once === expected && counts.runs === expected
  process.stdout.write(
    `${isOnce ? "kept  " : "MISSED"} exactly once: ${counts?.tasks} tasks of ${counts?.once} occurrences, ${expected} due\n`,
  )
  printRatio({
    name: `${scheduleCount} schedules due at one minute, ${workers} workers, against POST /tasks/bulk`,
    measured: median(scheduled),
    base: median(bulk),
    unit: "ms",
    atMost: 2,
  })
} finally {
  await bench.close()
}
