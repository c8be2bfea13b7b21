import assert from "node:assert/strict"
import { test } from "node:test"
import { aFlow, aHub, anOrganization, aTask, aUser } from "#samples/builders.ts"
import { testApp, testOrganization } from "#testing/test-app.ts"

test("cursor paging gives each task once in any order, also when rows change or go between pages", async () => {
  const server = await testApp()
  const org = await anOrganization(server.sql)
  const [flow, hub] = [await aFlow(server.sql, { org }), await aHub(server.sql, { org })]
  const owner = server.as(org.owner)
  for (const title of ["c", "a", "b", "e", "d", "a"])
    await aTask(server.sql, { org, hub, flow, title, ...(title === "a" ? {} : { refId: `ref ${title}` }) })
  const page = async (query: string) => {
    const reply = await owner.expect(200).get(`/tasks?lazyLoad=1&limit=2&${query}`)
    const { data, nextCursor, next_page_url } = reply.json().tasks as {
      data: { _id: string }[]
      nextCursor: string | null
      next_page_url: string | null
    }
    const linked = next_page_url && new URL(next_page_url).searchParams.get("cursor")
    assert.equal(linked, nextCursor)
    return { ids: data.map(({ _id }) => _id), nextCursor }
  }
  for (const sortBy of ["title", "refId", "siteName", "createdTime", "doneTime", "status", "assignee"])
    for (const sortOrder of ["asc", "desc"]) {
      const seen: string[] = []
      for (let cursor: string | null = ""; cursor !== null; ) {
        const next = await page(`sortBy=${sortBy}&sortOrder=${sortOrder}&cursor=${cursor}`)
        seen.push(...next.ids)
        cursor = next.nextCursor
      }
      assert.equal(new Set(seen).size, 6, `${sortBy} ${sortOrder}`)
      assert.equal(seen.length, 6, `${sortBy} ${sortOrder}`)
    }
  const first = await page("sortOrder=asc")
  const gone = String(first.ids[1])
  assert.equal((await owner.delete(`/task/${gone}`)).statusCode, 200)
  const byCursor = await page(`sortOrder=asc&cursor=${first.nextCursor}`)
  assert.deepEqual((await page(`sortOrder=asc&cursor=${gone}`)).ids, byCursor.ids)
  assert.equal((await owner.get(`/tasks?lazyLoad=1&sortBy=title&cursor=${first.nextCursor}`)).statusCode, 400)
  for (const place of [
    ["createdTime", "asc", "soon", "timestamp with time zone", gone],
    ["createdTime", "asc", "a", "text", gone],
  ]) {
    const forged = Buffer.from(JSON.stringify(place)).toString("base64url")
    assert.equal((await owner.get(`/tasks?lazyLoad=1&sortOrder=asc&cursor=${forged}`)).statusCode, 400)
  }
  const stranger = server.as((await anOrganization(server.sql)).owner)
  assert.equal((await stranger.get(`/tasks?lazyLoad=1&cursor=${gone}`)).statusCode, 400)
  const left = String(byCursor.ids[0])
  const other = await aHub(server.sql, { org })
  await aTask(server.sql, { org, hub: other, flow })
  assert.equal((await owner.delete(`/hub/${hub.id}`)).statusCode, 200)
  assert.equal((await page(`sortOrder=asc&cursor=${left}`)).ids.length, 1, "a task that went with its hub")
})

test("tasks are ordered by the names of hubs and people", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const flow = await aFlow(sql, { org })
  for (const [title, hubName, name] of [
    ["first", "North", "Zoe"],
    ["second", "South", "Adam"],
    ["third", "East", undefined],
  ] as const) {
    const hub = await aHub(sql, { org, name: hubName })
    const assignee = name ? [await aUser(sql, { org, name, hubs: [hub], permissions: ["do/task"] })] : []
    await aTask(sql, { org, hub, flow, title, assignee })
  }
  const titles = async (sortBy: string) =>
    (await as(org.owner).expect(200).get(`/tasks?sortBy=${sortBy}&sortOrder=asc`))
      .json()
      .tasks.data.map(({ title }: { title: string }) => title)
  assert.deepEqual(await titles("hub.name"), ["third", "first", "second"])
  assert.deepEqual(await titles("assignee.name"), ["second", "first", "third"])
})
