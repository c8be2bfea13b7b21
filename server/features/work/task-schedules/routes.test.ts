import assert from "node:assert/strict"
import { test } from "node:test"
import { aFlow, aHub, anOrganization, aUser } from "#samples/builders.ts"
import { type TestApp, testApp } from "#testing/test-app.ts"

const fortnight = {
  name: "Fortnight",
  periode: "custom",
  frequency: "weekly",
  interval: 2,
  startTime: "2037-04-06 00:00",
  endTime: "2037-05-06 23:59",
  schedules: [
    { day: "Monday", time: "02:00" },
    { day: "thursday", time: ["02:00:30"] },
  ],
}

async function company({ sql, as }: TestApp) {
  const org = await anOrganization(sql)
  const [hub, flow] = [await aHub(sql, { org }), await aFlow(sql, { org })]
  const worker = await aUser(sql, { org, role: "field user", hubs: [hub] })
  const head = {
    hubId: hub.id,
    flowId: flow.id,
    task: { siteName: "Pump house 4" },
    assignee: [worker.email],
  }
  return { org, hub, flow, worker, head, owner: as(org.owner) }
}

const daily = {
  name: "Daily",
  periode: "daily",
  startTime: "2037-01-01",
  endTime: "2037-12-31",
  schedules: [{ time: ["06:30"] }],
}

test("a schedule is created and read back as the contract writes it", async (t) => {
  const server = await testApp(t)
  const { org, hub, flow, worker, head, owner } = await company(server)
  const reply = await owner.expect(200).post("/task/schedule", { ...head, ...fortnight })
  const { status, message, data } = reply.json()
  assert.equal(status, true)
  assert.equal(message, "Task Scheduler has been created")
  const { _id, createdTime, updatedTime, ...rest } = data
  assert.match(_id, /^[0-9a-f]{24}$/)
  assert.match(createdTime, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/)
  assert.equal(updatedTime, createdTime)
  assert.deepEqual(rest, {
    organizationId: org.id,
    hubId: hub.id,
    name: "Fortnight",
    periode: "custom",
    frequency: "weekly",
    interval: 2,
    flow: flow.name,
    flowId: flow.id,
    task: { siteName: "Pump house 4" },
    assignee: [worker.email],
    schedules: [
      { day: "monday", time: ["02:00"] },
      { day: "thursday", time: ["02:00"] },
    ],
    startTime: "2037-04-06 00:00",
    endTime: "2037-05-06 23:59",
    timeZone: "UTC",
    timeSchedules: ["monday 02:00", "thursday 02:00"],
    logExecuted: { status: "PENDING" },
    state: "waiting",
    nextExecution: "2037-04-06T02:00:00+00:00",
    pausedTime: null,
    skippedDates: [],
    executionCount: 0,
    failedCount: 0,
    createdBy: org.owner.email,
    updatedBy: null,
  })
  const read = await owner.get(`/task/schedule/${_id}`)
  assert.deepEqual(read.json(), { status: true, message: "Success", taskSchedules: data })
})

test("what is wrong with a schedule is refused with the code of its kind", async (t) => {
  const { head, owner } = await company(await testApp(t))
  const refusals: [Record<string, unknown>, string][] = [
    [{ name: "" }, "sched-001"],
    [{ name: "   " }, "sched-001"],
    [{ schedules: [] }, "sched-001"],
    [{ startTime: undefined }, "sched-001"],
    [{ flowId: undefined }, "sched-001"],
    [{ periode: "yearly" }, "sched-017"],
    [{ periode: "custom", frequency: "daily", interval: 100 }, "sched-009"],
    [{ periode: "custom", frequency: "daily", interval: "two" }, "sched-009"],
    [{ schedules: "06:30" }, "sched-011"],
    [{ schedules: [{ time: "25:00" }] }, "sched-018"],
    [{ startTime: "2037-02-30" }, "sched-008"],
    [{ endTime: "2036-12-31" }, "sched-008"],
    [{ periode: "monthly", schedules: [{ date: "-1", time: "06:30" }] }, "sched-003"],
    [{ periode: "weekly", schedules: [{ date: "2037-01-05", time: "06:30" }] }, "sched-001"],
    [{ timeZone: "Mars/Olympus" }, "sched-034"],
    [{ flowId: "6a01c0ffee5de0b4a7710c11" }, "sched-041"],
    [{ hubId: "6a01c0ffee5de0b4a7710c11" }, "sched-043"],
    [{ hubId: "nowhere" }, "sched-003"],
    [{ task: {} }, "sched-001"],
    [{ task: { siteName: { a: 1 } } }, "sched-003"],
    [{ task: "siteName" }, "sched-013"],
    [{ assignee: ["nobody"] }, "sched-004"],
    [{ assignee: ["stranger@elsewhere.example"] }, "sched-043"],
  ]
  for (const [change, code] of refusals) {
    const reply = await owner.post("/task/schedule", { ...head, ...daily, ...change })
    assert.equal(reply.statusCode, 400, JSON.stringify(change))
    assert.equal(reply.json().failedCode, code, `${JSON.stringify(change)}: ${reply.body}`)
  }
  assert.equal((await owner.get("/task/schedules")).json().taskSchedules.total, 0)
})

test("a flow can be named instead of its id, and only by roles that may create its tasks", async (t) => {
  const server = await testApp(t)
  const { org, hub, flow, head, owner } = await company(server)
  const byName = await owner.post("/task/schedule", { ...head, ...daily, flowId: undefined, flow: flow.name })
  assert.equal(byName.json().data.flowId, flow.id)
  const other = await aFlow(server.sql, { org })
  const planner = await aUser(server.sql, {
    org,
    hubs: [hub],
    permissions: ["add/schedule"],
    permissionDetails: [{ permissionName: "add/task", items: [other.id] }],
  })
  const refused = await server
    .as(planner)
    .expect(403)
    .post("/task/schedule", { ...head, ...daily })
  assert.equal(refused.json().failedCode, "sched-035")
})

test("of a bulk, the bad ones are refused and the good ones made, each answered in its place", async (t) => {
  const { head, owner } = await company(await testApp(t))
  const reply = await owner.expect(201).post("/task/schedules/bulk", {
    schedules: [
      { ...head, ...daily, name: "One" },
      { ...head, ...daily, name: "Two", periode: "never" },
      { ...head, ...fortnight, name: "Three" },
      "four",
    ],
  })
  const { success, failed, schedules, failed_index } = reply.json()
  assert.deepEqual([success, failed, failed_index], [2, 2, [1, 3]])
  assert.deepEqual(
    schedules.map(({ status, name, failedCode }: Record<string, unknown>) => [status, name, failedCode]),
    [
      [true, "One", undefined],
      [false, "Two", "sched-017"],
      [true, "Three", undefined],
      [false, "", "sched-013"],
    ],
  )
  assert.equal(schedules[1]._id, "")
  const tooMany = await owner.post("/task/schedules/bulk", {
    schedules: Array(51).fill({ ...head, ...daily }),
  })
  assert.equal(tooMany.json().failedCode, "sched-040")
  for (const body of [{}, { schedules: [] }, { schedules: "all" }])
    assert.equal((await owner.post("/task/schedules/bulk", body)).statusCode, 400)
  assert.equal((await owner.get("/task/schedules")).json().taskSchedules.total, 2)
})

test("schedules are filtered, sorted and cut to the fields that are asked for", async (t) => {
  const { sql, ...server } = await testApp(t)
  const { org, flow, worker, head, owner } = await company({ sql, ...server })
  const north = await aHub(sql, { org })
  const made = [
    { ...head, ...daily, name: "Alpha", assignee: [] },
    { ...head, ...fortnight, name: "beta 50%" },
    { ...head, ...daily, name: "Gamma", hubId: north.id, assignee: org.owner.email },
  ]
  for (const body of made) assert.equal((await owner.post("/task/schedule", body)).statusCode, 200)
  const names = async (query: string) =>
    (await owner.get(`/task/schedules?${query}`))
      .json()
      .taskSchedules.data.map((row: { name: string }) => row.name)
  assert.deepEqual(await names("sortBy=name&sortOrder=asc"), ["Alpha", "beta 50%", "Gamma"])
  assert.deepEqual(await names("sortBy=periode&sortOrder=ASC&limit=1"), ["beta 50%"])
  assert.deepEqual(await names("name=ET"), ["beta 50%"])
  assert.deepEqual(await names("name=%25"), ["beta 50%"])
  assert.deepEqual(await names(`hubId=${north.id}`), ["Gamma"])
  assert.deepEqual(await names(`assignee=${worker.email.toUpperCase()},x@y.example`), ["beta 50%"])
  assert.deepEqual(await names(`flow=${flow.name}&name=alp`), ["Alpha"])
  assert.deepEqual(await names("flowId=6a01c0ffee5de0b4a7710c11"), [])
  assert.deepEqual(await names("status=SUCCESS"), [])
  assert.equal((await names("status=PENDING")).length, 3)
  const page = (await owner.get("/task/schedules?fields=name,periode&limit=2&sortBy=name")).json()
  assert.equal(page.message, "Success")
  assert.equal(page.taskSchedules.per_page, 2)
  assert.equal(page.taskSchedules.total, 3)
  assert.deepEqual(Object.keys(page.taskSchedules.data[0]).sort(), ["_id", "name", "periode"])
  assert.equal((await owner.get("/task/schedules?status=DONE")).json().failedCode, "sched-017")
  assert.equal((await owner.get("/task/schedules?limit=0")).json().failedCode, "sched-009")
  assert.equal((await owner.get("/task/schedules?sortBy=colour")).json().failedCode, "sched-017")
})

test("people see and use the schedules of their hubs only", async (t) => {
  const server = await testApp(t)
  const { org, hub, head, owner } = await company(server)
  const elsewhere = await aHub(server.sql, { org })
  const planner = server.as(await aUser(server.sql, { org, role: "planner", hubs: [elsewhere] }))
  const { data } = (await owner.post("/task/schedule", { ...head, ...daily })).json()
  assert.equal((await planner.get(`/task/schedule/${data._id}`)).json().failedCode, "sched-033")
  assert.equal((await planner.delete(`/task/schedule/${data._id}`)).statusCode, 404)
  assert.equal((await planner.get("/task/schedules")).json().taskSchedules.total, 0)
  assert.equal((await planner.get(`/task/schedules?hubId=${hub.id}`)).json().taskSchedules.total, 0)
  const refused = await planner.post("/task/schedule", { ...head, ...daily })
  assert.equal(refused.json().failedCode, "sched-043")
  assert.equal((await owner.get("/task/schedule/nonsense")).json().failedCode, "sched-033")
})

test("PUT replaces, PATCH changes what is sent, and both return 201", async (t) => {
  const server = await testApp(t)
  const { org, worker, head, owner } = await company(server)
  const { data } = (await owner.post("/task/schedule", { ...head, ...fortnight })).json()
  const path = `/task/schedule/${data._id}`
  const patched = await owner.expect(201).patch(path, {
    name: "Renamed",
    interval: 3,
    logExecuted: { status: "SUCCESS" },
  })
  assert.equal(patched.json().message, "Update data success")
  assert.deepEqual(
    { ...patched.json().data, updatedTime: "", nextExecution: "" },
    { ...data, name: "Renamed", interval: 3, updatedBy: org.owner.email, updatedTime: "", nextExecution: "" },
  )
  assert.equal((await owner.patch(path, { periode: "monthly" })).json().failedCode, "sched-001")
  assert.equal((await owner.patch(path, { assignee: ["x@y.example"] })).json().failedCode, "sched-043")
  const replaced = await owner.expect(201).put(path, { ...head, ...daily, assignee: undefined })
  const { frequency, interval, assignee, periode, nextExecution } = replaced.json().data
  assert.deepEqual([periode, frequency, interval, assignee], ["daily", null, null, []])
  assert.equal(nextExecution, "2037-01-01T06:30:00+00:00")
  assert.equal((await owner.put(path, { ...daily })).json().failedCode, "sched-001")
  assert.deepEqual((await owner.patch(path, { assignee: worker.email })).json().data.assignee, [worker.email])
})

test("a change of what somebody else changed meanwhile is refused when the caller asks for it", async (t) => {
  const { head, owner } = await company(await testApp(t))
  const created = await owner.post("/task/schedule", { ...head, ...daily })
  const path = `/task/schedule/${created.json().data._id}`
  const tag = String((await owner.get(path)).headers.etag)
  assert.equal((await owner.patch(path, { name: "First" }, { "if-match": tag })).statusCode, 201)
  const stale = await owner.expect(412).patch(path, { name: "Second" }, { "if-match": tag })
  assert.equal(stale.json().failedCode, "sched-032")
  assert.equal((await owner.delete(path, undefined, { "if-match": tag })).statusCode, 412)
})

test("a deleted schedule is in the trash with all of itself, and gone everywhere else", async (t) => {
  const { sql, ...server } = await testApp(t)
  const { org, head, owner } = await company({ sql, ...server })
  const { data } = (await owner.post("/task/schedule", { ...head, ...daily })).json()
  const path = `/task/schedule/${data._id}`
  assert.deepEqual((await owner.delete(path)).json(), { status: true, message: "Delete success." })
  for (const reply of [await owner.delete(path), await owner.get(path), await owner.post(`${path}/run`)])
    assert.equal(reply.statusCode, 404)
  const [kept] = await sql<
    { type: string; deletedBy: string; content: { task: unknown; recurrence: { periode: string } } }[]
  >`select type, deleted_by, content from trash where source_id = ${data._id}`
  assert.deepEqual([kept?.type, kept?.deletedBy], ["Schedule", org.owner.email])
  assert.deepEqual(kept?.content.task, head.task)
  assert.equal(kept?.content.recurrence.periode, "daily")
})

test("a deleted schedule comes back as it was, where its hub and flow still are", async (t) => {
  const { sql, ...server } = await testApp(t)
  const { flow, head, owner } = await company({ sql, ...server })
  const { data } = (await owner.post("/task/schedule", { ...head, ...daily })).json()
  const path = `/task/schedule/${data._id}`
  await owner.delete(path)
  const [entry] = (await owner.get("/trash?type=Schedule")).json().data
  await sql`update flows set id = '6a01c0ffee5de0b4a7710c99' where id = ${flow.id}`
  assert.equal((await owner.post(`/trash/${entry._id}/restore`)).statusCode, 409)
  await sql`update flows set id = ${flow.id} where id = '6a01c0ffee5de0b4a7710c99'`
  await owner.expect(200).post(`/trash/${entry._id}/restore`)
  const after = (await owner.get(path)).json().taskSchedules
  const untouched = { updatedBy: null, updatedTime: "" }
  assert.deepEqual({ ...after, ...untouched }, { ...data, ...untouched })
})

test("a schedule follows the new e-mail of somebody to whom it gives work", async (t) => {
  const server = await testApp(t)
  const { worker, head, owner } = await company(server)
  const { data } = (await owner.post("/task/schedule", { ...head, ...daily })).json()
  const email = `new-${worker.email}`
  await owner.expect(200).patch(`/user/${worker.id}`, { email })
  const after = (await owner.get(`/task/schedule/${data._id}`)).json().taskSchedules
  assert.deepEqual(after.assignee, [email])
})

test("a preview returns the runs of a schedule before it is saved, and its clashes", async (t) => {
  const { head, owner } = await company(await testApp(t))
  const other = (await owner.post("/task/schedule", { ...head, ...fortnight })).json().data
  const body = { ...fortnight, ...head, name: "Again", limit: 3 }
  const reply = await owner.expect(200).post("/task/schedule/preview", body)
  const { runs, clashes, summary } = reply.json().data
  assert.deepEqual(runs, [
    "2037-04-06T02:00:00+00:00",
    "2037-04-09T02:00:00+00:00",
    "2037-04-20T02:00:00+00:00",
  ])
  assert.deepEqual(clashes[0], {
    at: "2037-04-06T02:00:00+00:00",
    schedules: [{ _id: other._id, name: "Fortnight" }],
    mergedTimes: [],
  })
  assert.equal(clashes.length, 3)
  assert.match(summary, /every 2 weeks/i)
  const itself = await owner.post("/task/schedule/preview", { ...body, scheduleId: other._id })
  assert.deepEqual(itself.json().data.clashes, [])
  const gap = await owner.post("/task/schedule/preview", {
    periode: "byDate",
    schedules: [{ date: "2037-03-29", time: ["02:30", "03:00"] }],
    timeZone: "Europe/Berlin",
  })
  assert.deepEqual(gap.json().data.runs, ["2037-03-29T01:00:00+00:00"])
  assert.deepEqual(gap.json().data.clashes[0].mergedTimes, ["2037-03-29 02:30", "2037-03-29 03:00"])
  const bad = await owner.post("/task/schedule/preview", { ...daily, endTime: "soon" })
  assert.equal(bad.json().failedCode, "sched-008")
  assert.equal((await owner.get("/task/schedules")).json().taskSchedules.total, 1)
})
