import assert from "node:assert/strict"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { test } from "node:test"
import { setTimeout as pause } from "node:timers/promises"
import { createTestDatabase } from "#testing/test-database.ts"
import { ownerPassword, signIn, sourceMain, startProcess, temporaryFolder } from "#testing/test-process.ts"

const authorized = (token: string) => ({
  authorization: `Bearer ${token}`,
  "content-type": "application/json",
})

async function addHub(address: string, token: string, name: string): Promise<void> {
  const body = JSON.stringify({ name, address: "Quay 1", lat: 1, lng: 2 })
  const reply = await fetch(`${address}/api/v3/hub`, { method: "POST", headers: authorized(token), body })
  assert.equal(reply.status, 200, await reply.text())
}

async function hubNames(address: string, token: string): Promise<string[]> {
  const reply = await fetch(`${address}/api/v3/hubs`, { headers: authorized(token) })
  const { data } = (await reply.json()) as { data: { name: string }[] }
  return data.map((hub) => hub.name)
}

test("bad configuration ends with 78 and one line per problem, and starts nothing", async (t) => {
  const dataDir = join(await temporaryFolder(t), "data")
  const refused = await startProcess(t, { DATA_DIR: dataDir, PORT: "http", ROLE: "boss" })
  assert.equal(refused.child.exitCode, 78)
  const lines = refused.output().trim().split("\n")
  assert.equal(lines.length, 2)
  assert.match(lines.join("\n"), /PORT: "http"/)
  await assert.rejects(readFile(join(dataDir, "postgres", "PG_VERSION")))
})

test("a fresh folder serves the first owner; a second process on it is refused; SIGTERM ends with 0; data stay", async (t) => {
  const dataDir = await temporaryFolder(t)
  const first = await startProcess(t, { DATA_DIR: dataDir }, sourceMain)
  assert.match(first.address, /^http:\/\/127\.0\.0\.1:\d+$/, first.output())
  assert.equal((await fetch(`${first.address}/health/live`)).status, 200)
  assert.equal((await fetch(`${first.address}/health/ready`)).status, 200)
  assert.match(
    await (await fetch(`${first.address}/metrics`)).text(),
    /fieldway_http_request_duration_seconds/,
  )
  await addHub(first.address, await signIn(first.address), "Kept")

  const second = await startProcess(t, { DATA_DIR: dataDir })
  assert.equal(second.child.exitCode, 78)
  assert.match(second.output(), /another Fieldway process already uses/)
  assert.equal((await fetch(`${first.address}/health/ready`)).status, 200)

  const stream = await fetch(`${first.address}/api/v3/events`, {
    headers: authorized(await signIn(first.address)),
  })
  assert.equal(stream.status, 200)
  const [, exitCode] = await Promise.all([stream.text(), first.end("SIGTERM")])
  assert.equal(exitCode, 0)

  const again = await startProcess(t, { DATA_DIR: dataDir })
  assert.deepEqual(await hubNames(again.address, await signIn(again.address)), ["Kept"])
})

test("with DATABASE_URL no embedded database starts, the api role runs no jobs, and its log contains no secret", async (t) => {
  const dataDir = await temporaryFolder(t)
  const database = await createTestDatabase()
  t.after(() => database.drop())
  const started = await startProcess(t, {
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    ROLE: "api",
    LOG_LEVEL: "debug",
  })
  assert.equal((await fetch(`${started.address}/health/ready`)).status, 200, started.output())
  await assert.rejects(readFile(join(dataDir, "postgres", "PG_VERSION")))
  const beats = await database.sql`select 1 from worker_heartbeats`
  assert.equal(beats.length, 0)
  const token = await signIn(started.address)
  const lost = await fetch(`${started.address}/api/v3/hub/none?token=${token}`, {
    headers: authorized(token),
  })
  assert.equal(lost.status, 404)
  assert.equal(await started.end("SIGTERM"), 0)
  assert.match(started.output(), /"route":"\/api\/v3\/login"/)
  for (const secret of [ownerPassword, token, "Bearer"]) assert.ok(!started.output().includes(secret), secret)
})

test("after kill -9 the next start takes over the orphaned database, and nothing acknowledged is lost", async (t) => {
  const dataDir = await temporaryFolder(t)
  const first = await startProcess(t, { DATA_DIR: dataDir })
  await addHub(first.address, await signIn(first.address), "Acknowledged")
  await first.end("SIGKILL")
  const second = await startProcess(t, { DATA_DIR: dataDir })
  const token = await signIn(second.address)
  assert.deepEqual(await hubNames(second.address, token), ["Acknowledged"])

  // The database itself dies: users see an honest 503 or nothing, and it comes back by itself.
  const pid = Number((await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8")).split("\n")[0])
  process.kill(pid, "SIGKILL")
  const statuses = new Set<number>()
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const reply = await fetch(`${second.address}/api/v3/hubs`, { headers: authorized(token) })
    statuses.add(reply.status)
    if (reply.status === 200 && statuses.size > 1) break
    if (reply.status === 503) assert.ok(reply.headers.get("retry-after"))
    await pause(50)
  }
  assert.deepEqual(
    [...statuses].filter((status) => status !== 200 && status !== 503),
    [],
    "only 503 while it was away",
  )
  assert.deepEqual(await hubNames(second.address, token), ["Acknowledged"])
})
