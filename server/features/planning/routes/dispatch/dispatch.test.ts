import assert from "node:assert/strict"
import { test } from "node:test"
import { aFlow, aHub, anOrganization, aUser, type Organization } from "#samples/builders.ts"
import { aResult } from "#samples/routing-builders.ts"
import { type TestApp, testApp, testOrganization } from "#testing/test-app.ts"

const field = (id: string, type: string, routeAs: string, more = {}) => ({
  id,
  component: "input",
  type,
  title: id,
  routeAs,
  ...more,
})
const pages = [
  {
    id: "page0",
    components: [
      field("shop", "String", "VisitName", { showAs: "title" }),
      field("kilos", "Numeric", "Constraint.weight"),
      field("opens", "Time", "OpenTime"),
    ],
  },
]

async function aDay({ sql, as }: TestApp, org: Organization) {
  const hub = await aHub(sql, { org })
  const flow = await aFlow(sql, { org, pages })
  const driver = await aUser(sql, { org, hubs: [hub], permissions: ["do/task"] })
  const me = as(org.owner)
  const make = async (shop: string) =>
    (await me.post("/task", { flow: flow.name, hubId: hub.id, shop, kilos: 40, opens: "08:00" })).json().task
      ._id as string
  return { hub, flow, driver, me, make }
}

const node = (taskId: string, order: number, more = {}) => ({
  visitId: `taskId-${taskId}`,
  visitName: "Shop",
  isHub: false,
  order,
  eta: `${10 + order}:00:00`,
  etd: `${10 + order}:10:00`,
  distance: 1000 * order,
  travelTime: 2,
  waitingTime: 0,
  visitTime: 10,
  timeWindow: { startTime: "08:30", endTime: null },
  weight: 40,
  ...more,
})

const hubNode = (hubId: string) => ({
  visitId: `hub-${hubId}`,
  isHub: true,
  order: 0,
  eta: "08:00:00",
  etd: "08:00:00",
})

test("a plan is dispatched once, however often at the same time, and taken back before anybody begins", async (t) => {
  const app = await testApp(t)
  const org = await anOrganization(app.sql)
  const { hub, driver, me, make } = await aDay(app, org)
  const [one, two, done, gone, moved] = [
    await make("A"),
    await make("B"),
    await make("C"),
    await make("D"),
    await make("E"),
  ]
  const van = {
    vehicleId: "v1",
    vehicleName: "Van 1",
    assignee: driver.email,
    workingTime: { startTime: "08:00", endTime: "17:00" },
  }
  const trips = [hubNode(hub.id), ...[one, two, done, gone, moved].map((id, index) => node(id, index + 1))]
  const { id: resultId } = await aResult(app.sql, {
    org,
    hub,
    result: { routing: [{ ...van, trips }], dropped: [] },
  })
  await app.sql`update tasks set status = 'DONE', done_time = now(), done_by = 'x' where id = ${done}`
  await me.delete(`/task/${gone}`)
  await me.put(`/task/${moved}/move`, { hubId: (await aHub(app.sql, { org })).id })
  const preview = (await me.post("/dispatch", { resultId, dryRun: true })).json()
  assert.deepEqual([preview.success, preview.failed], [2, 3])
  assert.equal((await me.get(`/task/${one}`)).json().task.status, "UNASSIGNED")
  const replies = await Promise.all([me.post("/dispatch", { resultId }), me.post("/dispatch", { resultId })])
  for (const reply of replies)
    assert.deepEqual([reply.statusCode, reply.json().success, reply.json().failed], [200, 2, 3])
  const messages = replies[0]?.json().tasks.map(({ message }: { message: string }) => message)
  assert.deepEqual(messages.slice(2), [
    "This task is finished and can no longer be changed",
    "This task no longer exists",
    "This task was moved to another hub",
  ])
  const { task } = (await me.get(`/task/${two}`)).json()
  assert.deepEqual(
    [
      task.status,
      task.assignee,
      task.eta,
      task.etd,
      task.distance,
      task.routePlannedOrder,
      task.routingResultId,
    ],
    ["ONGOING", [driver.email], "12:00:00", "12:10:00", 2000, 2, resultId],
  )
  assert.deepEqual(
    [task.assignedVehicle._id, task.assignedVehicle.name, task.shop, task.opens],
    ["v1", "Van 1", "Shop", "08:30"],
  )
  const found = (await me.get(`/tasks?routingResultId=${resultId}&sortBy=orderIndex&sortOrder=asc`)).json()
    .tasks.data
  assert.deepEqual(
    found.map(({ _id }: { _id: string }) => _id),
    [one, two],
  )
  const result = (await me.get(`/result/${resultId}`)).json().data
  assert.deepEqual([result.dispatchStatus, result.dispatchMessage], ["done", "2/5"])
  await app.as(driver).expect(200).patch(`/task/${one}`, { openTaskTime: "2031-05-04 09:00:00" })
  const refused = await me.post("/dispatch/undo", { resultId })
  assert.deepEqual([refused.statusCode, refused.json().failedCode], [400, "reslt-032"])
  await me.post("/dispatch", { resultId })
  await app.sql`update tasks set attributes = attributes - 'openTaskTime' where id = ${one}`
  const undone = (await me.post("/dispatch/undo", { resultId })).json()
  assert.deepEqual([undone.success, undone.failed], [2, 0])
  const back = (await me.get(`/task/${two}`)).json().task
  assert.deepEqual(
    [back.status, back.assignee, back.eta, back.opens, back.routingResultId],
    ["UNASSIGNED", [], undefined, "08:00", undefined],
  )
  assert.equal((await me.post("/dispatch/undo", { resultId })).json().failedCode, "reslt-032")
})

test("a split visit becomes its task and one task more, and stays two when it is dispatched again", async (t) => {
  const app = await testApp(t)
  const org = await anOrganization(app.sql)
  const { hub, me, make } = await aDay(app, org)
  const task = await make("Big")
  const half = (number: number) =>
    node(task, 1, { splitNumber: `${number}/2`, autoSplit: "equal", weight: 20 })
  const routing = [1, 2].map((number) => ({
    vehicleId: `v${number}`,
    vehicleName: `Van ${number}`,
    trips: [hubNode(hub.id), half(number)],
    weightPercentage: "50%",
  }))
  const { id: resultId } = await aResult(app.sql, { org, hub, result: { routing, dropped: [] } })
  await app.sql`update routing_results set configuration = '{"capacityConstraint":["weight"]}' where id = ${resultId}`
  const [first, again] = [await me.post("/dispatch", { resultId }), await me.post("/dispatch", { resultId })]
  const actions = (reply: typeof first) =>
    reply.json().tasks.map(({ action, status }: Record<string, unknown>) => [action, status])
  assert.deepEqual(actions(first), [
    ["update", true],
    ["create", true],
  ])
  assert.deepEqual(actions(again), [
    ["update", true],
    ["update", true],
  ])
  const tasks = (await me.get(`/tasks?routingResultId=${resultId}&sortBy=createdTime&sortOrder=asc`)).json()
    .tasks.data
  assert.deepEqual(
    tasks.map(
      ({ kilos, splitNumber, autoSplit, parentTaskId, assignedVehicleId }: Record<string, unknown>) => [
        kilos,
        splitNumber,
        autoSplit,
        parentTaskId,
        assignedVehicleId,
      ],
    ),
    [
      [20, "1/2", "Equal", undefined, "v1"],
      [20, "2/2", "Equal", task, "v2"],
    ],
  )
  assert.equal((await me.post("/dispatch/undo", { resultId })).json().success, 2)
  const { total } = (await me.get("/tasks")).json().tasks
  assert.equal(total, 1)
  assert.equal((await me.get(`/task/${task}`)).json().task.kilos, 40)
})

test("goods over a sub-hub move their task there and are handed over by a task of their own", async (t) => {
  const app = await testApp(t)
  const org = await anOrganization(app.sql)
  const { hub, driver, me, make } = await aDay(app, org)
  const sub = await aHub(app.sql, { org })
  const task = await make("Far")
  const carried = { ...hubNode(sub.id), order: 1, coordinate: "52.2,4.4", handoverVisits: [`taskId-${task}`] }
  const routing = [
    {
      vehicleId: "truck",
      vehicleName: "Truck",
      assignee: driver.email,
      hubId: hub.id,
      trips: [hubNode(hub.id), carried],
    },
    { vehicleId: "bike", vehicleName: "Bike", hubId: sub.id, trips: [hubNode(sub.id), node(task, 1)] },
  ]
  const { id: resultId } = await aResult(app.sql, { org, hub, result: { routing, dropped: [] } })
  for (const [success] of [[2], [2]])
    assert.equal((await me.post("/dispatch", { resultId })).json().success, success)
  assert.equal((await me.get(`/task/${task}`)).json().task.hubId, sub.id)
  const handovers = (await me.get("/tasks?flow=Handover")).json().tasks.data
  assert.deepEqual(
    handovers.map(({ hubId, assignee, listOrder }: Record<string, unknown>) => [
      hubId,
      assignee,
      (listOrder as { title: string }[])[0]?.title,
    ]),
    [[hub.id, [driver.email], "Shop"]],
  )
  assert.equal((await me.post("/dispatch/undo", { resultId })).json().failed, 0)
  assert.equal((await me.get(`/task/${task}`)).json().task.hubId, hub.id)
})

test("only a finished result of one's own hubs is dispatched", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const { id: resultId } = await aResult(sql, { org, status: "ongoing" })
  assert.equal((await as(org.owner).post("/dispatch", { resultId })).json().failedCode, "reslt-032")
  const stranger = await aUser(sql, { org, permissions: ["dispatch/result"] })
  assert.equal((await as(stranger).post("/dispatch", { resultId })).statusCode, 404)
})
