import assert from "node:assert/strict"
import { test } from "node:test"
import { aDepot } from "./fixtures/depots.ts"

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

test("a bulk call returns a result per record, in the order sent", async () => {
  const { owner, hub, type } = await aDepot()
  const base = { dataTypeId: type.id, hubId: hub.id, partnerName: "P" }
  const data = [
    { ...base, dataId: "A" },
    { ...base, dataId: "B", crates: "forty", grade: "bronze" },
    { ...base, dataId: "A" },
    null,
    { ...base, dataId: "C", dataTypeId: "6a01c0ffee5de0b4a7710c11" },
    { ...base, dataId: "D" },
    { ...base, dataId: "E", partnerName: "nul \u0000" },
    { ...base, dataId: "F\u0000" },
    { ...base, dataId: "G", hubId: "\u0000" },
  ]
  const reply = await owner.expect(201).post("/data/bulk", { data })
  const response = reply.json()
  assert.equal(response.success, 2)
  assert.equal(response.failed, 7)
  assert.deepEqual(
    response.data.map((entry: { status: boolean; failedCode?: string }) => entry.failedCode ?? entry.status),
    [true, "data-009", "data-031", "data-013", "data-033", true, "data-016", "data-016", "data-003"],
  )
  assert.equal(response.data[0].message, "Success.")
  assert.deepEqual(response.data[1].errors, {
    crates: ["must be a number"],
    grade: ["is not an allowed option"],
  })
  assert.equal(response.data[1].dataId, "B")
  assert.equal(response.data[1]._id, null)
})

test("a bulk without records, or with too many, writes nothing", async () => {
  const { owner, hub, type } = await aDepot()
  const record = (index: number) => ({
    dataId: `R${index}`,
    dataTypeId: type.id,
    hubId: hub.id,
    partnerName: "P",
  })
  for (const data of [undefined, [], "x"])
    assert.equal((await owner.post("/data/bulk", { data })).statusCode, 400)
  const tooMany = Array.from({ length: 2001 }, (_, index) => record(index))
  const refused = await owner.post("/data/bulk", { data: tooMany })
  assert.equal(refused.json().failedCode, "data-040")
  assert.equal((await owner.delete("/datas/bulk", { data: Array(3001).fill({ _id: "x" }) })).statusCode, 400)
  assert.equal((await owner.get(`/data?dataTypeId=${type.id}`)).json().data.total, 0)
})

test("an upsert creates or changes by key; a key that occurs twice is created, then changed", async () => {
  const { owner, hub, type } = await aDepot()
  const base = { dataTypeId: type.id, hubId: hub.id }
  const first = await owner.expect(200).post("/data/bulk/upsert", {
    data: [
      { ...base, dataId: "A", partnerName: "One", crates: 1 },
      { ...base, dataId: "A", grade: "gold" },
      { ...base, dataId: "B", crates: 1 },
    ],
  })
  const { data } = first.json()
  assert.deepEqual(
    data.map((entry: { event?: string; failedCode?: string }) => entry.event ?? entry.failedCode),
    ["create", "update", "data-001"],
  )
  assert.equal(data[0]._id, data[1]._id)
  const record = (await owner.get(`/data/${data[0]._id}`)).json().data
  assert.deepEqual([record.partnerName, record.crates, record.grade], ["One", 1, "gold"])
  const patch = await owner.patch("/datas/bulk", {
    data: [
      { ...base, dataId: "A", crates: "" },
      { ...base, dataId: "Z", crates: 1 },
    ],
  })
  assert.deepEqual(
    patch
      .json()
      .data.map((entry: { failedCode?: string; status: boolean }) => entry.failedCode ?? entry.status),
    [true, "data-033"],
  )
  assert.equal("crates" in (await owner.get(`/data/${data[0]._id}`)).json().data, false)
})
