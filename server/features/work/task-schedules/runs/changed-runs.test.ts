import assert from "node:assert/strict"
import { test } from "node:test"
import { aFlow, aHub, aUser } from "#samples/builders.ts"
import { aSchedule } from "#samples/schedule-builder.ts"
import { testOrganization } from "#testing/test-app.ts"
import type { FlowPage } from "../../flows/index.ts"
import { at, runsOf, startsOf, tasksOf, tick, yearOf } from "../scheduled-tasks.fixture.ts"

test("a paused schedule makes nothing, and what the pause left out is not made up for", async (t) => {
  const server = await testOrganization(t)
  const { sql, clock, as, org } = server
  clock.move("2035-03-01T00:00:00Z")
  const { id } = await aSchedule(sql, {
    org,
    recurrence: yearOf(2035, ["08:00", "08:30", "09:00"]),
    handledUntil: at("2035-03-01T00:00:00Z"),
    nextRunAt: at("2035-03-01T08:00:00Z"),
  })
  const paused = await as(org.owner).expect(200).put(`/task/schedule/${id}/pause`)
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
  const server = await testOrganization(t)
  const { sql, clock, as, org } = server
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
  const server = await testOrganization(t)
  const { sql, clock, as, org } = server
  const hub = await aHub(sql, { org })
  const admin = await aUser(sql, { org, role: "admin", hubs: [hub] })
  clock.move("2037-03-01T07:00:00Z")
  const nextRunAt = at("2037-03-01T08:00:00Z")
  const recurrence = yearOf(2037, ["08:00"])
  const { id } = await aSchedule(sql, { org, hub, recurrence, handledUntil: clock.now(), nextRunAt })
  const reply = await as(admin).expect(200).post(`/task/schedule/${id}/run`)
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
  const server = await testOrganization(t)
  const { sql, clock, as, org } = server
  const flows = []
  for (let count = 0; count < 4; count += 1) flows.push(await aFlow(sql, { org }))
  const [renamed, deleted, stricter, broken] = flows
  assert.ok(renamed && deleted && stricter && broken)
  const [hub, goneHub] = [await aHub(sql, { org }), await aHub(sql, { org })]
  const [stays, leaves] = [
    await aUser(sql, { org, role: "field user", hubs: [hub] }),
    await aUser(sql, { org, role: "field user", hubs: [hub] }),
  ]
  const options = {
    org,
    hub,
    flow: renamed,
    recurrence: yearOf(2038, ["08:00"]),
    handledUntil: at("2038-03-01T00:00:00Z"),
    nextRunAt: at("2038-03-01T08:00:00Z"),
  }
  const schedules = {
    renamed: await aSchedule(sql, options),
    deleted: await aSchedule(sql, { ...options, flow: deleted }),
    stricter: await aSchedule(sql, { ...options, flow: stricter }),
    broken: await aSchedule(sql, { ...options, flow: broken }),
    goneHub: await aSchedule(sql, { ...options, hub: goneHub, assignee: [org.owner] }),
    lostOne: await aSchedule(sql, { ...options, assignee: [stays, leaves] }),
    lostAll: await aSchedule(sql, { ...options, assignee: [leaves] }),
  }
  await sql`update flows set name = ${`${renamed.name} new`} where id = ${renamed.id}`
  await sql`delete from flows where id = ${deleted.id}`
  await sql`update flows set pages = ${sql.json(twoFields)} where id = ${stricter.id}`
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
      [`The flow ${deleted.name} was deleted. Choose another flow in the schedule`],
    ],
    stricter: ["FAILED", "sched-039", ["Meter is required"]],
    broken: [
      "FAILED",
      "sched-045",
      ["The run failed because of a server error, which has been logged. The next run starts as scheduled"],
    ],
    goneHub: [
      "FAILED",
      "sched-043",
      ["The hub of this schedule was deleted. Choose another hub in the schedule"],
    ],
    lostOne: [
      "SUCCESS",
      undefined,
      [`${leaves.email} no longer has access to the hub and was not assigned.`],
    ],
    lostAll: [
      "SUCCESS",
      undefined,
      [`${leaves.email} no longer has access to the hub and was not assigned.`],
    ],
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
  const byHand = await as(org.owner).expect(400).post(`/task/schedule/${schedules.stricter.id}/run`)
  assert.equal(byHand.json().failedCode, "sched-039")
  assert.equal(byHand.json().message, "Meter is required")
  assert.equal((await runsOf(server, org, schedules.stricter.id)).length, 2)
})

test("a schedule in a time zone that is unknown here says so, and can be given another", async (t) => {
  const server = await testOrganization(t)
  const { sql, clock, as, org } = server
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
