import assert from "node:assert/strict"
import { test } from "node:test"
import { aFlow, aHub, aUser } from "#samples/builders.ts"
import { aSchedule } from "#samples/schedule-builder.ts"
import { testOrganization } from "#testing/test-app.ts"
import { deleteOldRuns, generateScheduledTasks, helpGenerating } from "../jobs.ts"
import { at, type MadeTask, runsOf, startsOf, tasksOf, tick, yearOf } from "../scheduled-tasks.fixture.ts"

test("a schedule makes its task at its time, once, and says how the run went", async (t) => {
  const server = await testOrganization(t)
  const { sql, clock, as, org } = server
  const hub = await aHub(sql, { org })
  const flow = await aFlow(sql, {
    org,
    configurations: [
      { id: "startTime", adjustment: 1 },
      { id: "endTime", adjustment: 8 },
    ],
  })
  const worker = await aUser(sql, { org, role: "field user", hubs: [hub] })
  clock.move("2031-01-05T06:30:20Z")
  const made = await as(org.owner).post("/task/schedule", {
    ...yearOf(2031, ["06:30", "07:00"]),
    name: "Morning",
    hubId: hub.id,
    flowId: flow.id,
    task: { siteName: "Pump house 4", createdFrom: "WEB", startTime: "2001-01-01 00:00:00", refId: "R-1" },
    assignee: [worker.email],
  })
  const scheduleId = made.json().data._id
  await tick(server)
  assert.deepEqual(await tasksOf(server, org), [], "the minute in which it was made is over")
  clock.move("2031-01-05T06:59:59Z")
  await tick(server)
  assert.deepEqual(await tasksOf(server, org), [])
  clock.move("2031-01-05T07:00:03Z")
  await tick(server)
  await tick(server)
  const tasks = await tasksOf(server, org)
  assert.equal(tasks.length, 1)
  const { _id, startTime, endTime, createdFrom, createdBy, status, assignee, title, flowId, refId } =
    tasks[0] as MadeTask
  assert.deepEqual(
    { startTime, endTime, createdFrom, createdBy, status, assignee, title, flowId, refId },
    {
      startTime: "2031-01-05T08:00:00+00:00",
      endTime: "2031-01-05T16:00:00+00:00",
      createdFrom: "SCHEDULER",
      createdBy: org.owner.email,
      status: "ONGOING",
      assignee: [worker.email],
      title: "Pump house 4",
      flowId: flow.id,
      refId: "R-1",
    },
  )
  const { taskSchedules } = (await as(org.owner).get(`/task/schedule/${scheduleId}`)).json()
  const { logExecuted, nextExecution, state, executionCount, failedCount, updatedTime, updatedBy } =
    taskSchedules
  assert.deepEqual(logExecuted.message, [`taskId: ${_id}`, "Task has been created successfully."])
  assert.deepEqual([logExecuted.status, logExecuted.taskId], ["SUCCESS", _id])
  assert.match(logExecuted.lastExecute, /^2031-01-05 07:00:0\d$/)
  assert.equal(updatedTime.slice(0, 19).replace("T", " "), logExecuted.lastExecute)
  assert.deepEqual(
    [nextExecution, state, executionCount, failedCount, updatedBy],
    ["2031-01-06T06:30:00+00:00", "active", 1, 0, null],
  )
  const [event] = await sql<{ content: { scheduleIds: string[] } }[]>`
    select content from live_events where organization_id = ${org.id} and type = 'schedule.executed'`
  assert.deepEqual(event?.content.scheduleIds, [scheduleId])
  const executed = (await as(org.owner).get("/task/schedules?status=SUCCESS")).json().taskSchedules
  assert.equal(executed.total, 1)
})

test("each occurrence is made exactly once, however many workers run at the same time", async (t) => {
  const server = await testOrganization(t)
  const { sql, clock, jobContext, org } = server
  const [hub, flow] = [await aHub(sql, { org }), await aFlow(sql, { org })]
  const recurrence = yearOf(2032, ["10:00", "10:20"])
  const handledUntil = at("2032-03-01T00:00:00Z")
  const { id } = await aSchedule(sql, {
    org,
    hub,
    flow,
    recurrence,
    handledUntil,
    nextRunAt: at("2032-03-01T10:00:00Z"),
  })
  await sql`
    insert into task_schedules (organization_id, id, hub_id, flow_id, flow, name, recurrence, task, created_by, created_time,
      updated_time, handled_until, next_run_at)
    select organization_id, lpad(to_hex(number), 24, '0'), hub_id, flow_id, flow, name, recurrence, task, created_by,
      created_time, updated_time, handled_until, next_run_at
    from task_schedules, generate_series(1, 699) as number where id = ${id}`
  clock.move("2032-03-01T10:20:05Z")
  const work = () => Promise.resolve(generateScheduledTasks.handle(jobContext(), {}))
  const help = () => Promise.resolve(helpGenerating.handle(jobContext(), {}))
  await Promise.all([work(), work(), help(), help()])
  await Promise.all([work(), help()])
  const [counts] = await sql<{ tasks: number; runs: number; schedules: number; failed: number }[]>`
    select count(*) as tasks, count(distinct (run.schedule_id, run.occurrence)) as runs,
      count(distinct run.schedule_id) as schedules, count(*) filter (where run.status <> 'SUCCESS') as failed
    from tasks join task_schedule_runs run on run.organization_id = tasks.organization_id and run.task_id = tasks.id
    where tasks.organization_id = ${org.id}`
  assert.deepEqual(counts, { tasks: 1400, runs: 1400, schedules: 700, failed: 0 })
  const [all] = await sql`select count(*)::int as count from tasks where organization_id = ${org.id}`
  assert.equal(all?.count, 1400)
})

test("after downtime the runs of the last hour are made late and in order, older ones are logged as skipped", async (t) => {
  const server = await testOrganization(t)
  const { sql, clock, org } = server
  const quarters = ["08:00", "08:15", "09:00", "09:15", "09:30", "09:45", "10:00", "10:15"]
  const { id } = await aSchedule(sql, {
    org,
    recurrence: yearOf(2033, quarters),
    handledUntil: at("2033-03-01T00:00:00Z"),
    nextRunAt: at("2033-03-01T08:00:00Z"),
  })
  clock.move("2033-03-01T10:00:10Z")
  await tick(server)
  const late = ["2033-03-01 09:15", "2033-03-01 09:30", "2033-03-01 09:45", "2033-03-01 10:00"]
  assert.deepEqual(await startsOf(server, org), late)
  const runs = await runsOf(server, org, id)
  assert.deepEqual(
    runs.map(({ occurrence, status }) => [occurrence?.slice(11, 16), status]),
    [
      ["10:00", "SUCCESS"],
      ["09:45", "SUCCESS"],
      ["09:30", "SUCCESS"],
      ["09:15", "SUCCESS"],
      ["09:00", "SKIPPED"],
    ],
  )
  assert.match(
    runs.at(-1)?.message[0] ?? "",
    /^3 runs from 2033-03-01 08:00:00 UTC to 2033-03-01 09:00:00 UTC/,
  )
  clock.move("2033-03-01T10:15:01Z")
  await tick(server)
  assert.deepEqual(await startsOf(server, org), [...late, "2033-03-01 10:15"])
})

test("a time that a clock change takes away runs at the first valid minute, a doubled one once", async (t) => {
  const server = await testOrganization(t)
  const { sql, clock, as, org } = server
  const [hub, flow] = [await aHub(sql, { org }), await aFlow(sql, { org })]
  clock.move("2034-03-25T12:00:00Z")
  const made = await as(org.owner).post("/task/schedule", {
    ...yearOf(2034, ["02:30"], { timeZone: "Europe/Berlin" }),
    name: "Night round",
    hubId: hub.id,
    flow: flow.name,
    task: { siteName: "Gate" },
  })
  assert.equal(made.json().data.nextExecution, "2034-03-26T01:00:00+00:00")
  for (const now of ["2034-03-26T01:00:30Z", "2034-03-26T02:00:30Z", "2034-03-27T00:30:30Z"]) {
    clock.move(now)
    await tick(server)
  }
  assert.deepEqual(await startsOf(server, org), ["2034-03-26 01:00", "2034-03-27 00:30"])
  clock.move("2034-10-28T12:00:00Z")
  await tick(server)
  for (const now of ["2034-10-29T00:30:30Z", "2034-10-29T01:30:30Z", "2034-10-30T01:30:30Z"]) {
    clock.move(now)
    await tick(server)
  }
  assert.deepEqual((await startsOf(server, org)).slice(2), ["2034-10-29 00:30", "2034-10-30 01:30"])
})

test("an occurrence that was made is not made again when the clock was set back", async (t) => {
  const server = await testOrganization(t)
  const { sql, clock, as, org } = server
  const { id } = await aSchedule(sql, {
    org,
    recurrence: yearOf(2039, ["08:00"]),
    handledUntil: at("2039-03-01T00:00:00Z"),
    nextRunAt: at("2039-03-01T08:00:00Z"),
  })
  clock.move("2039-03-01T08:00:02Z")
  await tick(server)
  clock.move("2039-03-01T07:59:00Z")
  await as(org.owner).patch(`/task/schedule/${id}`, { endTime: "2039-06-30" })
  clock.move("2039-03-01T08:00:02Z")
  await tick(server)
  assert.deepEqual(await startsOf(server, org), ["2039-03-01 08:00"])
})

test("the log of runs is kept for 90 days", async (t) => {
  const server = await testOrganization(t)
  const { sql, clock, as, jobContext, org } = server
  clock.move("2040-03-01T07:00:00Z")
  const { id } = await aSchedule(sql, { org })
  await as(org.owner).post(`/task/schedule/${id}/run`)
  clock.move({ hours: 89 * 24 })
  await deleteOldRuns.handle(jobContext(), {})
  assert.equal((await runsOf(server, org, id)).length, 1)
  clock.move({ hours: 2 * 24 })
  await deleteOldRuns.handle(jobContext(), {})
  assert.equal((await runsOf(server, org, id)).length, 0)
})

test("ruling 35: a schedule writes numbers for number inputs and lists for selects", async (t) => {
  const server = await testOrganization(t)
  const { sql, clock, as, org } = server
  const hub = await aHub(sql, { org })
  const components = [
    { id: "outlet", component: "input", type: "String" },
    { id: "weight", component: "input", type: "number" },
    { id: "result", component: "select", options: ["SUKSES", "GAGAL"] },
    { id: "goods", component: "select", options: ["Rice", "Oil", "Salt"], max: 3 },
  ]
  const flow = await aFlow(sql, { org, pages: [{ id: "page0", components }] })
  clock.move("2039-01-05T06:30:20Z")
  await as(org.owner).post("/task/schedule", {
    ...yearOf(2039, ["06:30", "07:00"]),
    name: "Morning",
    hubId: hub.id,
    flowId: flow.id,
    task: { weight: "12.5", result: "SUKSES", goods: "Rice, Oil", outlet: "7" },
  })
  clock.move("2039-01-05T07:00:03Z")
  await tick(server)
  const [task] = await tasksOf(server, org)
  assert.deepEqual(
    [task?.weight, task?.result, task?.goods, task?.outlet],
    [12.5, ["SUKSES"], ["Rice", "Oil"], "7"],
  )
})
