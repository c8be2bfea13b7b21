import assert from "node:assert/strict"
import { rm, writeFile } from "node:fs/promises"
import { test } from "node:test"
import { fastify } from "fastify"
import { anOrganization, aUser } from "#samples/builders.ts"
import { testApp, testOrganization, tokenOf } from "#testing/test-app.ts"
import { sendError } from "./errors.ts"

test("an unknown address is 404, a known one with another method 405 with Allow, both in the envelope", async (t) => {
  const { as, org } = await testOrganization(t)
  const unknown = await as(org.owner).expect(404).get("/nothing/here")
  assert.equal(unknown.json().failedCode, "sys-033")
  const wrong = await as(org.owner).expect(405).delete("/roles")
  assert.match(String(wrong.headers.allow), /GET/)
})

test("an unknown address without a token is 401: strangers do not learn what exists", async (t) => {
  const { nobody } = await testApp(t)
  assert.equal((await nobody.get("/nothing/here")).statusCode, 401)
})

test("Accept without JSON is 406 before anything else", async (t) => {
  const { nobody } = await testApp(t)
  assert.equal((await nobody.get("/hubs", { accept: "text/html" })).statusCode, 406)
  assert.equal((await nobody.get("/hubs", { accept: "text/html, */*;q=0.1" })).statusCode, 401)
})

test("what takes longer than its time limit is 503, and may be tried again", async () => {
  const app = fastify().setErrorHandler(sendError)
  const late = AbortSignal.abort(new DOMException("late", "TimeoutError"))
  app.get("/slow", async () => late.throwIfAborted())
  const reply = await app.inject("/slow")
  const { failedCode } = reply.json()
  assert.deepEqual([reply.statusCode, reply.headers["retry-after"], failedCode], [503, "5", "sys-045"])
})

test("HEAD of a page of the console is answered as GET, without a body", async (t) => {
  const { app } = await testApp(t)
  const headers = { accept: "text/html" }
  const [page, head] = await Promise.all(
    (["GET", "HEAD"] as const).map((method) => app.inject({ method, url: "/tasks", headers })),
  )
  assert.deepEqual(
    [head?.statusCode, head?.headers["content-type"]],
    [page?.statusCode, page?.headers["content-type"]],
  )
  assert.equal(page?.statusCode, 200)
  assert.equal(head?.body, "")
})

test("a file of the console that was built since the start is served", async (t) => {
  const { app } = await testApp(t)
  const file = new URL(`../../../console/dist/assets/late-${process.pid}.js`, import.meta.url)
  await writeFile(file, "export {}")
  t.after(() => rm(file))
  const reply = await app.inject(`/assets/late-${process.pid}.js`)
  assert.deepEqual([reply.statusCode, reply.body], [200, "export {}"])
  assert.match(String(reply.headers["cache-control"]), /immutable/)
  assert.equal((await app.inject("/assets/none.js")).statusCode, 404)
})

test("a trailing slash is the same address", async (t) => {
  const { as, org } = await testOrganization(t)
  assert.equal((await as(org.owner).get("/hubs/")).statusCode, 200)
})

test("malformed JSON says so, with the module's code", async (t) => {
  const { as, org } = await testOrganization(t)
  const reply = await as(org.owner)
    .expect(400)
    .post("/hub", '{"name": ', { "content-type": "application/json" })
  assert.equal(reply.json().failedCode, "hub-013")
})

test("a bad parameter has the code of its kind, or the one that the wire gives the list", async (t) => {
  const { as, org } = await testOrganization(t)
  for (const [path, code] of [
    ["/teams?limit=0", "team-009"],
    ["/data-types?limit=0", "dtype-003"],
    ["/data-types?provider=nobody", "dtype-003"],
    ["/data?updatedTime=yesterday", "data-003"],
    ["/flows?sort_order=up", "flow-001"],
    ["/flow-fields?fieldType=all,none", "flow-001"],
    ["/flow-logs?limit=none", "flow-001"],
    ["/import-monitoring?limit=0", "import-003"],
    ["/import-monitoring?status=lost", "import-003"],
  ] as const) {
    const reply = await as(org.owner).get(path)
    assert.deepEqual([reply.statusCode, reply.json().failedCode], [400, code], path)
  }
})

test("a text body is the wrong media type", async (t) => {
  const { as, org } = await testOrganization(t)
  await as(org.owner).expect(415).post("/hub", "name=x", { "content-type": "text/plain" })
})

test("what no table knows, no text can hold and no address may be is refused, not failed on", async (t) => {
  const { as, app, org } = await testOrganization(t)
  const me = as(org.owner)
  const lists = [
    "/data",
    "/flows?",
    "/import-monitoring",
    "/tasks/export-log",
    "/export-configs",
    "/trash",
    "/hubs",
  ]
  for (const list of [...lists, "/vehicles", "/tasks", "/automations", "/automation-log", "/org-data"]) {
    const reply = await me.get(
      `${list.replace("?", "")}?${list.endsWith("?") ? "sort_by" : "sortBy"}=constructor`,
    )
    assert.equal(reply.statusCode, 200, `${list}: ${reply.body}`)
  }
  const json = { "content-type": "application/json" }
  const half = await me.post("/org-data", '{"name":"a","data":{"x":"a\\ud800b"}}', json)
  assert.deepEqual([half.statusCode, half.json().failedCode], [400, "orgdt-016"])
  const text = await me.post("/hub", "name", { "content-type": "text/plain" })
  assert.deepEqual([text.statusCode, text.json().failedCode], [415, "hub-003"])
  const broken = await app.inject({ url: "/api/v3/data/type/%E0%A4%A/x" })
  assert.deepEqual(
    [broken.statusCode, broken.json().status, broken.json().failedCode],
    [400, false, "sys-003"],
  )
})

test("an empty JSON body on DELETE and PATCH is none", async (t) => {
  const { as, org } = await testOrganization(t)
  const reply = await as(org.owner).delete("/hub/6a01c0ffee5de0b4a7710c11", "", {
    "content-type": "application/json",
  })
  assert.equal(reply.json().failedCode, "hub-033")
})

test("a body above the limit is 413 and names the limit", async (t) => {
  const { as, config, org } = await testOrganization(t)
  for (const [method, path, bytes, limit] of [
    ["put", "/account", 64 * 1024, "64 kB"],
    ["post", "/login", 64 * 1024, "64 kB"],
    ["patch", "/user", 64 * 1024, "64 kB"],
    ["post", "/hub", 2 * 1024 ** 2, "2 MB"],
    ["post", "/flow", 8 * 1024 ** 2, "8 MB"],
    ["post", "/tasks/bulk", config.bodyMaxBytes, "16 MB"],
  ] as const) {
    const reply = await as(org.owner)[method](path, { name: "x".repeat(bytes) })
    assert.equal(reply.statusCode, 413, path)
    assert.ok(reply.json().message.includes(limit), `${path}: ${reply.body}`)
  }
})

test("a form with more files than a request takes is refused for that, not for its size", async (t) => {
  const { as, org } = await testOrganization(t)
  const photo = { filename: "one.png", content: "1", contentType: "image/png" }
  const reply = await as(org.owner).expect(400).upload("/task/photo/one.png", { photo, another: photo })
  assert.match(reply.json().message, /more files/)
})

test("no cache keeps what the API returns", async (t) => {
  const { sql, as, nobody } = await testApp(t)
  const { owner } = await anOrganization(sql)
  for (const reply of [
    await as(owner).get("/hubs"),
    await as(owner).get("/hub/1"),
    await nobody.get("/hubs"),
  ])
    assert.equal(reply.headers["cache-control"], "no-store")
})

test("metrics are for this machine itself, not for what a proxy on it passes on", async (t) => {
  const { app } = await testApp(t)
  const status = async (headers: Record<string, string>) =>
    (await app.inject({ url: "/metrics", headers })).statusCode
  assert.equal(await status({}), 200)
  for (const name of ["Forwarded", "X-Forwarded-For", "X-Forwarded-Proto", "X-Real-IP", "Via"])
    assert.equal(await status({ [name]: "127.0.0.1" }), 401, name)
})

test("links of a list begin with PUBLIC_URL where it is set, whatever host the request names", async (t) => {
  const { app, sql } = await testApp(t)
  const { owner } = await anOrganization(sql)
  const headers = { authorization: `Bearer ${await tokenOf(sql, owner)}` }
  for (const host of ["evil.example", "evil.example/path?x=", "a b", ""]) {
    const reply = await app.inject({ url: "/api/v3/trash", headers: { ...headers, host } })
    assert.match(reply.json().first_page_url, /^http:\/\/fieldway\.test\/api\/v3\/trash\?/, host)
  }
})

test("browsers of other origins may call with a token, never with cookies", async (t) => {
  const { app } = await testApp(t)
  const preflight = await app.inject({
    method: "OPTIONS",
    url: "/api/v3/task/6a01c0ffee5de0b4a7710c11",
    headers: {
      origin: "https://dashboard.example",
      "access-control-request-method": "PATCH",
      "access-control-request-headers": "authorization,content-type",
    },
  })
  assert.equal(preflight.statusCode, 204)
  assert.equal(preflight.headers["access-control-allow-origin"], "*")
  assert.match(String(preflight.headers["access-control-allow-methods"]), /PATCH/)
  assert.match(String(preflight.headers["access-control-allow-headers"]), /authorization/)
  assert.equal(preflight.headers["access-control-allow-credentials"], undefined)
})

test("the console's cookie counts from our own origin only", async (t) => {
  const { sql, app, org } = await testOrganization(t)
  const cookie = `fieldway_session=${await tokenOf(sql, org.owner)}`
  const status = async (headers: Record<string, string>) =>
    (await app.inject({ url: "/api/v3/user", headers: { cookie, ...headers } })).statusCode
  assert.equal(await status({ "sec-fetch-site": "same-origin" }), 200)
  assert.equal(await status({ origin: "http://fieldway.test" }), 200)
  assert.equal(await status({ "sec-fetch-site": "cross-site" }), 401)
  assert.equal(await status({ origin: "https://evil.example" }), 401)
  assert.equal(await status({}), 401)
})

test("a request that names its sender is not done for somebody else", async (t) => {
  const { as, org } = await testOrganization(t)
  const hub = { name: "Depot", address: "Quay 1", lat: 1, lng: 2 }
  const add = (name: string, sender: string) =>
    as(org.owner).post("/hub", { ...hub, name }, { "x-fieldway-user": sender })
  const refused = await add("Not mine", "0123456789abcdef01234567")
  assert.deepEqual([refused.statusCode, refused.json().failedCode], [412, "auth-037"])
  assert.equal((await add("Mine", org.owner.id)).statusCode, 200)
  const names = (await as(org.owner).get("/hubs")).json().data.map(({ name }: { name: string }) => name)
  assert.deepEqual(names.includes("Not mine"), false)
})

test("an x-api-key carries a token like a bearer header does", async (t) => {
  const { sql, app, org } = await testOrganization(t)
  const reply = await app.inject({
    url: "/api/v3/user",
    headers: { "x-api-key": await tokenOf(sql, org.owner) },
  })
  assert.equal(reply.statusCode, 200)
})

test("an Idempotency-Key makes one hub of two calls, and refuses another body", async (t) => {
  const { as, org } = await testOrganization(t)
  const hub = { name: "Once", address: "Quay 1", lat: 1, lng: 2 }
  const key = { "idempotency-key": "order-66" }
  const replies = await Promise.all([1, 2, 3].map(() => as(org.owner).post("/hub", hub, key)))
  assert.deepEqual(
    replies.map((reply) => reply.statusCode),
    [200, 200, 200],
  )
  assert.equal(new Set(replies.map((reply) => reply.json().data._id)).size, 1)
  await as(org.owner)
    .expect(409)
    .post("/hub", { ...hub, name: "Twice" }, key)
})

test("a refused call does not use up its Idempotency-Key", async (t) => {
  const { as, org } = await testOrganization(t)
  const key = { "idempotency-key": "again" }
  await as(org.owner).expect(400).post("/hub", { name: "Off", address: "-", lat: 95, lng: 0 }, key)
  await as(org.owner).expect(200).post("/hub", { name: "On", address: "-", lat: 45, lng: 0 }, key)
})

test("a token ends at once when it is revoked, its owner disabled or their role narrowed", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  assert.equal((await as(org.owner).get("/hubs")).statusCode, 200)
  await sql`update users set status = 'disabled' where id = ${org.owner.id}`
  assert.equal((await as(org.owner).get("/hubs")).statusCode, 401)
  await sql`update users set status = 'active' where id = ${org.owner.id}`
  assert.equal((await as(org.owner).get("/hubs")).statusCode, 200)
  await sql`update access_tokens set revoked_at = now() where user_id = ${org.owner.id}`
  assert.equal((await as(org.owner).get("/hubs")).statusCode, 401)
})

test("a refused authorization is logged with who and what, without secrets", async (t) => {
  const { sql, as, app, org } = await testOrganization(t)
  const reader = await aUser(sql, { org, permissions: ["view/task"] })
  const lines: unknown[] = []
  t.mock.method(app.log, "child", () => {
    const log = { debug: () => undefined, info: (...line: unknown[]) => void lines.push(line) }
    return { ...log, trace: log.debug, warn: log.debug, error: log.debug, fatal: log.debug }
  })
  await as(reader).expect(403).post("/role", { name: "Boss", secret: "s3cret" })
  const { id: userId, organizationId } = reader
  const fields = { method: "POST", route: "/api/v3/role", failedCode: "role-035", organizationId, userId }
  assert.deepEqual(lines, [[fields, "request refused: not authorized"]])
})
