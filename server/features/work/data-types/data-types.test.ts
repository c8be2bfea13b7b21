import assert from "node:assert/strict"
import { test } from "node:test"
import { aDataType, aFlow, aHub, aRecord, aUser } from "#samples/builders.ts"
import { testOrganization } from "#testing/test-app.ts"
import { type DataTypeRow, providerKeyOf } from "./index.ts"

const key = { id: "dataId", title: "Key", type: "text", primaryKey: true, required: true, default: "true" }
const field = (id: string, type: string, more: Record<string, unknown> = {}) => ({
  id,
  title: id,
  type,
  ...more,
})

async function aPlace() {
  const { sql, as, config, org } = await testOrganization()
  return { sql, as, org, config, owner: as(org.owner) }
}

test("a data type is stored with its primary key marked both ways and its fields filled in", async () => {
  const { owner, org } = await aPlace()
  const fields = [key, field("grade", "option", { optionData: ["gold"], show: "false", colour: "red" })]
  const reply = await owner.expect(201).post("/data-type", { name: "Depot Partner", fields })
  const type = reply.json().data_type
  assert.deepEqual(type.fields, [
    {
      ...key,
      type: "primaryKey",
      default: null,
      description: null,
      optionData: [],
      show: true,
      visible: true,
    },
    {
      ...fields[1],
      description: null,
      default: null,
      required: false,
      primaryKey: false,
      show: false,
      visible: true,
    },
  ])
  assert.equal(type.commonData, false)
  assert.equal(type.provider, "internal")
  assert.equal(type.providerConfig, null)
  assert.equal(type.createdBy, org.owner.email)
  assert.match(type.createdTime, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  assert.deepEqual((await owner.get(`/data-type/${type._id}`)).json().data_type, type)
  const listed = (await owner.get("/data-types?fields=name")).json()
  assert.deepEqual(listed.data_types.data, [{ _id: type._id, name: "Depot Partner" }])
})

test("a data type that no record could be kept by is refused with its code", async () => {
  const { owner } = await aPlace()
  const cases = [
    [{ name: undefined }, "dtype-001"],
    [{ name: "a/b" }, "dtype-003"],
    [{ name: "x".repeat(256) }, "dtype-003"],
    [{ fields: undefined }, "dtype-001"],
    [{ fields: [] }, "dtype-001"],
    [{ fields: [field("a", "text")] }, "dtype-039"],
    [{ fields: [key, { ...key, id: "other" }] }, "dtype-039"],
    [{ fields: [{ ...key, id: "code" }] }, "dtype-039"],
    [{ fields: [key, field("a", "hologram")] }, "dtype-017"],
    [{ fields: [key, field("a", "text"), field("a", "text")] }, "dtype-039"],
    [{ fields: [key, field("hubId", "text")] }, "dtype-039"],
    [{ fields: [key, field("a,b", "text")] }, "dtype-039"],
    [{ fields: [key, field("a", "option")] }, "dtype-039"],
    [{ fields: [key, field("a", "option", { optionData: ["x", "x"] })] }, "dtype-039"],
    [{ fields: [key, field("a", "date", { default: "tomorrow" })] }, "dtype-039"],
    [
      { fields: [key, ...Array.from({ length: 200 }, (_, index) => field(`f${index}`, "text"))] },
      "dtype-039",
    ],
    [{ provider: "external-api" }, "dtype-007"],
    [{ provider: "external-api", providerConfig: { url: "ftp://x.example" } }, "dtype-007"],
    [{ providerConfig: { url: "https://x.example" } }, "dtype-007"],
    [{ provider: "magic" }, "dtype-017"],
  ] as const
  for (const [change, code] of cases) {
    const reply = await owner.post("/data-type", { name: "Fine", fields: [key], ...change })
    assert.equal(reply.statusCode, 400, JSON.stringify(change).slice(0, 200))
    assert.equal(reply.json().failedCode, code, `${JSON.stringify(change).slice(0, 200)}: ${reply.body}`)
  }
  assert.equal((await owner.post("/data-type", { name: "Fine", fields: [key] })).statusCode, 201)
  assert.equal(
    (await owner.post("/data-type", { name: "Fine", fields: [key] })).json().failedCode,
    "dtype-031",
  )
})

test("the provider's key is never shown, not even in the trash, and stays when an update leaves it out", async () => {
  const { owner, sql, config } = await aPlace()
  const body = {
    name: "Outside",
    fields: [key],
    provider: "external-api",
    providerConfig: { url: "https://data.example/rows", key: "very-secret" },
  }
  const made = await owner.post("/data-type", body)
  const id = made.json().data_type._id
  assert.deepEqual(made.json().data_type.providerConfig, { url: "https://data.example/rows", hasKey: true })
  assert.equal((await owner.get("/data-types")).json().data_types.total, 0)
  const all = (await owner.get("/data-types?provider=internal,external-api")).json()
  assert.equal(all.data_types.total, 1)
  await owner.patch(`/data-type/${id}`, { providerConfig: { url: "https://data.example/other" } })
  const [stored] = await sql<DataTypeRow[]>`select id, provider_key from data_types where id = ${id}`
  if (!stored) throw new Error("the type is stored")
  assert.equal(await providerKeyOf({ sql, config }, stored), "very-secret")
  assert.equal(
    (await owner.patch(`/data-type/${id}`, { provider: "internal" })).json().failedCode,
    "dtype-032",
  )
  await owner.delete(`/data-type/${id}`)
  const [trash] = await sql<
    { text: string }[]
  >`select content::text as text from trash where source_id = ${id}`
  const [audits] = await sql<{ text: string }[]>`
    select string_agg(audit_log::text, '') as text from audit_log where target_id = ${id}`
  assert.equal(trash?.text.includes("provider_key"), false)
  for (const text of [trash?.text, audits?.text, all.data_types.data[0]])
    assert.equal(JSON.stringify(text).includes("very-secret"), false)
})

async function aTypeWithRecords() {
  const place = await aPlace()
  const { sql, org } = place
  const fields = [key, field("crates", "text"), field("grade", "option", { optionData: ["gold", "silver"] })]
  const type = await aDataType(sql, { org, fields, commonData: true })
  await aRecord(sql, { org, type, dataId: "1", values: { crates: "12", grade: "gold" } })
  await aRecord(sql, { org, type, dataId: "2", values: { crates: "many", grade: "silver" } })
  await aRecord(sql, { org, type, dataId: "3", values: { grade: "silver" } })
  const wanted = [
    key,
    field("crates", "number", { default: 1 }),
    field("grade", "option", { optionData: ["gold"] }),
  ]
  const values = async () =>
    (await place.owner.get(`/data?dataTypeId=${type.id}&sortBy=dataId&sortOrder=asc`))
      .json()
      .data.data.map((record: Record<string, unknown>) => [record.crates, record.grade])
  return { ...place, type, wanted, values }
}

test("a dry run says how many records a change would break, and writes nothing", async () => {
  const { owner, type, wanted, values } = await aTypeWithRecords()
  const before = (await owner.get(`/data-type/${type.id}`)).json()
  const reply = await owner.expect(200).patch(`/data-type/${type.id}?dryRun=true`, { fields: wanted })
  const { impact, dryRun } = reply.json()
  assert.equal(dryRun, true)
  assert.deepEqual(
    { records: impact.records, broken: impact.broken, convertible: impact.convertible },
    { records: 3, broken: 2, convertible: 1 },
  )
  assert.deepEqual(impact.fields, [
    {
      fieldId: "crates",
      title: "crates",
      broken: 1,
      convertible: 1,
      choices: ["keep", "convert", "default", "clear"],
      examples: [{ dataId: "2", value: "many", reason: "must be a number" }],
    },
    {
      fieldId: "grade",
      title: "grade",
      broken: 2,
      convertible: 0,
      choices: ["keep", "convert", "clear"],
      examples: [
        { dataId: "2", value: "silver", reason: "is not an allowed option" },
        { dataId: "3", value: "silver", reason: "is not an allowed option" },
      ],
    },
  ])
  assert.deepEqual((await owner.get(`/data-type/${type.id}`)).json(), before)
  assert.deepEqual(await values(), [
    ["12", "gold"],
    ["many", "silver"],
    [undefined, "silver"],
  ])
})

test("stored values stay by default, and are converted, defaulted or cleared on request", async () => {
  const { owner, type, wanted, values } = await aTypeWithRecords()
  await owner.expect(200).put(`/data-type/${type.id}`, { name: type.name, fields: wanted })
  assert.deepEqual(await values(), [
    ["12", "gold"],
    ["many", "silver"],
    [undefined, "silver"],
  ])
  const other = await aTypeWithRecords()
  const repairs = { crates: "default", grade: "clear" }
  await other.owner.expect(200).patch(`/data-type/${other.type.id}`, { fields: other.wanted, repairs })
  assert.deepEqual(await other.values(), [
    [12, "gold"],
    [1, undefined],
    [undefined, undefined],
  ])
  const range = await other.owner.get(`/data?dataTypeId=${other.type.id}&filter[crates][gte]=2`)
  assert.equal(range.json().data.total, 1)
  const counted = await other.owner.get(`/data?dataTypeId=${other.type.id}&filter[grade]=silver`)
  assert.equal(counted.json().data.total, 0)
})

test("a conversion that cannot be done for every record changes neither records nor type", async () => {
  const { owner, type, wanted, values } = await aTypeWithRecords()
  const repairs = { crates: "convert", grade: "clear" }
  const reply = await owner.expect(400).patch(`/data-type/${type.id}`, { fields: wanted, repairs })
  assert.equal(reply.json().failedCode, "dtype-043")
  assert.deepEqual(await values(), [
    ["12", "gold"],
    ["many", "silver"],
    [undefined, "silver"],
  ])
  const bad = await owner.patch(`/data-type/${type.id}`, { fields: wanted, repairs: { grade: "default" } })
  assert.equal(bad.json().failedCode, "dtype-039")
})

test("a field whose counting begins with a change is counted from the records that there are", async () => {
  const { sql, org, owner } = await aPlace()
  const type = await aDataType(sql, { org, commonData: true, fields: [key, field("grade", "text")] })
  for (const [dataId, grade] of [
    ["1", "gold"],
    ["2", "gold"],
    ["3", "silver"],
  ] as const)
    await aRecord(sql, { org, type, dataId, values: { grade } })
  const fields = [key, field("grade", "option", { optionData: ["gold", "silver"] })]
  await owner.patch(`/data-type/${type.id}`, { fields })
  const total = async (grade: string) =>
    (await owner.get(`/data?dataTypeId=${type.id}&filter[grade]=${grade}`)).json().data.total
  assert.equal(await total("gold"), 2)
  await owner.patch("/datas/bulk", { data: [{ dataTypeId: type.id, dataId: "3", grade: "gold" }] })
  assert.equal(await total("gold"), 3)
  assert.equal(await total("silver"), 0)
})

test("deleteFields takes values out of every record; a field left out of the list only leaves the type", async () => {
  const { owner, type, values } = await aTypeWithRecords()
  const fields = [key]
  await owner.expect(200).put(`/data-type/${type.id}`, {
    name: type.name,
    fields,
    deleteFields: ["crates"],
  })
  assert.deepEqual(await values(), [
    [undefined, "gold"],
    [undefined, "silver"],
    [undefined, "silver"],
  ])
  const refused = await owner.put(`/data-type/${type.id}`, {
    name: type.name,
    fields,
    deleteFields: ["dataId"],
  })
  assert.equal(refused.json().failedCode, "dtype-040")
})

test("a data type is deleted into the trash once its records are gone", async () => {
  const { sql, org, owner } = await aPlace()
  const type = await aDataType(sql, { org, commonData: true })
  const record = await aRecord(sql, { org, type })
  assert.equal((await owner.delete(`/data-type/${type.id}`)).json().failedCode, "dtype-041")
  assert.equal((await owner.delete(`/data/${record.id}`)).statusCode, 200)
  const reply = await owner.delete(`/data-type/${type.id}`)
  assert.equal(reply.json().data_type._id, type.id)
  assert.equal((await owner.delete(`/data-type/${type.id}`)).json().failedCode, "dtype-033")
  const kept = await sql<{ type: string }[]>`
    select type from trash where organization_id = ${org.id} order by type`
  assert.deepEqual(
    kept.map((row) => row.type),
    ["Data", "Data Type"],
  )
})

test("people who work on tasks read data types, but change them only with the permission", async () => {
  const { sql, as, org } = await aPlace()
  const type = await aDataType(sql, { org })
  const worker = await aUser(sql, { org, permissions: ["do/task"], hubs: [await aHub(sql, { org })] })
  assert.equal((await as(worker).get(`/data-type/${type.id}`)).statusCode, 200)
  assert.equal((await as(worker).get(`/data?dataTypeId=${type.id}`)).statusCode, 200)
  assert.equal((await as(worker).delete(`/data-type/${type.id}`)).json().failedCode, "dtype-035")
})

test("a deleted type, its records and a flow come back from the trash, unless their place is taken", async () => {
  const { sql, org, owner } = await aPlace()
  const type = await aDataType(sql, { org, commonData: true, fields: [key, field("crates", "number")] })
  const made = (await owner.post("/data", { dataTypeId: type.id, dataId: "1", crates: 7 })).json().data
  const flow = await aFlow(sql, { org })
  for (const path of [`/data/${made._id}`, `/data-type/${type.id}`, `/flow/${flow.id}`])
    assert.equal((await owner.delete(path)).statusCode, 200)
  const entryOf = async (id: string) => {
    const [entry] = await sql<{ id: string }[]>`select id from trash where source_id = ${id}`
    return entry?.id
  }
  const restore = async (id: string) => owner.post(`/trash/${await entryOf(id)}/restore`)
  assert.equal((await restore(made._id)).statusCode, 409)
  for (const id of [type.id, made._id, flow.id]) {
    const reply = await restore(id)
    assert.equal(reply.statusCode, 200, reply.body)
  }
  const again = (await owner.get(`/data?dataTypeId=${type.id}&filter[crates][gte]=7`)).json().data
  assert.deepEqual(again.data[0], made)
  assert.equal((await owner.get(`/flow/${flow.id}`)).json().flow.name, flow.name)
  await owner.delete(`/data/${made._id}`)
  await owner.post("/data", { dataTypeId: type.id, dataId: "1" })
  assert.equal((await restore(made._id)).statusCode, 409)
})
