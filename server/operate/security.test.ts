import assert from "node:assert/strict"
import { readFile, stat } from "node:fs/promises"
import { join, resolve } from "node:path"
import { test } from "node:test"
import { anOrganization } from "#testing/builders.ts"
import { testApp } from "#testing/test-app.ts"

const root = resolve(import.meta.dirname, "../..")

test("every test that docs/security.md points to exists", async () => {
  const text = await readFile(join(root, "docs/security.md"), "utf8")
  const named = new Set([...text.matchAll(/`([\w./-]+\.(?:test\.)?ts)`/g)].map(([, path = ""]) => path))
  assert.ok(named.size > 20, `${named.size} named`)
  const missing: string[] = []
  for (const path of named) {
    const places = [
      path,
      join("server", path),
      join("server/features", path),
      join("server/testing", path),
      join("server/operate", path),
      join("server/features/automations", path),
    ]
    const found = await Promise.all(places.map((place) => stat(join(root, place)).catch(() => undefined)))
    if (!found.some(Boolean)) missing.push(path)
  }
  assert.deepEqual(missing, [])
  const rows = text.split("\n").filter((line) => /^\| V\d+ /.test(line))
  assert.equal(rows.length, 17)
  for (const row of rows) assert.match(row, /\.ts`|not applicable/, row)
})

test("the console and the API are sent with the headers that keep others out", async (t) => {
  const { app, nobody } = await testApp(t, { PUBLIC_URL: "https://fieldway.example" })
  const page = await app.inject({ url: "/" })
  if (page.statusCode === 404) return t.skip("the console is not built")
  const policy = String(page.headers["content-security-policy"])
  for (const part of ["default-src 'self'", "object-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"])
    assert.ok(policy.includes(part), `${part} in ${policy}`)
  assert.doesNotMatch(policy, /script-src[^;]*unsafe/)
  assert.equal(page.headers["referrer-policy"], "same-origin")
  for (const reply of [page, await nobody.get("/hubs"), await app.inject({ url: "/health/live" })]) {
    assert.equal(reply.headers["x-content-type-options"], "nosniff")
    assert.equal(reply.headers["x-powered-by"], undefined)
    assert.equal(reply.headers.server, undefined)
  }
})

test("the console's cookie is out of reach of scripts, other sites and plain connections", async (t) => {
  const { app, sql } = await testApp(t, { PUBLIC_URL: "https://fieldway.example" })
  const { owner } = await anOrganization(sql, { password: "correct-Horse-7" })
  const reply = await app.inject({
    method: "POST",
    url: "/api/v3/login",
    headers: { "sec-fetch-site": "same-origin", "x-fieldway-console": "1" },
    payload: { email: owner.email, password: "correct-Horse-7" },
  })
  assert.equal(reply.statusCode, 200, reply.body)
  const cookies = [reply.headers["set-cookie"] ?? []].flat()
  assert.equal(cookies.length, 2)
  for (const cookie of cookies)
    for (const part of [/httponly/i, /samesite=strict/i, /secure/i]) assert.match(cookie, part)
})
