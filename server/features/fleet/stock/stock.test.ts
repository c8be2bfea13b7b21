import assert from "node:assert/strict"
import { test } from "node:test"
import { aFlow, aHub, aUser } from "#samples/builders.ts"
import { testOrganization } from "#testing/test-app.ts"

/** A van with a driver, a hub, and an item of which the hub has so many. */
async function aStock(quantity: number) {
  const { sql, as, org } = await testOrganization()
  const hub = await aHub(sql, { org, lat: 52, lng: 5 })
  const driver = await aUser(sql, { org, role: "field user", hubs: [hub] })
  const owner = as(org.owner)
  const van = (await owner.post("/vehicle", { name: "Van 3", hubId: hub.id, assignee: driver.email })).json()
    .data
  const item = (await owner.post("/stock-item", { code: "F-22", name: "Filter 22 mm", unit: "pcs" })).json()
    .data
  const move = (body: object) => owner.post("/stock-movement", { itemId: item._id, ...body })
  await move({ kind: "receipt", quantity, to: { hubId: hub.id } })
  const levels = async () =>
    Object.fromEntries(
      (await owner.get("/stock"))
        .json()
        .data.map((one: { holderKind: string; quantity: number }) => [one.holderKind, one.quantity]),
    )
  return { sql, as, org, hub, driver, owner, vehicleId: van._id as string, item, move, levels }
}

test("stock is received, transferred, issued and counted, and never falls below nothing", async () => {
  const { sql, as, org, hub, owner, vehicleId, item, move, levels } = await aStock(10)
  assert.equal(
    (await owner.post("/stock-item", { code: "f-22", name: "Other" })).json().failedCode,
    "stock-002",
  )
  const toVan = { kind: "transfer", from: { hubId: hub.id }, to: { vehicleId } }
  assert.equal((await move({ ...toVan, quantity: 4 })).statusCode, 201)
  assert.deepEqual(await levels(), { hub: 6, vehicle: 4 })
  const refused = await move({ ...toVan, quantity: 6.5 })
  assert.deepEqual([refused.statusCode, refused.json().failedCode], [409, "stock-003"])
  assert.equal((await move({ ...toVan, quantity: 0 })).statusCode, 400)
  assert.equal((await move({ kind: "receipt", quantity: 1, from: { vehicleId } })).statusCode, 400)
  // Twenty people take one of four at the same time.
  const taken = await Promise.all(
    Array.from({ length: 20 }, () => move({ kind: "issue", quantity: 1, from: { vehicleId } })),
  )
  assert.deepEqual(
    Object.entries(Object.groupBy(taken, ({ statusCode }) => statusCode)).map(([code, all]) => [
      code,
      all?.length,
    ]),
    [
      ["201", 4],
      ["409", 16],
    ],
  )
  assert.deepEqual(await levels(), { hub: 6 })
  await move({ kind: "count", quantity: 5, to: { hubId: hub.id }, note: "Stocktake" })
  assert.deepEqual(await levels(), { hub: 5 })
  const [count] = (await owner.get(`/stock-movements?itemId=${item._id}`)).json().data
  assert.deepEqual([count.kind, count.quantity, count.counted, count.fromName], ["count", 1, 5, hub.name])
  assert.equal((await owner.delete(`/stock-item/${item._id}`)).json().failedCode, "stock-004")
  await assert.rejects(
    sql`update stock_levels set quantity = -1 where organization_id = ${org.id}`,
    /stock_levels_quantity/,
  )
  const stranger = await aUser(sql, { org, role: "planner", hubs: [await aHub(sql, { org })] })
  assert.equal((await as(stranger).get("/stock")).json().total, 0)
  assert.equal((await as(stranger).get("/stock-movements")).json().total, 0)
})

test("a finished task books its parts from the driver's van once, however often the finish is sent", async () => {
  const { sql, as, org, hub, driver, owner, vehicleId, move, levels } = await aStock(10)
  await move({ kind: "transfer", quantity: 5, from: { hubId: hub.id }, to: { vehicleId } })
  const list = (id: string, stock: boolean) => ({
    id,
    component: "list",
    title: id,
    ...(stock ? { stock } : {}),
  })
  const pages = [{ id: "p0", components: [list("parts", true), list("sold", false)] }]
  const flow = await aFlow(sql, { org, pages })
  const body = { flow: flow.name, hubId: hub.id, assignee: [driver.email] }
  const startTime = Temporal.Now.instant().subtract({ minutes: 5 }).toString()
  const finish = async (qty: number) => {
    const { _id } = (await owner.post("/task", { ...body, startTime })).json().task
    const lines = [
      { title: "filter 22 mm", qty },
      { title: "Advice", qty: 1 },
    ]
    const done = { status: "DONE", parts: lines, sold: [{ title: "F-22", qty: 9 }] }
    const replies = await Promise.all([1, 2, 3].map(() => as(driver).patch(`/task/${_id}`, done)))
    assert.ok(
      replies.some(({ statusCode }) => statusCode === 200),
      replies[0]?.body ?? "",
    )
    return _id
  }
  const taskId = await finish(2)
  assert.deepEqual(await levels(), { hub: 5, vehicle: 3 })
  const uses = async (query = "") =>
    (await owner.get(`/stock-movements?vehicleId=${vehicleId}${query}`)).json().data
  const [use] = await uses()
  assert.deepEqual(
    [use.kind, use.quantity, use.missing, use.taskId, use.createdBy],
    ["use", 2, 0, taskId, driver.email],
  )
  await finish(4)
  assert.deepEqual(await levels(), { hub: 5 })
  assert.deepEqual(
    (await uses("&isMissing=true")).map((one: Record<string, unknown>) => [one.quantity, one.missing]),
    [[3, 1]],
  )
  assert.equal((await uses()).length, 3)
  await finish(1e300)
  assert.equal((await uses("&isMissing=true"))[0].missing, 1_000_000_000)
})
