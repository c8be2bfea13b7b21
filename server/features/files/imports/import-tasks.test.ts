import assert from "node:assert/strict"
import { test } from "node:test"
import { cellToText } from "#packages/spreadsheets/cell-text.ts"
import { aFile } from "#packages/spreadsheets/fixtures/files.ts"
import { openSheet } from "#packages/spreadsheets/open-sheet.ts"
import { aFlow, aHub, anOrganization, aUser } from "#samples/builders.ts"
import { testApp } from "#testing/test-app.ts"
import { finishImport, importFile, meterSwapPages } from "./fixtures/imports.ts"

const header = "Customer,Street,Point,Slot,Load,Load Unit,Job,Fee,Note,Start Time,End Time,Assignee\n"

async function aMeterSwap(t: Parameters<typeof testApp>[0]) {
  const app = await testApp(t)
  const org = await anOrganization(app.sql)
  const hub = await aHub(app.sql, { org })
  const flow = await aFlow(app.sql, { org, name: "Meter Swap", pages: meterSwapPages })
  const worker = await aUser(app.sql, { org, role: "field user", hubs: [hub] })
  return { ...app, org, hub, flow, worker, me: app.as(org.owner) }
}

test("rows of a CSV become tasks with times, people and values as the flow has them", async (t) => {
  const app = await aMeterSwap(t)
  const content = `${header}Ada Birch,12 Fern Road,"51.4600,-2.5800",09:30,2.5,KG,Install,45,Ring twice,2025-07-01T08:00:00+00:00,2025-07-01T17:00:00+00:00,${app.worker.email}
Ben Cole,7 Moss Street,"51.4611,-2.5822",,,,repair,,,,,
`
  const reply = await importFile(app, { filename: "work.csv", content })
  assert.equal(reply.statusCode, 200, reply.body)
  const accepted = reply.json().data
  assert.equal(accepted.status, "onprocess")
  assert.deepEqual([accepted.totalRows, accepted.totalChunks, accepted.totalValid], [2, 1, 0])
  assert.equal(accepted.flowName, "Meter Swap")
  const done = await finishImport(app, accepted._id)
  assert.deepEqual([done.status, done.totalValid, done.totalInvalid], ["success", 2, 0])
  assert.equal(done.errorMessage, null)
  const { tasks } = (await app.me.get("/tasks?sortBy=orderIndex&sortOrder=asc")).json()
  const [ada, ben] = tasks.data
  assert.equal(ada.status, "ONGOING")
  assert.deepEqual(ada.assignee, [app.worker.email])
  assert.equal(ada.startTime, "2025-07-01T08:00:00+00:00")
  assert.deepEqual(
    [ada.customer, ada.point, ada.load, ada.load_unit, ada.fee],
    ["Ada Birch", "51.4600,-2.5800", 2.5, "KG", 45],
  )
  assert.deepEqual(
    [ben.status, ben.job, ben.fee],
    ["UNASSIGNED", ["Repair"], null],
    "ruling 35: a list for a select",
  )
})

test("tasks of one import are in the order of the file when they are listed by the time of their making", async (t) => {
  const app = await aMeterSwap(t)
  const names = Array.from({ length: 12 }, (_, index) => `Stop ${index}`)
  const content = `Customer,Job\n${names.map((name) => `${name},Install\n`).join("")}`
  const { _id } = (await importFile(app, { filename: "order.csv", content })).json().data
  await finishImport(app, _id)
  const { tasks } = (await app.me.get("/tasks?sortBy=createdTime&sortOrder=asc")).json()
  assert.deepEqual(
    tasks.data.map((task: { customer: string }) => task.customer),
    names,
  )
})

test("each refused row is reported with every reason, and comes back as a workbook", async (t) => {
  const app = await aMeterSwap(t)
  const content = `${header},12 Fern Road,"51.4600,-2.5800",09:30,2,KG,Install,45,,,,
Cy Dunn,1 Oak Way,51.4600;-2.5800,09:30,2,KG,Install,45,,,,
Di Eves,2 Oak Way,"51.4600,-2.5800",9h30,2,LB,Install,45,,,,
Ed Farr,3 Oak Way,"51.4600,-2.5800",09:30,2,KG,Polish,free,,,,
Fi Gray,4 Oak Way,"51.4600,-2.5800",09:30,2,KG,Install,45,,2025-07-02 10:00:00,2025-07-01 10:00:00,
Gil Hay,5 Oak Way,"51.4600,-2.5800",09:30,2,KG,Install,45,,,,ghost@acme.test
Ivy Jay,6 Oak Way,"51.4600,-2.5800",09:30,2,KG,Install,45,,,,
`
  const { _id } = (await importFile(app, { filename: "bad.csv", content })).json().data
  const done = await finishImport(app, _id)
  assert.deepEqual([done.totalRows, done.totalValid, done.totalInvalid, done.status], [7, 1, 6, "partially"])
  const failed = (await app.me.get(`/import-monitoring/${_id}/failed-rows`)).json()
  const lines = failed.data.data.map((row: { row: number; message: string }) => `${row.row}  ${row.message}`)
  assert.deepEqual(lines, [
    "2  Customer: is required",
    "3  Point: must be latitude,longitude",
    "4  Slot: must be a time, for example 09:30; Load Unit: is not an allowed option",
    "5  Job: is not an allowed option; Fee: must be a number",
    "6  End Time: must be after Start Time",
    "7  Assignee: is not a user of this hub",
  ])
  const name = new URL(done.fileFailedImported).pathname.split("/").at(-1)
  assert.equal(name, `failed_bad_${_id}.xlsx`)
  const file = await app.app.inject({ url: done.fileFailedImported.replace("http://fieldway.test", "") })
  const sheet = await openSheet(aFile(t, file.rawPayload))
  const rows = await Array.fromAsync(sheet.rows(), ({ cells }) => cells.map((cell) => cellToText(cell)))
  await sheet.close()
  assert.deepEqual(rows[0]?.slice(-3), ["Assignee", "Row", "Error Message"])
  assert.deepEqual(rows[2]?.slice(0, 3), ["Cy Dunn", "1 Oak Way", "51.4600;-2.5800"])
  assert.deepEqual(rows[6]?.slice(-2), ["7", "Assignee: is not a user of this hub"])
})

test("a field that the file lacks takes one value for all rows", async (t) => {
  const app = await aMeterSwap(t)
  const parts = { type: "task", flowId: app.flow.id, hubId: app.hub.id }
  const file = { filename: "names.csv", content: "Customer\nKai Ray\nAda Low\n" }
  const columns = JSON.stringify({ job: { value: "Repair" }, note: { value: "Ring twice" } })
  const preview = (await app.me.upload("/data/import/preview", { file, ...parts, columns })).json().data
  assert.deepEqual([preview.columns.job, preview.missing, preview.problem], [{ value: "Repair" }, [], null])
  const { data } = (await app.me.upload("/data/import", { file, ...parts, columns })).json()
  await finishImport(app, data._id)
  const tasks: { job: string; note: string }[] = (await app.me.get("/tasks")).json().tasks.data
  assert.equal(tasks.map(({ job, note }) => `${job} ${note}`).join(), "Repair Ring twice,Repair Ring twice")
  const refused = await app.me.upload("/data/import", { file, ...parts, columns: '{"job":{"value":""}}' })
  assert.deepEqual([refused.statusCode, /for all rows/.test(refused.body)], [400, true], refused.body)
})

test("columns are mapped by hand, two of them to a coordinate, as the preview suggests", async (t) => {
  const app = await aMeterSwap(t)
  const content =
    "ident;who;latitude_deg;longitude_deg;kind\nX1;Kai Ray;51,25;-2,5;Install\nX2;;9999;-2,5;Install\n"
  await app.sql`update organizations set language = 'id' where id = ${app.org.id}`
  const parts = { type: "task", flowId: app.flow.id, hubId: app.hub.id }
  const file = { filename: "mapped.csv", content }
  const preview = (await app.me.upload("/data/import/preview", { file, ...parts })).json().data
  assert.deepEqual(preview.headers, ["ident", "who", "latitude_deg", "longitude_deg", "kind"])
  assert.deepEqual(preview.rows[0], { row: 2, values: ["X1", "Kai Ray", "51,25", "-2,5", "Install"] })
  assert.deepEqual(preview.columns.point, ["latitude_deg", "longitude_deg"])
  assert.deepEqual(preview.missing, ["Customer", "Job"])
  const columns = JSON.stringify({
    customer: "who",
    Point: ["latitude_deg", "longitude_deg"],
    job: "kind",
    ID: "ident",
  })
  const { _id } = (await app.me.upload("/data/import", { file, ...parts, columns })).json().data
  const done = await finishImport(app, _id)
  const failed = (await app.me.get(`/import-monitoring/${_id}/failed-rows`)).json().data.data[0].message
  const reasons = "who: is required; latitude_deg, longitude_deg: must be latitude,longitude"
  assert.deepEqual([done.status, failed], ["partially", reasons], JSON.stringify(done))
  const [{ customer, point, job, refId }] = (await app.me.get("/tasks")).json().tasks.data
  assert.deepEqual([customer, point, job, refId], ["Kai Ray", "51.25,-2.5", ["Install"], "X1"])
})

test("headers of an export in the organization's language are understood, and no other time is taken for them", async (t) => {
  const app = await aMeterSwap(t)
  const header = "ID,Synced Time,Waktu Mulai,Waktu Selesai,Penerima Tugas,Customer,Job"
  const file = { filename: "again.csv", content: `${header}\n1,,2031-05-04 08:00:00,,,Kai Ray,Install\n` }
  const parts = { type: "task", flowId: app.flow.id, hubId: app.hub.id }
  const { columns, unknown } = (await app.me.upload("/data/import/preview", { file, ...parts })).json().data
  assert.deepEqual(
    [columns.startTime, columns.endTime, columns.assignee],
    ["Waktu Mulai", "Waktu Selesai", "Penerima Tugas"],
  )
  assert.deepEqual(unknown, ["Synced Time"])
})

test("a file without a required column fails as a whole and says which", async (t) => {
  const app = await aMeterSwap(t)
  const { _id } = (await importFile(app, { filename: "x.csv", content: "Street,Job\nA 1,Install\n" })).json()
    .data
  const done = await finishImport(app, _id)
  assert.deepEqual(
    [done.status, done.errorMessage],
    ["failed", "File validation failed: missing column Customer"],
  )
  assert.deepEqual([done.totalValid, done.totalInvalid, done.processedChunks], [0, 0, 0])
})

test("what cannot be imported is refused at once with the wire's codes", async (t) => {
  const app = await aMeterSwap(t)
  const parts = { type: "task", flowId: app.flow.id, hubId: app.hub.id }
  const file = { filename: "a.csv", content: "Customer,Job\nA,Install\n" }
  const send = async (changed: Record<string, string | { filename: string; content: string | Buffer }>) => {
    const reply = await app.me.upload("/data/import", { file, ...parts, ...changed })
    return `${reply.statusCode} ${reply.json().failedCode}`
  }
  const foreign = await anOrganization(app.sql)
  const foreignHub = await aHub(app.sql, { org: foreign })
  assert.equal(await send({ file: "not a file" }), "400 import-001")
  assert.equal(await send({ flowId: "" }), "400 import-001")
  assert.equal(await send({ file: { filename: "a.pdf", content: "x" } }), "422 import-002")
  assert.equal(await send({ file: { filename: "a.xlsx", content: "%PDF-1.7 nothing" } }), "422 import-002")
  assert.equal(
    await send({ file: { filename: "a.csv", content: 'Customer,Job\nA,"Inst' } }),
    "422 import-002",
  )
  assert.equal(await send({ type: "person" }), "400 import-003")
  assert.equal(await send({ mode: "replace" }), "400 import-003")
  assert.equal(await send({ columns: "{" }), "400 import-003")
  assert.equal(await send({ columns: '{"customer":"Nobody"}' }), "400 import-003")
  assert.equal(await send({ flowId: app.hub.id }), "422 import-002")
  assert.equal(await send({ hubId: foreignHub.id }), "422 import-002")
  const left = await app.sql`select 1 from imports where organization_id = ${app.org.id}`
  assert.equal(left.length, 0)
})

test("the same file again within the hour is recognised; force=true and a dry run go through", async (t) => {
  const app = await aMeterSwap(t)
  const file = { filename: "a.csv", content: "Customer,Job\nA,Install\n" }
  const both = await Promise.all([importFile(app, file), importFile(app, file)])
  assert.deepEqual(both.map(({ statusCode }) => statusCode).sort(), [200, 409])
  const refused = both.find(({ statusCode }) => statusCode === 409)?.json()
  const made = both.find(({ statusCode }) => statusCode === 200)?.json().data
  assert.equal(refused.failedCode, "import-031")
  assert.equal(refused.data._id, made._id)
  const tried = (await importFile(app, file, "?dryRun=true")).json().data
  assert.deepEqual([(await finishImport(app, tried._id)).totalValid, tried.dryRun], [1, true])
  assert.equal((await app.me.get("/tasks")).json().tasks.total, 0)
  assert.equal((await importFile(app, file, "?force=true")).statusCode, 200)
})

test("a row that was exported comes back as an update without a change", async (t) => {
  const app = await aMeterSwap(t)
  const row = 'A1,Ada Birch,"51.46,-2.58",Install,2.50,2031-05-04 08:00:00,2031-05-04 09:00:00\n'
  const titles = "ID,Customer,Point,Job,Load,Start Time,End Time\n"
  const first = (await importFile(app, { filename: "a.csv", content: titles + row })).json().data
  await finishImport(app, first._id)
  const again = { filename: "b.csv", content: `${titles}${row}A2,Bo Clay,"51.46,-2.58",Repair,1,,\n` }
  const second = (await importFile(app, again, "", { mode: "upsert" })).json().data
  const done = await finishImport(app, second._id)
  assert.deepEqual([done.status, done.totalCreated, done.totalChanged], ["success", 1, 0])
  const third = { filename: "c.csv", content: "ID,Load\nA1,7\nA9,1\n" }
  const { _id } = (await importFile(app, third, "", { mode: "update" })).json().data
  const updated = await finishImport(app, _id)
  assert.deepEqual([updated.status, updated.totalChanged, updated.totalInvalid], ["partially", 1, 1])
  const { tasks } = (await app.me.get("/tasks?sortBy=refId&sortOrder=asc")).json()
  assert.deepEqual(
    tasks.data.map((task: { refId: string; load: number }) => [task.refId, task.load]),
    [
      ["A1", 7],
      ["A2", 1],
    ],
  )
})

test("undo removes what an import made and restores what it changed, but not what somebody touched", async (t) => {
  const app = await aMeterSwap(t)
  const make = { filename: "a.csv", content: "ID,Customer,Job\nU1,One,Install\nU2,Two,Install\n" }
  const first = (await importFile(app, make)).json().data
  await finishImport(app, first._id)
  const change = {
    filename: "b.csv",
    content: "ID,Customer,Job\nU1,Uno,Install\nU2,Due,Install\nU3,Tre,Install\n",
  }
  const second = (await importFile(app, change, "", { mode: "upsert" })).json().data
  await finishImport(app, second._id)
  const tasks = async () => {
    const { data } = (await app.me.get("/tasks?sortBy=refId&sortOrder=asc")).json().tasks
    return data as { _id: string; refId: string; customer: string }[]
  }
  const all = await tasks()
  const touched = all.find(({ refId }) => refId === "U2")
  await app.me.patch(`/task/${touched?._id}`, { note: "called" })
  const undone = (await app.me.post(`/import-monitoring/${second._id}/undo`)).json().data
  assert.deepEqual(undone.undoResult, {
    removed: 1,
    restored: 1,
    kept: 1,
    keptIds: [touched?._id],
    isComplete: true,
  })
  assert.deepEqual(
    (await tasks()).map(({ refId, customer }) => [refId, customer]),
    [
      ["U1", "One"],
      ["U2", "Due"],
    ],
  )
  assert.equal((await app.me.post(`/import-monitoring/${second._id}/undo`)).statusCode, 409)
  const order = "lazyLoad=1&sortBy=refId&sortOrder=desc"
  const gone = all.find(({ refId }) => refId === "U3")?._id
  const after = (await app.me.get(`/tasks?${order}&cursor=${gone}`)).json().tasks.data as { refId: string }[]
  assert.deepEqual(
    after.map(({ refId }) => refId),
    ["U2", "U1"],
    "the id of a task that was undone is a cursor",
  )
})

test("base fields of the catalogue are read where a file has them, and written once", async (t) => {
  const app = await aMeterSwap(t)
  const file = {
    filename: "expected.csv",
    content: "ID,Customer,Job,Expected Done Time\nE1,One,Install,2031-05-04 10:00:00\nE2,Two,Install,soon\n",
  }
  const first = (await importFile(app, file, "", { mode: "upsert" })).json().data
  assert.deepEqual(
    await finishImport(app, first._id).then(({ totalValid, totalInvalid }) => [totalValid, totalInvalid]),
    [1, 1],
  )
  const [task] = (await app.me.get("/tasks")).json().tasks.data
  assert.deepEqual(
    [task.expectedDoneTime, task.routePlannedOrder, task.visitGroup],
    ["2031-05-04T10:00:00+00:00", null, null],
  )
  const again = (await importFile(app, file, "", { mode: "upsert" })).json().data
  await finishImport(app, again._id)
  const [same] = (await app.me.get("/tasks")).json().tasks.data
  assert.equal(same.updatedTime, task.updatedTime)
  assert.equal(same.histories.length, task.histories.length, "the second import changed nothing")
})

test("a corrected file of failed rows continues the import, and brings each row in once", async (t) => {
  const app = await aMeterSwap(t)
  const first = (
    await importFile(app, { filename: "list.csv", content: "Customer,Job\nA,Install\n,Install\nC,Polish\n" })
  ).json().data
  await finishImport(app, first._id)
  const content = "Customer,Job,Row,Error Message\nB,Install,3,Customer: is required\nC,Repair,4,Job: no\n"
  const file = { filename: `failed_list_${first._id}.csv`, content }
  const again = (await app.me.upload("/data/import", { file, continues: first._id })).json().data
  assert.deepEqual([again.continues, again.flowId], [first._id, app.flow.id])
  assert.equal((await finishImport(app, again._id)).totalValid, 2)
  const twice = (await app.me.upload("/data/import?force=true", { file, continues: first._id })).json().data
  const done = await finishImport(app, twice._id)
  assert.deepEqual([done.status, done.totalValid], ["failed", 0])
  assert.equal((await app.me.get("/tasks")).json().tasks.total, 3)
})

test("a cancelled import stops and keeps what it wrote", async (t) => {
  const app = await aMeterSwap(t)
  const { _id } = (await importFile(app, { filename: "a.csv", content: "Customer,Job\nA,Install\n" })).json()
    .data
  const cancelled = (await app.me.post(`/import-monitoring/${_id}/cancel`)).json().data
  assert.match(cancelled.cancelledTime, /^\d{4}-/)
  const done = await finishImport(app, _id)
  assert.deepEqual([done.status, done.errorMessage], ["failed", "Cancelled after 0 of 1 rows"])
  assert.equal((await app.me.post(`/import-monitoring/${_id}/cancel`)).statusCode, 409)
})

test("the template of a flow has its columns, with drop-downs for what is chosen", async (t) => {
  const app = await aMeterSwap(t)
  const { url } = (await app.me.get(`/import-template?type=task&flowId=${app.flow.id}`)).json().data
  const file = await app.app.inject({ url: url.replace("http://fieldway.test", "") })
  const sheet = await openSheet(aFile(t, file.rawPayload))
  const [titles] = await Array.fromAsync(sheet.rows(), ({ cells }) => cells.map((cell) => cellToText(cell)))
  await sheet.close()
  const filled = await importFile(app, { filename: "filled.xlsx", content: file.rawPayload })
  assert.equal((await finishImport(app, filled.json().data._id)).status, "success", "the sample row is good")
  assert.deepEqual(titles, [
    "Customer*",
    "Street",
    "Point",
    "Slot",
    "Load",
    "Load Unit",
    "Job*",
    "Fee",
    "Note",
    "Start Time",
    "End Time",
    "Assignee",
  ])
})
