import assert from "node:assert/strict"
import { readdir, readFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import { test } from "node:test"
import { anOrganization } from "#samples/builders.ts"
import { testApp } from "#testing/test-app.ts"

const root = resolve(import.meta.dirname, "../..")

test("every test that docs/security.md names exists, by file and by title", async () => {
  const page = await readFile(join(root, "docs/security.md"), "utf8")
  const named = [...page.matchAll(/`([\w./-]+\.(?:test\.)?ts)`((?:,? "[^"\n]+")*)/g)]
  assert.ok(named.length > 150, `${named.length} named`)
  const missing: string[] = []
  for (const [, path = "", titles = ""] of named) {
    const text = await readFile(join(root, path), "utf8").catch(() => undefined)
    if (text === undefined) missing.push(path)
    for (const [, title = ""] of titles.matchAll(/"([^"]+)"/g))
      if (!text?.includes(`test("${title}`)) missing.push(`${path}: ${title}`)
  }
  assert.deepEqual(missing, [])
})

test("docs/security.md judges every requirement of ASVS 5.0, levels 1 and 2, once, and what is met names a test", async () => {
  const page = await readFile(join(root, "docs/security.md"), "utf8")
  const rows = [...page.matchAll(/^\| (\d+\.\d+\.\d+) \| (.+?) \| (.+?) \| (.+) \|$/gm)]
  assert.equal(new Set(rows.map(([, id]) => id)).size, 253)
  assert.equal(rows.length, 253)
  for (const [row, , , verdict = "", reason = ""] of rows) {
    assert.match(verdict, /^(met|partly|not met|not applicable)$/, row)
    if (verdict === "met") assert.match(reason, /`[\w./-]+\.test\.ts`/, row)
    else assert.ok(reason.length > 5, row)
  }
})

test("no code is made of text, and no text becomes HTML in the console", async () => {
  const isOurs = (path: string) => /\.tsx?$/.test(path) && !/\.test\.ts$|\.d\.ts$/.test(path)
  const found: string[] = []
  for (const folder of ["server", "shared", "packages", "console/src"])
    for (const path of await readdir(join(root, folder), { recursive: true })) {
      if (!isOurs(path)) continue
      const text = await readFile(join(root, folder, path), "utf8")
      const dangerous =
        /\beval\(|new Function\(|dangerouslySetInnerHTML|\.(?:inner|outer)HTML\b|document\.write|insertAdjacentHTML/
      if (dangerous.test(text)) found.push(`${folder}/${path}`)
    }
  assert.deepEqual(found, [])
})

test("nothing but what is meant to be served is in reach", async (t) => {
  const { app } = await testApp(t, { PUBLIC_URL: "https://fieldway.example" })
  for (const path of [
    "/.git/config",
    "/.env",
    "/package.json",
    "/..%2f..%2fpackage.json",
    "/server/main.ts",
  ]) {
    const reply = await app.inject({ url: path })
    assert.doesNotMatch(reply.body, /\[core\]|"workspaces"|SECRETS_KEY|import /, path)
  }
  for (const path of ["/assets/", "/api/v3/"]) {
    const reply = await app.inject({ url: path })
    assert.ok(reply.statusCode >= 400, `${path}: ${reply.statusCode}`)
  }
  const headers = { "x-mark": "of the caller" }
  const trace = await app.inject({ method: "TRACE" as "GET", url: "/api/v3/hubs", headers })
  assert.ok(trace.statusCode >= 400)
  assert.doesNotMatch(trace.body, /of the caller/)
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
  const [account] = await sql<{ passwordHash: string }[]>`
    select password_hash from accounts where email = ${owner.email}`
  assert.match(account?.passwordHash ?? "", /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  const cookies = [reply.headers["set-cookie"] ?? []].flat()
  assert.equal(cookies.length, 2)
  for (const cookie of cookies)
    for (const part of [/httponly/i, /samesite=strict/i, /secure/i]) assert.match(cookie, part)
})
