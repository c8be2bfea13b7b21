import assert from "node:assert/strict"
import { test } from "node:test"
import { aDataType, aFlow, aHub, aRecord, aTask, aUser } from "#samples/builders.ts"
import { aResult } from "#samples/routing-builders.ts"
import { aSchedule } from "#samples/schedule-builder.ts"
import { importFile } from "../features/files/imports/fixtures/imports.ts"
import { runJobs } from "./run-jobs.ts"
import { testOrganization } from "./test-app.ts"

const pages = [
  {
    id: "page0",
    components: [{ id: "shop", component: "input", type: "String", title: "Shop", routeAs: "VisitName" }],
  },
]

test("every kind of change is undone by one call: work, people, flows, schedules, imports and dispatches", async (t) => {
  const server = await testOrganization(t)
  const { sql, as, org } = server
  const me = as(org.owner)
  const [hub, other] = [await aHub(sql, { org }), await aHub(sql, { org })]
  const flow = await aFlow(sql, { org, pages })
  const worker = await aUser(sql, { org, hubs: [hub], role: "field user" })
  const tasks = [await aTask(sql, { org, hub, flow }), await aTask(sql, { org, hub, flow })]
  const schedule = await aSchedule(sql, { org, hub, flow })
  const type = await aDataType(sql, { org })
  const record = await aRecord(sql, { org, type, hub, values: { note: "old" } })
  const trips = tasks.map(({ id }, index) => ({
    ...{
      visitId: `taskId-${id}`,
      visitName: "Shop",
      isHub: false,
      order: index + 1,
      distance: 1,
      travelTime: 1,
    },
    ...{ eta: "10:00:00", etd: "10:10:00", waitingTime: 0, visitTime: 10, timeWindow: null },
  }))
  const start = { visitId: `hub-${hub.id}`, isHub: true, order: 0, eta: "08:00:00", etd: "08:00:00" }
  const van = { vehicleId: "v1", vehicleName: "Van", assignee: worker.email, trips: [start, ...trips] }
  const result = await aResult(sql, { org, hub, result: { routing: [van], dropped: [] } })
  const read = async (path: string, keys: readonly string[]) => {
    const reply = await me.get(path)
    const body = reply.json()
    const object = body.task ?? body.flow ?? body.data ?? body.taskSchedules ?? body
    return [reply.statusCode, ...keys.map((key) => object?.[key])]
  }
  const ofTasks = (...keys: string[]) =>
    Promise.all(tasks.map(({ id }) => read(`/task/${id}`, ["status", "hubId", "assignee", ...keys])))
  const each = (change: object) => ({ tasks: tasks.map(({ id }) => ({ _id: id, ...change })) })
  const dates = { startTime: "2031-01-02 03:00:00", endTime: "2031-01-02 04:00:00" }
  const total = async () => [(await me.get("/tasks?limit=1")).json().tasks.total]
  const csv = { filename: "shops.csv", content: "Shop\nNorth\nSouth\n" }
  const steps: [name: string, act: () => Promise<unknown>, look: () => Promise<unknown>][] = [
    ["assign", () => me.put("/tasks/bulk/assign", each({ assignee: [worker.email] })), () => ofTasks()],
    ["move", () => me.put("/tasks/bulk/move", each({ hubId: other.id })), () => ofTasks()],
    ["dates", () => me.patch("/tasks/bulk", each(dates)), () => ofTasks("startTime", "endTime")],
    [
      "labels",
      () => me.patch("/tasks/bulk", each({ priority: "high", tags: ["a"] })),
      () => ofTasks("priority", "tags"),
    ],
    ["field", () => me.patch("/tasks/bulk", each({ shop: "East" })), () => ofTasks("shop", "title")],
    ["delete", () => me.delete("/tasks/bulk", each({})), () => ofTasks()],
    ["dispatch", () => me.post("/dispatch", { resultId: result.id }), () => ofTasks("routingResultId")],
    [
      "person",
      () => me.patch(`/user/${worker.id}`, { name: "Renamed", hubs: [hub.id, other.id] }),
      () => read(`/user/${worker.id}`, ["name", "hubId", "hubs"]),
    ],
    [
      "flow",
      () => me.put(`/flow/${flow.id}`, { name: "Other name", pages }),
      () => read(`/flow/${flow.id}`, ["name", "pages"]),
    ],
    [
      "schedule",
      () => me.patch(`/task/schedule/${schedule.id}`, { name: "Other name" }),
      () => read(`/task/schedule/${schedule.id}`, ["name"]),
    ],
    [
      "schedule gone",
      () => me.delete(`/task/schedule/${schedule.id}`),
      () => read(`/task/schedule/${schedule.id}`, []),
    ],
    [
      "record",
      () => me.patch(`/data/${record.id}`, { note: "new" }),
      () => read(`/data/${record.id}`, ["note"]),
    ],
    [
      "hub",
      () => me.put(`/hub/${other.id}`, { name: "Other hub", address: "Street 1", lat: 1, lng: 2 }),
      () => read(`/hub/${other.id}`, ["name", "lat"]),
    ],
    [
      "import",
      async () => {
        const reply = await importFile({ ...server, me, flow, hub }, csv)
        await runJobs(server)
        return reply
      },
      total,
    ],
  ]
  const problems: unknown[] = []
  for (const [name, act, look] of steps) {
    const before = await look()
    const reply = (await act()) as { statusCode: number; body: string } | undefined
    if (reply && reply.statusCode >= 300) problems.push([name, reply.body])
    const changed = JSON.stringify(await look()) !== JSON.stringify(before)
    const [action] = (await me.expect(200).get("/actions")).json().data
    const undone = await me.post(`/action/${action._id}/undo`)
    const after = await look()
    const { data } = undone.json()
    if (!changed || undone.statusCode !== 200 || data.leftAlone.length > 0)
      problems.push([name, changed, action.operation, undone.body])
    else if (JSON.stringify(after) !== JSON.stringify(before)) problems.push([name, before, after])
  }
  assert.deepEqual(problems, [])

  const imported = async () => (await me.get("/import-monitoring?limit=1")).json().data.data[0]
  const { _id, undoneTime } = await imported()
  assert.ok(undoneTime, "the import reads as undone")
  assert.equal((await me.post(`/import-monitoring/${_id}/undo`)).statusCode, 409)
  const [undoing] = (await me.get("/actions")).json().data
  await me.expect(200).post(`/action/${undoing._id}/undo`)
  assert.equal((await imported()).undoneTime, undefined, "until that is undone")
})
