import assert from "node:assert/strict"
import { test } from "node:test"
import { anOrganization } from "#samples/builders.ts"
import { testApp, tokenOf } from "#testing/test-app.ts"

test("without PUBLIC_URL the links of a list use the host of the request, if it is one", async (t) => {
  const { app, sql, config } = await testApp(t, { PUBLIC_URL: "" })
  const { owner } = await anOrganization(sql)
  const headers = { authorization: `Bearer ${await tokenOf(sql, owner)}` }
  const linkFor = async (host: string) => {
    const reply = await app.inject({ url: "/api/v3/trash", headers: { ...headers, host } })
    assert.equal(reply.statusCode, 200, reply.body)
    return new URL(reply.json().first_page_url).origin
  }
  assert.equal(await linkFor("depot.example:8443"), "http://depot.example:8443")
  assert.equal(await linkFor("[::1]:8080"), "http://[::1]:8080")
  for (const host of ["a b", "user@evil.example", "evil.example/path", "x:99999", "<script>"])
    assert.equal(await linkFor(host), new URL(config.publicUrl).origin, host)
})
