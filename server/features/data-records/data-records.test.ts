import assert from "node:assert/strict"
import { test } from "node:test"
import { aDataType, aHub, anOrganization } from "#testing/builders.ts"
import { testApp } from "#testing/test-app.ts"

const depotFields = [
  { id: "dataId", title: "Partner Code", type: "text", primaryKey: true, required: true },
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

const goodRecord = {
  dataId: "DP-301",
  partnerName: "Harbour Lane Depot",
  crates: "40",
  grade: "gold",
  opensAt: "06:30",
  contractEnd: "2026-03-31",
  active: "true",
  spot: "51.4545, -2.5879",
  phone: "+44 117 496 0111",
  lastAudit: "2025-05-02 14:05:00",
}

async function aDepot() {
  const { sql, as, ...rest } = await testApp(undefined, { LOG_LEVEL: process.env.LOG_LEVEL ?? "silent" })
  const org = await anOrganization(sql)
  const hub = await aHub(sql, { org })
  const type = await aDataType(sql, { org, fields: depotFields })
  return { ...rest, sql, as, org, hub, type, owner: as(org.owner) }
}

test("a record is stored by its fields, with numbers and booleans read from text and unknown keys ignored", async () => {
  const { owner, hub, type } = await aDepot()
  const reply = await owner.post("/data", {
    ...goodRecord,
    dataTypeId: type.id,
    hubId: hub.id,
    outletClose: 1,
  })
  assert.equal(reply.statusCode, 201, reply.body)
  const { data } = reply.json()
  assert.equal(data.crates, 40)
  assert.equal(data.active, true)
  assert.equal(data.spot, "51.4545,-2.5879")
  assert.equal(data.lastAudit, "2025-05-02 14:05:00")
  assert.equal("outletClose" in data, false)
  assert.deepEqual(data.data_type, { _id: type.id, name: type.name })
  assert.match(data.createdTime, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  const read = (await owner.get(`/data/${data._id}`)).json()
  assert.deepEqual(read.data, data)
  const byKey = (await owner.get(`/data/hub/${hub.id}/type/${encodeURIComponent(type.name)}/DP-301`)).json()
  assert.deepEqual(byKey.data, data)
})

test("a value of the wrong kind is refused with the code of its kind and words for its field", async () => {
  const { owner, hub, type } = await aDepot()
  const bad = [
    ["dataId", "", "data-001", "is required"],
    ["dataId", { a: 1 }, "data-016", "must be text"],
    ["dataId", "x".repeat(256), "data-016", "must not be longer than 255 characters"],
    ["partnerName", null, "data-001", "is required"],
    ["partnerName", ["a"], "data-016", "must be text"],
    ["partnerName", "half \ud800", "data-016", "must not contain the character U+0000 or half a character"],
    ["partnerName", "nul \u0000", "data-016", "must not contain the character U+0000 or half a character"],
    ["crates", "forty", "data-009", "must be a number"],
    ["grade", "bronze", "data-017", "is not an allowed option"],
    ["grade", "Gold", "data-017", "is not an allowed option"],
    ["opensAt", "25:10", "data-018", "must be a time (H:i)"],
    ["opensAt", "09:00:00 AM", "data-018", "must be a time (H:i)"],
    ["contractEnd", "2026-02-30", "data-008", "must be a date (Y-m-d)"],
    ["contractEnd", "31/03/2026", "data-008", "must be a date (Y-m-d)"],
    ["active", "maybe", "data-010", "must be true or false"],
    ["spot", "151.4545,-2.5879", "data-012", "must be latitude,longitude"],
    ["phone", "12", "data-006", "must be a phone number"],
    ["lastAudit", "yesterday", "data-008", "must be a date and time"],
  ] as const
  for (const [field, value, code, reason] of bad) {
    const body = { ...goodRecord, dataTypeId: type.id, hubId: hub.id, [field]: value }
    const reply = await owner.post("/data", body)
    assert.equal(reply.statusCode, 400, `${field} ${JSON.stringify(value)}: ${reply.body}`)
    assert.equal(reply.json().failedCode, code, `${field} ${JSON.stringify(value)}`)
    assert.deepEqual(reply.json().errors, { [field]: [reason] })
  }
})

test("two bulks with the same keys at once make each record once", async () => {
  const { owner, hub, type, sql } = await aDepot()
  const data = Array.from({ length: 300 }, (_, index) => ({
    dataId: `K${index}`,
    partnerName: "P",
    dataTypeId: type.id,
    hubId: hub.id,
  }))
  const [one, other] = await Promise.all([
    owner.post("/data/bulk", { data }),
    owner.post("/data/bulk", { data: data.toReversed() }),
  ])
  assert.equal(one.statusCode, 201)
  assert.equal(other.statusCode, 201, other.body)
  assert.equal(one.json().success + other.json().success, 300)
  assert.equal(one.json().failed + other.json().failed, 300)
  const [counted] = await sql`select count(*) as count from data_records where data_type_id = ${type.id}`
  assert.equal(counted?.count, 300)
})
