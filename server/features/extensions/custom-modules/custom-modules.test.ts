import assert from "node:assert/strict"
import { test } from "node:test"
import { anOrganization, aUser } from "#samples/builders.ts"
import { testApp, testOrganization } from "#testing/test-app.ts"

test("a custom module brings the permission to see it, and takes it away again", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const owner = as(org.owner)
  const body = { name: "Stock Room", type: "internal", url: "https://stock.example/" }
  const made = await owner.expect(200).post("/custom-module", body)
  const { _id, label, isDeleted } = made.json().data
  assert.deepEqual([label, isDeleted], ["stock-room", false])
  const reader = as(await aUser(sql, { org, permissions: ["view/custom/stock-room"] }))
  const other = as(await aUser(sql, { org, permissions: [] }))
  assert.equal((await reader.get("/custom-modules")).json().data.length, 1)
  assert.equal((await other.get("/custom-modules")).json().data.length, 0)
  assert.equal((await other.get(`/custom-module/${_id}`)).statusCode, 404)
  const changed = await owner.put(`/custom-module/${_id}`, { ...body, name: "Other", type: "external" })
  assert.deepEqual([changed.json().data.name, changed.json().data.type], ["Stock Room", "external"])
  const relabelled = await owner.put(`/custom-module/${_id}`, { ...body, label: "Stores" })
  assert.equal(relabelled.json().data.label, "stores")
  assert.equal((await reader.get(`/custom-module/${_id}`)).statusCode, 200)
  for (const [code, bad] of [
    ["cmod-031", body],
    ["cmod-031", { ...body, name: "Task" }],
    ["cmod-031", { ...body, name: "Routes" }],
    ["cmod-007", { ...body, name: "Script", url: "javascript:alert(1)" }],
  ] as const)
    assert.equal((await owner.post("/custom-module", bad)).json().failedCode, code)
  const removed = (await owner.delete(`/custom-module/${_id}`)).json()
  assert.deepEqual([removed.status, removed.message, removed.data._id], [true, "Deleted", _id])
  const left = await sql`select 1 from custom_permissions where organization_id = ${org.id}`
  assert.equal(left.length, 0)
})

test("an internal module has a page that frames its address and nothing else, for a day", async (t) => {
  const { sql, as, app, clock } = await testApp(t)
  const owner = as((await anOrganization(sql)).owner)
  const url = 'https://stock.example/tool?x="><script>'
  await owner.expect(200).post("/custom-module", { name: "Stock & Co", type: "internal", url })
  const [{ frameUrl }] = (await owner.get("/custom-modules")).json().data
  const page = await app.inject({ method: "GET", url: frameUrl })
  assert.equal(page.statusCode, 200)
  const policy = String(page.headers["content-security-policy"])
  assert.match(policy, /default-src 'none'.*frame-src https:\/\/stock\.example;.*frame-ancestors 'self'/)
  assert.match(
    page.body,
    /<iframe src="https:\/\/stock\.example\/tool\?x=[^"<>]*" title="Stock &amp; Co" sandbox=/,
  )
  assert.doesNotMatch(page.body, /allow-top-navigation|<script/)
  const forged = frameUrl.replace(/signature=(.)/, (_: string, first: string) =>
    first === "A" ? "signature=B" : "signature=A",
  )
  assert.equal((await app.inject({ method: "GET", url: forged })).statusCode, 404)
  clock.move({ hours: 25 })
  assert.equal((await app.inject({ method: "GET", url: frameUrl })).statusCode, 404)
})
