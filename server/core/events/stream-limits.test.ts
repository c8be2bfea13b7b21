import assert from "node:assert/strict"
import type { AddressInfo } from "node:net"
import { test } from "node:test"
import { anOrganization, aUser, type Person } from "#samples/builders.ts"
import { testApp, tokenOf } from "#testing/test-app.ts"

test("event streams are limited per person and per organization, and closing one makes room", async (t) => {
  const { app, sql } = await testApp(t, { STREAMS_PER_USER: "2", STREAMS_PER_ORGANIZATION: "3" })
  await app.listen({ host: "127.0.0.1", port: 0 })
  const { port } = app.server.address() as AddressInfo
  const open = async (person: Person) => {
    const left = new AbortController()
    const headers = { authorization: `Bearer ${await tokenOf(sql, person)}` }
    const reply = await fetch(`http://127.0.0.1:${port}/api/v3/events`, { headers, signal: left.signal })
    return { reply, close: () => left.abort() }
  }
  const org = await anOrganization(sql)
  const [owner, other, third] = [org.owner, await aUser(sql, { org }), await aUser(sql, { org })]
  const first = await open(owner)
  assert.deepEqual([first.reply.status, (await open(owner)).reply.status], [200, 200])

  const { reply: refused } = await open(owner)
  const { failedCode, message } = (await refused.json()) as { failedCode: string; message: string }
  assert.deepEqual([refused.status, refused.headers.get("retry-after"), failedCode], [429, "5", "sys-036"])
  assert.match(message, /limit for a person is 2 open streams/)

  assert.equal((await open(other)).reply.status, 200)
  const full = await open(third)
  assert.equal(full.reply.status, 429)
  assert.match(
    ((await full.reply.json()) as { message: string }).message,
    /limit for an organization is 3 open streams/,
  )
  assert.equal((await open((await anOrganization(sql)).owner)).reply.status, 200, "another organization")

  first.close()
  let again = await open(third)
  // The server learns of the closed connection a moment later.
  while (again.reply.status === 429) again = await open(third)
  assert.equal(again.reply.status, 200)
})
