import assert from "node:assert/strict"
import { once } from "node:events"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { test } from "node:test"
import { setTimeout as pause } from "node:timers/promises"
import { createTestDatabase } from "#testing/test-database.ts"
import { signIn, startProcess, temporaryFolder } from "#testing/test-process.ts"

/** How often the process is killed while it delivers, each time at another moment. */
const kills = 10
const taskCount = 30
const callsBeforeKill = 7

test("after a worker is killed with deliveries in flight, its restart delivers and logs each of them", {
  skip: process.env.FIELDWAY_LONG === undefined && "long round only",
}, async (t) => {
  const database = await createTestDatabase()
  t.after(() => database.drop())
  const received = new Map<string, number>()
  const held: ServerResponse[] = []
  let sinceStart = 0
  let killed = 0
  const inFlight = Array.from({ length: kills }, () => Promise.withResolvers<void>())
  const receiver = createServer(async (request, reply) => {
    let body = ""
    for await (const part of request) body += part
    const { _id } = JSON.parse(body) as { _id: string }
    received.set(_id, (received.get(_id) ?? 0) + 1)
    sinceStart += 1
    if (killed < kills && sinceStart > callsBeforeKill % (killed + 3)) {
      held.push(reply)
      inFlight[killed]?.resolve()
    } else reply.end()
  }).listen(0, "127.0.0.1")
  await once(receiver, "listening")
  t.after(() => receiver.close())
  t.after(() => receiver.closeAllConnections())
  const port = (receiver.address() as AddressInfo).port
  const environment = {
    DATABASE_URL: database.url,
    DATA_DIR: await temporaryFolder(t),
    WEBHOOK_ALLOW: `127.0.0.1:${port}`,
  }
  let running = await startProcess(t, environment)
  const authorization = `Bearer ${await signIn(running.address)}`
  const call = async (path: string, body: unknown) => {
    const reply = await fetch(`${running.address}/api/v3${path}`, {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: JSON.stringify(body),
    })
    const response = await reply.json()
    assert.ok(reply.ok, JSON.stringify(response))
    return response as { data: { _id: string } }
  }
  const hub = await call("/hub", { name: "North", address: "Quay 1", lat: 52, lng: 4 })
  const [flow] = await database.sql<{ id: string }[]>`select id from flows where name = 'Delivery'`
  for (const name of ["One", "Two"])
    await call("/automation", {
      name,
      event: "onTaskCreated",
      automationType: "webhook",
      automationDetails: { url: `http://127.0.0.1:${port}/${name}` },
      rules: { flow: "Delivery", flowId: flow?.id },
    })
  const task = { flow: "Delivery", hubId: hub.data._id, receiverName: "Mill" }
  await call("/tasks/bulk", { tasks: Array.from({ length: taskCount }, () => task) })
  for (; killed < kills; ) {
    await inFlight[killed]?.promise
    await running.end("SIGKILL")
    killed += 1
    sinceStart = 0
    // The dead worker's things are free when it has been silent for long: let that time have passed.
    await database.sql`update worker_heartbeats set seen_at = now() - interval '1 hour'`
    await database.sql`update graphile_worker._private_jobs set locked_at = now() - interval '1 hour' where locked_at is not null`
    running = await startProcess(t, environment)
  }
  const entries = () => database.sql<{ count: number; tasks: number }[]>`
    select count(*)::int as count, count(distinct reference_id)::int as tasks from automation_log
    where is_success and attempt = 0 and origin = 'event'`
  while (((await entries())[0]?.count ?? 0) < taskCount * 2) await pause(20)
  assert.equal((await entries())[0]?.tasks, taskCount)
  assert.equal(received.size, taskCount)
  assert.ok([...received.values()].every((times) => times >= 2))
  const [left] = await database.sql<
    { count: number }[]
  >`select count(*)::int as count from webhook_deliveries`
  assert.equal(left?.count, 0)
  await running.end("SIGTERM")
})
