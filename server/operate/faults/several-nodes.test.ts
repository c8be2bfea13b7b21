import assert from "node:assert/strict"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { type TestContext, test } from "node:test"
import { setTimeout as pause } from "node:timers/promises"
import { connect, json, type Pool } from "#core/database/database.ts"
import { type Id, newId } from "#core/ids.ts"
import { aFlow, aHub, anOrganization } from "#samples/builders.ts"
import { aSchedule } from "#samples/schedule-builder.ts"
import { startOldestPostgres } from "#testing/services/oldest-postgres.ts"
import { startRedis } from "#testing/services/redis-server.ts"
import { roundRobin } from "#testing/services/round-robin.ts"
import { createTestDatabase } from "#testing/test-database.ts"
import { ownerEmail, signIn, startProcess, type TestProcess, temporaryFolder } from "#testing/test-process.ts"

/** The long run restarts every api node, the short one a first. */
const isLong = Boolean(process.env.FIELDWAY_LONG)
const restarts = isLong ? [0, 1, 0, 1] : [0]

const untilMilliseconds = 60_000

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + untilMilliseconds
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error(`not true within ${untilMilliseconds} ms: ${isTrue}`)
    await pause(20)
  }
}

const withToken = (token: string) => ({ authorization: `Bearer ${token}` })

async function statusOf(address: string, token: string): Promise<number> {
  return (await fetch(`${address}/api/v3/user`, { headers: withToken(token) })).status
}

async function addHub(address: string, token: string, name: string): Promise<number> {
  const reply = await fetch(`${address}/api/v3/hub`, {
    method: "POST",
    headers: { ...withToken(token), "content-type": "application/json" },
    body: JSON.stringify({ name, address: "Quay 1", lat: 1, lng: 2 }),
  })
  await reply.text()
  return reply.status
}

/** A session that ends on one node is dead on the other before the response arrives. */
async function sessionsEndEverywhere([one, other]: readonly [TestProcess, TestProcess]): Promise<void> {
  for (const [first, second] of [
    [one, other],
    [other, one],
  ] as const) {
    const token = await signIn(first.address)
    assert.deepEqual(
      [await statusOf(first.address, token), await statusOf(second.address, token)],
      [200, 200],
    )
    await fetch(`${first.address}/api/v3/logout`, { method: "POST", headers: withToken(token) })
    assert.deepEqual(
      [await statusOf(second.address, token), await statusOf(first.address, token)],
      [401, 401],
    )
  }
}

async function eventsCross([one, other]: readonly [TestProcess, TestProcess], token: string): Promise<void> {
  const stopping = new AbortController()
  const stream = await fetch(`${one.address}/api/v3/events`, {
    headers: withToken(token),
    signal: stopping.signal,
  })
  assert.equal(await addHub(other.address, token, "Seen across"), 200)
  let received = ""
  for await (const chunk of stream.body ?? []) {
    received += Buffer.from(chunk as Uint8Array).toString()
    if (/hub\.\w+/.test(received)) break
  }
  stopping.abort()
}

/** Two workers look for due schedules at the same time, many times: each occurrence becomes one task. */
async function schedulesRunOnce(sql: Pool): Promise<void> {
  const org = await anOrganization(sql)
  const [hub, flow] = [await aHub(sql, { org }), await aFlow(sql, { org })]
  const dueAt = Temporal.Now.instant().subtract({ minutes: 5 })
  const time = dueAt.toZonedDateTimeISO("UTC").toPlainTime().toString().slice(0, 5)
  const count = 60
  for (let made = 0; made < count; made += 1)
    await aSchedule(sql, {
      org,
      hub,
      flow,
      name: `Round ${made}`,
      recurrence: { periode: "daily", startTime: "2000-01-01", endTime: "2099-12-31", schedules: [{ time }] },
      handledUntil: dueAt.subtract({ minutes: 5 }),
      nextRunAt: dueAt.round({ smallestUnit: "minute", roundingMode: "floor" }),
    })
  const look = () =>
    sql`select graphile_worker.add_job('task-schedules.generate', '{}'::json) from generate_series(1, 8)`
  await look()
  await until(
    async () =>
      (await sql`select 1 from task_schedule_runs where organization_id = ${org.id}`).length >= count,
  )
  await look()
  await until(async () => (await waitingJobs(sql, "task-schedules.%generat%")) === 0)
  const made = await sql`select 1 from tasks where organization_id = ${org.id}`
  assert.equal(made.length, count, "each schedule made its task exactly once")
}

/** Tasks arrive on both nodes, two workers call the webhook: each task is delivered once. */
async function jobsRunOnce(
  sql: Pool,
  nodes: readonly [TestProcess, TestProcess],
  token: string,
  hook: { url: string; reported: string[] },
): Promise<void> {
  const [org] = await sql<{ id: Id<"organization"> }[]>`select id from organizations order by number limit 1`
  assert.ok(org)
  const [hub] = await sql<{ id: string }[]>`select id from hubs where organization_id = ${org.id} limit 1`
  const [flow] = await sql<{ id: string; name: string }[]>`
    select id, name from flows where organization_id = ${org.id} and name = 'Delivery'`
  await sql`
    insert into automations (organization_id, id, name, event, data_type, automation_type, details, rules, is_active, owner_id)
    select ${org.id}, ${newId()}, 'Hook', 'onTaskCreated', 'task', 'webhook', ${json(sql, { url: hook.url })}, '{}', true, id
    from users where organization_id = ${org.id} and email = ${ownerEmail}
    on conflict do nothing`
  const count = 20
  for (let made = 0; made < count; made += 1) {
    const reply = await fetch(`${nodes[made % 2 === 0 ? 0 : 1].address}/api/v3/task`, {
      method: "POST",
      headers: { ...withToken(token), "content-type": "application/json" },
      body: JSON.stringify({
        hubId: hub?.id,
        flowId: flow?.id,
        flow: flow?.name,
        receiverName: `Reader ${made}`,
      }),
    })
    assert.equal(reply.status, 201, await reply.text())
  }
  const created = await sql<{ id: string }[]>`select id from tasks where organization_id = ${org.id}`
  await until(() => hook.reported.length >= created.length)
  await until(async () => (await waitingJobs(sql, "automation.%")) === 0)
  // Delivered and recorded: a call whose worker is stopped before recording it is repeated by another.
  await until(async () => (await openDeliveries(sql)) === 0)
  assert.deepEqual(hook.reported.toSorted(), created.map(({ id }) => id).toSorted())
}

/** A receiver that records which tasks were delivered to it. */
async function webhookReceiver(t: TestContext): Promise<{ url: string; host: string; reported: string[] }> {
  const reported: string[] = []
  const server = createServer(async (request, reply) => {
    const body = await text(request)
    reported.push(/"_id":"([0-9a-f]{24})"/.exec(body)?.[1] ?? body)
    reply.end("{}")
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, host: `127.0.0.1:${port}`, reported }
}

async function waitingJobs(sql: Pool, like: string): Promise<number> {
  const rows = await sql`
    select 1 from graphile_worker._private_jobs jobs join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id
    where tasks.identifier like ${like} and jobs.run_at <= now()`
  return rows.length
}

/** Webhook deliveries that wait, and queues that a worker has leased. */
async function openDeliveries(sql: Pool): Promise<number> {
  const rows = await sql`
    select 1 from webhook_deliveries union all select 1 from webhook_endpoints where lease_owner is not null`
  return rows.length
}

/** People work while one node after the other is restarted: nobody sees a failure, nothing is lost. */
async function rollingRestart(
  nodes: TestProcess[],
  start: () => Promise<TestProcess>,
  balancer: { address: string; use(addresses: readonly string[]): Promise<void> },
  token: string,
  sql: Pool,
): Promise<void> {
  const failures: string[] = []
  let asked = 0
  let made = 0
  let isOver = false
  const people = Array.from({ length: 2 }, async (_unused, person) => {
    while (!isOver) {
      const status = await statusOf(balancer.address, token).catch(String)
      const added = await addHub(balancer.address, token, `Hub ${person} ${made}`).catch(String)
      asked += 2
      if (status !== 200) failures.push(`read: ${status}`)
      if (added === 200) made += 1
      else failures.push(`write: ${added}`)
      await pause(5)
    }
  })
  for (const place of restarts) {
    const old = nodes[place]
    const ended = old?.end("SIGTERM")
    const fresh = await start()
    nodes[place] = fresh
    await balancer.use(nodes.map((node) => node.address))
    assert.equal(await ended, 0)
    const before = asked
    await until(() => asked > before + 20 || failures.length > 0)
  }
  isOver = true
  await Promise.all(people)
  assert.deepEqual(failures, [], `of ${asked} requests`)
  const stored = await sql`select 1 from hubs where name ~ '^Hub \\d+ \\d+$'`
  assert.equal(stored.length, made)
}

test("two api and two worker processes on one database work as one", async (t) => {
  const database = await createTestDatabase()
  t.after(() => database.drop())
  await workAsOne(t, database)
})

test("PostgreSQL 15, the oldest supported, serves as well", {
  skip: isLong ? false : "long round only",
}, async (t) => {
  const url = await startOldestPostgres(t)
  if (!url) return t.skip("no PostgreSQL 15 on this machine")
  const sql = connect(url, { max: 2 })
  t.after(() => sql.end())
  if (isLong) return workAsOne(t, { url, sql })
  const hook = await webhookReceiver(t)
  const dataDir = await temporaryFolder(t)
  const node = await startProcess(t, { DATABASE_URL: url, DATA_DIR: dataDir, WEBHOOK_ALLOW: hook.host })
  const token = await signIn(node.address)
  await eventsCross([node, node], token)
  await jobsRunOnce(sql, [node, node], token, hook)
  const [shown] = await sql<{ version: string }[]>`select current_setting('server_version') as version`
  assert.match(shown?.version ?? "", /^15\./)
})

async function workAsOne(t: TestContext, database: { url: string; sql: Pool }): Promise<void> {
  const { sql } = database
  const folder = await temporaryFolder(t)
  const redis = await startRedis(t)
  const environment = { DATABASE_URL: database.url, DATA_DIR: folder, DRAIN_SECONDS: "1" }
  const startApi = () =>
    startProcess(t, {
      ...environment,
      ROLE: "api",
      ...(redis ? { REDIS_URL: redis.url, RATE_LIMIT: "100000" } : {}),
    })
  const hook = await webhookReceiver(t)
  const startWorker = () =>
    startProcess(t, { ...environment, DRAIN_SECONDS: "0", ROLE: "worker", WEBHOOK_ALLOW: hook.host })
  const [one, other, worker] = await Promise.all([startApi(), startApi(), startWorker(), startWorker()])
  const token = await signIn(one.address)

  await t.test("a session ends on all nodes at once", () => sessionsEndEverywhere([one, other]))
  await t.test("live events cross nodes", () => eventsCross([one, other], token))
  await t.test("a job is done once by one of the nodes", () => jobsRunOnce(sql, [one, other], token, hook))
  await t.test(
    "a frozen worker's work is done by the other, and it wakes without doing it again",
    async () => {
      worker.child.kill("SIGSTOP")
      await jobsRunOnce(sql, [one, other], token, hook)
      if (isLong) await pause(60_000)
      worker.child.kill("SIGCONT")
      await jobsRunOnce(sql, [one, other], token, hook)
    },
  )
  await t.test("a schedule runs once on several nodes", () => schedulesRunOnce(sql))
  await t.test(
    "the rate limit counts over all nodes",
    { skip: redis ? false : "no redis-server on this machine" },
    async () => {
      if (!redis) return
      const { createClient } = await import("redis")
      const client = createClient({ url: redis.url })
      await client.connect()
      await client.flushDb()
      for (let round = 0; round < 5; round += 1)
        for (const node of [one, other]) assert.equal(await statusOf(node.address, token), 200)
      const keys = (await client.keys("fieldway:rate:*")).filter((key) => /:1:\d+$/.test(key))
      const counts = await Promise.all(keys.map(async (key) => Number(await client.get(key))))
      client.destroy()
      assert.equal(
        counts.reduce((sum, count) => sum + count, 0),
        10,
      )
      // Without Redis each node counts for itself, and nobody is refused.
      await redis.stop()
      for (const node of [one, other]) assert.equal(await statusOf(node.address, token), 200)
    },
  )
  const balancer = await roundRobin(t)
  await balancer.use([one.address, other.address])
  await t.test("a rolling restart under load fails no request", () =>
    rollingRestart([one, other], startApi, balancer, token, sql),
  )
}
