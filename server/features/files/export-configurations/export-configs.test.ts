import assert from "node:assert/strict"
import { type TestContext, test } from "node:test"
import { aFlow, aHub, anOrganization, aTask, aUser } from "#samples/builders.ts"
import { testApp } from "#testing/test-app.ts"
import { download, sheetTexts, writeExports } from "../exports/fixtures/exports.ts"
import { exportJobs } from "../exports/index.ts"

async function aConfig(t: TestContext, more: Record<string, unknown> = {}) {
  const app = await testApp(t)
  const org = await anOrganization(app.sql)
  const hub = await aHub(app.sql, { org })
  const flow = await aFlow(app.sql, { org, name: "Service" })
  const me = app.as(org.owner)
  const fields = [
    { id: "siteName", component: "input", title: "Site name", uniqueTitle: "Place", extra: { kept: true } },
    { id: "status", component: "input", title: "Status", uniqueTitle: "State", source: "reservedKey" },
  ]
  const body = { name: "Weekly", collection: "task", flowIds: [flow.id], fields, ...more }
  return { ...app, org, hub, flow, me, body, made: await me.post("/export-config", body) }
}

test("a configuration is kept as it was sent, found again, replaced and deleted", async (t) => {
  const { me, made, body, as, sql, org } = await aConfig(t)
  assert.equal(made.statusCode, 201, made.body)
  const { code, data } = made.json()
  assert.equal(code, 201)
  assert.deepEqual(data.fields, body.fields)
  assert.match(data.createdTime, /\d{3}000Z$/)
  assert.equal((await me.get("/export-configs?name=week")).json().data.total, 1)
  assert.equal((await me.post("/export-config", { ...body, name: "WEEKLY" })).statusCode, 400)
  const replaced = await me.put(`/export-config/${data._id}/`, { ...data, name: "Monthly", description: "d" })
  assert.deepEqual(
    [replaced.statusCode, replaced.json().data.name, replaced.json().data.description],
    [200, "Monthly", "d"],
  )
  const viewer = as(await aUser(sql, { org, permissions: ["view/exportConfig"] }))
  assert.equal((await viewer.delete(`/export-config/${data._id}`)).statusCode, 403)
  assert.equal((await me.delete(`/export-config/${data._id}/`)).json().data._id, data._id)
  assert.equal((await me.get(`/export-config/${data._id}`)).statusCode, 404)
})

test("what a configuration lacks is refused", async (t) => {
  const { me, body } = await aConfig(t)
  const refused = async (change: Record<string, unknown>) =>
    (await me.post("/export-config", { ...body, name: "Other", ...change })).statusCode
  for (const change of [
    { name: " " },
    { collection: "vehicle" },
    { flowIds: [] },
    { flowIds: ["6a01c0ffee5de0b4a7710c11"] },
    { fields: [] },
    { fields: [{ id: "x" }] },
    { format: "pdf" },
    { schedule: { periode: "hourly" } },
    { schedule: { periode: "daily", schedules: [{ time: ["08:00"] }], emails: ["nobody"] } },
  ])
    assert.equal(await refused(change), 400, JSON.stringify(change))
})

test("an export by a configuration has its columns, titles and flows; the call wins", async (t) => {
  const app = await aConfig(t)
  const { me, sql, org, hub, flow } = app
  await aTask(sql, { org, hub, flow, title: "A", values: { siteName: "A" } })
  await aTask(sql, { org, hub, title: "elsewhere" })
  const exportConfigId = app.made.json().data._id
  const { data } = (await me.post("/tasks/export", { download: "xlsx", exportConfigId })).json()
  assert.deepEqual(await sheetTexts(t, await download(app, data.link)), [
    ["Place", "State"],
    ["A", "UNASSIGNED"],
  ])
  const own = (await me.post("/tasks/export", { download: "xlsx", exportConfigId, fields: "status" })).json()
  assert.deepEqual(await sheetTexts(t, await download(app, own.data.link)), [["Status"], ["UNASSIGNED"]])
  const unknown = { download: "xlsx", exportConfigId: flow.id }
  assert.equal((await me.post("/tasks/export", unknown)).statusCode, 404)
})

test("a schedule exports when it is due and mails a link, once", async (t) => {
  const schedule = {
    periode: "daily",
    schedules: [{ time: ["08:00"] }],
    emails: ["boss@fieldway.test"],
    isActive: true,
  }
  const app = await aConfig(t, { schedule, format: "csv" })
  const { sql, org, hub, flow, clock } = app
  await aTask(sql, { org, hub, flow, title: "A", values: { siteName: "A" } })
  const { nextRunTime, _id } = app.made.json().data
  assert.match(nextRunTime, /T08:00:00/)
  clock.move(nextRunTime.replace("000Z", "Z"))
  clock.move({ minutes: 5 })
  const run = exportJobs.find(({ name }) => name === "exports.run-schedules")
  await run?.handle(app.jobContext(), {})
  await run?.handle(app.jobContext(), {})
  await writeExports(app)
  const log = (await app.me.get("/tasks/export-log")).json()
  assert.deepEqual(
    [log.total, log.data[0]._source.status, log.data[0]._source.exportConfigId],
    [1, "Done", _id],
  )
  const mails = await sql<{ recipient: string; text: string }[]>`
    select recipient, text from mails where organization_id = ${org.id} and kind = 'exportReady'`
  assert.equal(mails.length, 1)
  assert.equal(mails[0]?.recipient, "boss@fieldway.test")
  const link = /http\S+/.exec(mails[0]?.text ?? "")?.[0] ?? ""
  assert.match((await download(app, link)).toString(), /Place,State\r\nA,UNASSIGNED/)
})

test("the costs and the total of a bill that a configuration lists are columns", async (t) => {
  const app = await aConfig(t)
  const { me, body, sql, org, hub } = app
  const order = {
    ...{ id: "order", component: "bill", title: "Order", costs: ["Packing"] },
    masterCosts: [{ name: "Packing", type: "cost", amount: 2 }],
  }
  const flow = await aFlow(sql, { org, pages: [{ id: "page0", components: [order] }] })
  await aTask(sql, { org, hub, flow, values: { order: [{ title: "Valve", qty: 2, unitPrice: 3 }] } })
  const additionalField = ["order.Packing", "order.totalCost", "order.unknown"]
  const config = {
    ...{ ...body, name: "Bills", flowIds: [flow.id] },
    fields: [{ ...order, uniqueTitle: "Order", additionalField }],
  }
  const exportConfigId = (await me.post("/export-config", config)).json().data._id
  const { data } = (await me.post("/tasks/export", { download: "xlsx", exportConfigId })).json()
  const [titles, row] = await sheetTexts(t, await download(app, data.link))
  assert.deepEqual(titles, ["Order", "Order: Packing", "Order: totalCost"])
  assert.deepEqual(row?.slice(1), ["2", "8"])
})
