import assert from "node:assert/strict"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { test } from "node:test"
import { createLog } from "#core/telemetry/log.ts"
import { testApp } from "#testing/test-app.ts"
import { checkIsolation, showVerdicts } from "./isolation-check.ts"

test("the isolation check tries every described call on a running server, finds no leak and cleans up", async (t) => {
  const { app, sql, config, databaseUrl } = await testApp(t)
  const address = await app.listen({ host: "127.0.0.1", port: 0 })
  const verdicts = await checkIsolation({ ...config, databaseUrl }, createLog("silent"), address)
  const { paths } = app.swagger() as { paths: Record<string, object> }
  const described = Object.values(paths).flatMap((operations) => Object.keys(operations)).length
  assert.equal(verdicts.length, described + 2)
  assert.deepEqual(
    verdicts.filter(({ isIsolated }) => !isIsolated),
    [],
    showVerdicts(verdicts),
  )
  assert.deepEqual(
    verdicts.filter(({ status }) => status === undefined),
    [],
    "every call was really made",
  )
  assert.equal((await sql`select 1 from organizations`).length, 0)
  assert.equal((await sql`select 1 from accounts`).length, 0)
})

test("the isolation check reports what a route that ignores the organization shows and changes", async (t) => {
  const { sql, databaseUrl, config } = await testApp(t)
  const parameters = [{ in: "path", name: "hubId", required: true, schema: { type: "string" } }]
  const security = [{ bearer: [] }]
  const paths = {
    "/api/v3/hubs": { get: { security } },
    "/api/v3/hub/{hubId}": { put: { security, parameters }, get: { security, parameters } },
  }
  const careless = createServer(async (request, reply) => {
    if (request.url?.endsWith("openapi.json")) return reply.end(JSON.stringify({ paths }))
    if (request.method === "PUT")
      await sql`update hubs set name = 'Taken' where id = ${request.url?.slice(-24) ?? ""}`
    return reply.end(JSON.stringify(await sql`select id, name from hubs`))
  })
  await new Promise<void>((resolve) => careless.listen(0, "127.0.0.1", resolve))
  t.after(() => careless.close())
  const { port } = careless.address() as AddressInfo
  const verdicts = await checkIsolation(
    { ...config, databaseUrl },
    createLog("silent"),
    `http://127.0.0.1:${port}`,
  )
  const notes = Object.fromEntries(verdicts.map(({ call, note }) => [call, note]))
  assert.match(notes["GET /hubs"] ?? "", /^SHOWED/)
  assert.match(notes["PUT /hub/:hubId"] ?? "", /^CHANGED/)
  assert.match(notes["GET /hub/:hubId"] ?? "", /^SHOWED/)
})
