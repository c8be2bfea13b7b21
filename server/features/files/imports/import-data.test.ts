import assert from "node:assert/strict"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { type TestContext, test } from "node:test"
import { aHub, anOrganization } from "#samples/builders.ts"
import { testApp } from "#testing/test-app.ts"
import { finishImport } from "./fixtures/imports.ts"

const field = (id: string, title: string, type: string, more: Record<string, unknown> = {}) => ({
  id,
  title,
  type,
  ...more,
})

const fields = [
  field("dataId", "Partner Code", "primaryKey", { primaryKey: true, required: true }),
  field("partnerName", "Partner Name", "text", { required: true }),
  field("crates", "Crates", "number"),
  field("grade", "Grade", "option", { optionData: ["gold", "silver"] }),
  field("opensAt", "Opens At", "time"),
  field("contractEnd", "Contract End", "date"),
  field("active", "Active", "boolean"),
  field("spot", "Spot", "geolocation", { required: true }),
  field("phone", "Phone", "phoneNumber"),
  field("lastAudit", "Last Audit", "dateTime"),
]

async function aDepotType(t: TestContext) {
  const app = await testApp(t)
  const org = await anOrganization(app.sql)
  const hub = await aHub(app.sql, { org })
  const me = app.as(org.owner)
  const made = await me.expect(201).post("/data-type", {
    name: `Depot${org.id}`,
    fields,
    limitUser: false,
    commonData: false,
  })
  const type = made.json().data_type
  const send = async (
    content: string | Buffer,
    more: Record<string, string> = {},
    filename = "depots.csv",
  ) => {
    const reply = await me.expect(200).upload("/data/import", {
      file: { filename, content },
      dataTypeId: type._id,
      hubId: hub.id,
      ...more,
    })
    return finishImport({ ...app, me }, reply.json().data._id)
  }
  const records = async () =>
    (await me.get(`/data?dataTypeId=${type._id}&sortBy=dataId&sortOrder=asc`)).json().data.data
  const failures = async (importId: string) =>
    (await me.get(`/import-monitoring/${importId}/failed-rows`))
      .json()
      .data.data.map((row: { row: number; message: string }) => `${row.row}  ${row.message}`)
  return { ...app, org, hub, me, type, send, records, failures }
}

const header = "Partner Code,Partner Name,Crates,Grade,Opens At,Contract End,Active,Spot,Phone,Last Audit\n"
const good = `${header}DP-301,Harbour Lane Depot,40,gold,06:30,2026-03-31,true,"51.4545,-2.5879",+44 117 496 0111,2025-05-02 14:05:00
DP-302,Mill Yard,12.5,silver,07:00:00,2026-12-31,no,"51.4480,-2.6012",,2025-05-03T09:00:00+01:00
DP-303,Quay Stores,,,,,,"51.4501,-2.5950",,
`

test("rows with an address instead of a coordinate are located, and doubtful places are listed", async (t) => {
  const geocoder = createServer((request, reply) => {
    const query = new URL(request.url ?? "", "http://localhost").searchParams.get("q") ?? ""
    const rank = query.includes("Lane") ? 30 : 26
    const known = query.includes("Reed") ? [{ lat: "51.482", lon: "-2.561", place_rank: rank }] : []
    reply.end(JSON.stringify(known))
  }).listen(0, "127.0.0.1")
  t.after(() => geocoder.close())
  await once(geocoder, "listening")
  const app = await aDepotType(t)
  const { port } = geocoder.address() as AddressInfo
  app.config.geocoderUrl = `http://127.0.0.1:${port}`
  t.after(() => {
    app.config.geocoderUrl = undefined
  })
  const rows = "A,Sure,,,,,,9 Reed Lane,,\nB,Street only,,,,,,Reed Street,,\nC,Unknown,,,,,,Nowhere 1,,\n"
  const done = await app.send(header + rows)
  assert.deepEqual([done.totalValid, done.totalInvalid], [2, 1])
  assert.deepEqual(await app.failures(done._id), ["4  Spot: must be latitude,longitude"])
  const stored = await app.records()
  assert.deepEqual(
    stored.map((record: { spot: string }) => record.spot),
    ["51.482,-2.561", "51.482,-2.561"],
  )
  const doubtful = async () =>
    (await app.me.get(`/import-monitoring/${done._id}/doubtful-places`)).json().data
  const { isLocating } = (await app.me.get(`/import-monitoring/${done._id}/doubtful-places`)).json()
  assert.equal(isLocating, false)
  const [place, ...others] = await doubtful()
  const { recordId, ...rest } = place
  assert.deepEqual(
    [rest, others.length],
    [
      {
        componentId: "spot",
        address: "Reed Street",
        coordinate: "51.482,-2.561",
        confidence: 0.6,
        title: "B",
      },
      0,
    ],
  )
  await app.me.expect(200).patch(`/data/${recordId}`, { spot: "51.48,-2.56" })
  assert.deepEqual(await doubtful(), [], "somebody corrected it")
})

test("rows become records of a data type, and refused ones say why", async (t) => {
  const app = await aDepotType(t)
  const done = await app.send(good)
  assert.deepEqual([done.status, done.totalRows, done.totalValid, done.totalInvalid], ["success", 3, 3, 0])
  assert.equal(done.dataTypeName, app.type.name)
  const [, mill, quay] = await app.records()
  assert.deepEqual([mill.crates, mill.active], [12.5, false])
  assert.deepEqual(
    [quay.dataId, quay.partnerName, quay.spot, quay.crates],
    ["DP-303", "Quay Stores", "51.4501,-2.5950", undefined],
  )
  const bad =
    await app.send(`${header}DP-301,Harbour Lane Depot,40,gold,06:30,2026-03-31,true,"51.4545,-2.5879",,
,Nameless Key,3,gold,06:30,2026-03-31,true,"51.4545,-2.5879",,
DP-310,Crate Words,forty,gold,06:30,2026-03-31,true,"51.4545,-2.5879",,
DP-311,Odd Grade,4,bronze,06:30,31/03/2026,true,"51.4545,-2.5879",,
DP-312,Far Away,4,gold,25:10,2026-03-31,true,"151.4545,-2.5879",,
DP-313,Good Row,4,Gold,06:30,2026-03-31,TRUE,"51.4545,-2.5879",0117 496 0113,2025-05-04 10:00:00
DP-313,Same Key Again,4,gold,06:30,2026-03-31,true,"51.4545,-2.5879",,
DP-314,,4,gold,06:30,2026-03-31,maybe,"51.4545,-2.5879",12,yesterday
`)
  assert.deepEqual([bad.status, bad.totalValid, bad.totalInvalid], ["partially", 1, 7])
  assert.deepEqual(await app.failures(bad._id), [
    "2  Partner Code: already exists",
    "3  Partner Code: is required",
    "4  Crates: must be a number",
    "5  Grade: is not an allowed option; Contract End: must be a date such as 2031-05-04",
    "6  Opens At: must be a time, for example 09:30; Spot: latitude must be between -90 and 90 and longitude between -180 and 180 (the two may be swapped)",
    "8  Partner Code: is repeated in the file",
    "9  Partner Name: is required; Active: must be true or false; Phone: must be a phone number; Last Audit: must be a date and time, for example 2031-05-04 09:30:00",
  ])
})

test("an exported workbook goes in again as an upsert with zero changes; update refuses unknown keys", async (t) => {
  const app = await aDepotType(t)
  await app.send(good)
  const reply = await app.me
    .expect(200)
    .post(`/data/export?download=xlsx&dataTypeId=${app.type._id}&sortOrder=asc`)
  const { data, total_data_be: count } = reply.json()
  assert.deepEqual([count, data.reportType], [3, "data"])
  const file = await app.app.inject({ url: data.link.replace("http://fieldway.test", "") })
  const again = await app.send(file.rawPayload, { mode: "upsert" }, "depots.xlsx")
  assert.deepEqual(
    [again.status, again.totalValid, again.totalCreated, again.totalChanged],
    ["success", 3, 0, 0],
  )
  const content = "Partner Code,Crates\nDP-301,41\nDP-999,1\n"
  const updated = await app.send(content, { mode: "update" }, "u.csv")
  assert.deepEqual([updated.totalValid, updated.totalChanged], [1, 1])
  assert.deepEqual(await app.failures(updated._id), ["3  Partner Code: does not exist"])
  const undone = (await app.me.post(`/import-monitoring/${updated._id}/undo`)).json().data.undoResult
  assert.deepEqual([undone.restored, undone.kept], [1, 0])
  assert.equal((await app.records())[0].crates, 40)
})

test("ten thousand rows with ten thousand errors end as a report, keys repeated across the file included", async (t) => {
  const app = await aDepotType(t)
  const rows = Array.from({ length: 10_000 }, (_, index) => `K${index % 5_000},,x`)
  const done = await app.send(`Partner Code,Partner Name,Crates,Spot\n${rows.join("\n")}\n`)
  assert.deepEqual([done.status, done.totalInvalid, done.processedChunks], ["failed", 10_000, 100])
  assert.equal(done.errorMessage, "All rows failed validation")
  const { data } = (await app.me.get(`/import-monitoring/${done._id}/failed-rows?page=51&limit=100`)).json()
    .data
  assert.equal(data[0].message, "Partner Code: is repeated in the file")
})

test("keys that occur again batches later are refused, and a database without room in the middle loses and repeats no row", async (t) => {
  const app = await aDepotType(t)
  const keys = [...Array.from({ length: 4_500 }, (_, index) => `K${index}`), "K7", "K4100"]
  const content = `Partner Code,Partner Name,Spot\n${keys.map((key) => `${key},Depot,"51.4,-2.5"\n`).join("")}`
  const reply = await app.me.upload("/data/import", {
    ...{ file: { filename: "many.csv", content }, dataTypeId: app.type._id, hubId: app.hub.id },
  })
  const { _id } = reply.json().data
  const countRecords = async () =>
    (await app.me.get(`/data?dataTypeId=${app.type._id}&limit=1`)).json().data.total
  // The disk is full while the second batch is written; the third one, written meanwhile, must not stay either.
  await app.sql.unsafe(`
    create function no_room() returns trigger language plpgsql as $$ begin
      if exists (select from inserted where data_id = 'K2500') then
        raise exception 'could not extend file' using errcode = 'disk_full';
      end if;
      return null;
    end $$;
    create trigger no_room after insert on data_records referencing new table as inserted
      for each statement execute function no_room()`)
  await assert.rejects(finishImport(app, _id), { code: "53100" })
  const stopped = (await app.me.get(`/import-monitoring/${_id}`)).json().data
  assert.deepEqual([stopped.status, stopped.totalValid, stopped.processedChunks], ["onprocess", 2_000, 20])
  assert.equal(await countRecords(), 2_000)
  await app.sql`drop trigger no_room on data_records`
  const done = await finishImport(app, _id)
  assert.deepEqual([done.status, done.totalValid, done.totalInvalid], ["partially", 4_500, 2])
  assert.equal(await countRecords(), 4_500)
  const repeated = "Partner Code: is repeated in the file"
  assert.deepEqual(await app.failures(_id), [`4502  ${repeated}`, `4503  ${repeated}`])
})

test("a dry run reports what would happen and writes nothing", async (t) => {
  const app = await aDepotType(t)
  await app.send(good)
  const content = `${header}DP-301,Renamed,40,gold,06:30,,,"1,1",,\nDP-400,New,1,gold,,,,"1,1",,\nDP-400,Twice,1,,,,,"1,1",,\n`
  const tried = await app.send(content, { mode: "upsert", dryRun: "true" })
  assert.deepEqual([tried.totalCreated, tried.totalChanged, tried.totalInvalid], [1, 1, 1])
  assert.deepEqual(
    (await app.records()).map((record: { partnerName: string }) => record.partnerName),
    ["Harbour Lane Depot", "Mill Yard", "Quay Stores"],
  )
})
