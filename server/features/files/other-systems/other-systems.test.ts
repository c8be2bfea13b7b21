import assert from "node:assert/strict"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { type TestContext, test } from "node:test"
import { aFlow, aHub, anOrganization, aTask, aUser } from "#samples/builders.ts"
import { testApp, tokenOf } from "#testing/test-app.ts"
import { finishImport, importFile, meterSwapPages } from "../imports/fixtures/imports.ts"

const point = { type: "Point", coordinates: [4.9, 52.4] }
const basic = `Basic ${Buffer.from("of-key:").toString("base64")}`
const at = Date.UTC(2031, 4, 4, 9)

/** What the systems respond, in the form of their public API references. */
const responses: Record<string, (request: { query: URLSearchParams; body: string }) => unknown> = {
  "Bearer t-key /api/devices": () => [
    {
      id: 1,
      name: "Van 1",
      uniqueId: "8612",
      status: "online",
      phone: "1",
      model: "FMB",
      category: "van",
      groupId: 5,
      positionId: 7,
    },
    { id: 2, name: "Van 2", uniqueId: "8613", status: "offline", phone: null, model: null, positionId: 0 },
  ],
  "Bearer t-key /api/positions": () => [{ id: 7, deviceId: 1, latitude: 52.4, longitude: 4.9, valid: true }],
  "Bearer t-key /api/groups": () => [{ id: 5, name: "North", groupId: 0 }],
  "Bearer t-key /api/geofences": () => [
    { id: 3, name: "Yard", description: "", area: "CIRCLE (52.4 4.9, 150.0)", calendarId: 0, attributes: {} },
    {
      id: 4,
      name: "Zone",
      description: "",
      area: "POLYGON ((52 4, 52 5, 53 5, 53 4, 52 4))",
      attributes: {},
    },
  ],
  "Bearer fb-key /orders": ({ query }) =>
    Array.from({ length: query.get("offset") === "0" ? 100 : 1 }, (_, index) => ({
      id: `order_${query.get("offset")}_${index}`,
      status: "created",
      payload: {
        dropoff: { name: "Aster", address: "1 Elm Court", location: point },
        pickup: null,
        waypoints: index === 7 ? [{ address: "2 Elm Court" }, { address: "3 Elm Court" }] : [],
      },
      customer: { name: "Aster", phone: "+44 117 496 0111" },
      scheduled_at: null,
    })),
  [`${basic} /workers`]: () => [
    { id: "w1", name: "Ana", phone: "+1", vehicle: { type: "CAR", licensePlate: "X1" } },
  ],
  [`${basic} /tasks/all`]: ({ query }) => {
    const isFirst = query.get("lastId") === null
    const task = {
      ...{ id: "t1", shortId: isFirst ? "aa11" : "bb22", state: 1, worker: "w1", notes: "Ring" },
      ...{ completeAfter: at, completeBefore: at + 3_600_000, pickupTask: false, quantity: 0 },
      destination: {
        location: [4.9, isFirst ? 52.4 : 99],
        address: { number: "1", street: "Elm Court", city: "Bristol", country: "UK" },
      },
      recipients: [{ name: "Aster", phone: "+44 117 496 0111" }],
    }
    return { tasks: [task], ...(isFirst ? { lastId: "t1" } : {}) }
  },
  "Bearer fb-key /drivers": () => [
    { id: "driver_1", name: "Ana", email: "ana@drivers.test", phone: "+1 202 555 0100", location: point },
    { id: "driver_2", name: "Ben", email: null, phone: null, location: null },
  ],
  "- /search_orders": ({ body }) => {
    const { dateRange, after_tag: after } = JSON.parse(body)
    const days = (Date.parse(dateRange.to) - Date.parse(dateRange.from)) / 86_400_000
    if (days >= 35) return { success: false, code: "ERR_DATE_RANGE" }
    const data = {
      ...{ orderNo: after ? "O2" : "O1", date: dateRange.from, type: "D", duration: 10, priority: "M" },
      location: { locationName: "Aster", address: "1 Elm Court", latitude: 52.4, longitude: 4.9 },
      timeWindows: [{ twFrom: "09:00", twTo: "11:00" }],
      customFields: { gate: "B" },
    }
    return { success: true, orders: [{ id: "x", data }], ...(after ? {} : { after_tag: "next" }) }
  },
}

async function fakeSystems(t: TestContext): Promise<string> {
  let refusals = 1
  const read = async (request: IncomingMessage) =>
    (await Array.fromAsync<Buffer>(request)).map(String).join("")
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "", "http://x")
    if (refusals-- > 0) return void response.writeHead(429, { "retry-after": "0" }).end()
    const found = responses[`${request.headers.authorization ?? "-"} ${url.pathname}`]
    const body = await read(request)
    response.writeHead(found ? 200 : 401, { "content-type": "application/json" })
    response.end(JSON.stringify(found?.({ query: url.searchParams, body }) ?? {}))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  t.after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test("lists of five other systems are read and imported, every row accounted for, and undone", async (t) => {
  const app = await testApp(t, { WEBHOOK_ALLOW: "127.0.0.1" })
  const org = await anOrganization(app.sql)
  const hub = await aHub(app.sql, { org })
  const flow = await aFlow(app.sql, { org, pages: meterSwapPages })
  const me = app.as(org.owner)
  const scene = { ...app, me, flow, hub }
  const address = await fakeSystems(t)
  const source = (body: object) => me.post("/data/import/source", { address, ...body })
  const range = { from: "2031-05-01", to: "2031-05-31" }
  const lists = [
    [{ system: "traccar", collection: "devices", token: "t-key" }, 2, /8612,Van 1,"52\.4,4\.9",North,van/],
    [{ system: "traccar", collection: "geofences", token: "t-key" }, 2, /"52\.500000,4\.500000"/],
    [{ system: "fleetbase", collection: "orders", token: "fb-key" }, 102, /order_0_7-2,.*3 Elm Court/],
    [{ system: "onfleet", collection: "tasks", token: "of-key", ...range }, 2, /aa11,Aster/],
    [{ system: "optimoroute", collection: "orders", token: "or-key", ...range }, 2, /O2,Aster/],
    [
      { system: "optimoroute", collection: "orders", token: "or-key", from: "2031-01-01", to: "2031-03-31" },
      6,
      /2031-02-05.*2031-03-12/s,
    ],
  ] as const
  for (const [body, count, content] of lists) {
    const reply = await source(body)
    assert.deepEqual([reply.statusCode, reply.headers["x-row-count"]], [200, String(count)], reply.body)
    assert.match(reply.body, content)
  }

  // From Fleetbase to people: one of the two has no address to be invited by.
  const { body: drivers } = await source({ system: "fleetbase", collection: "drivers", token: "fb-key" })
  const people = { file: { filename: "drivers.csv", content: drivers }, type: "user", hubId: hub.id }
  const invited = (await me.expect(200).upload("/data/import", people)).json().data
  const { totalCreated, totalInvalid } = await finishImport(scene, invited._id)
  assert.deepEqual([totalCreated, totalInvalid], [1, 1])
  await me.expect(200).post(`/import-monitoring/${invited._id}/undo`, {})
  assert.doesNotMatch((await me.get("/users?limit=100")).body, /ana@drivers/)

  // From Onfleet to tasks: one of the two has a place that does not exist.
  const { body: csv } = await source({ system: "onfleet", collection: "tasks", token: "of-key", ...range })
  const file = { filename: "onfleet-tasks.csv", content: csv }
  const parts = { file, type: "task", flowId: flow.id, hubId: hub.id }
  const { data: preview } = (await me.expect(200).upload("/data/import/preview", parts)).json()
  assert.deepEqual(
    ["customer", "point", "startTime", "endTime", "street"].map((id) => preview.columns[id]),
    ["Name", "Coordinate", "Start Time", "End Time", "Address"],
  )
  const columns = JSON.stringify({ ...preview.columns, job: { value: "Install" } })
  const started = (await importFile(scene, file, "", { columns })).json().data
  const done = await finishImport(scene, started._id)
  const failed = (await me.get(`/import-monitoring/${done._id}/failed-rows`)).body
  assert.deepEqual([done.totalRows, done.totalCreated, done.totalInvalid], [2, 1, 1], failed)
  const [task] = (await me.get("/tasks")).json().tasks.data
  assert.deepEqual(
    [task.refId, task.customer, task.point, Date.parse(task.startTime)],
    ["aa11", "Aster", "52.4,4.9", at],
  )
  await me.expect(200).post(`/import-monitoring/${done._id}/undo`, {})
  assert.equal((await me.get("/tasks")).json().tasks.data.length, 0)
})

test("a server with this API is a source; private addresses, wrong keys and wrong choices are refused", async (t) => {
  const app = await testApp(t, { WEBHOOK_ALLOW: "127.0.0.1" })
  const org = await anOrganization(app.sql)
  const [hub, flow] = [await aHub(app.sql, { org }), await aFlow(app.sql, { org })]
  for (let count = 0; count < 3; count++) await aTask(app.sql, { org, hub, flow })
  const old = await anOrganization(app.sql)
  const me = app.as(old.owner)
  await app.app.listen({ port: 0, host: "127.0.0.1" })
  const address = `http://127.0.0.1:${(app.app.server.address() as AddressInfo).port}/api/v3`
  const token = await tokenOf(app.sql, org.owner)
  const query = { system: "v3", collection: "tasks", address, token }
  const read = await me.post("/data/import/source", query)
  assert.deepEqual([read.statusCode, read.headers["x-row-count"]], [200, "3"], read.body.slice(0, 300))
  const codeOf = async (body: object) => {
    const reply = await me.post("/data/import/source", { ...query, ...body })
    return `${reply.statusCode} ${reply.json().failedCode}`
  }
  assert.equal(await codeOf({ token: "wrong" }), "422 import-005")
  assert.equal(await codeOf({ address: "http://169.254.169.254/latest" }), "422 import-005")
  assert.equal(await codeOf({ address: "file:///etc/passwd" }), "422 import-005")
  assert.equal(await codeOf({ collection: "constructor" }), "400 import-003")
  assert.equal(await codeOf({ system: "optimoroute", collection: "orders" }), "400 import-003")
  const viewer = await aUser(app.sql, { org: old, permissions: ["view/task"] })
  assert.equal((await app.as(viewer).post("/data/import/source", query)).statusCode, 403)
})

test("what a hostile system responds ends in a file or a refusal, never in a fault", async (t) => {
  const app = await testApp(t, { WEBHOOK_ALLOW: "127.0.0.1" })
  const me = app.as((await anOrganization(app.sql)).owner)
  let response: () => string = () => ""
  const server = createServer((request, reply) => {
    request.resume()
    if (request.url?.startsWith("/moved")) reply.writeHead(302, { location: "http://169.254.169.254/" })
    reply.end(response())
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  t.after(() => server.close())
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const range = { from: "2031-05-01", to: "2031-05-02" }
  const systems = [
    { system: "v3", collection: "tasks" },
    { system: "traccar", collection: "geofences" },
    { system: "fleetbase", collection: "orders" },
    { system: "onfleet", collection: "tasks", ...range },
    { system: "optimoroute", collection: "orders", ...range },
  ]
  const item = {
    ...{ _id: "a", id: "a", constructor: "x", toString: "y", name: "=HYPERLINK(1)", area: "POLYGON ((" },
    ...{ state: "constructor", metadata: [{ name: "__proto__", value: "\ud800" }], recipients: [[]] },
    data: {
      orderNo: "\u0000",
      type: "constructor",
      timeWindows: "x",
      customFields: { toString: "x", __proto__: null },
    },
    payload: { waypoints: [[], null, 7] },
  }
  const depth = 50_000
  const bodies = [
    () => JSON.stringify({ success: true, tasks: [item], orders: [item], data: [item] }),
    () => `{"success":true,"orders":[{"a":${"[".repeat(depth)}${"]".repeat(depth)}}]}`,
    () => `[{"_id":"b","__proto__":{"x":1},"${"k".repeat(100_000)}":"${"v".repeat(100_000)}"}]`,
    () => "[null,1,[[[]]],{}]",
    () =>
      `{"success":true,"orders":[],"tasks":[],"after_tag":"${Math.random()}","lastId":"${Math.random()}"}`,
    () => "<html>",
  ]
  for (const [index, body] of bodies.entries()) {
    response = body
    for (const system of systems) {
      const reply = await me.post("/data/import/source", { ...system, address, token: "k" })
      const what = `${system.system} ${index}: ${reply.body.slice(0, 300)}`
      assert.ok([200, 422].includes(reply.statusCode), what)
      assert.doesNotMatch(reply.body.slice(0, 1_000), /native code|\[object/, what)
    }
  }
  const moved = await me.post("/data/import/source", {
    ...systems[0],
    address: `${address}/moved`,
    token: "k",
  })
  assert.equal(moved.statusCode, 422, moved.body)
})
