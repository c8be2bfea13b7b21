import assert from "node:assert/strict"
import { once } from "node:events"
import { readdir } from "node:fs/promises"
import { connect } from "node:net"
import { join } from "node:path"
import { type TestContext, test } from "node:test"
import { aWorkbook, aZip } from "#packages/spreadsheets/fixtures/files.ts"
import { aFlow, aHub, anOrganization } from "#samples/builders.ts"
import { testApp, tokenOf } from "#testing/test-app.ts"
import { finishImport, importFile, meterSwapPages } from "./fixtures/imports.ts"

async function aScene(t: TestContext) {
  const app = await testApp(t, { IMPORT_MAX_BYTES: "11MB" })
  const org = await anOrganization(app.sql)
  const hub = await aHub(app.sql, { org })
  const flow = await aFlow(app.sql, { org, pages: meterSwapPages })
  return { ...app, org, hub, flow, me: app.as(org.owner) }
}

function* zeros(megabytes: number): Generator<Uint8Array> {
  const piece = Buffer.alloc(1024 * 1024, 0x30)
  for (let count = 0; count < megabytes; count++) yield piece
}

test("files that are no honest spreadsheets are refused with a reason, and nothing is kept", async (t) => {
  const app = await aScene(t)
  const cell = (text: string) => `<row r="1"><c r="A1" t="inlineStr"><is><t>${text}</t></is></c></row>`
  const wide = Array.from({ length: 20_000 }, () => '<c t="inlineStr"><is><t>x</t></is></c>').join("")
  const entities = '<!DOCTYPE x [<!ENTITY a "b">]><worksheet><sheetData/></worksheet>'
  const macro = "application/vnd.ms-excel.sheet.macroEnabled.main+xml"
  const bomb = {
    "[Content_Types].xml":
      '<Types><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>',
    "xl/worksheets/sheet1.xml": zeros(300),
  }
  const encrypted = Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.alloc(2_048)])
  const files: Record<string, string | Buffer> = {
    "a PDF": "%PDF-1.7 nothing",
    "an empty file": "",
    "a zip that is no workbook": await aZip({ "a.txt": "x" }),
    "a zip bomb": await aZip(bomb),
    "20,000 columns": await aWorkbook({ sheetData: `<row r="1">${wide}</row>` }),
    "a cell of 10 MB": await aWorkbook({ sheetData: cell("y".repeat(10_000_000)) }),
    entities: await aWorkbook({ sheet: entities }),
    macros: await aWorkbook({ type: macro, sheetData: cell("a") }),
    "a protected or damaged file": encrypted,
    "text that is named as a workbook": "Customer,Job\nA,Install\n",
    "KML with a document type": '<!DOCTYPE k [<!ENTITY a "b">]><kml><Placemark/></kml>',
    "GPX of a track only": '<gpx><trk><trkseg><trkpt lat="1" lon="1"/></trkseg></trk></gpx>',
    "JSON that is not GeoJSON": '{"a": [1, 2]}',
    "JSON of brackets": `{"a":${"[".repeat(100_000)}`,
    "a CSV cut in a quote": 'Customer,Job\n"A,Install\n',
    "a CSV with a cell of 10 MB": `Customer,Job\n"${"y".repeat(10_000_000)}",Install\n`,
  }
  for (const [name, content] of Object.entries(files)) {
    const filename = name.includes("CSV") ? "rows.csv" : "rows.xlsx"
    const reply = await importFile(app, { filename, content })
    assert.equal(`${reply.statusCode} ${reply.json().failedCode}`, "422 import-002", `${name}: ${reply.body}`)
    assert.ok(reply.json().message.length > 10, name)
  }
  const renamed = await importFile(app, { filename: "a.xls", content: "Customer,Job\nA,Install\n" })
  assert.match(renamed.json().message, /named \.xls but contains plain text/)
  const large = await importFile(app, { filename: "big.csv", content: Buffer.alloc(12 * 1024 * 1024, 0x61) })
  assert.equal(`${large.statusCode} ${large.json().failedCode}`, "413 import-002")
  assert.equal((await app.me.get("/import-monitoring")).json().data.total, 0)
  assert.deepEqual(await readdir(join(app.config.dataDir, "uploads")), [])
})

test("places of GPX, KML, KMZ and GeoJSON are previewed, imported with every row accounted for, and undone", async (t) => {
  const app = await aScene(t)
  const kml =
    "<kml><Placemark><name>Aster</name><description>ring</description><Point><coordinates>4.5,52.5</coordinates></Point>" +
    "</Placemark><Placemark><name>Birch</name><Point><coordinates>4.5,99</coordinates></Point></Placemark></kml>"
  const features = [
    { type: "Feature", geometry: { type: "Point", coordinates: [4.5, 52.5] }, properties: { name: "Aster" } },
    { type: "Feature", geometry: { type: "Point", coordinates: [4.5, 99] }, properties: { name: "Birch" } },
  ]
  const files: Record<string, string | Buffer> = {
    "a.gpx":
      '<gpx><wpt lat="52.5" lon="4.5"><name>Aster</name></wpt><wpt lat="99" lon="4.5"><name>Birch</name></wpt></gpx>',
    "a.kml": `<?xml version="1.0" encoding="UTF-8"?>\n${kml}`,
    "a.kmz": await aZip({ "doc.kml": kml, "files/a.png": "x" }),
    "a.geojson": JSON.stringify({ type: "FeatureCollection", features }),
  }
  for (const [filename, content] of Object.entries(files)) {
    const { me, flow, hub } = app
    const parts = { file: { filename, content }, type: "task", flowId: flow.id, hubId: hub.id }
    const { data: preview } = (await me.expect(200).upload("/data/import/preview", parts)).json()
    assert.deepEqual(
      [preview.rowCount, preview.columns.customer, preview.columns.point],
      [2, "Name", "Coordinate"],
      filename,
    )
    const columns = JSON.stringify({ ...preview.columns, job: { value: "Install" } })
    const reply = await importFile(app, { filename, content }, "", { columns })
    const done = await finishImport(app, reply.json().data._id)
    assert.deepEqual([done.totalRows, done.totalCreated, done.totalInvalid], [2, 1, 1], filename)
    const { data: failed } = (await me.get(`/import-monitoring/${done._id}/failed-rows`)).json().data
    assert.deepEqual([failed[0].row, /Coordinate/.test(failed[0].message)], [3, true], failed[0].message)
    const tasks = (await me.get("/tasks?active=true")).json().tasks.data
    assert.deepEqual([tasks.length, tasks[0].customer, tasks[0].point], [1, "Aster", "52.5,4.5"], filename)
    await me.expect(200).post(`/import-monitoring/${done._id}/undo`, {})
    assert.equal((await me.get("/tasks?active=true")).json().tasks.data.length, 0, filename)
  }
})

test("CSV files of any program are read: marks, delimiters, line ends, encodings, blank rows", async (t) => {
  const app = await aScene(t)
  const files: Record<string, string | Buffer> = {
    "bom.csv": "\uFEFFCustomer,Job\r\nZoë,Install\r\n\r\n,\r\n",
    "semicolon.csv": "Customer;Job\nZoë;Install\n",
    "quoted.csv": '"Customer","Job","Note"\n"Zoë","Install","two\nlines, one ""cell"""\n',
    "latin.csv": Buffer.from("Customer,Job\nZo\xeb,Install\n", "latin1"),
  }
  for (const [filename, content] of Object.entries(files)) {
    const reply = await importFile(app, { filename, content })
    const done = await finishImport(app, reply.json().data._id)
    assert.deepEqual([filename, done.status, done.totalRows], [filename, "success", 1])
  }
  const { data } = (await app.me.get("/tasks?sortBy=createdTime")).json().tasks
  assert.deepEqual([...new Set(data.map((task: { customer: string }) => task.customer))], ["Zoë"])
  const empty = (await importFile(app, { filename: "none.csv", content: "Customer,Job\n" })).json().data
  const done = await finishImport(app, empty._id)
  assert.deepEqual(
    [done.status, done.errorMessage],
    ["failed", "File validation failed: there are no rows below the header"],
  )
})

test("a hub that goes while the import waits fails its rows, not the process", async (t) => {
  const app = await aScene(t)
  const { _id } = (await importFile(app, { filename: "a.csv", content: "Customer,Job\nA,Install\n" })).json()
    .data
  await app.sql`delete from hubs where id = ${app.hub.id}`
  const done = await finishImport(app, _id)
  assert.deepEqual([done.status, done.totalInvalid], ["failed", 1])
})

test("an upload whose connection is cut leaves nothing behind", async (t) => {
  const app = await aScene(t)
  if (!app.app.server.listening) await app.app.listen({ port: 0, host: "127.0.0.1" })
  const address = app.app.server.address()
  const port = typeof address === "object" && address ? address.port : 0
  const socket = connect(port, "127.0.0.1")
  await once(socket, "connect")
  const token = await tokenOf(app.sql, app.org.owner)
  socket.write(
    `POST /api/v3/data/import HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 100000\r\n\r\n` +
      `--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nCustomer,Job\n${"A,Install\n".repeat(2_000)}`,
  )
  const answered = new Promise<void>((resolve) =>
    app.app.server.once("request", (_request, reply) => reply.once("close", resolve)),
  )
  await once(app.app.server, "request")
  socket.destroy()
  await answered
  const uploads = join(app.config.dataDir, "uploads")
  while ((await readdir(uploads)).length > 0) await new Promise((resolve) => setImmediate(resolve))
  assert.equal((await app.me.get("/import-monitoring")).json().data.total, 0)
})
