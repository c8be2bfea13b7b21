import assert from "node:assert/strict"
import { test } from "node:test"
import { aFlow, aHub, anOrganization, aTask, aUser } from "#samples/builders.ts"
import { testApp, testOrganization } from "#testing/test-app.ts"
import { aCompany, pages, refusal } from "../fixtures/companies.ts"

test("PUT replaces component values and keeps people, PATCH changes only what is sent", async (t) => {
  const { sql, as } = await testApp(t)
  const { org, hub, flow, worker } = await aCompany(sql)
  const made = (
    await as(org.owner).post("/task", {
      flow: flow.name,
      hubId: hub.id,
      siteName: "Pump",
      crates: "7",
      assignee: worker.email,
    })
  ).json().task
  assert.equal(made.crates, "7")
  assert.equal(made.status, "ONGOING")
  const patched = (await as(org.owner).patch(`/task/${made._id}`, { sitePoint: "52.1, 4.2" })).json().task
  assert.equal(patched.crates, "7")
  assert.equal(patched.expectedCoordinate, "52.1,4.2")
  assert.deepEqual(patched.geoLock, [{ geoLocation: "52.1,4.2", radius: 50 }])
  const put = (
    await as(org.owner).put(`/task/${made._id}`, { flow: flow.name, hubId: hub.id, siteName: "Mill" })
  ).json().task
  assert.equal(put.title, "Mill")
  assert.equal(put.crates, null)
  assert.equal(put.expectedCoordinate, null)
  assert.deepEqual(put.assignee, [worker.email])
  assert.deepEqual(
    put.histories.map((entry: { action: string }) => entry.action),
    ["create", "patch", "put"],
  )
  const other = await aFlow(sql, { org, pages })
  const elsewhere = await as(org.owner).put(`/task/${made._id}`, {
    flow: other.name,
    hubId: hub.id,
    siteName: "Mill",
  })
  assert.deepEqual(refusal(elsewhere), { status: 400, code: "task-032" })
  const missing = await as(org.owner).put(`/task/${made._id}`, { flow: flow.name, hubId: hub.id })
  assert.equal(missing.json().message, "Site is required")
})

test("what phones and planners know of a task is checked by its kind and kept in the formats of the wire", async (t) => {
  const { sql, as } = await testApp(t)
  const { org, hub, flow } = await aCompany(sql)
  const body = { flow: flow.name, hubId: hub.id, siteName: "Pump" }
  const planned = {
    visitGroup: 12,
    visitGroupPriority: "3",
    expectedDoneTime: "2031-05-04 10:00:00",
    createdCoordinate: "52.1, 4.2",
    idLocal: "",
    createdFrom: "web",
  }
  const made = (await as(org.owner).post("/task", { ...body, ...planned })).json().task
  assert.equal(made.visitGroup, "12")
  assert.equal(made.visitGroupPriority, 3)
  assert.equal(made.expectedDoneTime, "2031-05-04T10:00:00+00:00")
  assert.equal(made.createdCoordinate, "52.1,4.2")
  assert.equal(made.createdFrom, "WEB")
  assert.equal("idLocal" in made, false)
  const opened = { openTaskTime: "2031-05-04T03:02:01.123+07:00", page1DoneTime: "", visitGroup: null }
  const patched = (await as(org.owner).patch(`/task/${made._id}`, opened)).json().task
  assert.equal(patched.openTaskTime, "2031-05-03T20:02:01+00:00")
  assert.deepEqual([patched.page1DoneTime, patched.visitGroup], [null, null])
  for (const wrong of [
    { visitGroupPriority: 101 },
    { visitGroupPriority: "first" },
    { expectedDoneTime: "soon" },
    { endTime: "9999-12-31T23:59:59-05:00" },
    { startTime: "9999-12-31 23:59:59" },
  ]) {
    const reply = await as(org.owner).post("/task", { ...body, ...wrong })
    assert.equal(reply.statusCode, 400, JSON.stringify(wrong))
    assert.match(reply.json().failedCode, /^task-0(32|08)$/)
    assert.deepEqual(
      Object.keys(reply.json().errors),
      "startTime" in wrong ? ["endTime"] : Object.keys(wrong),
    )
  }
})

test("a value of the wrong kind is refused for every kind of component, and names it", async (t) => {
  const { sql, as } = await testApp(t)
  const { org, hub } = await aCompany(sql)
  const input = (type: string) => ({ id: type, component: "input", type })
  const types = [
    "String",
    "Numeric",
    "Currency",
    "Date",
    "Datetime",
    "Time",
    "Geolocation",
    "PhoneNumber",
    "URL",
  ]
  const components = [
    ...types.map(input),
    { id: "one", component: "select", options: ["A", "B"], min: 0, max: 1 },
    ...["list", "bill", "timer", "photo", "signature", "voice"].map((kind) => ({
      id: kind,
      component: kind,
    })),
  ]
  const flow = await aFlow(sql, { org, pages: [{ id: "page0", components }] })
  const body = { flow: flow.name, hubId: hub.id }
  const wrong: [string, unknown][] = [
    ["String", { a: 1 }],
    ["String", "x".repeat(5_000_000)],
    ["Numeric", "many"],
    ["Currency", "1e3x"],
    ["Date", "2031-02-29"],
    ["Datetime", "soon"],
    ["Time", "24:60"],
    ["Geolocation", "91,4"],
    ["PhoneNumber", "call me"],
    ["URL", "javascript:alert(1)"],
    ["one", "C"],
    ["one", ["A", "B"]],
    ["list", "x"],
    ["bill", [{ title: "Crate", qty: -1 }]],
    ["timer", "long"],
    ["photo", { a: 1 }],
    ["photo", [{ category: "Front" }]],
    ["photo", ["not an address"]],
    ["signature", { a: 1 }],
    ["voice", 7],
  ]
  for (const [id, value] of wrong) {
    const reply = await as(org.owner).post("/task", { ...body, [id]: value })
    assert.equal(reply.statusCode, 400, `${id} ${JSON.stringify(value).slice(0, 50)}`)
    assert.deepEqual(Object.keys(reply.json().errors), [id])
  }
  const front = { category: "Front", url: "https://files.example/1.jpg" }
  const sides = { id: "sides", component: "photo", categories: ["Front", "Back"] }
  const photographed = await aFlow(sql, { org, pages: [{ id: "page0", components: [sides] }] })
  const shot = (photos: unknown) =>
    as(org.owner).post("/task", { flow: photographed.name, hubId: hub.id, sides: photos })
  const { task: kept } = (await shot([front, { url: front.url }])).json()
  assert.deepEqual(
    [kept.sides_0_url, kept.sides_0_category, kept.sides_1_url, "sides_1_category" in kept],
    [front.url, "Front", front.url, false],
  )
  assert.equal((await shot([{ ...front, category: "Top" }])).statusCode, 400)
  for (const name of ["No such flow", "Handover", ""])
    assert.equal((await as(org.owner).post("/task", { ...body, flow: name })).statusCode, 400)
  const task = await aTask(sql, { org, hub, flow, assignee: [org.owner] })
  for (const status of ["UNASSIGNED", "ONGOING"]) {
    const reply = await as(org.owner).patch(`/task/${task.id}`, { status })
    assert.equal(reply.json().task.status, "ONGOING", "the state follows the people")
  }
})

test("a change with an old entity tag is refused with 412, with the present one it is made", async (t) => {
  const { sql, as } = await testApp(t)
  const { org, hub, flow } = await aCompany(sql)
  const task = await aTask(sql, { org, hub, flow })
  const tag = String((await as(org.owner).get(`/task/${task.id}`)).headers.etag)
  const first = await as(org.owner)
    .expect(200)
    .patch(`/task/${task.id}`, { siteName: "A" }, { "if-match": tag })
  const stale = [
    await as(org.owner).patch(`/task/${task.id}`, { siteName: "B" }, { "if-match": tag }),
    await as(org.owner).put(`/task/${task.id}/assign`, { assignee: [] }, { "if-match": tag }),
    await as(org.owner).put(`/task/${task.id}/move`, { hubId: hub.id }, { "if-match": tag }),
    await as(org.owner).delete(`/task/${task.id}`, undefined, { "if-match": tag }),
  ]
  for (const reply of stale) assert.deepEqual(refusal(reply), { status: 412, code: "task-032" })
  const fresh = String(first.headers.etag)
  assert.equal((await as(org.owner).patch(`/task/${task.id}`, {}, { "if-match": fresh })).statusCode, 200)
})

test("a task moves to a hub that the caller has, keeps its people, and nowhere else", async (t) => {
  const { sql, as } = await testApp(t)
  const { org, hub, flow, worker } = await aCompany(sql)
  const [near, far] = [await aHub(sql, { org }), await aHub(sql, { org })]
  const planner = await aUser(sql, { org, role: "planner", hubs: [hub, near] })
  const task = await aTask(sql, { org, hub, flow, assignee: [worker] })
  const moved = await as(planner).put(`/task/${task.id}/move`, { hubId: near.id })
  assert.equal(moved.json().task.hub.name, near.name)
  assert.deepEqual(moved.json().task.assignee, [worker.email])
  assert.equal(moved.json().task.histories.at(-1).action, "move")
  const refused = await as(planner).put(`/task/${task.id}/move`, { hubId: far.id })
  assert.deepEqual(refusal(refused), { status: 400, code: "task-036" })
  const bulk = await as(planner)
    .expect(200)
    .put("/tasks/bulk/move", {
      tasks: [{ _id: task.id, hubId: hub.id }, { _id: "f".repeat(24), hubId: hub.id }, { _id: task.id }],
    })
  assert.deepEqual(
    bulk.json().tasks.map((entry: { status: boolean; message: string }) => [entry.status, entry.message]),
    [
      [true, "Success"],
      [false, "Data not found"],
      [false, "hubId is required"],
    ],
  )
})

test("a deleted task is gone, lies in the trash, and comes back with its history unless its hub is gone", async (t) => {
  const { sql, as } = await testApp(t)
  const { org, flow } = await aCompany(sql)
  const hub = await aHub(sql, { org })
  const made = (
    await as(org.owner).post("/task", { flow: flow.name, hubId: hub.id, siteName: "Pump" })
  ).json().task
  const deleted = await as(org.owner).delete(`/task/${made._id}`)
  assert.equal(deleted.json().task._id, made._id)
  assert.equal((await as(org.owner).get(`/task/${made._id}`)).statusCode, 404)
  assert.equal((await as(org.owner).delete(`/task/${made._id}`)).statusCode, 404)
  const entry = (await as(org.owner).get("/trash?type=Task")).json().data[0]
  assert.equal(entry.name, "Pump")
  assert.equal(entry.deletedBy, org.owner.email)
  assert.equal((await as(org.owner).post(`/trash/${entry._id}/restore`)).statusCode, 200)
  assert.equal((await as(org.owner).post(`/trash/${entry._id}/restore`)).statusCode, 404)
  const back = (await as(org.owner).get(`/task/${made._id}`)).json().task
  assert.deepEqual(
    back.histories.map((one: { action: string }) => one.action),
    ["create"],
  )
  const listed = (await as(org.owner).get("/tasks")).json()
  assert.equal(listed.tasks.total, 1)
  await as(org.owner).delete("/tasks/bulk", { tasks: [{ _id: made._id }, { _id: made._id }] })
  await sql`delete from hubs where id = ${hub.id}`
  const again = (await as(org.owner).get("/trash?type=Task")).json().data[0]
  assert.deepEqual(refusal(await as(org.owner).post(`/trash/${again._id}/restore`)), {
    status: 409,
    code: "trash-032",
  })
  assert.equal((await as(org.owner).get(`/trash/${again._id}`)).json().data.data._id, made._id)
})

test("two bulk calls over the same tasks in opposite orders both end", async (t) => {
  const { sql, as } = await testApp(t)
  const { org, hub, flow } = await aCompany(sql)
  const ids: string[] = []
  for (let count = 0; count < 12; count += 1) ids.push((await aTask(sql, { org, hub, flow })).id)
  const patch = (order: readonly string[], siteName: string) =>
    as(org.owner).patch("/tasks/bulk", { tasks: order.map((_id) => ({ _id, siteName })) })
  const replies = await Promise.all([patch(ids, "A"), patch(ids.toReversed(), "B"), patch(ids, "C")])
  assert.deepEqual(
    replies.map((reply) => reply.json().success),
    [12, 12, 12],
  )
})

test("text that no database keeps costs only its own entry of a bulk", async (t) => {
  const { sql, as } = await testApp(t)
  const { org, hub, flow } = await aCompany(sql)
  const entry = (siteName: string, more = {}) => ({ flow: flow.name, hubId: hub.id, siteName, ...more })
  const sent = [entry("Pump"), entry("P\u0000p"), entry("Mill", { refId: "\ud800" }), entry("Well")]
  const made = (await as(org.owner).post("/tasks/bulk", { tasks: sent })).json()
  assert.deepEqual([made.success, made.failed], [2, 2])
  assert.deepEqual(
    made.tasks.map(({ status, failedCode }: { status: boolean; failedCode?: string }) => [
      status,
      failedCode,
    ]),
    [
      [true, undefined],
      [false, "task-032"],
      [false, "task-032"],
      [true, undefined],
    ],
  )
  assert.match(made.tasks[1].message, /^siteName has text with the character U\+0000/)
  const [one, , , two] = made.tasks
  const patched = await as(org.owner).patch("/tasks/bulk", {
    tasks: [
      { _id: one._id, siteName: "\u0000" },
      { _id: two._id, siteName: "Weir" },
    ],
  })
  assert.deepEqual([patched.json().success, patched.json().failed], [1, 1])
  await as(org.owner).expect(201).post("/tasks/bulk", { background: true, tasks: sent })
})

test("a task carries its newest histories, and lists all of them", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const [hub, flow] = [await aHub(sql, { org }), await aFlow(sql, { org })]
  const task = await aTask(sql, { org, hub, flow, title: "Change 0" })
  for (let number = 1; number <= 103; number += 1)
    await as(org.owner)
      .expect(200)
      .patch(`/task/${task.id}`, { siteName: `Change ${number}` })
  const shown = (await as(org.owner).get(`/task/${task.id}`)).json().task
  const nameBefore = (entry: { changeData: { siteName: string } }) => entry.changeData.siteName
  assert.deepEqual(
    shown.histories.map(nameBefore),
    Array.from({ length: 100 }, (_unused, index) => `Change ${index + 3}`),
  )
  assert.equal(shown.historiesUrl, `/api/v3/task-histories/${task.id}`)
  const [listed] = (await as(org.owner).get("/tasks")).json().tasks.data
  assert.deepEqual([listed.histories.length, listed.historiesUrl], [100, shown.historiesUrl])
  const page = (await as(org.owner).get(`/task-histories/${task.id}?limit=50&page=3`)).json().histories
  assert.deepEqual([page.total, page.data.map(nameBefore)], [103, ["Change 2", "Change 1", "Change 0"]])
  const stranger = (await anOrganization(sql)).owner
  assert.equal((await as(stranger).get(`/task-histories/${task.id}`)).statusCode, 404)
})
