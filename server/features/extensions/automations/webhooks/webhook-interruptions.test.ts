import assert from "node:assert/strict"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { after, test } from "node:test"
import { aFlow, aHub, anOrganization } from "#samples/builders.ts"
import { Faults } from "#testing/faults/faults.ts"
import { stepLine } from "#testing/faults/step-line.ts"
import { testApp } from "#testing/test-app.ts"
import { deliverWebhooks } from "./deliver-webhooks.ts"

const slowMilliseconds = 60
const calls: string[] = []
const open = new Map<string, number>()
let maxAtOnce = 0
const receiver = createServer((request, reply) => {
  const path = request.url ?? ""
  const now = (open.get(path) ?? 0) + 1
  maxAtOnce = Math.max(maxAtOnce, now)
  open.set(path, now)
  calls.push(path)
  reply.once("close", () => open.set(path, (open.get(path) ?? 0) - 1))
  request.resume().once("end", () => setTimeout(() => reply.end(), path === "/slow" ? slowMilliseconds : 0))
}).listen(0, "127.0.0.1")
await once(receiver, "listening")
after(() => {
  receiver.closeAllConnections()
  receiver.close()
})

const faults = new Faults()
const blows = ["before", "error", "away"] as const
const claims = /^with quick as .* failing_since is null/s
const readsKey = /installation_secrets/
const ends = /set lease_owner = null/

/** An organization with a signed webhook for each path and `count` events; `send` has them delivered once more. */
async function aPlace(paths: readonly string[], count: number) {
  const server = await testApp(
    undefined,
    { WEBHOOK_ALLOW: "127.0.0.1" },
    { database: (url) => stepLine(url, faults) },
  )
  const org = await anOrganization(server.sql)
  const [flow, hub] = [await aFlow(server.sql, { org }), await aHub(server.sql, { org })]
  const owner = server.as(org.owner)
  const tasks = Array.from({ length: count }, () => ({ flow: flow.name, hubId: hub.id, siteName: "Mill" }))
  await owner.expect(201).post("/tasks/bulk", { tasks })
  const ids: string[] = []
  for (const path of paths) {
    const made = await owner.expect(200).post("/automation", {
      ...{ name: path, event: "onTaskCreated", automationType: "webhook", rules: {} },
      automationDetails: {
        url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}${path}`,
        signature: true,
      },
    })
    ids.push(made.json().data._id)
  }
  const send = async () => {
    for (const id of ids)
      await owner.expect(200).post(`/automation/${id}/replay`, { since: "2000-01-01 00:00:00" })
    calls.length = 0
  }
  /** One run of the job in a process that has just started, hence has read no key yet. */
  const run = (signal = new AbortController().signal) => {
    const context = server.jobContext()
    return deliverWebhooks.handle({ ...context, config: { ...context.config }, signal }, {})
  }
  const waiting = async () =>
    (await server.sql`select from webhook_deliveries where organization_id = ${org.id}`).length
  return { server, owner, org, send, run, waiting }
}

test("a run sends all that waits for a webhook, also what is left when a lease ends while the next is claimed", async (t) => {
  const { server, send, run, waiting } = await aPlace(["/many"], 45)
  const { sql } = server
  await sql`create function wait_a_little() returns trigger language plpgsql as 'begin perform pg_sleep(0.05); return null; end'`
  await sql`create trigger wait_a_little before update on webhook_endpoints for each statement execute function wait_a_little()`
  t.after(() => sql`drop function wait_a_little cascade`)
  await send()
  await run()
  assert.deepEqual([calls.length, await waiting()], [45, 0])
})

test("whichever statement of a run is lost, the next run sends the rest at once, one call at a time", async () => {
  const { owner, send, run, waiting } = await aPlace(["/quick", "/slow"], 2)
  await send()
  faults.begin()
  await run()
  faults.end()
  assert.equal(await waiting(), 0)
  const steps = faults.steps.map(({ text }, index) => ({ text, at: index + 1 }))
  const chosen = [
    ...steps.filter(({ text }) => claims.test(text)).map(({ at }) => ({ at, blow: "error" as const })),
    ...steps.filter(({ text }) => readsKey.test(text)).map(({ at }) => ({ at, blow: "before" as const })),
    ...steps.filter(({ text }) => ends.test(text)).map(({ at }) => ({ at, blow: "away" as const })),
  ]
  assert.ok(chosen.length >= 5, JSON.stringify(steps))
  const all = blows.flatMap((blow) => steps.map(({ at }) => ({ at, blow })))
  for (const fault of process.env.FIELDWAY_LONG === undefined ? chosen : all) {
    await send()
    maxAtOnce = 0
    faults.begin({ kind: "database", ...fault })
    await run().catch(() => undefined)
    faults.end()
    // A connection of the pool may be lost without its knowledge: the queue then tries once more.
    await run().catch(() => run())
    const name = `${fault.blow} ${fault.at}: ${faults.struck?.text}`
    assert.deepEqual({ waiting: await waiting(), maxAtOnce }, { waiting: 0, maxAtOnce: 1 }, name)
  }
  const { total, data } = (await owner.get("/automation-log?isSuccess=false")).json()
  assert.equal(total, 0, data[0]?._source.response)
})

test("a process that stops leaves the rest of its deliveries to the next worker at once", async () => {
  const { server, send, run, waiting } = await aPlace(["/slow"], 3)
  await send()
  await server.sql`delete from graphile_worker._private_jobs`
  const stopping = new AbortController()
  const running = run(stopping.signal)
  while (calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 2))
  stopping.abort()
  await running
  assert.ok((await waiting()) > 0)
  const [job] = await server.sql<{ name: string }[]>`
    select task_identifier as name from graphile_worker.jobs where run_at <= now()`
  assert.equal(job?.name, "webhook.deliver")
})
