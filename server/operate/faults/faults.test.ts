import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer, type IncomingMessage, request } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import { type TestContext, test } from "node:test"
import { setTimeout as pause } from "node:timers/promises"
import { readConfig } from "#core/config.ts"
import { storeTimeouts } from "#core/objects/s3-objects.ts"
import { createTelemetry } from "#core/telemetry/telemetry.ts"
import { anOrganization } from "#samples/builders.ts"
import { aSchedule } from "#samples/schedule-builder.ts"
import { runJobs } from "#testing/run-jobs.ts"
import { type FaultLine, faultLine } from "#testing/services/fault-line.ts"
import { multipartBody, testApp, testOrganization } from "#testing/test-app.ts"
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts"
import { ownerEmail, ownerPassword, signIn } from "#testing/test-process.ts"
import { jobs } from "../../jobs.ts"
import { startFieldway } from "../../start.ts"

const isLong = Boolean(process.env.FIELDWAY_LONG)
const rounds = isLong ? 5 : 1
/** The first outage of the long run takes a minute, the others are many. */
const outageMilliseconds = (round: number) => (isLong ? (round === 0 ? 60_000 : 3_000) : 200)
const readerCount = isLong ? 5_000 : 200
/** What the store may be silent in this test; the product is more patient. */
const silenceMilliseconds = isLong ? 1_000 : 150
storeTimeouts.silenceMilliseconds = silenceMilliseconds

interface Response {
  status: number
  retryAfter: string | null
  text: string
}

class Client {
  address: string
  token: string
  constructor(address: string, token: string) {
    this.address = address
    this.token = token
  }
  async call(method: string, path: string, body?: unknown): Promise<Response> {
    const reply = await fetch(`${this.address}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body ? { "content-type": "application/json" } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return { status: reply.status, retryAfter: reply.headers.get("retry-after"), text: await reply.text() }
  }
  addHub = (name: string) => this.call("POST", "/api/v3/hub", { name, address: "Quay 1", lat: 1, lng: 2 })
  async importTasks(): Promise<Response> {
    const { body, contentType } = multipartBody({
      type: "task",
      file: { filename: "tasks.csv", content: "Receiver name,Address\nReader,Quay 1\n" },
      flowId: this.flowId,
      hubId: this.hubId,
    })
    const reply = await fetch(`${this.address}/api/v3/data/import`, {
      method: "POST",
      headers: { authorization: `Bearer ${this.token}`, "content-type": contentType },
      body: new Uint8Array(body),
    })
    return { status: reply.status, retryAfter: reply.headers.get("retry-after"), text: await reply.text() }
  }
  flowId = ""
  hubId = ""
}

function assertHonest(response: Response): void {
  assert.equal(response.status, 503, response.text)
  assert.match(response.retryAfter ?? "", /^\d+$/)
  assert.match(response.text, /[Tt]ry again/)
}

/** Polls until the service is itself again, and says what it responded meanwhile. */
async function recovered(client: Client): Promise<void> {
  for (;;) {
    const { status } = await client.call("GET", "/api/v3/hubs")
    if (status === 200) return
    assert.equal(status, 503, "nothing but 503 while it recovers")
    await pause(20)
  }
}

interface Store {
  url: string
  mode: "good" | "slow" | "hangs" | "down" | "refuses"
}

/** Reads a body in small parts with a pause before each. */
async function trickle(call: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of call) {
    parts.push(part as Buffer)
    await pause(5)
  }
  return Buffer.concat(parts)
}

/** As much of an S3-compatible store as an upload and a download need, with its bad days. */
async function fakeStore(t: TestContext): Promise<Store> {
  const kept = new Map<string, Buffer>()
  const store: Store = { url: "", mode: "good" }
  const server = createServer(async (call, reply) => {
    if (store.mode === "down") return call.socket.destroy()
    if (store.mode === "hangs") return call.resume()
    if (store.mode === "refuses") {
      reply.statusCode = 403
      return reply.end("<Error><Code>InvalidAccessKeyId</Code><Message>unknown key</Message></Error>")
    }
    const name = (call.url ?? "").split("?")[0] ?? ""
    if (call.method === "PUT") kept.set(name, await (store.mode === "slow" ? trickle(call) : buffer(call)))
    const found = kept.get(name)
    if (call.method === "GET" && !found) {
      reply.statusCode = 404
      return reply.end("<Error><Code>NoSuchKey</Code></Error>")
    }
    return reply.end(call.method === "GET" ? found : "")
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  store.url = `s3://bucket?endpoint=${encodeURIComponent(`http://127.0.0.1:${port}`)}`
  process.env.AWS_ACCESS_KEY_ID ??= "key"
  process.env.AWS_SECRET_ACCESS_KEY ??= "secret"
  return store
}

async function started(t: TestContext, database: TestDatabase, line: FaultLine, store: Store) {
  const folder = await mkdtemp(join(tmpdir(), "fieldway-faults-"))
  const config = readConfig({
    DATA_DIR: folder,
    DATABASE_URL: line.url,
    OBJECTS_URL: store.url,
    PORT: "0",
    RATE_LIMIT: "0",
    LOG_LEVEL: "silent",
    STREAMS_PER_USER: "0",
    STREAMS_PER_ORGANIZATION: "0",
    OWNER_EMAIL: ownerEmail,
    OWNER_PASSWORD: ownerPassword,
  })
  const running = await startFieldway({ config, telemetry: createTelemetry(config, "test") })
  t.after(async () => {
    line.set("open")
    await running.close()
    await rm(folder, { recursive: true, force: true })
    await database.drop()
  })
  return { running, client: new Client(running.address, await signIn(running.address)) }
}

test("what breaks beside a running service is an honest 503 or nothing, and heals by itself", async (t) => {
  const database = await createTestDatabase()
  const line = await faultLine(t, database.url)
  const store = await fakeStore(t)
  const { running, client } = await started(t, database, line, store)
  let kept = 0
  const keep = async () => assert.equal((await client.addHub(`Kept ${kept++}`)).status, 200)
  await keep()

  await t.test(
    "many idle readers of the event stream cost others nothing, and all receive events",
    async () => {
      let received = 0
      const streams = await Promise.all(
        Array.from(
          { length: readerCount },
          () =>
            new Promise<() => void>((resolve, reject) => {
              const call = request(`${client.address}/api/v3/events`, {
                agent: false,
                headers: { authorization: `Bearer ${client.token}` },
              })
              call.on("response", (reply) => {
                reply.on("data", (chunk: Buffer) => {
                  if (chunk.includes("event: cursor")) resolve(() => call.destroy())
                  if (/hub\.\w+/.test(chunk.toString())) received += 1
                })
                reply.on("error", () => undefined)
              })
              call.on("error", reject)
              call.end()
            }),
        ),
      )
      await keep()
      while (received < readerCount) await pause(20)
      for (const close of streams) close()
    },
  )

  for (let round = 0; round < rounds; round += 1) {
    await t.test("the database is cut off, then comes back", async () => {
      line.set("cut")
      assertHonest(await client.call("GET", "/api/v3/hubs"))
      assertHonest(await client.addHub("Lost"))
      assert.equal((await client.call("GET", "/health/ready")).status, 503)
      assert.equal((await client.call("GET", "/health/live")).status, 200)
      assert.match((await client.call("GET", "/metrics")).text, /fieldway_database_up 0/)
      await pause(outageMilliseconds(round))
      line.set("open")
      await recovered(client)
      await keep()
    })

    await t.test("the database takes no more connections", async () => {
      line.set("full")
      assertHonest(await client.call("GET", "/api/v3/hubs"))
      line.set("open")
      await recovered(client)
    })

    await t.test("the database is read-only: reading goes on", async () => {
      const name = new URL(database.url).pathname.slice(1)
      await database.sql.unsafe(`alter database ${name} set default_transaction_read_only = on`)
      line.set("cut")
      line.set("open")
      await recovered(client)
      assertHonest(await client.addHub("Refused"))
      await database.sql.unsafe(
        `set default_transaction_read_only = off; alter database ${name} reset default_transaction_read_only`,
      )
      line.set("cut")
      line.set("open")
      await recovered(client)
      await keep()
    })

    await t.test("the database freezes and wakes: waiting requests succeed", async () => {
      line.set("frozen")
      const waiting = client.addHub(`Kept ${kept++}`)
      await pause(outageMilliseconds(round))
      line.set("open")
      assert.ok([200, 503].includes((await waiting).status))
      await recovered(client)
    })
  }
  const hubs = JSON.parse((await client.call("GET", "/api/v3/hubs?limit=1000")).text) as {
    data: { _id: string; name: string }[]
  }
  const names = new Set(hubs.data.map((hub) => hub.name))
  for (const each of Array.from({ length: 3 }, (_unused, number) => `Kept ${number}`))
    assert.ok(names.has(each), each)
  assert.ok(!names.has("Lost") && !names.has("Refused"))

  await t.test(
    "the object store is slow, hangs, is down, refuses our key: uploads say so, the rest goes on",
    async () => {
      const [flow] = await database.sql<{ id: string }[]>`select id from flows where name = 'Delivery'`
      client.flowId = flow?.id ?? ""
      client.hubId = hubs.data[0]?._id ?? ""
      const [org] = await database.sql<{ id: string }[]>`select id from organizations`
      const { app } = running
      const key = `${org?.id}/2031/05/04/1_photo.jpg`
      await app.objects.put(key, Buffer.from("a photo"))
      const link = new URL(app.links.sign(key, app.clock.now()))
      if (isLong) {
        store.mode = "slow"
        const startedAt = performance.now()
        // More than the buffers of the system hold, so that the sender sees how slow it is.
        await app.objects.put(`${org?.id}/2031/05/04/1_large.jpg`, Buffer.alloc(48 << 20))
        const took = performance.now() - startedAt
        assert.ok(took > 2 * silenceMilliseconds, `${took} ms: no slower than the store may be silent`)
      }
      for (const mode of ["hangs", "down", "refuses"] as const) {
        store.mode = mode
        if (mode === "refuses") assertHonest(await client.call("GET", link.pathname + link.search))
        assertHonest(await client.importTasks())
        await keep()
      }
      store.mode = "good"
      assert.equal((await client.call("GET", link.pathname + link.search)).text, "a photo")
      const imported = await client.importTasks()
      assert.equal(imported.status, 200, imported.text)
    },
  )
  // While the database is reachable: a running job writes its result.
  await running.close()
})

test("a full disk refuses an upload, keeps nothing of it, and takes it once there is room", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "fieldway-full-"))
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", folder]).status === 0
  t.after(async () => {
    if (mounted) spawnSync("umount", [folder])
    await rm(folder, { recursive: true, force: true })
  })
  const { app, sql, as } = await testApp(t, { OBJECTS_URL: `file://${folder}` })
  const org = await anOrganization(sql)
  const key = (name: string) => `${org.id}/2031/05/04/${name}`
  if (mounted)
    await assert.rejects(app.objects.put(key("1_big.jpg"), Buffer.alloc(200_000)), { code: "ENOSPC" })
  else t.diagnostic("no small file system can be mounted here: the full disk is played")
  assert.equal(await app.objects.open(key("1_big.jpg")), undefined)
  const { put } = app.objects
  app.objects.put = async () => {
    throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" })
  }
  const hub = await as(org.owner).post("/hub", { name: "Harbour", address: "Quay 1", lat: 1, lng: 2 })
  const [flow] = await sql<
    { id: string }[]
  >`select id from flows where organization_id = ${org.id} and name = 'Delivery'`
  const send = () =>
    as(org.owner).upload("/data/import", {
      type: "task",
      flowId: flow?.id ?? "",
      hubId: hub.json().data._id,
      file: { filename: "tasks.csv", content: "Receiver name,Address\nReader,Quay 1\n" },
    })
  const refused = await send()
  assert.equal(refused.statusCode, 503, refused.body)
  assert.equal(refused.headers["retry-after"], "5")
  assert.equal((await sql`select 1 from imports where organization_id = ${org.id}`).length, 0)
  app.objects.put = put
  assert.equal((await send()).statusCode, 200)
})

test("a clock that jumps a minute either way ends no session and runs no schedule twice", async (t) => {
  const server = await testOrganization(t)
  const { sql, as, clock, jobContext, org } = server
  const generate = jobs.find((job) => job.name === "task-schedules.generate")
  assert.ok(generate)
  const dueAt = clock.now().subtract({ minutes: 2 })
  const time = dueAt.toZonedDateTimeISO("UTC").toPlainTime().toString().slice(0, 5)
  await aSchedule(sql, {
    org,
    recurrence: { periode: "daily", startTime: "2000-01-01", endTime: "2099-12-31", schedules: [{ time }] },
    handledUntil: dueAt.subtract({ minutes: 5 }),
    nextRunAt: dueAt.round({ smallestUnit: "minute", roundingMode: "floor" }),
  })
  for (const jump of [0, 1, -2, 1]) {
    clock.move({ minutes: jump })
    assert.equal((await as(org.owner).get("/user")).statusCode, 200)
    await generate.handle(jobContext(), {})
    await runJobs(server)
  }
  assert.equal((await sql`select 1 from tasks where organization_id = ${org.id}`).length, 1)
})
