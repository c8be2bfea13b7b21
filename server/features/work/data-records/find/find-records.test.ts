import assert from "node:assert/strict"
import { test } from "node:test"
import { aHub } from "#samples/builders.ts"
import { aDepot } from "../fixtures/depots.ts"
import { foldRecordCounts, indexRecords } from "../jobs.ts"
import { indexNotedRecords, organizationsToIndex } from "./index-records.ts"

const isLong = process.env.FIELDWAY_LONG !== undefined

test("records are filtered on their fields: equal, in a range, containing", async () => {
  const { owner, hub, type } = await aDepot()
  const data = Array.from({ length: 40 }, (_, index) => ({
    dataTypeId: type.id,
    hubId: hub.id,
    dataId: `K${index}`,
    partnerName: `Partner 100%_${index}`,
    crates: index,
    grade: index % 4 === 0 ? "gold" : "silver",
    active: index % 2 === 0,
    contractEnd: `2031-01-${String(1 + (index % 28)).padStart(2, "0")}`,
    lastAudit: `2031-05-04T0${index % 10}:00:00+02:00`,
    opensAt: index % 2 === 0 ? "06:30" : "6:31",
  }))
  assert.equal((await owner.post("/data/bulk", { data })).json().failed, 0)
  const keys = async (query: string) => {
    const reply = await owner
      .expect(200)
      .get(`/data?dataTypeId=${type.id}&limit=100&sortBy=crates&sortOrder=asc&${query}`)
    const page = reply.json().data
    assert.equal(page.total, page.data.length)
    return page.data.map((record: { crates: number }) => record.crates)
  }
  const where = (match: (index: number) => boolean) => data.map(({ crates }) => crates).filter(match)
  assert.deepEqual(
    await keys("filter[grade]=gold"),
    where((index) => index % 4 === 0),
  )
  assert.deepEqual(
    await keys("filter[grade]=gold&filter[grade]=silver"),
    where(() => true),
  )
  assert.deepEqual(
    await keys("filter[active]=false"),
    where((index) => index % 2 === 1),
  )
  const built = (filter: unknown) => `filter=${encodeURIComponent(JSON.stringify(filter))}`
  const silver = { not: { field: "grade", operator: "equals", value: "gold" } }
  const early = { field: "contractEnd", operator: "lte", value: "2031-01-02" }
  assert.deepEqual(await keys(built({ and: [silver, early] })), [1, 29])
  assert.deepEqual(
    await keys(built({ or: [{ field: "crates", operator: "gt", value: 38 }, early] })),
    [0, 1, 28, 29, 39],
  )
  assert.deepEqual(
    await keys(`${built({ field: "active", operator: "equals", value: true })}&filter[crates]=4`),
    [4],
  )
  const unknown = built({ field: "nothing", operator: "empty" })
  const refused = await owner.expect(400).get(`/data?dataTypeId=${type.id}&${unknown}`)
  assert.match(refused.body, /nothing is not a field of the data type/)
  assert.deepEqual(await keys("filter[crates]=7.0"), [7])
  assert.deepEqual(await keys("filter[crates][gte]=10&filter[crates][lte]=12"), [10, 11, 12])
  assert.deepEqual(await keys("filter[contractEnd][lte]=2031-01-02"), [0, 1, 28, 29])
  assert.deepEqual(
    await keys("filter[lastAudit]=2031-05-04T07:00:00Z"),
    where((index) => index % 10 === 9),
  )
  assert.deepEqual(
    await keys("filter[opensAt][gte]=06:31"),
    where((index) => index % 2 === 1),
  )
  assert.deepEqual(
    await keys("filter[partnerName][contains]=100%25_3"),
    [3, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39],
  )
  assert.deepEqual(await keys("filter[partnerName]=Partner 100%25_3"), [3])
  assert.deepEqual(await keys("filter[dataId]=K5"), [5])
  assert.deepEqual(await keys("filter[dataId][contains]=k1"), [1, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19])
  assert.deepEqual(await keys("filter[grade]=gold&filter[crates][gte]=20"), [20, 24, 28, 32, 36])
  assert.deepEqual(await keys("filter[grade]=platinum"), [])
  for (const query of [
    "filter[nowhere]=1",
    "filter[crates]=many",
    "filter[crates][above]=1",
    "filter[partnerName][gte]=A",
    "filter[contractEnd]=31/01/2031",
  ])
    assert.equal((await owner.get(`/data?dataTypeId=${type.id}&${query}`)).statusCode, 400, query)
  assert.equal((await owner.get("/data?filter[crates]=1")).json().failedCode, "data-003")

  const options = {
    download: "json",
    dataTypeId: type.id,
    "filter[grade]": "gold",
    "filter[crates][gte]": 20,
  }
  const exported = await owner.post("/data/export", options)
  assert.equal(exported.json().total_data_be, 5, "an export holds what the same filters list")
  const { dataTypeId: _type, ...untyped } = options
  assert.equal((await owner.post("/data/export", untyped)).json().failedCode, "data-003")
  const wrong = await owner.post("/data/export", { ...options, "filter[nowhere]": "1" })
  assert.equal(wrong.json().failedCode, "data-003")
})

test("totals stay exact through writes, moves, deletions and the folding of their counts", async () => {
  const { owner, sql, org, hub, type, jobContext } = await aDepot()
  const other = await aHub(sql, { org })
  const record = (index: number) => ({
    dataTypeId: type.id,
    hubId: index % 2 === 0 ? hub.id : other.id,
    dataId: `K${index}`,
    partnerName: "P",
    grade: "gold",
    crates: index,
  })
  const { data } = (
    await owner.post("/data/bulk", { data: Array.from({ length: 20 }, (_, index) => record(index)) })
  ).json()
  const check = async () => {
    for (const [query, condition] of [
      ["", sql`true`],
      [`&hubId=${hub.id}`, sql`hub_id = ${hub.id}`],
      ["&filter[grade]=gold", sql`"values"->>'grade' = 'gold'`],
      [
        `&filter[grade]=silver&hubId=${other.id}`,
        sql`"values"->>'grade' = 'silver' and hub_id = ${other.id}`,
      ],
      ["&filter[crates][gte]=10", sql`("values"->>'crates')::int >= 10`],
      [
        `&filter[crates][lte]=5&hubId=${other.id}`,
        sql`("values"->>'crates')::int <= 5 and hub_id = ${other.id}`,
      ],
      ["&filter[crates][gte]=4&filter[crates][lte]=12", sql`("values"->>'crates')::int between 4 and 12`],
      ["&filter[crates]=7", sql`("values"->>'crates')::int = 7`],
      [
        "&filter[crates][gte]=4&filter[grade]=gold",
        sql`("values"->>'crates')::int >= 4 and "values"->>'grade' = 'gold'`,
      ],
    ] as const) {
      const [counted] = await sql<{ count: number }[]>`
        select count(*) as count from data_records where data_type_id = ${type.id} and ${condition}`
      const listed = (await owner.get(`/data?dataTypeId=${type.id}&limit=100${query}`)).json().data
      assert.equal(listed.total, counted?.count, query)
      assert.equal(listed.data.length, counted?.count, query)
    }
  }
  await check()
  const move = { ...record(0), hubId: other.id, crates: 3 }
  assert.equal((await owner.put(`/data/${data[0]._id}`, move)).statusCode, 200)
  await owner.post("/data/bulk/upsert", {
    data: [1, 3, 5].map((index) => ({ ...record(index), grade: "silver", crates: index + 30 })),
  })
  await owner.delete("/datas/bulk", { data: data.slice(10).map(({ _id }: { _id: string }) => ({ _id })) })
  await check()
  for (let index = 0; index < 60; index++)
    await owner.patch(`/data/${data[1]._id}`, { grade: index % 2 ? "gold" : "silver" })
  await foldRecordCounts.handle(jobContext(), {})
  await foldRecordCounts.handle(jobContext(), {})
  const waiting = await sql`select from data_count_changes where organization_id = ${org.id}`
  assert.equal(waiting.length, 0)
  await check()
  // Buckets of three values, so that twenty records make many.
  const index = () => indexNotedRecords(sql, org.id, { fresh: 3, full: 5 })
  while (await index());
  await check()
  await owner.post("/data/bulk/upsert", {
    data: [1, 3, 5, 21, 22].map((number) => ({ ...record(number), crates: number % 2 ? 7 : number })),
  })
  await owner.delete("/datas/bulk", { data: [{ _id: data[7]._id }, { _id: data[8]._id }] })
  await check()
  while (await index());
  await check()
})

test("a list sorted by a field is refused above 20,000 matches and right below", {
  skip: !isLong,
}, async () => {
  const { owner, sql, org, hub, type } = await aDepot()
  await sql`
    insert into data_records (organization_id, id, data_type_id, hub_id, data_id, "values", ordered, created_time, updated_time)
    select ${org.id}, lpad(to_hex(n), 24, '0'), ${type.id}, ${hub.id}, 'N' || n,
      jsonb_build_object('partnerName', 'P', 'crates', 20001 - n), jsonb_build_object('crates', 20001 - n), now(), now()
    from generate_series(1, 20001) n`
  await owner.expect(400).get(`/data?dataTypeId=${type.id}&sortBy=crates`)
  const narrow = await owner.get(
    `/data?dataTypeId=${type.id}&sortBy=crates&sortOrder=asc&limit=2&filter[crates][gte]=5`,
  )
  assert.deepEqual(
    narrow.json().data.data.map((record: { crates: number }) => record.crates),
    [5, 6],
  )
  const last = await owner.get(`/data?dataTypeId=${type.id}&page=1001&limit=20`)
  assert.equal(last.json().data.data.length, 1)
})

test("a part of a text is found before and after it is indexed, and never in a text that was", async () => {
  const { owner, sql, org, hub, type, jobContext } = await aDepot()
  const base = { dataTypeId: type.id, hubId: hub.id }
  await owner.post("/data/bulk", {
    data: [
      { ...base, dataId: "1", partnerName: 'Harbour "Lane"\\Depot' },
      { ...base, dataId: "2", partnerName: "Mill Yard", phone: "0117 496 0113" },
    ],
  })
  const found = async (text: string, field = "partnerName") => {
    const query = `filter[${field}][contains]=${encodeURIComponent(text)}`
    const page = (await owner.get(`/data?dataTypeId=${type.id}&sortBy=dataId&sortOrder=asc&${query}`)).json()
      .data
    assert.equal(page.total, page.data.length)
    return page.data.map((record: { dataId: string }) => record.dataId)
  }
  const check = async () => {
    assert.deepEqual(await found("BOUR"), ["1"])
    assert.deepEqual(await found('"Lane"\\'), ["1"])
    assert.deepEqual(await found("496"), [])
    assert.deepEqual(await found("496", "phone"), ["2"])
    assert.deepEqual(await found("ar"), ["1", "2"])
    assert.deepEqual(await found("%%%"), [])
  }
  await check()
  await indexRecords.handle(jobContext(), {})
  await indexRecords.handle(jobContext(), {})
  const left = await sql`select from data_search_notes where organization_id = ${org.id}`
  assert.equal(left.length, 0)
  await check()
  // So many records would have them that each record is looked at, and none by the index.
  await sql`
    insert into data_search_trigrams (organization_id, data_type_id, trigram, count)
    select ${org.id}, ${type.id}, unnest(show_trgm('harbour lane depot mill yard 496')), 1 on conflict do nothing`
  await sql`update data_search_trigrams set count = 1000000 where organization_id = ${org.id}`
  await check()
  await sql`delete from data_search_trigrams where organization_id = ${org.id}`
  await owner.patch("/datas/bulk", { data: [{ ...base, dataId: "1", partnerName: "Quay Stores" }] })
  assert.deepEqual(await found("Harbour"), [])
  assert.deepEqual(await found("Quay"), ["1"])
  await indexRecords.handle(jobContext(), {})
  assert.deepEqual(await found("Harbour"), [])
  assert.deepEqual(await found("Quay"), ["1"])
  const [record] = await sql<
    { id: string }[]
  >`select id from data_records where data_id = '2' and data_type_id = ${type.id}`
  await owner.delete(`/data/${record?.id}`)
  assert.deepEqual(await found("Mill"), [])
})

test("records that are being written by the thousands are indexed when that is over", async () => {
  const { sql, org, type } = await aDepot()
  const isDue = async () => (await organizationsToIndex(sql)).includes(org.id)
  const note = (count: number) => sql`
    insert into data_search_notes (organization_id, data_type_id, record_ids)
    select ${org.id}, ${type.id}, array_agg(n::text) from generate_series(1, ${count}::int) n`
  await note(3)
  assert.ok(await isDue())
  await note(2_000)
  assert.ok(!(await isDue()))
  const move = (seconds: number) => sql`
    update data_search_notes set noted_time = noted_time - make_interval(secs => ${seconds}) where organization_id = ${org.id}`
  await move(20)
  assert.ok(await isDue())
  // Still being written, but for so long that searches would suffer.
  await note(2_000)
  assert.ok(!(await isDue()))
  await move(400)
  await note(2_000)
  assert.ok(await isDue())
})
