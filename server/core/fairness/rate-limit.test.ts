import assert from "node:assert/strict"
import { test } from "node:test"
import { anOrganization, aUser } from "#samples/builders.ts"
import { testApp, tokenOf } from "#testing/test-app.ts"
import { localRateLimiter } from "./rate-limit.ts"

test("the limit counts per key and second", async () => {
  let now = 1_000
  const limiter = localRateLimiter(() => now)
  const taken = [
    await limiter.take("a", 2),
    await limiter.take("a", 2),
    await limiter.take("a", 2),
    await limiter.take("b", 2),
  ]
  assert.deepEqual(taken, [true, true, false, true])
  now = 2_000
  assert.equal(await limiter.take("a", 2), true)
})

test("the people of an organization share one limit and get Retry-After; others continue", async (t) => {
  const { sql, as } = await testApp(t, { RATE_LIMIT: "5" })
  const [org, other] = [await anOrganization(sql), await anOrganization(sql)]
  const colleague = await aUser(sql, { org, role: "admin" })
  const replies = []
  for (let round = 0; round < 40; round += 1) replies.push(as(round % 2 ? org.owner : colleague).get("/hubs"))
  const responses = await Promise.all(replies)
  const refused = responses.filter((reply) => reply.statusCode === 429)
  assert.ok(refused.length >= 20, `${refused.length} of 40 were refused`)
  assert.ok(responses.some((reply) => reply.statusCode === 200))
  assert.equal(refused[0]?.json().failedCode, "sys-036")
  assert.equal(refused[0]?.headers["retry-after"], "1")
  const fresh = await as(other.owner).expect(200).get("/hubs")
  for (const { headers } of [fresh, ...refused]) {
    assert.equal(headers["ratelimit-policy"], '"organization";q=5;w=1')
    assert.match(String(headers.ratelimit), /^"organization";r=[0-4];t=1$/)
  }
  assert.ok(refused.every(({ headers }) => headers.ratelimit === '"organization";r=0;t=1'))
})

test("assistants share the limit, and are refused like everybody", async (t) => {
  const { app, sql } = await testApp(t, { RATE_LIMIT: "2" })
  const authorization = `Bearer ${await tokenOf(sql, (await anOrganization(sql)).owner)}`
  const payload = { jsonrpc: "2.0", id: 1, method: "ping" }
  const call = () => app.inject({ method: "POST", url: "/mcp", headers: { authorization }, payload })
  await call()
  const refused = (await Promise.all(Array.from({ length: 20 }, call))).filter(
    ({ statusCode }) => statusCode === 429,
  )
  assert.ok(refused.length > 0)
  for (const reply of refused) {
    assert.equal(reply.headers["retry-after"], "1")
    assert.deepEqual([reply.json().status, reply.json().failedCode], [false, "sys-036"])
  }
})

test("a call without a good token is 401 and not counted against anybody", async (t) => {
  const { nobody } = await testApp(t)
  const statuses = await Promise.all(
    Array.from({ length: 20 }, async () => (await nobody.get("/hubs")).statusCode),
  )
  assert.deepEqual(new Set(statuses), new Set([401]))
})

test("public calls are limited per address", async (t) => {
  const { nobody } = await testApp(t)
  const statuses = await Promise.all(
    Array.from({ length: 20 }, async () => (await nobody.get("/console-settings")).statusCode),
  )
  assert.ok(statuses.includes(429) && statuses.includes(200))
})
