import assert from "node:assert/strict"
import { test } from "node:test"
import { findCaller, toCaller } from "#core/access/caller.ts"
import { hashToken } from "#core/access/token.ts"
import { inTransaction, type Pool } from "#core/database/database.ts"
import { aDataType, aHub, type Person } from "#samples/builders.ts"
import { testOrganization, tokenOf } from "#testing/test-app.ts"
import { holdDataTypes } from "../data-types/index.ts"
import { type Outcome, type RecordInput, type WriteOptions, writeRecords } from "./write-records.ts"

const fields = [
  { id: "dataId", title: "Partner Code" },
  { id: "partnerName", title: "Partner Name", type: "text", required: true },
  { id: "crates", title: "Crates", type: "number" },
  { id: "grade", title: "Grade", type: "option", optionData: ["gold", "silver"] },
  { id: "opensAt", title: "Opens At", type: "time" },
  { id: "contractEnd", title: "Contract End", type: "date" },
  { id: "active", title: "Active", type: "boolean" },
  { id: "spot", title: "Spot", type: "geolocation" },
  { id: "phone", title: "Phone", type: "phoneNumber" },
  { id: "lastAudit", title: "Last Audit", type: "dateTime" },
]

/** Rows as a file gives them: cells in the order of the fields, empty ones left out. */
const row = (...cells: string[]): RecordInput =>
  Object.fromEntries(
    fields.map(({ id }, index) => [id, cells[index] ?? ""]).filter(([, cell]) => cell !== ""),
  )

async function callerOf(sql: Pool, person: Person) {
  const row = await findCaller(sql, person.organizationId, hashToken(await tokenOf(sql, person)))
  assert.ok(row)
  return toCaller(row)
}

async function aDepot() {
  const { sql, app, clock, org } = await testOrganization()
  const [hub, type] = [await aHub(sql, { org }), await aDataType(sql, { org, fields })]
  const caller = await callerOf(sql, org.owner)
  const write = (rows: readonly RecordInput[], options: Partial<WriteOptions> = {}) =>
    inTransaction(sql, async (tx) => {
      const [held] = await holdDataTypes(tx, caller, [type.id])
      assert.ok(held)
      const inHub = rows.map((cells) => ({ ...cells, hubId: hub.id }))
      const all = {
        mode: "create" as const,
        source: "file" as const,
        live: app.live,
        now: clock.now(),
        ...options,
      }
      return writeRecords(tx, caller, held, inHub, all)
    })
  return { sql, hub, type, write }
}

const wordsOf = (outcome: Outcome) =>
  "problems" in outcome
    ? outcome.problems.map(({ title, reason }) => `${title}: ${reason}`).join("; ")
    : outcome.event

test("rows of a file are written, and refused in the words of an import's report", async () => {
  const { sql, type, write } = await aDepot()
  const good = await write([
    row(
      "DP-301",
      "Harbour Lane Depot",
      "40",
      "gold",
      "06:30",
      "2026-03-31",
      "true",
      "51.4545,-2.5879",
      "+44 117 496 0111",
      "2025-05-02 14:05:00",
    ),
    row(
      "DP-302",
      "Mill Yard",
      "12.5",
      "silver",
      "07:00:00",
      "2026-12-31",
      "no",
      "51.4480,-2.6012",
      "",
      "2025-05-03T09:00:00+01:00",
    ),
    row("DP-303", "Quay Stores", "", "", "", "", "", "51.4501,-2.5950"),
  ])
  assert.deepEqual(good.map(wordsOf), ["create", "create", "create"])
  const stored = await sql<{ values: Record<string, unknown> }[]>`
    select "values" from data_records where data_type_id = ${type.id} order by data_id`
  assert.equal(stored[1]?.values.crates, 12.5)
  assert.equal(stored[1]?.values.active, false)
  assert.deepEqual(stored[2]?.values, { partnerName: "Quay Stores", spot: "51.4501,-2.5950" })
  const place = "51.4545,-2.5879"
  const bad = await write([
    row("DP-301", "Harbour Lane Depot", "40", "gold", "06:30", "2026-03-31", "true", place),
    row("", "Nameless Key", "3", "gold", "06:30", "2026-03-31", "true", place),
    row("DP-310", "Crate Words", "forty", "gold", "06:30", "2026-03-31", "true", place),
    row("DP-311", "Odd Grade", "4", "bronze", "06:30", "31/03/2026", "true", place),
    row("DP-312", "Far Away", "4", "gold", "25:10", "2026-03-31", "true", "151.4545,-2.5879"),
    row(
      "DP-313",
      "Good Row",
      "4",
      "Gold",
      "06:30",
      "2026-03-31",
      "TRUE",
      place,
      "0117 496 0113",
      "2025-05-04 10:00:00",
    ),
    row("DP-313", "Same Key Again", "4", "gold", "06:30", "2026-03-31", "true", place),
    row("DP-314", "", "4", "gold", "06:30", "2026-03-31", "maybe", place, "12", "yesterday"),
  ])
  assert.deepEqual(bad.map(wordsOf), [
    "Partner Code: already exists",
    "Partner Code: is required",
    "Crates: must be a number",
    "Grade: is not an allowed option; Contract End: must be a date such as 2031-05-04",
    "Opens At: must be a time, for example 09:30; Spot: latitude must be between -90 and 90 and longitude between -180 and 180 (the two may be swapped)",
    "create",
    "Partner Code: is repeated in the file",
    "Partner Name: is required; Active: must be true or false; Phone: must be a phone number; Last Audit: must be a date and time, for example 2031-05-04 09:30:00",
  ])
})

test("upsert changes what is there, update refuses what is not, and cells left out stay", async () => {
  const { sql, type, write } = await aDepot()
  await write([row("A", "One", "1"), row("B", "Two", "2")])
  const upserted = await write([row("A", "", "10"), row("C", "Three")], { mode: "upsert" })
  assert.deepEqual(upserted.map(wordsOf), ["update", "create"])
  const updated = await write([row("B", "Second"), row("D", "Four")], { mode: "update" })
  assert.deepEqual(updated.map(wordsOf), ["update", "Partner Code: does not exist"])
  const stored = await sql<{ values: unknown }[]>`
    select "values" from data_records where data_type_id = ${type.id} order by data_id`
  assert.deepEqual(
    stored.map(({ values }) => values),
    [{ partnerName: "One", crates: 10 }, { partnerName: "Second", crates: 2 }, { partnerName: "Three" }],
  )
})

test("a key that is in an earlier batch of the same file is repeated, in every mode", async () => {
  const { write } = await aDepot()
  const seenKeys = new Set<string>()
  const options = { mode: "upsert" as const, repeats: "refuse" as const, seenKeys }
  assert.deepEqual((await write([row("A", "One")], options)).map(wordsOf), ["create"])
  assert.deepEqual((await write([row("A", "Two"), row("B", "Two")], options)).map(wordsOf), [
    "Partner Code: is repeated in the file",
    "create",
  ])
})

test("ruling 35: numbers of records come back as they were sent, and are filtered and sorted as numbers", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const me = as(org.owner)
  const stock = { id: "stock", title: "Stock", type: "number" }
  const { id: dataTypeId } = await aDataType(sql, {
    org,
    commonData: true,
    fields: [{ id: "dataId" }, stock],
  })
  for (const [dataId, stock] of [
    ["A", "9"],
    ["B", 100],
    ["C", "20.5"],
  ])
    assert.equal((await me.post("/data", { dataTypeId, dataId, stock })).statusCode, 201)
  const stocks = async (query: string) =>
    (await me.get(`/data?dataTypeId=${dataTypeId}&sortBy=stock&sortOrder=asc${query}`))
      .json()
      .data.data.map(({ stock }: { stock: unknown }) => stock)
  assert.deepEqual(await stocks(""), ["9", "20.5", 100])
  assert.deepEqual(await stocks("&filter[stock][gte]=10"), ["20.5", 100])
  assert.deepEqual(await stocks("&filter[stock]=9.0"), ["9"])
  assert.deepEqual(await stocks("&filter[stock][contains]=20"), ["20.5"])
})
