import assert from "node:assert/strict"
import { test } from "node:test"
import { aHub, anOrganization } from "#samples/builders.ts"
import { aDepot } from "../fixtures/depots.ts"

interface Page {
  data: { _id: string; dataId: string }[]
  nextCursor: string | null
  next_page_url: string | null
  total: number | null
}

test("records are read by a cursor in any order, also when they change or go between pages", async () => {
  const { sql, as, org, owner, hub, type } = await aDepot()
  const data = Array.from({ length: 6 }, (_, index) => ({
    dataTypeId: type.id,
    hubId: hub.id,
    dataId: `K${index}`,
    partnerName: `Partner ${"cabeda"[index]}`,
    ...(index % 2 === 0 ? { crates: index, grade: "gold" } : {}),
  }))
  assert.equal((await owner.post("/data/bulk", { data })).json().failed, 0)
  const page = async (query: string): Promise<Page> => {
    const reply = await owner.expect(200).get(`/data?dataTypeId=${type.id}&lazyLoad=1&limit=2&${query}`)
    const { data: found, nextCursor, next_page_url, total } = reply.json().data as Page
    assert.equal(next_page_url && new URL(next_page_url).searchParams.get("cursor"), nextCursor)
    assert.equal(total, null)
    return { data: found, nextCursor, next_page_url, total }
  }
  const ids = ({ data: found }: Page) => found.map(({ _id }) => _id)
  const walk = async (query: string) => {
    const keys: string[] = []
    for (let cursor: string | null = ""; cursor !== null; ) {
      const next = await page(`${query}&cursor=${cursor}`)
      keys.push(...next.data.map(({ dataId }) => dataId))
      cursor = next.nextCursor
    }
    return keys
  }
  for (const sortBy of [
    "createdTime",
    "updatedTime",
    "dataId",
    "partnerName",
    "crates",
    "grade",
    "limitUser",
  ])
    for (const sortOrder of ["asc", "desc"]) {
      const all = (
        await owner.get(`/data?dataTypeId=${type.id}&sortBy=${sortBy}&sortOrder=${sortOrder}`)
      ).json().data.data as { dataId: string }[]
      const inPages = all.map(({ dataId }) => dataId)
      assert.deepEqual(
        await walk(`sortBy=${sortBy}&sortOrder=${sortOrder}`),
        inPages,
        `${sortBy} ${sortOrder}`,
      )
    }
  const other = await aHub(sql, { org, name: `${hub.name} 2` })
  const move = (to: { id: string }) =>
    sql`update data_records set hub_id = ${to.id} where data_type_id = ${type.id} and data_id in ('K0', 'K3')`
  await move(other)
  const byHub = await walk("sortBy=hub.name&sortOrder=desc")
  assert.deepEqual([byHub.length, byHub.slice(0, 2).toSorted()], [6, ["K0", "K3"]])
  await move(hub)
  assert.equal((await walk("filter[grade]=gold&sortBy=crates")).length, 3)

  const first = await page("sortOrder=asc&sortBy=dataId")
  const gone = String(ids(first)[1])
  assert.equal((await owner.delete(`/data/${gone}`)).statusCode, 200)
  const byCursor = await page(`sortOrder=asc&sortBy=dataId&cursor=${first.nextCursor}`)
  assert.deepEqual(
    byCursor.data.map(({ dataId }) => dataId),
    ["K2", "K3"],
  )
  assert.deepEqual(ids(await page(`sortOrder=asc&sortBy=dataId&cursor=${gone}`)), ids(byCursor))

  const refused = await owner.get(`/data?dataTypeId=${type.id}&lazyLoad=1&cursor=${first.nextCursor}`)
  assert.deepEqual([refused.statusCode, refused.json().failedCode], [400, "data-003"])
  const forged = Buffer.from('["createdTime","desc","soon","timestamp with time zone","x"]').toString(
    "base64url",
  )
  assert.equal((await owner.get(`/data?lazyLoad=1&cursor=${forged}`)).statusCode, 400)
  const stranger = as((await anOrganization(sql)).owner)
  assert.equal((await stranger.get(`/data?lazyLoad=1&cursor=${gone}`)).statusCode, 400)

  const elsewhere = await aHub(sql, { org })
  await page(`hubId=${elsewhere.id}`)
  const left = String(ids(byCursor)[0])
  assert.equal((await owner.delete(`/hub/${hub.id}`)).statusCode, 200)
  assert.deepEqual(ids(await page(`cursor=${left}`)), [])
})
