import assert from "node:assert/strict"
import { test } from "node:test"
import { aDataType, aHub, aRecord, aUser } from "#samples/builders.ts"
import { aDepot, goodRecord } from "./fixtures/depots.ts"
import { dataSourceChangedAt } from "./version.ts"

test("a record is stored by its fields, with booleans read from text, numbers as they came and unknown keys ignored", async () => {
  const { owner, hub, type } = await aDepot()
  const reply = await owner.expect(201).post("/data", {
    ...goodRecord,
    dataTypeId: type.id,
    hubId: hub.id,
    outletClose: 1,
  })
  const { data } = reply.json()
  assert.equal(data.crates, "40")
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
    [
      "partnerName",
      "half \ud800",
      "data-016",
      "must not contain the character U+0000 or an unpaired surrogate",
    ],
    [
      "partnerName",
      "nul \u0000",
      "data-016",
      "must not contain the character U+0000 or an unpaired surrogate",
    ],
    ["crates", "forty", "data-009", "must be a number"],
    ["grade", "bronze", "data-017", "is not an allowed option"],
    ["grade", "Gold", "data-017", "is not an allowed option"],
    ["opensAt", "25:10", "data-018", "must be a time, for example 09:30"],
    ["opensAt", "09:00:00 AM", "data-018", "must be a time, for example 09:30"],
    ["contractEnd", "2026-02-30", "data-008", "must be a date such as 2031-05-04"],
    ["contractEnd", "31/03/2026", "data-008", "must be a date such as 2031-05-04"],
    ["active", "maybe", "data-010", "must be true or false"],
    [
      "spot",
      "151.4545,-2.5879",
      "data-012",
      "latitude must be between -90 and 90 and longitude between -180 and 180 (the two may be swapped)",
    ],
    ["phone", "12", "data-006", "must be a phone number"],
    ["lastAudit", "yesterday", "data-008", "must be a date and time, for example 2031-05-04 09:30:00"],
  ] as const
  for (const [field, value, code, reason] of bad) {
    const body = { ...goodRecord, dataTypeId: type.id, hubId: hub.id, [field]: value }
    const reply = await owner.post("/data", body)
    assert.equal(reply.statusCode, 400, `${field} ${JSON.stringify(value)}: ${reply.body}`)
    assert.equal(reply.json().failedCode, code, `${field} ${JSON.stringify(value)}`)
    assert.deepEqual(reply.json().errors, { [field]: [reason] })
  }
})

test("a key is taken once per hub, or once in the organization where the type is common", async () => {
  const { owner, sql, org, hub, type } = await aDepot()
  const other = await aHub(sql, { org })
  const record = { ...goodRecord, dataTypeId: type.id, hubId: hub.id }
  assert.equal((await owner.post("/data", record)).statusCode, 201)
  const twice = await owner.expect(400).post("/data", { ...record, dataId: " DP-301 " })
  assert.equal(twice.json().failedCode, "data-031")
  const alsoBad = await owner.post("/data", { ...record, partnerName: "" })
  assert.equal(alsoBad.json().failedCode, "data-001", "values are judged before the key")
  assert.equal((await owner.post("/data", { ...record, hubId: other.id })).statusCode, 201)
  assert.equal((await owner.post("/data", { ...record, dataId: "dp-301" })).statusCode, 201)
  const common = await aDataType(sql, { org, commonData: true })
  const shared = { dataId: "S", dataTypeId: common.id }
  const made = (await owner.post("/data", { ...shared, hubId: hub.id })).json()
  assert.equal("hubId" in made.data, false)
  for (const [index, hubId] of ["", null].entries())
    assert.equal((await owner.post("/data", { ...shared, dataId: `S${index}`, hubId })).statusCode, 201)
  assert.equal((await owner.post("/data", shared)).json().failedCode, "data-031")
})

test("a record needs its type, and a hub that its writer has", async () => {
  const { sql, as, org, owner, hub, type } = await aDepot()
  const code = async (change: Record<string, unknown>, who = owner) =>
    (await who.post("/data", { ...goodRecord, dataTypeId: type.id, hubId: hub.id, ...change })).json()
      .failedCode
  assert.equal(await code({ dataTypeId: undefined }), "data-001")
  assert.equal(await code({ dataTypeId: "6a01c0ffee5de0b4a7710c11" }), "data-033")
  assert.equal(await code({ hubId: undefined }), "data-001")
  assert.equal(await code({ hubId: "6a01c0ffee5de0b4a7710c11" }), "data-034")
  const stranger = await aUser(sql, { org, permissions: ["add/data"], hubs: [await aHub(sql, { org })] })
  assert.equal(await code({}, as(stranger)), "data-034")
})

test("a default fills what a new record leaves out, and never a change", async () => {
  const { sql, org, owner } = await aDepot()
  const fields = [
    { id: "dataId", title: "Key" },
    { id: "state", title: "State", type: "text", required: true, default: "new" },
    { id: "note", title: "Note", type: "text", default: "none" },
  ]
  const type = await aDataType(sql, { org, commonData: true, fields })
  const made = (await owner.post("/data", { dataId: "1", dataTypeId: type.id, state: " " })).json().data
  assert.equal(made.state, "new")
  assert.equal(made.note, "none")
  const cleared = (await owner.patch(`/data/${made._id}`, { note: "" })).json().data
  assert.equal("note" in cleared, false)
  const refused = await owner.patch(`/data/${made._id}`, { state: null })
  assert.equal(refused.json().failedCode, "data-001")
})

test("PUT clears what is not sent, PATCH leaves it, and neither moves a record to another type", async () => {
  const { sql, org, owner, hub, type } = await aDepot()
  const { data: made } = (
    await owner.post("/data", { ...goodRecord, dataTypeId: type.id, hubId: hub.id })
  ).json()
  const patched = (await owner.patch(`/data/${made._id}`, { crates: 7 })).json().data
  assert.equal(patched.crates, 7)
  assert.equal(patched.grade, "gold")
  assert.equal(patched.updatedBy, org.owner.email)
  assert.equal(patched.createdTime, made.createdTime)
  const body = { dataId: "DP-302", dataTypeId: type.id, hubId: hub.id, partnerName: "Mill Yard" }
  const put = (await owner.put(`/data/${made._id}`, body)).json().data
  assert.equal(put.dataId, "DP-302")
  assert.equal("crates" in put, false)
  const missing = await owner.put(`/data/${made._id}`, { ...body, partnerName: "" })
  assert.equal(missing.json().failedCode, "data-001")
  const elsewhere = await aDataType(sql, { org })
  const moved = await owner.patch(`/data/${made._id}`, { dataTypeId: elsewhere.id })
  assert.equal(moved.json().failedCode, "data-032")
  await owner.post("/data", { ...body, dataId: "DP-303" })
  const path = `/data/hub/${hub.id}/type/${type.name}/DP-303`
  const clash = await owner.put(path, { ...body, dataId: "DP-302" })
  assert.equal(clash.json().failedCode, "data-031")
  const renamed = (await owner.put(path, { ...body, dataId: "DP-304", partnerName: "Quay" })).json().data
  assert.equal(renamed.partnerName, "Quay")
  const gone = await owner.expect(404).get(path)
  assert.equal(gone.json().message, "data not found")
})

test("records are deleted in bulk into the trash, unknown ones are named", async () => {
  const { owner, sql, org, hub, type } = await aDepot()
  const records = [await aRecord(sql, { org, type, hub }), await aRecord(sql, { org, type, hub })]
  const [one, two] = records.map((record) => record.id)
  const data = [{ _id: one }, { _id: one }, { _id: "nonsense" }, { _id: two }]
  const reply = await owner.delete("/datas/bulk", { data })
  assert.deepEqual(
    reply.json().data.map((entry: { status: boolean }) => entry.status),
    [true, false, false, true],
  )
  const kept = await sql`select from trash where organization_id = ${org.id} and type = 'Data'`
  assert.equal(kept.length, 2)
  assert.equal((await owner.get(`/data?dataTypeId=${type.id}`)).json().data.total, 0)
})

test("people see the records of their hubs and common ones, and those limited to others only on request", async () => {
  const { sql, as, org, owner, hub } = await aDepot()
  const [elsewhere, limited] = [await aHub(sql, { org }), await aDataType(sql, { org, limitUser: true })]
  const reader = await aUser(sql, { org, permissions: ["view/data"], hubs: [hub] })
  const worker = await aUser(sql, { org, permissions: ["do/task"], hubs: [hub] })
  await aRecord(sql, { org, type: limited, hub, dataId: "for all" })
  await aRecord(sql, { org, type: limited, hub, dataId: "for the reader", limitUser: [reader] })
  const secret = await aRecord(sql, {
    org,
    type: limited,
    hub,
    dataId: "for the owner",
    limitUser: [org.owner],
  })
  await aRecord(sql, { org, type: limited, hub: elsewhere, dataId: "elsewhere" })
  await aRecord(sql, {
    org,
    type: await aDataType(sql, { org, commonData: true, name: "Common" }),
    dataId: "common",
  })
  const keys = async (who: typeof reader, query = "") => {
    const { data, total } = (await as(who).get(`/data?sortBy=dataId&sortOrder=asc${query}`)).json().data
    assert.equal(total, data.length)
    return data.map((record: { dataId: string }) => record.dataId)
  }
  assert.deepEqual(await keys(reader), ["common", "for all", "for the reader"])
  assert.deepEqual(await keys(reader, "&limitUser=false"), [
    "common",
    "for all",
    "for the owner",
    "for the reader",
  ])
  assert.deepEqual(await keys(worker, "&limitUser=false"), ["common", "for all"])
  assert.deepEqual(await keys(reader, `&hubId=${hub.id}`), ["for all", "for the reader"])
  assert.deepEqual(await keys(reader, `&hubId=${elsewhere.id}`), [])
  assert.equal((await owner.get("/data")).json().data.total, 5)
  assert.equal((await as(reader).get(`/data/${secret.id}`)).statusCode, 404)
  assert.equal((await as(worker).get("/data/type/Common/common")).json().data.dataId, "common")
})

test("a record limited to other people cannot be changed by its key either", async () => {
  const { sql, as, org, hub } = await aDepot()
  const type = await aDataType(sql, { org, limitUser: true })
  await aRecord(sql, { org, type, hub, dataId: "X", limitUser: [org.owner], values: { note: "kept" } })
  const editor = await aUser(sql, { org, permissions: ["add/data", "edit/data"], hubs: [hub] })
  const data = [{ dataTypeId: type.id, hubId: hub.id, dataId: "X", note: "changed" }]
  const reply = (await as(editor).post("/data/bulk/upsert", { data })).json()
  assert.equal(reply.data[0].failedCode, "data-035")
  const own = { dataTypeId: type.id, hubId: hub.id, dataId: "Y", limitUser: `${editor.email.toUpperCase()}` }
  const made = (await as(editor).post("/data", own)).json().data
  assert.deepEqual(made.limitUser, [editor.email])
  assert.equal(
    (await as(editor).post("/data", { ...own, dataId: "Z", limitUser: ["nobody"] })).json().failedCode,
    "data-004",
  )
})

test("what a hub's records changed last is known, deletions included", async () => {
  const { owner, sql, org, hub, type } = await aDepot()
  const at = () => dataSourceChangedAt(sql, { organizationId: org.id }, hub.id)
  assert.equal(await at(), undefined)
  const { data } = (await owner.post("/data", { ...goodRecord, dataTypeId: type.id, hubId: hub.id })).json()
  const created = await at()
  assert.ok(created)
  await owner.delete(`/data/${data._id}`)
  const deleted = await at()
  assert.ok(deleted && Temporal.Instant.compare(deleted, created) >= 0)
})

test("records of a hub leave live events with ids only", async () => {
  const { owner, sql, org, hub, type } = await aDepot()
  const { data } = (await owner.post("/data", { ...goodRecord, dataTypeId: type.id, hubId: hub.id })).json()
  await owner.patch(`/data/${data._id}`, { crates: 1 })
  await owner.delete(`/data/${data._id}`)
  const events = await sql<{ type: string; hubId: string; content: unknown }[]>`
    select type, hub_id, content from live_events where organization_id = ${org.id} order by xid`
  assert.deepEqual(
    events.map((event) => event.type),
    ["data.created", "data.updated", "data.deleted"],
  )
  for (const event of events) {
    assert.equal(event.hubId, hub.id)
    assert.deepEqual(event.content, { dataTypeId: type.id, recordIds: [data._id] })
  }
})
