import assert from "node:assert/strict"
import dns from "node:dns"
import { once } from "node:events"
import { createServer, type ServerResponse } from "node:http"
import { syncBuiltinESMExports } from "node:module"
import { type AddressInfo, createServer as createSocketServer } from "node:net"
import { after, test } from "node:test"
import { aFlow, aHub, anOrganization } from "#samples/builders.ts"
import { findInDatabase } from "#testing/find-in-database.ts"
import { runJobs } from "#testing/run-jobs.ts"
import { type TestApp, testApp } from "#testing/test-app.ts"
import { webhookLimits } from "./call-webhook.ts"
import { deliverWebhooks } from "./deliver-webhooks.ts"

let answered: { path: string; body: string }[] = []
let status = 200
let written = 0

/** Responds without end until the client stops reading. */
function respondForever(reply: ServerResponse): void {
  const part = Buffer.alloc(64 * 1024)
  const more = () => {
    while (written < 1024 ** 3) {
      written += part.length
      if (!reply.write(part)) return void reply.once("drain", more)
    }
    reply.end()
  }
  more()
}

const receiver = createServer((request, reply) => {
  const path = request.url ?? ""
  let body = ""
  request.on("data", (part) => {
    body += part
  })
  request.on("end", () => {
    answered.push({ path, body })
    if (path === "/endless") respondForever(reply)
    else if (path === "/redirect") reply.writeHead(302, { location: `${origin()}/inside` }).end()
    else if (path === "/silent") setTimeout(() => reply.destroy(), 60_000).unref()
    else reply.writeHead(path === "/gone" ? 410 : path.startsWith("/switch") ? status : 200).end()
  })
}).listen(0, "127.0.0.1")
const babbler = createSocketServer((socket) => {
  socket.on("error", () => undefined)
  socket.end("what is it that you want?\r\n\r\n")
}).listen(0, "127.0.0.1")
await Promise.all([once(receiver, "listening"), once(babbler, "listening")])
after(() => {
  receiver.closeAllConnections()
  receiver.close()
  babbler.close()
})
const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port
const origin = () => `http://127.0.0.1:${portOf(receiver)}`
const callsTo = (path: string) => answered.filter((call) => call.path === path)

async function aPlace() {
  const server = await testApp(undefined, {
    WEBHOOK_ALLOW: `127.0.0.1:${portOf(receiver)},127.0.0.1:${portOf(babbler)}`,
  })
  const org = await anOrganization(server.sql)
  const [flow, hub] = [await aFlow(server.sql, { org }), await aHub(server.sql, { org })]
  const owner = server.as(org.owner)
  const hook = async (url: string, details: object = {}) => {
    const made = await owner.expect(200).post("/automation", {
      name: `Hook ${url}`,
      event: "onTaskCreated",
      automationType: "webhook",
      automationDetails: { url, ...details },
      rules: { flow: flow.name, flowId: flow.id },
    })
    return made.json().data._id as string
  }
  const newTask = (siteName = "Mill") => owner.post("/task", { flow: flow.name, hubId: hub.id, siteName })
  const entriesOf = async (automationId: string): Promise<Record<string, string>[]> => {
    const { data } = (
      await owner.get(`/automation-log?limit=100&sortOrder=asc&automationId=${automationId}`)
    ).json()
    return data.map((hit: { _source: Record<string, string> }) => hit._source)
  }
  const delivery = async (id: string) => (await owner.get(`/automation/${id}`)).json().data.delivery
  answered = []
  return { server, org, flow, owner, hook, newTask, entriesOf, delivery }
}

const deliver = (server: TestApp) => deliverWebhooks.handle(server.jobContext(), {})

test("a failing endpoint ends its attempt, logs the reason and does not block others", async (t) => {
  const { server, owner, hook, newTask, entriesOf } = await aPlace()
  const before = { ...webhookLimits }
  // Enough for a busy machine to read 64 kB.
  webhookLimits.timeoutMilliseconds = 2_000
  t.after(() => Object.assign(webhookLimits, before))
  const hooks = {
    silent: await hook(`${origin()}/silent`),
    endless: await hook(`${origin()}/endless`),
    garbage: await hook(`http://127.0.0.1:${portOf(babbler)}/`),
    loopback: await hook("http://127.0.0.1:9/"),
    redirect: await hook(`${origin()}/redirect`),
    good: await hook(`${origin()}/good`),
  }
  await newTask()
  await newTask("Quarry")
  await runJobs(server)
  const reasons: Record<keyof typeof hooks, RegExp> = {
    silent: /did not respond within 2 s/,
    endless: /returned more than 65536 bytes/,
    garbage: /could not be reached/,
    loopback: /private address/,
    redirect: /^$/,
    good: /^$/,
  }
  for (const [name, id] of Object.entries(hooks)) {
    const entries = await entriesOf(id)
    assert.equal(entries.length, 2, name)
    for (const entry of entries) {
      assert.equal(entry.isSuccess, String(name === "good"), name)
      assert.equal(entry.statusCode, name === "good" ? "200" : name === "redirect" ? "302" : "0", name)
      assert.match(entry.response ?? "", reasons[name as keyof typeof hooks])
    }
  }
  for (const id of Object.values(hooks)) await owner.patch(`/automation/${id}`, { isActive: false })
  assert.equal(callsTo("/inside").length, 0)
  assert.ok(written < 20 * 1024 ** 2, `${written} bytes of an endless response were read`)
})

test("a name that resolves to a private address is refused when connecting, whatever it resolved to before", async (t) => {
  const { server, hook, newTask, entriesOf } = await aPlace()
  const id = await hook(`http://hooks.fieldway.test:${portOf(receiver)}/inside`)
  const addresses = [{ address: "127.0.0.1", family: 4 }]
  t.mock.method(
    dns,
    "lookup",
    (_name: string, _options: object, done: (error: null, found: object) => void) => done(null, addresses),
  )
  syncBuiltinESMExports()
  t.after(() => {
    t.mock.restoreAll()
    syncBuiltinESMExports()
  })
  await newTask()
  await runJobs(server)
  const [entry] = await entriesOf(id)
  assert.match(entry?.response ?? "", /hooks\.fieldway\.test:\d+ is a private address/)
  assert.equal(callsTo("/inside").length, 0)
})

test("a dead endpoint is paused if configured; its deliveries wait and are sent in order when it is resumed", async () => {
  const { server, owner, hook, newTask, entriesOf, delivery } = await aPlace()
  status = 503
  const id = await hook(`${origin()}/switch`, { pauseWhenDead: true, retry: "exponential" })
  const patient = await hook(`${origin()}/switch?other`)
  for (let count = 0; count < 10; count++) await newTask(`Early ${count}`)
  await runJobs(server)
  assert.equal((await delivery(id)).isPaused, false, "a short outage pauses nothing")
  for (let minutes = 0; minutes < 91; minutes += 13) {
    server.clock.move({ minutes: 13 })
    await deliver(server)
  }
  const state = await delivery(id)
  assert.deepEqual([state.isPaused, state.pauseReason, state.waiting], [true, "dead", 10])
  assert.ok(state.failures >= 20)
  assert.equal((await delivery(patient)).isPaused, false)
  const mails = (await owner.get("/outbox?kind=webhookPaused")).json().data
  assert.equal(mails.total, 1)
  assert.match(mails.data[0].text, /Deliveries are on hold/)
  const tries = (await entriesOf(id)).length
  await newTask("Late")
  await runJobs(server)
  assert.equal((await entriesOf(id)).length, tries)
  status = 200
  answered = []
  assert.equal((await owner.post(`/automation/${id}/resume`)).json().data.waiting, 11)
  await runJobs(server)
  const names = callsTo("/switch").map((call) => JSON.parse(call.body).siteName)
  assert.deepEqual(names, [...Array.from({ length: 10 }, (_, count) => `Early ${count}`), "Late"])
  assert.deepEqual(await delivery(id), {
    isPaused: false,
    pausedTime: null,
    pauseReason: null,
    waiting: 0,
    failures: 0,
    failingSince: null,
  })
})

test("a webhook can be paused and resumed; switching it off drops waiting deliveries; 410 pauses it", async () => {
  const { server, owner, hook, newTask, delivery } = await aPlace()
  const id = await hook(`${origin()}/held`)
  const gone = await hook(`${origin()}/gone`, { pauseWhenDead: true })
  await owner.post(`/automation/${id}/pause`)
  for (const name of ["One", "Two"]) await newTask(name)
  await runJobs(server)
  assert.deepEqual([callsTo("/held").length, (await delivery(id)).waiting], [0, 2])
  assert.equal((await delivery(gone)).pauseReason, "gone")
  await owner.post(`/automation/${id}/resume`)
  await runJobs(server)
  assert.deepEqual([callsTo("/held").length, (await delivery(id)).waiting], [2, 0])
  await owner.post(`/automation/${id}/pause`)
  await newTask("Three")
  await runJobs(server)
  await owner.patch(`/automation/${id}`, { isActive: false })
  await owner.post(`/automation/${id}/resume`)
  await runJobs(server)
  await owner.patch(`/automation/${id}`, { isActive: true })
  await runJobs(server)
  assert.deepEqual([callsTo("/held").length, (await delivery(id)).waiting], [2, 0])
  const refused = await hook(`${origin()}/held?2`).then((other) => owner.put(`/automation/${other}`, {}))
  assert.equal(refused.statusCode, 400)
})

test("secrets of automations are encrypted in the database and the trash, earlier ones when the server starts", async () => {
  const { server, owner, org, hook, newTask } = await aPlace()
  const { sql, config } = server
  const secrets = ["Bearer of-the-warehouse", "key-of-the-sender"]
  const id = await hook(`${origin()}/sealed`, { signature: true, headers: { Authorization: secrets[0] } })
  const shown = (await owner.get(`/automation/${id}`)).json().data.automationDetails
  assert.equal(shown.headers.Authorization, secrets[0])
  secrets.push(shown.signingSecret)
  // As version 0.1 stored them.
  await sql`
    update automations set secrets = null, signing_secret = ${shown.signingSecret},
      details = details || jsonb_build_object('headers', jsonb_build_object('Authorization', ${secrets[0] ?? ""}::text))
    where id = ${id}`
  const other = await hook(`${origin()}/other`, { headers: { "X-Key": secrets[1] } })
  await sql`update automations set secrets = null, details = jsonb_set(details, '{headers,X-Key}', to_jsonb(${secrets[1] ?? ""}::text)) where id = ${other}`
  await owner.delete(`/automation/${other}`)
  // Nor did its audit trail keep details.
  await sql`delete from audit_parts where object_id in (${id}, ${other})`
  assert.ok((await findInDatabase(server, secrets)).length > 0, "the search finds what is readable")
  const { sealStoredSecrets } = await import("../../../../jobs.ts")
  assert.ok((await sealStoredSecrets({ sql, config })) >= 2)
  assert.equal(await sealStoredSecrets({ sql, config }), 0)
  assert.deepEqual(await findInDatabase(server, secrets), [])
  await newTask()
  await runJobs(server)
  assert.deepEqual(await findInDatabase(server, secrets), [])
  const [entry] = (await owner.get("/trash?type=Automation")).json().data
  assert.equal((await owner.post(`/trash/${entry._id}/restore`)).statusCode, 200)
  const restored = (await owner.get(`/automation/${other}`)).json().data.automationDetails
  assert.equal(restored.headers["X-Key"], secrets[1])
  // After a change of the key, a start reseals the secrets; then the old key is no longer needed.
  const oldKey = "k".repeat(40)
  const newKey = "n".repeat(40)
  const keys = { secretsKey: oldKey, secretsKeyOld: undefined }
  assert.ok((await sealStoredSecrets({ sql, config: keys })) >= 2)
  const rotated = { secretsKey: newKey, secretsKeyOld: oldKey }
  assert.ok((await sealStoredSecrets({ sql, config: rotated })) >= 2)
  assert.equal(await sealStoredSecrets({ sql, config: { secretsKey: newKey, secretsKeyOld: undefined } }), 0)
  // This server has no key at all: owners can still see and repair the webhook, and its calls say why they fail.
  const masked = (await owner.get(`/automation/${id}`)).json().data.automationDetails
  assert.equal(masked.headers.Authorization, "********")
  answered = []
  await newTask("Unsent")
  await runJobs(server)
  assert.equal(callsTo("/sealed").length, 0)
  const log = (await owner.get(`/automation-log?automationId=${id}`)).json().data
  assert.match(log[0]._source.response, /Enter them again/)
  assert.equal(org.owner.organizationId, log[0]._source.organizationId)
})
