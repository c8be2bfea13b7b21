import assert from "node:assert/strict"
import { test } from "node:test"
import { anOrganization } from "#samples/builders.ts"
import { testApp } from "#testing/test-app.ts"
import { bodyKindOf, takesBody } from "./body-kinds.ts"

test("large bodies are taken where many objects or files are the purpose, and nowhere else", async (t) => {
  const { app } = await testApp(t)
  const routes = app.routeTable.routes().filter(({ method }) => takesBody(method))
  const byKind = Object.groupBy(routes, (route) => bodyKindOf(route))
  const listed = (kind: keyof typeof byKind) =>
    (byKind[kind] ?? []).map(({ method, url }) => `${method} ${url.replace("/api/v3", "")}`).sort()
  assert.deepEqual(listed("bulk"), [
    "DELETE /datas/bulk",
    "DELETE /tasks/bulk",
    "DELETE /vehicles/bulk",
    "PATCH /datas/bulk",
    "PATCH /result/:resultId",
    "PATCH /tasks/bulk",
    "PATCH /vehicles/bulk",
    "POST /data/bulk",
    "POST /data/bulk/upsert",
    "POST /geofences/import",
    "POST /location-history/bulk",
    "POST /reorder-visits",
    "POST /route-calculate",
    "POST /route-optimization",
    "POST /routing",
    "POST /routing/visits",
    "POST /task/schedules/bulk",
    "POST /tasks/bulk",
    "POST /trash/restore",
    "POST /vehicles",
    "PUT /result/:resultId",
    "PUT /tasks/bulk",
    "PUT /tasks/bulk/assign",
    "PUT /tasks/bulk/move",
    "PUT /tasks/bulk/upsert",
  ])
  assert.deepEqual(listed("upload"), [
    "POST /data/import",
    "POST /data/import/preview",
    "POST /data/import/readings/dump",
  ])
  assert.deepEqual(listed("track"), ["POST /device/gpx"])
  assert.deepEqual(listed("saml"), ["POST /auth/sso"])
  for (const route of routes) {
    assert.ok(route.bodyLimit, `${route.method} ${route.url} has a limit`)
    const isAccount =
      /^\/api\/v3\/(login|secret|register|account|token|user\/(authenticator|change-password))/
    if (isAccount.test(route.url)) assert.equal(route.bodyLimit, 64 * 1024, route.url)
    if (route.config.public && !["device", "track", "saml"].includes(bodyKindOf(route)))
      assert.equal(route.bodyLimit, 64 * 1024, route.url)
  }
})

test("a form is a wrong media type where none is taken, and must name its boundary where one is", async (t) => {
  const { app, sql, as } = await testApp(t)
  const { owner } = await anOrganization(sql)
  const form = { "content-type": "multipart/form-data; boundary=x" }
  assert.equal((await as(owner).post("/hub", "--x--\r\n", form)).statusCode, 415)
  const unbounded = { "content-type": "multipart/form-data" }
  assert.equal((await as(owner).post("/data/import", "--x--\r\n", unbounded)).statusCode, 400)
  const cut = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\nName'
  for (const path of ["/data/import", "/user/avatar", "/plugin", "/app-integration"]) {
    const reply = await as(owner).post(path, cut, form)
    assert.equal(reply.statusCode, 400, `${path}: ${reply.body}`)
  }
  const length = { ...form, "content-length": String(app.settings.importMaxBytes * 2) }
  const large = await as(owner).expect(413).post("/data/import", cut, length)
  assert.match(large.json().message, /514 MB/)
})

test("an unknown address is 404 and a throttled one 429 whatever the body", async (t) => {
  const { sql, as, nobody, app } = await testApp(t)
  const { owner } = await anOrganization(sql)
  const large = "x".repeat(100_000)
  const json = { "content-type": "application/json" }
  assert.equal((await as(owner).post("/nothing/here", large, json)).statusCode, 404)
  assert.equal((await as(owner).patch("/roles", large, json)).statusCode, 405)
  for (let count = 0; count < 60; count++) await app.limiter.take("account:127.0.0.1", 60, 3600)
  for (const body of [large, "{", "{}"])
    assert.equal((await nobody.put("/account", body, json)).statusCode, 429)
})
