import assert from "node:assert/strict"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { type TestContext, test } from "node:test"
import { aDataType, anOrganization } from "#samples/builders.ts"
import { testApp } from "#testing/test-app.ts"
import { sealStoredProviders } from "../../data-types/index.ts"

const fields = [
  { id: "dataId", title: "Key" },
  { id: "crates", title: "Crates", type: "number" },
  { id: "grade", title: "Grade", type: "option", optionData: ["gold", "silver"] },
]

/** A service of somebody else's on this machine, and an organization with a type that reads it. */
async function aService(t: TestContext, handler: (request: IncomingMessage, reply: ServerResponse) => void) {
  const server = createServer(handler)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  t.after(() => server.close())
  const { sql, as, config } = await testApp(t, { WEBHOOK_ALLOW: "127.0.0.0/8" })
  const org = await anOrganization(sql)
  const { port } = server.address() as { port: number }
  const external = { url: `http://127.0.0.1:${port}/rows`, key: "Token abc" }
  const type = await aDataType(sql, { org, name: "Outside", fields, external })
  await sealStoredProviders({ sql, config })
  return { sql, org, type, owner: as(org.owner) }
}

const rows = [
  { dataId: 1, crates: "12", grade: "gold", internal: "not a field" },
  { dataId: "2", crates: 3, grade: "unknown" },
  { crates: 5 },
  "nonsense",
  { dataId: "3", crates: 7, grade: "silver" },
]

test("records of an external type are read from its service, filtered, sorted and paged", async (t) => {
  const seen: (string | undefined)[] = []
  const { owner, type } = await aService(t, (request, reply) => {
    seen.push(request.headers.authorization)
    reply.end(JSON.stringify({ data: rows }))
  })
  const list = async (query: string) => (await owner.get(`/data?dataTypeId=${type.id}${query}`)).json().data
  const all = await list("")
  assert.equal(all.total, 3)
  assert.deepEqual(seen, ["Token abc"])
  const [first] = all.data
  assert.deepEqual([first.dataId, first.crates, first.grade], ["1", "12", "gold"])
  assert.equal("internal" in first, false)
  assert.match(first._id, /^[0-9a-f]{24}$/)
  const sorted = await list("&sortBy=crates&sortOrder=asc&limit=2&page=1&fields=crates")
  assert.deepEqual(
    sorted.data.map((record: { crates: number }) => record.crates),
    [3, 7],
  )
  assert.equal((await list("&filter[crates][gte]=7")).total, 2)
  assert.equal((await list("&dataId=3,9")).total, 1)
  for (const sortBy of ["crates", "grade", "createdTime"])
    for (const sortOrder of ["asc", "desc"]) {
      const keys: string[] = []
      for (let cursor: string | null = ""; cursor !== null; ) {
        const page = await list(
          `&lazyLoad=1&limit=1&sortBy=${sortBy}&sortOrder=${sortOrder}&cursor=${cursor}`,
        )
        keys.push(...page.data.map(({ dataId }: { dataId: string }) => dataId))
        cursor = page.nextCursor
      }
      assert.deepEqual(keys.toSorted(), ["1", "2", "3"], `${sortBy} ${sortOrder}`)
    }
  const byKey = (await owner.get("/data/type/Outside/3")).json().data
  assert.equal(byKey.crates, 7)
})

test("records of an external type cannot be written here", async (t) => {
  const { owner, type } = await aService(t, (_request, reply) => reply.end("[]"))
  const record = { dataId: "1", dataTypeId: type.id }
  assert.equal((await owner.post("/data", record)).json().failedCode, "data-032")
  const bulk = (await owner.post("/data/bulk/upsert", { data: [record] })).json()
  assert.equal(bulk.data[0].failedCode, "data-032")
})

test("a response that cannot be used is data-043, and a redirect is not followed", async (t) => {
  const responses: ((reply: ServerResponse) => void)[] = [
    (reply) => reply.end("not json"),
    (reply) => reply.end('{"rows":[]}'),
    (reply) => reply.writeHead(500).end("[]"),
    (reply) => reply.writeHead(302, { location: "/elsewhere" }).end(),
    (reply) => reply.destroy(),
  ]
  let turn = 0
  const { owner, type } = await aService(t, (request, reply) => {
    assert.equal(request.url, "/rows")
    responses[turn++]?.(reply)
  })
  for (const _ of responses) {
    const reply = await owner.expect(400).get(`/data?dataTypeId=${type.id}`)
    assert.equal(reply.json().failedCode, "data-043", reply.body)
    assert.equal(reply.body.includes("Token abc"), false)
  }
})
