import assert from "node:assert/strict"
import { test } from "node:test"
import { aFlow, aHub, anOrganization, aUser, type Organization } from "#testing/builders.ts"
import { aSchedule } from "#testing/schedule-builder.ts"
import { type TestApp, testApp } from "#testing/test-app.ts"
import type { FlowPage } from "../flows/index.ts"
import { forgetOldRuns, generateScheduledTasks, helpGenerating } from "./jobs.ts"

/*
 * The tests share one clock, which only moves forward: each takes place in a year of its own, and schedules
 * of earlier tests have ended by then.
 */
const at = Temporal.Instant.from

function tick({ jobContext }: TestApp): Promise<void> {
  return Promise.resolve(generateScheduledTasks.handle(jobContext(), {}))
}

interface MadeTask {
  startTime: string
  endTime: string
  createdFrom: string
  status: string
  [key: string]: unknown
}

async function tasksOf({ as }: TestApp, org: Organization): Promise<MadeTask[]> {
  const reply = await as(org.owner).get("/tasks?sortBy=startTime&sortOrder=asc&limit=1000")
  return reply.json().tasks.data
}

async function startsOf(server: TestApp, org: Organization): Promise<string[]> {
  return (await tasksOf(server, org)).map((task) => task.startTime.slice(0, 16).replace("T", " "))
}

async function runsOf({ as }: TestApp, org: Organization, scheduleId: string) {
  const reply = await as(org.owner).get(`/task/schedule/${scheduleId}/runs`)
  assert.equal(reply.statusCode, 200, reply.body)
  return reply.json().runs.data as {
    occurrence: string | null
    status: string
    message: string[]
    taskId: string | null
    failedCode?: string
  }[]
}

function yearOf(year: number, times: readonly string[], more: Record<string, unknown> = {}) {
  const schedules = [{ time: times }]
  return { periode: "daily", startTime: `${year}-01-01`, endTime: `${year}-12-31`, schedules, ...more }
}

test("a schedule makes its task at its time, once, and says how the run went", async (t) => {
  const server = await testApp(t)
  const { sql, clock, as } = server
  const org = await anOrganization(sql)
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
  const server = await testApp(t)
  const { sql, clock, jobContext } = server
  const org = await anOrganization(sql)
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
  const server = await testApp(t)
  const { sql, clock } = server
  const org = await anOrganization(sql)
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
  const server = await testApp(t)
  const { sql, clock, as } = server
  const org = await anOrganization(sql)
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

test("a paused schedule makes nothing, and what the pause left out is not made up for", async (t) => {
  const server = await testApp(t)
  const { sql, clock, as } = server
  const org = await anOrganization(sql)
  clock.move("2035-03-01T00:00:00Z")
  const { id } = await aSchedule(sql, {
    org,
    recurrence: yearOf(2035, ["08:00", "08:30", "09:00"]),
    handledUntil: at("2035-03-01T00:00:00Z"),
    nextRunAt: at("2035-03-01T08:00:00Z"),
  })
  const paused = await as(org.owner).put(`/task/schedule/${id}/pause`)
  assert.equal(paused.statusCode, 200)
  assert.equal(paused.json().data.state, "paused")
  assert.equal(paused.json().data.nextExecution, null)
  clock.move("2035-03-01T08:10:00Z")
  await tick(server)
  await as(org.owner).patch(`/task/schedule/${id}`, { endTime: "2035-03-01 08:30" })
  await tick(server)
  const resumed = await as(org.owner).put(`/task/schedule/${id}/resume`)
  assert.equal(resumed.json().data.nextExecution, "2035-03-01T08:30:00+00:00")
  assert.equal(resumed.json().data.pausedTime, null)
  clock.move("2035-03-01T09:01:00Z")
  await tick(server)
  assert.deepEqual(await startsOf(server, org), ["2035-03-01 08:30"])
  assert.equal((await as(org.owner).get(`/task/schedule/${id}`)).json().taskSchedules.state, "expired")
})

test("a date is skipped, and can be put back without its past runs", async (t) => {
  const server = await testApp(t)
  const { sql, clock, as } = server
  const org = await anOrganization(sql)
  clock.move("2036-03-01T07:00:00Z")
  const { id } = await aSchedule(sql, {
    org,
    recurrence: yearOf(2036, ["08:00", "20:00"]),
    handledUntil: at("2036-03-01T07:00:00Z"),
    nextRunAt: at("2036-03-01T08:00:00Z"),
  })
  const skip = (body: unknown) => as(org.owner).post(`/task/schedule/${id}/skip`, body)
  const skipped = (await skip({ date: "2036-03-01" })).json().data
  assert.deepEqual(skipped.skippedDates, ["2036-03-01"])
  assert.equal(skipped.nextExecution, "2036-03-02T08:00:00+00:00")
  clock.move("2036-03-01T08:05:00Z")
  await tick(server)
  const back = (await skip({ date: "2036-03-01", skipped: false })).json().data
  assert.deepEqual(back.skippedDates, [])
  assert.equal(back.nextExecution, "2036-03-01T20:00:00+00:00")
  clock.move("2036-03-01T20:00:00Z")
  await tick(server)
  assert.deepEqual(await startsOf(server, org), ["2036-03-01 20:00"])
  for (const [body, code] of [
    [{ date: "2036-03-01" }, "sched-032"],
    [{ date: "2037-01-01" }, "sched-032"],
    [{ date: "2036-02-30" }, "sched-008"],
    [{}, "sched-001"],
  ] as const)
    assert.equal((await skip(body)).json().failedCode, code, JSON.stringify(body))
})

test("a run by hand makes a task at once, beside the plan and signed by who asked for it", async (t) => {
  const server = await testApp(t)
  const { sql, clock, as } = server
  const org = await anOrganization(sql)
  const hub = await aHub(sql, { org })
  const admin = await aUser(sql, { org, role: "admin", hubs: [hub] })
  clock.move("2037-03-01T07:00:00Z")
  const nextRunAt = at("2037-03-01T08:00:00Z")
  const recurrence = yearOf(2037, ["08:00"])
  const { id } = await aSchedule(sql, { org, hub, recurrence, handledUntil: clock.now(), nextRunAt })
  const reply = await as(admin).post(`/task/schedule/${id}/run`)
  assert.equal(reply.statusCode, 200, reply.body)
  const { taskId, data } = reply.json()
  assert.equal(data.logExecuted.taskId, taskId)
  assert.equal(data.nextExecution, "2037-03-01T08:00:00+00:00")
  const [task] = await tasksOf(server, org)
  assert.deepEqual([task?._id, task?.createdBy, task?.createdFrom], [taskId, admin.email, "SCHEDULER"])
  assert.equal((await runsOf(server, org, id))[0]?.occurrence, null)
  clock.move("2037-03-01T08:00:00Z")
  await tick(server)
  assert.equal((await tasksOf(server, org)).length, 2)
})

const twoFields: FlowPage[] = [
  {
    id: "page0",
    components: [
      { id: "siteName", component: "input", type: "String", title: "Site name", required: true },
      { id: "meter", component: "input", type: "String", title: "Meter", required: true },
    ],
  },
]

test("a run that cannot be made fails with its reason, and the others go on", async (t) => {
  const server = await testApp(t)
  const { sql, clock, as } = server
  const org = await anOrganization(sql)
  const flows = []
  for (let count = 0; count < 4; count += 1) flows.push(await aFlow(sql, { org }))
  const [renamed, deleted, stricter, broken] = flows
  assert.ok(renamed && deleted && stricter && broken)
  const [hub, goneHub] = [await aHub(sql, { org }), await aHub(sql, { org })]
  const [stays, leaves] = [
    await aUser(sql, { org, role: "field user", hubs: [hub] }),
    await aUser(sql, { org, role: "field user", hubs: [hub] }),
  ]
  const wish = {
    org,
    hub,
    flow: renamed,
    recurrence: yearOf(2038, ["08:00"]),
    handledUntil: at("2038-03-01T00:00:00Z"),
    nextRunAt: at("2038-03-01T08:00:00Z"),
  }
  const schedules = {
    renamed: await aSchedule(sql, wish),
    deleted: await aSchedule(sql, { ...wish, flow: deleted }),
    stricter: await aSchedule(sql, { ...wish, flow: stricter }),
    broken: await aSchedule(sql, { ...wish, flow: broken }),
    goneHub: await aSchedule(sql, { ...wish, hub: goneHub, assignee: [org.owner] }),
    lostOne: await aSchedule(sql, { ...wish, assignee: [stays, leaves] }),
    lostAll: await aSchedule(sql, { ...wish, assignee: [leaves] }),
  }
  await sql`update flows set name = ${`${renamed.name} new`} where id = ${renamed.id}`
  await sql`delete from flows where id = ${deleted.id}`
  await sql`update flows set pages = ${sql.json(twoFields as never)} where id = ${stricter.id}`
  // No task has a start so far away, and no rule of a task says so: the fault that nobody thought of.
  await sql`update flows set configurations = '[{"id":"startTime","adjustment":1e12}]' where id = ${broken.id}`
  await sql`delete from hubs where id = ${goneHub.id}`
  await sql`delete from user_hubs where user_id = ${leaves.id}`
  clock.move("2038-03-01T08:00:02Z")
  await tick(server)
  const outcomes: Record<string, unknown[]> = {}
  for (const [name, { id }] of Object.entries(schedules)) {
    const [run, ...more] = await runsOf(server, org, id)
    assert.ok(run)
    assert.deepEqual(more, [])
    outcomes[name] = [run.status, run.failedCode, run.message.slice(run.status === "SUCCESS" ? 2 : 0)]
  }
  assert.deepEqual(outcomes, {
    renamed: ["SUCCESS", undefined, []],
    deleted: [
      "FAILED",
      "sched-041",
      [`The flow ${deleted.name} was deleted: choose another flow in the schedule`],
    ],
    stricter: ["FAILED", "sched-039", ["Meter is required"]],
    broken: [
      "FAILED",
      "sched-045",
      ["The run failed on our side. It has been logged; the next run goes on as usual"],
    ],
    goneHub: [
      "FAILED",
      "sched-043",
      ["The hub of this schedule was deleted: choose another hub in the schedule"],
    ],
    lostOne: ["SUCCESS", undefined, [`${leaves.email} does not have the hub any more and was left out.`]],
    lostAll: ["SUCCESS", undefined, [`${leaves.email} does not have the hub any more and was left out.`]],
  })
  const tasks = await tasksOf(server, org)
  assert.deepEqual(
    tasks.map((task) => [task.status, task.assignee]).sort((a, b) => String(a).localeCompare(String(b))),
    [
      ["ONGOING", [stays.email]],
      ["UNASSIGNED", []],
      ["UNASSIGNED", []],
    ],
  )
  const failed = (await as(org.owner).get("/task/schedules?status=FAILED")).json().taskSchedules
  assert.equal(failed.total, 4)
  const log = failed.data.find((row: { _id: string }) => row._id === schedules.deleted.id)
  assert.deepEqual([log.logExecuted.taskId, log.failedCount, log.state], [null, 1, "active"])
  const byHand = await as(org.owner).post(`/task/schedule/${schedules.stricter.id}/run`)
  assert.equal(byHand.statusCode, 400)
  assert.equal(byHand.json().failedCode, "sched-039")
  assert.equal(byHand.json().message, "Meter is required")
  assert.equal((await runsOf(server, org, schedules.stricter.id)).length, 2)
})

test("a schedule in a time zone that is unknown here says so, and can be given another", async (t) => {
  const server = await testApp(t)
  const { sql, clock, as } = server
  const org = await anOrganization(sql)
  const { id } = await aSchedule(sql, {
    org,
    recurrence: yearOf(2038, ["08:00"]),
    handledUntil: at("2038-06-01T00:00:00Z"),
    nextRunAt: at("2038-06-01T08:00:00Z"),
  })
  await sql`update task_schedules set recurrence = recurrence || '{"timeZone":"Europe/Atlantis"}' where id = ${id}`
  clock.move("2038-06-01T08:00:02Z")
  assert.equal((await as(org.owner).get("/task/schedules")).json().taskSchedules.data[0].state, "active")
  await tick(server)
  const [run] = await runsOf(server, org, id)
  assert.deepEqual([run?.status, run?.failedCode], ["FAILED", "sched-034"])
  const changed = await as(org.owner).patch(`/task/schedule/${id}`, { timeZone: "Europe/Athens" })
  assert.equal(changed.json().data.nextExecution, "2038-06-02T05:00:00+00:00")
})

test("an occurrence that was made is not made again when the clock was set back", async (t) => {
  const server = await testApp(t)
  const { sql, clock, as } = server
  const org = await anOrganization(sql)
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
  const server = await testApp(t)
  const { sql, clock, as, jobContext } = server
  const org = await anOrganization(sql)
  clock.move("2040-03-01T07:00:00Z")
  const { id } = await aSchedule(sql, { org })
  await as(org.owner).post(`/task/schedule/${id}/run`)
  clock.move({ hours: 89 * 24 })
  await forgetOldRuns.handle(jobContext(), {})
  assert.equal((await runsOf(server, org, id)).length, 1)
  clock.move({ hours: 2 * 24 })
  await forgetOldRuns.handle(jobContext(), {})
  assert.equal((await runsOf(server, org, id)).length, 0)
})
