/*
 * The figures of extensions, each with both sides in one run:
 * - deliveries of webhooks to a fast local endpoint, with 1,000 endpoints configured, from the first event until the
 *   last delivery is sent and recorded, against a bare loop of node:http with the same concurrency;
 * - the same while one more endpoint hangs, against none that hangs;
 * - bulk creation of tasks whose flow starts ten automations, against none;
 * - a page of 1,000 events of the feed, against its bare query.
 * Run: node bench/extensions.ts [deliveries] [automations] [feed]
 */
import { once } from "node:events"
import { Agent, request } from "node:http"
import { setTimeout as pause } from "node:timers/promises"
import { Worker } from "node:worker_threads"
import { json } from "#core/database/database.ts"
import { eachEvent } from "#core/domain-events.ts"
import { newId } from "#core/ids.ts"
import { aFlow, aHub, anOrganization, type Organization } from "#samples/builders.ts"
import { concurrentCalls } from "../server/features/extensions/automations/webhooks/deliver-webhooks.ts"
import { type Bench, median, medianMilliseconds, printRatio, startBench } from "./load/harness.ts"

const endpointCount = 1_000
const eventCount = 5
const rounds = 3
const bulkCount = 1_000

/** A receiver in its own thread: responds 200 at once, or never to `/hang`, and counts the calls. */
const receiver = new Worker(
  `
  const { createServer } = require("node:http")
  const { parentPort } = require("node:worker_threads")
  let count = 0
  const server = createServer((request, reply) => {
    request.resume()
    request.on("end", () => {
      if (request.url.startsWith("/hang")) return
      count += 1
      reply.end('{"status":"received"}')
    })
  }).listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port))
  parentPort.on("message", () => parentPort.postMessage(count))
  `,
  { eval: true },
)
const [port] = (await once(receiver, "message")) as [number]
const target = `http://127.0.0.1:${port}`
const bench = await startBench({ WEBHOOK_ALLOW: `127.0.0.1:${port}` })
try {
  const parts = { deliveries, automations, feed }
  const wanted = process.argv.slice(2)
  for (const [name, measure] of Object.entries(parts))
    if (wanted.length === 0 || wanted.includes(name)) await measure(bench)
} finally {
  await bench.close()
  await receiver.terminate()
}

interface Place {
  org: Organization
  flow: { id: string; name: string }
  hubId: string
  token: string
}

async function aPlace({ sql, tokenOf }: Bench): Promise<Place> {
  const org = await anOrganization(sql)
  const [flow, hub] = [await aFlow(sql, { org }), await aHub(sql, { org })]
  return { org, flow, hubId: hub.id, token: await tokenOf(org.owner) }
}

async function makeTasks({ app }: Bench, { flow, hubId, token }: Place, count: number): Promise<void> {
  const tasks = Array.from({ length: count }, (_, number) => ({
    flow: flow.name,
    hubId,
    siteName: `Mill ${number}`,
  }))
  const reply = await app.inject({
    method: "POST",
    url: "/api/v3/tasks/bulk",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    payload: JSON.stringify({ tasks }),
  })
  if (reply.json().success !== count) throw new Error(reply.body.slice(0, 300))
}

async function addWebhooks({ sql }: Bench, { org, flow }: Place, paths: readonly string[]): Promise<void> {
  const rows = paths.map((path) => ({ id: newId(), path }))
  await sql`
    insert into automations (organization_id, id, name, event, data_type, automation_type, details, rules, owner_id)
    select ${org.id}, entry.id, entry.path, 'onTaskCreated', 'task', 'webhook', jsonb_build_object('url', ${target} || entry.path),
      ${json(sql, { flow: flow.name, flowId: flow.id })}, ${org.owner.id}
    from jsonb_to_recordset(${json(sql, rows)}) as entry (id text, path text)`
}

/** Creates tasks that every endpoint receives. Deliveries a second until the last is recorded. */
async function deliver(place: Place, expected: number): Promise<number> {
  const { sql } = bench
  const wanted = (await received()) + expected
  const started = performance.now()
  await makeTasks(bench, place, eventCount)
  while ((await received()) < wanted) await pause(20)
  for (;;) {
    const waiting = await sql`
      select from webhook_endpoints state join automations on automations.id = state.automation_id
      where state.organization_id = ${place.org.id} and next_due is not null and automations.name <> '/hang' limit 1`
    if (waiting.length === 0) break
    await pause(5)
  }
  const seconds = (performance.now() - started) / 1000
  const [row] = await sql<{ count: number }[]>`
    select count(*) as count from automation_log
    where organization_id = ${place.org.id} and status_code = 200 and started_time > now() - make_interval(secs => ${seconds + 1})`
  if ((row?.count ?? 0) < expected) throw new Error(`${row?.count} of ${expected} deliveries are recorded`)
  return expected / seconds
}

/** How many calls the receiver has answered. */
async function received(): Promise<number> {
  receiver.postMessage("count")
  const [count] = (await once(receiver, "message")) as [number]
  return count
}

function post(agent: Agent, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const call = request(
      target,
      {
        method: "POST",
        agent,
        headers: { "content-type": "application/json", "content-length": Buffer.byteLength(body) },
      },
      (response) => {
        response.resume()
        response.on("end", resolve)
      },
    )
    call.on("error", reject)
    call.end(body)
  })
}

async function bareLoop(body: string, count: number): Promise<number> {
  const agent = new Agent({ keepAlive: true })
  let left = count
  const work = async () => {
    while (left-- > 0) await post(agent, body)
  }
  const started = performance.now()
  await Promise.all(Array.from({ length: concurrentCalls }, work))
  const seconds = (performance.now() - started) / 1000
  agent.destroy()
  return count / seconds
}

async function deliveries(bench: Bench): Promise<void> {
  const place = await aPlace(bench)
  await addWebhooks(
    bench,
    place,
    Array.from({ length: endpointCount }, (_, number) => `/hook/${number}`),
  )
  const expected = endpointCount * eventCount
  await deliver(place, expected)
  const [entry] = await bench.sql<{ request: string }[]>`select request from automation_log limit 1`
  const body = entry?.request ?? ""
  await bareLoop(body, 2_000)
  const rates = { delivered: [] as number[], bare: [] as number[], beside: [] as number[] }
  for (let round = 0; round < rounds; round += 1) {
    rates.bare.push(await bareLoop(body, expected))
    rates.delivered.push(await deliver(place, expected))
  }
  printRatio({
    name: `webhook deliveries, ${endpointCount} endpoints, ${concurrentCalls} at a time`,
    measured: median(rates.delivered),
    base: median(rates.bare),
    unit: "calls/s",
    atLeast: 0.4,
  })
  await addWebhooks(bench, place, ["/hang"])
  for (let round = 0; round < rounds; round += 1) rates.beside.push(await deliver(place, expected))
  printRatio({
    name: "the same beside one endpoint that hangs",
    measured: median(rates.beside),
    base: median(rates.delivered),
    unit: "calls/s",
    atLeast: 0.9,
  })
  await bench.sql`update automations set is_active = false where organization_id = ${place.org.id}`
}

/** Five webhooks, and five that make the next task: every task that is created starts ten things. */
async function automations(bench: Bench): Promise<void> {
  const { sql } = bench
  const [with10, without] = [await aPlace(bench), await aPlace(bench)]
  await addWebhooks(
    bench,
    with10,
    Array.from({ length: 5 }, (_, number) => `/follow/${number}`),
  )
  const next = await aFlow(sql, { org: with10.org })
  for (let number = 0; number < 5; number += 1)
    await sql`
      insert into automations (organization_id, id, name, event, data_type, automation_type, details, rules, owner_id)
      values (${with10.org.id}, ${newId()}, ${`Next ${number}`}, 'onTaskCreated', 'task', 'createTask',
        ${json(sql, { flow: next.name, flowId: next.id, taskData: { siteName: "$refFlow.siteName" } })},
        ${json(sql, { flow: with10.flow.name, flowId: with10.flow.id })}, ${with10.org.owner.id})`
  const rates = { with10: [] as number[], without: [] as number[] }
  const rate = async (place: Place) => {
    const started = performance.now()
    await makeTasks(bench, place, bulkCount)
    return bulkCount / ((performance.now() - started) / 1000)
  }
  await rate(without)
  await rate(with10)
  for (let round = 0; round < rounds; round += 1) {
    rates.without.push(await rate(without))
    // Two in a row: the second has the automations of the first at work beside it.
    rates.with10.push(await rate(with10), await rate(with10))
    // What they have left to do is dropped, so that the other side is measured without them.
    await sql`update automations set is_active = false where organization_id = ${with10.org.id}`
    await quiet(bench)
    await sql`update automations set is_active = true where organization_id = ${with10.org.id}`
  }
  printRatio({
    name: "POST /tasks/bulk with ten automations at work",
    measured: median(rates.with10),
    base: median(rates.without),
    unit: "tasks/s",
    atLeast: 0.5,
  })
}

/** Until no job is left that is due. */
async function quiet({ sql }: Bench): Promise<void> {
  for (;;) {
    const [row] = await sql<{ count: number }[]>`
      select count(*) as count from graphile_worker.jobs where run_at <= now()`
    if (row?.count === 0) return
    await pause(100)
  }
}

async function feed(bench: Bench): Promise<void> {
  const { sql, app } = bench
  const place = await aPlace(bench)
  await makeTasks(bench, place, 2_000)
  await quiet(bench)
  const read = async () => {
    const reply = await app.inject({
      method: "GET",
      url: "/api/v3/events/feed?limit=1000",
      headers: { authorization: `Bearer ${place.token}` },
    })
    if (!reply.body.includes('"hasMore":true')) throw new Error(reply.body.slice(0, 300))
  }
  const query = async () => {
    await sql`
      select xid::text, number, event, reference_id, created_time, record
      from ${eachEvent(sql, sql`organization_id = ${place.org.id}`)} domain_event order by domain_event.xid, domain_event.number limit 1000`
  }
  await sql`vacuum analyze domain_events`
  const times = { read: [] as number[], query: [] as number[] }
  for (let round = 0; round < 3; round += 1) {
    times.read.push(await medianMilliseconds(read))
    times.query.push(await medianMilliseconds(query))
  }
  printRatio({
    name: "GET /events/feed, 1,000 events",
    measured: median(times.read),
    base: median(times.query),
    unit: "ms",
    atMost: 3,
  })
}
