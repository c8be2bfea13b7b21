import assert from "node:assert/strict"
import { test } from "node:test"
import type { Pool } from "#core/database.ts"
import { aFlow, aHub, anOrganization, aTask, aTeam, aUser } from "#testing/builders.ts"
import { type Reply, testApp } from "#testing/test-app.ts"

const pages = [
  {
    id: "page0",
    components: [
      { id: "siteName", component: "input", type: "String", title: "Site", required: true, showAs: "title" },
      {
        id: "sitePoint",
        component: "input",
        type: "Geolocation",
        showAs: "expectedCoordinate",
        useGeoLock: true,
        radius: 50,
      },
      { id: "crates", component: "input", type: "Numeric", default: 0 },
    ],
  },
  { id: "page1", components: [{ id: "proof", component: "photo", min: 1, max: 2, title: "Proof" }] },
]

async function aCompany(sql: Pool) {
  const org = await anOrganization(sql)
  const hub = await aHub(sql, { org, lat: 52, lng: 4 })
  const flow = await aFlow(sql, { org, pages })
  const worker = await aUser(sql, { org, hubs: [hub], permissions: ["view/task", "do/task"] })
  return { org, hub, flow, worker }
}

const refusal = (reply: Reply) => ({ status: reply.statusCode, code: reply.json().failedCode })

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
  assert.equal(made.crates, 7)
  assert.equal(made.status, "ONGOING")
  const patched = (await as(org.owner).patch(`/task/${made._id}`, { sitePoint: "52.1, 4.2" })).json().task
  assert.equal(patched.crates, 7)
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
    { createdCoordinate: "91,0" },
    { appVersion: { major: 1 } },
    { page2DoneTime: 7 },
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
  const first = await as(org.owner).patch(`/task/${task.id}`, { siteName: "A" }, { "if-match": tag })
  assert.equal(first.statusCode, 200)
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
  const bulk = await as(planner).put("/tasks/bulk/move", {
    tasks: [{ _id: task.id, hubId: hub.id }, { _id: "f".repeat(24), hubId: hub.id }, { _id: task.id }],
  })
  assert.equal(bulk.statusCode, 200)
  assert.deepEqual(
    bulk.json().tasks.map((entry: { status: boolean; message: string }) => [entry.status, entry.message]),
    [
      [true, "Success"],
      [false, "Data not found"],
      [false, "hubId is required"],
    ],
  )
})

test("work is finished once, within its time, with its photos, by who has it or may edit", async (t) => {
  const { sql, as, app, clock } = await testApp(t)
  const { org, hub, flow, worker } = await aCompany(sql)
  const now = clock.now()
  const task = await aTask(sql, { org, hub, flow, assignee: [worker] })
  const photo = app.links.plain(`${org.id}/2031/05/04/1_proof.jpg`)
  const without = await as(worker).patch(`/task/${task.id}`, { status: "DONE" })
  assert.deepEqual(refusal(without), { status: 400, code: "task-032" })
  assert.match(without.json().message, /Proof/)
  const both = await Promise.all(
    [worker, org.owner].map((person) =>
      as(person).patch(`/task/${task.id}`, { status: "DONE", proof_0_url: photo }),
    ),
  )
  assert.deepEqual(both.map((reply) => reply.statusCode).sort(), [200, 400])
  const early = await aTask(sql, {
    org,
    hub,
    flow,
    assignee: [worker],
    startTime: now.add({ hours: 1 }),
    endTime: now.add({ hours: 9 }),
  })
  const late = await aTask(sql, {
    org,
    hub,
    flow,
    assignee: [worker],
    startTime: now.subtract({ hours: 9 }),
    endTime: now.subtract({ hours: 1 }),
  })
  const nobodys = await aTask(sql, { org, hub, flow })
  for (const { id } of [early, late, nobodys]) {
    const reply = await as(org.owner).patch(`/task/${id}`, { status: "DONE", proof_0_url: photo })
    assert.deepEqual(refusal(reply), { status: 400, code: "task-032" })
  }
  const inTime = { status: "DONE", proof_0_url: photo, doneTime: now.subtract({ hours: 2 }).toString() }
  assert.equal((await as(worker).patch(`/task/${late.id}`, inTime)).statusCode, 200, "a phone sent it late")
  for (const reply of [
    await as(org.owner).patch(`/task/${task.id}`, { siteName: "x" }),
    await as(org.owner).put(`/task/${task.id}/assign`, { assignee: [] }),
    await as(org.owner).put(`/task/${task.id}/move`, { hubId: hub.id }),
    await as(org.owner).delete(`/task/${task.id}`),
  ])
    assert.deepEqual(refusal(reply), { status: 400, code: "task-032" })
})

test("finished tasks of a day are numbered, and only the newest is the last", async (t) => {
  const { sql, as } = await testApp(t)
  const { org, hub, worker } = await aCompany(sql)
  const flow = await aFlow(sql, { org })
  const ids = []
  for (let count = 0; count < 3; count += 1)
    ids.push((await aTask(sql, { org, hub, flow, assignee: [worker] })).id)
  const patch = (id: string | undefined, lat: number) => ({
    _id: id,
    status: "DONE",
    doneCoordinate: `${lat},4`,
  })
  await as(worker).patch("/tasks/bulk", { tasks: [patch(ids[0], 52.01), patch(ids[1], 52.02)] })
  await as(worker).patch(`/task/${ids[2]}`, patch(ids[2], 52.02))
  const tasks = await Promise.all(ids.map(async (id) => (await as(worker).get(`/task/${id}`)).json().task))
  assert.deepEqual(
    tasks.map((task) => task.doneOrder),
    [1, 2, 3],
  )
  assert.deepEqual(
    tasks.map((task) => task.isLastDoneOrder),
    [false, false, true],
  )
  assert.deepEqual(
    tasks.map((task) => task.travelDistance),
    [1112, 1112, 0],
  )
  assert.deepEqual(
    tasks.map((task) => task.doneFrom),
    ["MOBILE", "MOBILE", "MOBILE"],
  )
})

test("somebody who only does tasks works on his own, orders them with task/reorder, and plans nothing", async (t) => {
  const { sql, as } = await testApp(t)
  const { org, hub, flow, worker } = await aCompany(sql)
  const sorter = await aUser(sql, { org, hubs: [hub], permissions: ["view/task", "task/reorder"] })
  const own = await aTask(sql, { org, hub, flow, assignee: [worker, sorter] })
  const others = await aTask(sql, { org, hub, flow, assignee: [org.owner] })
  assert.equal(
    (await as(worker).patch(`/task/${own.id}`, { crates: 3, openTaskTime: "2031-05-04 03:02:01" }))
      .statusCode,
    200,
  )
  assert.equal(
    (await as(worker).patch(`/task/${own.id}`, { endTime: "2041-05-04 03:02:01" })).statusCode,
    403,
  )
  assert.equal((await as(worker).patch(`/task/${own.id}`, { orderIndex: 5 })).statusCode, 403)
  assert.equal((await as(worker).patch(`/task/${others.id}`, { crates: 3 })).statusCode, 403)
  assert.equal((await as(sorter).patch(`/task/${own.id}`, { orderIndex: 5 })).statusCode, 200)
  assert.equal((await as(sorter).patch(`/task/${own.id}`, { crates: 4 })).statusCode, 403)
  const shown = (await as(worker).get(`/task/${own.id}`)).json().task
  const { endTime, startTime, hubId, assignee, orderIndex } = shown
  const whole = await as(worker).patch(`/task/${own.id}`, {
    endTime,
    startTime,
    hubId,
    assignee,
    orderIndex,
    crates: 9,
  })
  assert.equal(whole.statusCode, 200, "a phone that sends back the whole task changes only its work")
})

test("people are assigned by hub and team, stamped, and taken away again", async (t) => {
  const { sql, as } = await testApp(t)
  const { org, hub, flow, worker } = await aCompany(sql)
  const elsewhere = await aUser(sql, { org, hubs: [await aHub(sql, { org })], permissions: ["do/task"] })
  const gone = await aUser(sql, { org, hubs: [hub], permissions: ["do/task"], status: "disabled" })
  const task = await aTask(sql, { org, hub, flow })
  const foreigner = (await anOrganization(sql)).owner
  for (const email of [elsewhere.email, gone.email, foreigner.email, "stranger@fieldway.test"]) {
    const reply = await as(org.owner).put(`/task/${task.id}/assign`, { assignee: [email] })
    assert.deepEqual(refusal(reply), { status: 400, code: "task-036" })
  }
  const assigned = (await as(org.owner).put(`/task/${task.id}/assign`, { assignee: [worker.email] })).json()
    .task
  assert.equal(assigned.status, "ONGOING")
  assert.equal(assigned.assignedBy, org.owner.email)
  assert.equal(assigned.assignedTo.email, worker.email)
  const freed = (await as(org.owner).put(`/task/${task.id}/assign`, { assignee: [] })).json().task
  assert.equal(freed.status, "UNASSIGNED")
  assert.equal("assignedTo" in freed || "assignedBy" in freed || "assignedTime" in freed, false)
  assert.equal(freed.histories.at(-1).action, "unassign")
})

test("a task given to a team is given to its people", async (t) => {
  const { sql, as } = await testApp(t)
  const { org, hub, flow, worker } = await aCompany(sql)
  const [team, empty] = [await aTeam(sql, { org, hub }), await aTeam(sql, { org, hub })]
  const permissions = ["add/task", "assign/task", "view/task"] as const
  const mate = await aUser(sql, { org, hubs: [hub], teams: [team], permissions })
  await aUser(sql, { org, hubs: [hub], teams: [team], permissions: ["do/task"], status: "disabled" })
  const outsider = await aUser(sql, { org, hubs: [hub], teams: [empty], permissions })
  const task = await aTask(sql, { org, hub, flow })
  const tasks = [{ _id: task.id, assignee: [team.id.toUpperCase(), worker.email] }]
  assert.equal((await as(mate).put("/tasks/bulk/assign", { tasks })).json().success, 1)
  const assigned = (await as(org.owner).get(`/task/${task.id}`)).json().task
  assert.deepEqual(assigned.assignee, [mate.email, worker.email])
  const body = { flow: flow.name, hubId: hub.id, siteName: "Pump", assignee: [team.id] }
  assert.deepEqual((await as(mate).post("/task", body)).json().task.assignee, [mate.email])
  const byOutsider = await as(outsider).post("/task", body)
  assert.deepEqual(refusal(byOutsider), { status: 400, code: "task-036" })
  assert.doesNotMatch(byOutsider.body, new RegExp(mate.email), "who is in another team stays there")
  await sql`delete from user_teams where user_id = ${outsider.id}`
  const nobody = await as(org.owner).post("/task", { ...body, assignee: [empty.id] })
  assert.deepEqual(refusal(nobody), { status: 400, code: "task-036" })
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
  const entry = (await as(org.owner).get("/trash?type=Task")).json().data.data[0]
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
  const again = (await as(org.owner).get("/trash?type=Task")).json().data.data[0]
  assert.deepEqual(refusal(await as(org.owner).post(`/trash/${again._id}/restore`)), {
    status: 409,
    code: "trash-032",
  })
  assert.equal((await as(org.owner).get(`/trash/${again._id}`)).json().data.data.task.id, made._id)
})

test("what a flow demands since a task was made does not keep it from being finished", async (t) => {
  const { sql, as } = await testApp(t)
  const { org, hub, worker } = await aCompany(sql)
  const flow = await aFlow(sql, { org })
  const made = (
    await as(org.owner).post("/task", {
      flow: flow.name,
      hubId: hub.id,
      siteName: "Pump",
      assignee: worker.email,
    })
  ).json().task
  const later = [
    ...pages,
    { id: "page2", components: [{ id: "sign", component: "signature", required: true }] },
  ]
  await sql`update flows set version = 2, pages = ${sql.json(later as never)} where id = ${flow.id}`
  const after = (
    await as(org.owner).post("/task", {
      flow: flow.name,
      hubId: hub.id,
      siteName: "Mill",
      assignee: worker.email,
    })
  ).json().task
  assert.equal((await as(worker).patch(`/task/${made._id}`, { status: "DONE" })).statusCode, 200)
  assert.equal((await as(worker).patch(`/task/${after._id}`, { status: "DONE" })).statusCode, 400)
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
  const background = await as(org.owner).post("/tasks/bulk", { background: true, tasks: sent })
  assert.equal(background.statusCode, 201)
})
