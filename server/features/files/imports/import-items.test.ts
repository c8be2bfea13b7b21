import assert from "node:assert/strict"
import { type TestContext, test } from "node:test"
import { cellToText } from "#packages/spreadsheets/cell-text.ts"
import { aFile, written } from "#packages/spreadsheets/fixtures/files.ts"
import { openSheet } from "#packages/spreadsheets/open-sheet.ts"
import type { SheetValue } from "#packages/spreadsheets/sheet-values.ts"
import { writeXlsx } from "#packages/spreadsheets/xlsx/write-xlsx.ts"
import { aDataType, aFlow, aHub, anOrganization, aRecord } from "#samples/builders.ts"
import { testApp } from "#testing/test-app.ts"
import { finishImport, importFile } from "./fixtures/imports.ts"

const input = (id: string, title: string, type: string, more = {}) => ({
  ...{ id, component: "input", title, type },
  ...more,
})

const pages = [
  {
    id: "page0",
    components: [
      input("customer", "Customer", "String", { required: true, showAs: "title" }),
      input("point", "Point", "Geolocation"),
      { id: "job", component: "select", title: "Job", options: ["Install", "Repair"], min: 1, max: 1 },
      {
        ...{ id: "order", component: "bill", title: "Order", costs: ["Packing"] },
        masterCosts: [{ name: "Packing", type: "cost", amount: 3 }],
        masterItems: [{ name: "Valve", unit_price: 8 }],
      },
      { id: "checks", component: "list", title: "Checks", type: "checkbox" },
    ],
  },
]

async function aScene(t: TestContext) {
  const app = await testApp(t)
  const org = await anOrganization(app.sql)
  const hub = await aHub(app.sql, { org })
  const flow = await aFlow(app.sql, { org, name: "Orders", pages })
  const me = app.as(org.owner)
  const scene = { ...app, org, hub, flow, me }
  const bringIn = async (filename: string, content: string | Buffer, more: Record<string, string> = {}) => {
    const reply = await importFile(scene, { filename, content }, "", more)
    assert.equal(reply.statusCode, 200, reply.body)
    return finishImport(scene, reply.json().data._id)
  }
  const reasons = async (importId: string): Promise<string[]> =>
    (await me.get(`/import-monitoring/${importId}/failed-rows`))
      .json()
      .data.data.map(({ row, message }: { row: number; message: string }) => `${row}  ${message}`)
  const tasks = async () =>
    (await me.get("/tasks?sortBy=orderIndex&sortOrder=asc")).json().tasks.data as Record<string, unknown>[]
  const fileAt = async (url: string) =>
    (await app.app.inject({ url: url.replace("http://fieldway.test", "") })).rawPayload
  return { ...scene, bringIn, reasons, tasks, fileAt }
}

async function textsOf(t: TestContext, bytes: Buffer, name?: string): Promise<string[][]> {
  const sheet = await openSheet(aFile(t, bytes))
  try {
    const rows = sheet.rows(name === undefined ? {} : { sheet: name })
    return await Array.fromAsync(rows, ({ cells }) => cells.map((cell) => cellToText(cell)))
  } finally {
    await sheet.close()
  }
}

const item = (title: string, qty: number, unitPrice: number | null = null) => ({
  ...{ title, content: null, data: null, qty, unitPrice, qtyProcessed: null },
})

test("lines with one ID are one task, and each of them adds an item to its bill", async (t) => {
  const app = await aScene(t)
  const done = await app.bringIn(
    "orders.csv",
    `ID,Customer,Point,Job,Packing,Order: Item,Order: Qty,Order: Price
1,Ada Birch,"51.4600,-2.5800",Install,3,Valve,2,8.5
1,,,,,Gasket,4,0.75
2,Ben Cole,"51.4611,-2.5822",Repair,,Valve,1,8.5
`,
  )
  assert.deepEqual(
    [done.status, done.totalRows, done.totalValid, done.totalInvalid, done.totalCreated],
    ["success", 2, 2, 0, 2],
  )
  const [ada, ben] = await app.tasks()
  assert.deepEqual([ada?.refId, ada?.customer, ada?.["order.Packing"]], ["1", "Ada Birch", 3])
  assert.deepEqual(ada?.order, [item("Valve", 2, 8.5), item("Gasket", 4, 0.75)])
  assert.deepEqual([ben?.order, ben?.["order.Packing"]], [[item("Valve", 1, 8.5)], undefined])
  const undone = (await app.me.post(`/import-monitoring/${done._id}/undo`)).json().data
  assert.deepEqual([undone.undoResult.removed, (await app.tasks()).length], [2, 0])
})

/** A workbook of plain sheets, each with its header first. */
function aBook(sheets: Record<string, SheetValue[][]>): Promise<Buffer> {
  const all = Object.entries(sheets).map(([name, [header = [], ...rows]]) => ({
    ...{ name, rows },
    columns: header.map((title) => ({ title: String(title) })),
  }))
  return written((out) => writeXlsx(out, all))
}

test("sheets of items are joined to their tasks, and what is wrong comes back as a whole workbook", async (t) => {
  const app = await aScene(t)
  const book = await aBook({
    Tasks: [
      ["ID", "Customer", "Job"],
      ["A", "Ada", "Install"],
      ["B", "Ben", "Repair"],
      ["C", "Cy", "Install"],
      ["A", "Ada again", "Install"],
    ],
    Checks: [
      ["ID", "Item"],
      ["C", "Fuse"],
    ],
    order: [
      ["Price", "Qty", "Item", "ID"],
      [8.5, 2, "Valve", "B"],
      [1, "two", "", "A"],
      [0.75, 4, "Gasket", "B"],
      [1, -1, "Nut", "A"],
      [1, 1, "Bolt", "Z"],
      [1, 1, "Tape", ""],
    ],
  })
  const done = await app.bringIn("book.xlsx", book)
  assert.deepEqual([done.status, done.totalRows, done.totalValid, done.totalInvalid], ["partially", 5, 2, 3])
  assert.deepEqual(await app.reasons(done._id), [
    "2  Order: Item: is required (row 3 of its sheet); Order: Qty: must be a number (row 3 of its sheet); Order: Qty: must be 0 or more (row 5 of its sheet)",
    "6  ID: not found in the main sheet",
    "7  ID: is required",
  ])
  const [ben, cy] = await app.tasks()
  assert.deepEqual([ben?.customer, ben?.order], ["Ben", [item("Valve", 2, 8.5), item("Gasket", 4, 0.75)]])
  assert.deepEqual([cy?.order, cy?.checks], [null, [item("Fuse", 0)]])
  const failed = await app.fileAt(done.fileFailedImported)
  assert.deepEqual((await textsOf(t, failed)).slice(1, 3), [
    ["A", "Ada", "Install", "2", (await app.reasons(done._id))[0]?.slice(3)],
    ["A", "Ada again", "Install", "5"],
  ])
  assert.deepEqual(await textsOf(t, failed, "Order"), [
    ["ID", "Item", "Qty", "Price", "Qty Processed"],
    ["A", "", "two", "1"],
    ["A", "Nut", "-1", "1"],
    ["Z", "Bolt", "1", "1"],
    ["", "Tape", "1", "1"],
  ])
  const corrected = await aBook({
    "Failed rows": [
      ["ID", "Customer", "Job", "Row", "Error Message"],
      ["A", "Ada", "Install", "2", "Order: no"],
      ["Z", "Zed", "Repair", "6", "ID: not found in the main sheet"],
    ],
    Order: [
      ["ID", "Item", "Qty", "Price"],
      ["A", "Washer", 2, 1],
      ["Z", "Bolt", 1, 1],
    ],
  })
  const again = await app.bringIn(`failed_book_${done._id}.xlsx`, corrected)
  assert.deepEqual([again.status, again.totalValid, again.continues], ["success", 2, done._id])
  const orders = (await app.tasks()).map(({ refId, order }) => [refId, (order as unknown[] | null)?.length])
  assert.deepEqual(orders.sort(), [
    ["A", 1],
    ["B", 2],
    ["C", undefined],
    ["Z", 1],
  ])
})

test("an export with its items goes in again as an upsert without a change; a changed item is one", async (t) => {
  const app = await aScene(t)
  const done = await app.bringIn(
    "orders.csv",
    `ID,Customer,Job,Packing,Order: Item,Order: Qty,Order: Price,Checks: Item
1,Ada Birch,Install,5,Valve,2,8.5,Fuse
1,,,,Gasket,0,0.1,
2,Ben Cole,Repair,,Valve,1,,
3,Cy Dunn,Repair,,,,,
`,
  )
  assert.equal(done.status, "success", JSON.stringify(await app.reasons(done._id)))
  const before = await app.tasks()
  for (const download of ["xlsx", "csv"]) {
    const { link } = (await app.me.post("/tasks/export", { download, sortOrder: "asc" })).json().data
    const file = await app.fileAt(link)
    const same = await app.bringIn(`same.${download}`, file, { mode: "upsert" })
    assert.deepEqual(
      [same.status, same.totalRows, same.totalCreated, same.totalChanged],
      ["success", 3, 0, 0],
      `${download}: ${await app.reasons(same._id)}`,
    )
  }
  assert.deepEqual(await app.tasks(), before)
  const changed = await aBook({
    Tasks: [["ID"], [String(before[0]?._id)], [String(before[1]?._id)]],
    Order: [
      ["ID", "Item", "Qty", "Price"],
      [String(before[0]?._id), "Valve", 3, ""],
      [String(before[0]?._id), "Gasket", 0, 0.1],
      [String(before[1]?._id), "Valve", 1, ""],
    ],
  })
  const update = await app.bringIn("changed.xlsx", changed, { mode: "update" })
  assert.deepEqual([update.totalChanged, update.totalInvalid], [1, 0], String(await app.reasons(update._id)))
  assert.deepEqual((await app.tasks())[0]?.order, [item("Valve", 3, 8.5), item("Gasket", 0, 0.1)])
  await app.me.post(`/import-monitoring/${update._id}/undo`)
  assert.deepEqual((await app.tasks())[0]?.order, before[0]?.order)
})

test("the template of a flow with a bill has a sheet for its items, and its sample goes in", async (t) => {
  const app = await aScene(t)
  const { url } = (await app.me.get(`/import-template?type=task&flowId=${app.flow.id}`)).json().data
  const file = await app.fileAt(url)
  const sheet = await openSheet(aFile(t, file))
  assert.deepEqual(
    sheet.sheets.filter(({ visible }) => visible).map(({ name }) => name),
    ["Orders", "Order", "Checks"],
  )
  await sheet.close()
  assert.deepEqual((await textsOf(t, file))[0], [
    ...["ID", "Customer*", "Point", "Job*", "Packing", "Start Time", "End Time", "Assignee"],
  ])
  assert.deepEqual(await textsOf(t, file, "Order"), [
    ["ID", "Item*", "Qty*", "Price"],
    ["1", "Valve", "1", "1"],
  ])
  const done = await app.bringIn("filled.xlsx", file)
  assert.equal(done.status, "success", String(await app.reasons(done._id)))
  const [task] = await app.tasks()
  assert.deepEqual([task?.order, task?.checks], [[item("Valve", 1, 1)], [item("Sample", 0)]])
})

test("the key of a record fills what a line leaves empty; an unknown key is a problem of its line", async (t) => {
  const app = await testApp(t)
  const org = await anOrganization(app.sql)
  const hub = await aHub(app.sql, { org })
  const elsewhere = await aHub(app.sql, { org })
  const me = app.as(org.owner)
  const field = (id: string, type: string, title = id) => ({ id, type, title })
  const sites = await aDataType(app.sql, {
    org,
    fields: [
      field("dataId", "primaryKey"),
      field("name", "text"),
      field("spot", "geolocation"),
      field("owner", "text"),
    ],
  })
  const goods = await aDataType(app.sql, {
    ...{ org, commonData: true },
    fields: [field("dataId", "primaryKey"), field("label", "text"), field("price", "number")],
  })
  const names = ["S-1", "S-2"].map((dataId) => ({
    dataId,
    values: { name: `Site ${dataId}`, spot: "52.1,4.3", owner: "V-1" },
  }))
  for (const query of names) await aRecord(app.sql, { ...query, org, type: sites, hub })
  await aRecord(app.sql, { org, type: sites, hub: elsewhere, dataId: "S-9", values: { name: "Far" } })
  await aRecord(app.sql, { org, type: goods, dataId: "V-1", values: { label: "Valve", price: 8.5 } })
  const map = (id: string, componentId: string, primaryKey = false) => ({ id, componentId, primaryKey })
  const flow = {
    name: "Visit site",
    pages: [
      {
        id: "page0",
        components: [
          input("site", "Site", "String", { required: true }),
          input("siteName", "Site name", "String", { required: true, showAs: "title" }),
          input("spot", "Spot", "Geolocation"),
          { id: "order", component: "bill", title: "Order", useDataSource: true },
        ],
      },
    ],
    configurations: [
      {
        id: "dataSource",
        list: [
          {
            typeId: sites.id,
            fields: [map("dataId", "site", true), map("name", "siteName"), map("spot", "spot")],
          },
          {
            typeId: goods.id,
            fields: [
              map("dataId", "order", true),
              map("label", "order.itemName"),
              map("price", "order.itemPrice"),
            ],
          },
        ],
      },
    ],
  }
  const made = await me.expect(201).post("/flow", flow)
  const scene = { ...app, me, hub, flow: { id: made.json().flow._id } }
  const bringIn = async (content: string, more = {}) => {
    const reply = await importFile(scene, { filename: "sites.csv", content }, "?force=true", more)
    assert.equal(reply.statusCode, 200, reply.body)
    return finishImport(scene, reply.json().data._id)
  }
  const content =
    'ID,Site,Spot,Order: Item,Order: Qty\n1,S-1,,V-1,2\n2,S-2,"51.5,4.5",,\n3,S-9,,,\n4,S-1,,V-7,1\n'
  const done = await bringIn(content)
  const failed = (await me.get(`/import-monitoring/${done._id}/failed-rows`)).json().data.data
  assert.deepEqual(
    failed.map(({ row, message }: { row: number; message: string }) => `${row}  ${message}`),
    ["4  Site: is not in the data source", "5  Order: is not in the data source"],
  )
  const [first, second] = (await me.get("/tasks?sortBy=orderIndex&sortOrder=asc")).json().tasks.data
  assert.deepEqual(
    [first.title, first.spot, first.expectedCoordinate ?? null],
    ["Site S-1", "52.1,4.3", null],
  )
  const [{ data, ...valve }] = first.order
  assert.deepEqual(valve, { title: "Valve", content: null, qty: 2, unitPrice: 8.5, qtyProcessed: null })
  assert.deepEqual([data.dataId, data.value], ["V-1", { label: "Valve", price: 8.5 }])
  assert.deepEqual([second.title, second.spot, second.order], ["Site S-2", "51.5,4.5", null])
  const again = await bringIn(content, { mode: "upsert" })
  assert.deepEqual([again.totalCreated, again.totalChanged, again.totalInvalid], [0, 0, 2])
})

test("imported tasks come with the tasks of their sub-flows, and undoing takes these back too", async (t) => {
  const app = await aScene(t)
  const subFlow = { flowId: app.flow.id, values: { customer: "$refFlow.who", job: "Install" } }
  const components = [
    input("who", "Who", "String", { showAs: "title" }),
    { id: "part", component: "view", title: "Part", subFlow },
  ]
  const made = await app.me.post("/flow", { name: "Whole", pages: [{ id: "page0", components }] })
  const scene = { ...app, flow: { id: made.json().flow._id } }
  const { _id } = (await importFile(scene, { filename: "a.csv", content: 'Who\nAda\n""\nBen\n' })).json().data
  const done = await finishImport(scene, _id)
  assert.deepEqual([done.status, done.totalValid, done.totalCreated], ["success", 2, 2])
  const tasks = await app.tasks()
  assert.deepEqual(tasks.map(({ taskType, title }) => `${taskType} ${title}`).sort(), [
    "taskChild Ada",
    "taskChild Ben",
    "taskMaster Ada",
    "taskMaster Ben",
  ])
  const touched = tasks.find(({ taskType, title }) => taskType === "taskChild" && title === "Ben")
  await app.me.patch(`/task/${touched?._id}`, { customer: "Benny" })
  const { undoResult } = (await app.me.post(`/import-monitoring/${_id}/undo`)).json().data
  assert.deepEqual([undoResult.removed, undoResult.kept], [1, 1])
  assert.deepEqual((await app.tasks()).map(({ title }) => title).sort(), ["Ben", "Benny"])
})
