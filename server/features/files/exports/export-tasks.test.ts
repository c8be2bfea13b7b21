import assert from "node:assert/strict"
import { EventEmitter } from "node:events"
import type { ServerResponse } from "node:http"
import { type TestContext, test } from "node:test"
import { setTimeout as pause } from "node:timers/promises"
import type { AppError } from "#core/errors.ts"
import { readGeoFile } from "#packages/geo-files/read-geo-file.ts"
import { aFile } from "#packages/spreadsheets/fixtures/files.ts"
import { openSheet } from "#packages/spreadsheets/open-sheet.ts"
import { aFlow, aHub, anOrganization, aTask, aUser } from "#samples/builders.ts"
import { testApp } from "#testing/test-app.ts"
import type { FlowPage } from "../../work/flows/index.ts"
import { download, sheetTexts, writeExports } from "./fixtures/exports.ts"
import { whileConnected } from "./while-connected.ts"

const pages: FlowPage[] = [
  {
    id: "page0",
    components: [
      { id: "site", component: "input", type: "String", title: "Site", required: true, showAs: "title" },
      { id: "visitDay", component: "input", type: "Date", title: "Visit day" },
      { id: "code", component: "input", type: "Numeric", title: "Code" },
      { id: "secret", component: "input", type: "String", title: "Secret", visible: false },
      {
        ...{ id: "goods", component: "bill", title: "Goods", costs: ["Packing", "Rebate"] },
        masterCosts: [
          { name: "Packing", type: "cost", amount: 3 },
          { name: "Rebate", type: "discount", amount: 1 },
        ],
      },
    ],
  },
]

async function aDepot(t: TestContext, options: { timeZone?: string; language?: string } = {}) {
  const app = await testApp(t)
  const org = await anOrganization(app.sql, options)
  const hub = await aHub(app.sql, { org, name: "North" })
  const flow = await aFlow(app.sql, { org, name: "Service", pages })
  return { ...app, org, hub, flow, me: app.as(org.owner) }
}

test("tasks come out as a workbook with titles, real dates in the organization's time, items on their own sheet", async (t) => {
  const app = await aDepot(t, { timeZone: "Asia/Jakarta", language: "id" })
  const goods = [
    { title: "Valve", qty: 2, unitPrice: 8.5, qtyProcessed: 1 },
    { title: "Gasket", qty: 4, unitPrice: 0.5 },
  ]
  const task = await aTask(app.sql, {
    ...{ org: app.org, hub: app.hub, flow: app.flow },
    values: {
      site: "=1+1",
      visitDay: "2031-05-04",
      code: Number("12345678901234567890"),
      secret: "s",
      goods,
    },
    startTime: Temporal.Instant.from("2031-05-04T20:00:00Z"),
    endTime: Temporal.Instant.from("2031-05-05T20:00:00Z"),
  })
  const body = {
    download: "xlsx",
    fields: "_id,hub,site,visitDay,code,secret,startTime,goods,goods.Packing,goods.totalCost",
  }
  const response = (await app.me.post("/tasks/export", body)).json()
  assert.deepEqual([response.total_data_be, response.last_id, response.data.status], [1, task.id, "Done"])
  assert.equal(response.last_field, "goods.totalCost")
  const bytes = await download(app, response.data.link)
  const [header, row] = await sheetTexts(t, bytes)
  assert.deepEqual(header, [
    "ID",
    "Hub",
    "Site",
    "Visit day",
    "Code",
    "Secret",
    "Waktu Mulai",
    "Goods",
    "Goods: Packing",
    "Goods: totalCost",
  ])
  assert.deepEqual(row?.slice(8), ["3", "21"], "19 for the goods, 3 for packing, 1 of rebate")
  const [everyTitle] = await sheetTexts(
    t,
    await download(app, (await app.me.post("/tasks/export", { download: "xlsx" })).json().data.link),
  )
  for (const title of ["Goods: Packing", "Goods: Rebate", "Goods: totalCost"])
    assert.ok(everyTitle?.includes(title), title)
  assert.deepEqual(row?.slice(0, 7), [
    task.id,
    "North",
    "=1+1",
    "2031-05-04",
    "12345678901234567168",
    "s",
    "2031-05-05 03:00:00",
  ])
  assert.deepEqual(await sheetTexts(t, bytes, "Goods"), [
    ["ID", "Item", "Qty", "Qty Processed", "Price", "Total"],
    [task.id, "Valve", "2", "1", "8.5", "17"],
    [task.id, "Gasket", "4", "", "0.5", "2"],
  ])
  const sheet = await openSheet(aFile(t, bytes))
  const cells = (await Array.fromAsync(sheet.rows()))[1]?.cells
  await sheet.close()
  assert.deepEqual(
    [cells?.[2]?.kind, cells?.[3]?.kind, cells?.[4]?.kind, cells?.[6]?.kind],
    ["text", "date", "text", "date"],
  )
  const csvOf = async (path: string, options?: object) =>
    (await download(app, (await app.me.post(path, options)).json().data.link)).toString().split("\r\n")
  const [idTitle, id] = await csvOf("/tasks/export", { download: "csv", fields: "organizationId,idLocal" })
  assert.deepEqual([idTitle, id], ["\ufeffID Organisasi,ID Lokal", `${app.org.id},`])
  const [recordTitles] = await csvOf("/data/export?download=csv&fields=hubId,limitUser,createdBy,updatedTime")
  assert.equal(recordTitles, "\ufeffID Hub,Batas Pengguna,Dibuat Oleh,Waktu Diubah")
})

test("what happened to a task comes out with it", async (t) => {
  const app = await aDepot(t, { timeZone: "Asia/Jakarta" })
  const made = await app.me.post("/task", {
    ...{ flow: app.flow.name, hubId: app.hub.id, site: "Quay" },
    ...{ startTime: "2031-05-04 08:00:00", endTime: "2031-05-04 10:00:00" },
  })
  const { _id } = made.json().task
  await app.me.patch(`/task/${_id}`, { site: "Pier" })
  const { histories } = (await app.me.get(`/task/${_id}`)).json().task
  const exported = async (format: string) =>
    download(
      app,
      (await app.me.post("/tasks/export", { download: format, fields: "site,histories" })).json().data.link,
    )
  const [row] = JSON.parse(String(await exported("json")))
  assert.deepEqual(
    row.histories,
    histories.map(({ changeData: _, ...entry }: { changeData: object }) => entry),
  )
  const [, line = ""] = String(await exported("csv")).split("\r\n")
  const inJakarta = new Date(Date.parse(row.histories[0].createdAt) + 7 * 3_600_000).toISOString()
  const at = `${inJakarta.slice(0, 10)} ${inJakarta.slice(11, 19)}`
  assert.ok(line.startsWith(`Pier,${at} ${histories[0].notes}; `), line)
  assert.ok(line.endsWith(histories[1].notes), line)
  const addition = { doneBy: "eva@fieldway.test", doneTime: "2031-05-04T09:00:00Z", isCorrection: true }
  const additions = [{ ...addition, values: { site: "Jetty" } }]
  await app.sql`update tasks set attributes = ${JSON.stringify({ additions })}::text::jsonb where id = ${_id}`
  const { link } = (await app.me.post("/tasks/export", { download: "csv", fields: "additions" })).json().data
  const [, added = ""] = String(await download(app, link)).split("\r\n")
  assert.equal(added, '"2031-05-04T09:00:00Z eva@fieldway.test (correction), site: Jetty"')
})

test("a bad options is refused with the code of its area, and nothing is logged", async (t) => {
  const { me, nobody } = await aDepot(t)
  const [unsigned, wrongPage] = [
    await nobody.get("/tasks/export-log"),
    await me.get("/tasks/export-log?page=x"),
  ]
  assert.deepEqual([unsigned.statusCode, unsigned.json().data], [401, undefined])
  assert.deepEqual([wrongPage.statusCode, wrongPage.json().data], [400, []])
  for (const wrong of [{ download: "pdf" }, { page: "one" }, { background: "maybe" }, { sortOrder: "up" }]) {
    const tasks = await me.post("/tasks/export", { download: "json", ...wrong })
    assert.deepEqual([tasks.statusCode, tasks.json().failedCode], [400, "task-032"], JSON.stringify(wrong))
    const data = await me.post("/data/export", { download: "json", ...wrong })
    assert.deepEqual([data.statusCode, data.json().failedCode], [400, "data-003"], JSON.stringify(wrong))
  }
  for (const query of ["limit=some", "limit=0", "sortOrder=up", "status=Lost"]) {
    const log = await me.get(`/tasks/export-log?${query}`)
    assert.deepEqual([log.statusCode, log.json().failedCode, log.json().data], [400, "task-032", []], query)
  }
})

test("CSV, JSON, JSON Lines and GeoJSON hold the same tasks, each in its own way", async (t) => {
  const app = await aDepot(t)
  const placed = await aTask(app.sql, {
    org: app.org,
    hub: app.hub,
    flow: app.flow,
    values: { site: "A", code: 5 },
  })
  await app.sql`update tasks set lng = 4.5, lat = 52.25 where id = ${placed.id}`
  await aTask(app.sql, {
    org: app.org,
    hub: app.hub,
    flow: app.flow,
    values: { site: 'B "b"', goods: [{ title: "x", qty: 1 }] },
  })
  const fileOf = async (download_: string) => {
    const body = {
      download: download_,
      fields: "site,code,goods,status",
      sortBy: "createdTime",
      sortOrder: "asc",
    }
    const { data } = (await app.me.post("/tasks/export", body)).json()
    assert.match(new URL(data.link).pathname, new RegExp(`/task_${app.org.id}_\\d+\\.${download_}$`))
    return (await download(app, data.link)).toString()
  }
  const json = JSON.parse(await fileOf("json"))
  assert.deepEqual(json[0], {
    site: "A",
    code: 5,
    goods: null,
    status: "UNASSIGNED",
  })
  assert.deepEqual(json[1].goods, [{ title: "x", qty: 1 }])
  const lines = (await fileOf("jsonl")).trimEnd().split("\n")
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)),
    json,
  )
  assert.equal((await fileOf("csv")).split("\r\n")[2]?.startsWith('"B ""b""",,"[{""qty"":1'), true)
  const { type, features } = JSON.parse(await fileOf("geojson"))
  assert.deepEqual(
    [type, features.length, features[0].geometry],
    ["FeatureCollection", 1, { type: "Point", coordinates: [4.5, 52.25] }],
  )
  for (const format of ["kml", "gpx"]) {
    const [place, ...others] = readGeoFile(Buffer.from(await fileOf(format))).features
    assert.deepEqual([place?.geometries[0]?.coordinates, others.length], [[4.5, 52.25], 0], format)
    assert.match(`${JSON.stringify(place?.properties)} ${place?.description}`, /UNASSIGNED/)
  }
  assert.equal((await app.me.post("/tasks/export", { download: "pdf" })).json().failedCode, "task-032")
  assert.equal((await app.me.post("/tasks/export", {})).statusCode, 400)
})

test("an export in the background waits in the log, then has a link that works without a token", async (t) => {
  const app = await aDepot(t)
  for (let count = 0; count < 35; count++)
    await aTask(app.sql, { org: app.org, hub: app.hub, flow: app.flow })
  const direct = (await app.me.post("/tasks/export", { download: "json" })).json()
  assert.equal(direct.total_data_be, 30)
  const response = (
    await app.me.post("/tasks/export", { download: "json", background: true, status: null })
  ).json()
  assert.deepEqual(
    [response.total_data_be, response.data.status, response.data.link],
    [0, "Processing", undefined],
  )
  const log = async () => (await app.me.get("/tasks/export-log?sortOrder=desc")).json()
  assert.deepEqual(
    (await log()).data.map(({ _source }: { _source: { status: string } }) => _source.status),
    ["Processing", "Done"],
  )
  await writeExports(app)
  const { total, data, params } = await log()
  const source = data[0]._source
  assert.deepEqual(
    [total, source.status, source.totalRecords, source.email],
    [2, "Done", 35, app.org.owner.email],
  )
  assert.match(data[0]._id, /^exp_[0-9a-f]{24}$/)
  assert.equal(params.size, 10)
  assert.equal(JSON.parse((await download(app, source.fileUrl)).toString()).length, 35)
  assert.equal((await app.me.get("/tasks/export-log?limit=-1")).json().params.size, 100)
  for (const query of ["limit=101", "limit=0", "page=-1"]) {
    const refused = await app.me.get(`/tasks/export-log?${query}`)
    assert.deepEqual([refused.statusCode, refused.json().data], [400, []], query)
  }
})

test("people export what they see, and look only into their own log", async (t) => {
  const app = await aDepot(t)
  const other = await aHub(app.sql, { org: app.org })
  await aTask(app.sql, { org: app.org, hub: app.hub, flow: app.flow })
  await aTask(app.sql, { org: app.org, hub: other, flow: app.flow })
  const planner = await aUser(app.sql, { org: app.org, permissions: ["export/task"], hubs: [app.hub] })
  const { total_data_be: count } = (await app.as(planner).post("/tasks/export", { download: "csv" })).json()
  assert.equal(count, 1)
  const foreign = `/tasks/export-log?email=${app.org.owner.email}`
  assert.equal((await app.as(planner).get(foreign)).statusCode, 403)
  assert.equal((await app.me.get(`/tasks/export-log?email=${planner.email}`)).json().total, 1)
})

test("exports and their files are gone after 30 days", async (t) => {
  const app = await aDepot(t)
  await aTask(app.sql, { org: app.org, hub: app.hub, flow: app.flow })
  const { data } = (await app.me.post("/tasks/export", { download: "json" })).json()
  const { exportJobs } = await import("./jobs.ts")
  const tidy = exportJobs.find(({ name }) => name === "exports.tidy")
  await app.sql`update exports set requested_time = now() - interval '31 days' where organization_id = ${app.org.id}`
  await tidy?.handle(app.jobContext(), {})
  await tidy?.handle(app.jobContext(), {})
  assert.equal((await app.me.get("/tasks/export-log")).json().total, 0)
  const statusOfFile = async () =>
    (await app.app.inject({ url: data.link.replace("http://fieldway.test", "") })).statusCode
  // The file goes some moments after the transaction.
  while ((await statusOfFile()) === 200) await pause(5)
  assert.equal(await statusOfFile(), 404)
})

test("a client that leaves ends its export, and is no fault of the server", () => {
  const connection = Object.assign(new EventEmitter(), { writableEnded: false })
  const signal = whileConnected({ raw: connection as ServerResponse })
  connection.emit("close")
  assert.equal((signal.reason as AppError).http, 400)
})

test("ruling 35: numbers are exported as numbers, lists as text, and JSON keeps the form of each value", async (t) => {
  const app = await testApp(t)
  const org = await anOrganization(app.sql)
  const hub = await aHub(app.sql, { org })
  const components = [
    { id: "weight", component: "input", type: "Numeric", title: "Weight" },
    { id: "goods", component: "select", options: ["Rice", "Oil"], max: 2, title: "Goods", showAs: "label" },
  ]
  const flow = await aFlow(app.sql, { org, pages: [{ id: "page0", components }] })
  const me = app.as(org.owner)
  const values = [
    { weight: "20.5", goods: ["Rice", "Oil"] },
    { weight: 9, goods: "Oil" },
  ]
  for (const value of values) await me.post("/task", { flow: flow.name, hubId: hub.id, ...value })
  const file = async (kind: string) => {
    const query = { download: kind, fields: "weight,goods,label", sortBy: "weight", sortOrder: "asc" }
    return download(app, (await me.post("/tasks/export", query)).json().data.link)
  }
  const [, ...rows] = await sheetTexts(t, await file("xlsx"))
  assert.deepEqual(rows, [
    ["9", "Oil", "Oil"],
    ["20.5", "Rice, Oil", "Rice, Oil"],
  ])
  assert.match((await file("csv")).toString(), /20\.5,"Rice, Oil","Rice, Oil"/)
  const json = JSON.parse((await file("json")).toString())
  assert.deepEqual(
    (Array.isArray(json) ? json : json.data).map(({ weight, goods, label }: Record<string, unknown>) => [
      weight,
      goods,
      label,
    ]),
    [
      [9, "Oil", "Oil"],
      ["20.5", ["Rice", "Oil"], ["Rice", "Oil"]],
    ],
  )
})
