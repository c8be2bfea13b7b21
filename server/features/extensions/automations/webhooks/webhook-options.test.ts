import assert from "node:assert/strict"
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { after, test } from "node:test"
import { aFlow, aHub, anOrganization, aUser } from "#samples/builders.ts"
import { runJobs } from "#testing/run-jobs.ts"
import { testApp } from "#testing/test-app.ts"
import { readRetryAfter, sign } from "./call-webhook.ts"
import { deliverWebhooks } from "./deliver-webhooks.ts"

interface Call {
  headers: IncomingHttpHeaders
  body: string
}
let calls: Call[] = []
let response: { status: number; headers: Record<string, string> } = { status: 200, headers: {} }
const receiver = createServer((request, reply) => {
  let body = ""
  request.on("data", (part) => {
    body += part
  })
  request.on("end", () => {
    calls.push({ headers: request.headers, body })
    reply.writeHead(response.status, response.headers).end()
  })
}).listen(0, "127.0.0.1")
after(() => receiver.close())

async function aPlace(details: object = {}) {
  calls = []
  response = { status: 200, headers: {} }
  const server = await testApp(undefined, { WEBHOOK_ALLOW: "127.0.0.1" })
  const org = await anOrganization(server.sql)
  const [flow, hub] = [await aFlow(server.sql, { org }), await aHub(server.sql, { org })]
  const owner = server.as(org.owner)
  const made = await owner.expect(200).post("/automation", {
    name: "Hook",
    event: "onTaskCreated",
    automationType: "webhook",
    automationDetails: { url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`, ...details },
    rules: {},
  })
  const newTask = async (headers: Record<string, string> = {}) => {
    const reply = await owner
      .expect(201)
      .post("/task", { flow: flow.name, hubId: hub.id, siteName: "Mill" }, headers)
    return reply
  }
  return {
    ...{ server, org, owner, newTask, hook: made.json() },
    id: made.json().data._id as string,
    deliver: () => deliverWebhooks.handle(server.jobContext(), {}),
  }
}

test("Retry-After delays every delivery to the endpoint, by at most one hour", async () => {
  const { server, newTask, deliver } = await aPlace()
  response = { status: 429, headers: { "retry-after": "900" } }
  await newTask()
  await newTask()
  await runJobs(server)
  assert.equal(calls.length, 1, "what follows in the queue waits as well")
  server.clock.move({ seconds: 890 })
  await newTask()
  await deliver()
  assert.equal(calls.length, 1)
  server.clock.move({ seconds: 11 })
  response = { status: 503, headers: { "retry-after": "86400" } }
  await deliver()
  assert.equal(calls.length, 2)
  server.clock.move({ minutes: 59 })
  await deliver()
  assert.equal(calls.length, 2)
  server.clock.move({ minutes: 2 })
  response = { status: 202, headers: {} }
  await runJobs(server)
  await deliver()
  assert.equal(calls.length, 5, "all three tasks have arrived")
})

test("Retry-After is read in both of its forms", () => {
  const now = Temporal.Instant.from("2031-05-04T10:00:00Z")
  const read = (header: string) => readRetryAfter(header, now)?.toString()
  assert.equal(read("30"), "2031-05-04T10:00:30Z")
  assert.equal(read("Sun, 04 May 2031 10:10:00 GMT"), "2031-05-04T10:10:00Z")
  assert.equal(read("Sun, 04 May 2031 23:10:00 GMT"), "2031-05-04T11:00:00Z")
  for (const useless of ["", "0", "soon", "-5", "Sun, 04 May 2031 09:00:00 GMT"])
    assert.equal(read(useless), undefined, useless)
})

test("after a rotation both secrets sign, until the previous one ends", async () => {
  const { server, org, owner, newTask, hook, id } = await aPlace({ signature: true })
  const first = hook.data.automationDetails.signingSecret
  const rotated = await owner.expect(200).post(`/automation/${id}/rotate-secret`, { previousValidHours: 2 })
  const details = rotated.json().data.automationDetails
  assert.notEqual(details.signingSecret, first)
  assert.equal(details.previousSigningSecret, first)
  assert.match(details.previousSigningSecretUntil, /^\d{4}-\d\d-\d\dT/)
  await newTask()
  await runJobs(server)
  const signaturesOf = (call: Call | undefined, secrets: string[]) =>
    secrets
      .map((secret) => {
        const { "webhook-id": messageId, "webhook-timestamp": time } = call?.headers ?? {}
        return sign(secret, String(messageId), Number(time), call?.body ?? "")
      })
      .join(" ")
  const both = signaturesOf(calls[0], [details.signingSecret, first])
  assert.equal(calls[0]?.headers["webhook-signature"], both)
  // Saving what was shown changes neither secret.
  const saved = await owner.put(`/automation/${id}`, rotated.json().data)
  assert.deepEqual(saved.json().data.automationDetails, details)
  server.clock.move({ hours: 3 })
  await newTask()
  await runJobs(server)
  assert.equal(calls[1]?.headers["webhook-signature"], signaturesOf(calls[1], [details.signingSecret]))
  const reader = server.as(await aUser(server.sql, { org, permissions: ["view/automation"] }))
  assert.equal((await reader.post(`/automation/${id}/rotate-secret`)).statusCode, 403)
  const shown = (await reader.get(`/automation/${id}`)).body
  assert.ok(!shown.includes(first) && !shown.includes(details.signingSecret))
  const log = await owner.get("/audit-log?action=automation.rotate-secret")
  assert.ok(log.body.includes("automation.rotate-secret") && !log.body.includes("whsec_"))
})

test("a webhook without signatures has no secret to rotate", async () => {
  const { owner, id } = await aPlace()
  const refused = await owner.post(`/automation/${id}/rotate-secret`)
  assert.deepEqual([refused.statusCode, refused.json().failedCode], [400, "auto-034"])
})

test("unused keys of an automation are listed as warnings", async () => {
  const { owner, hook, id } = await aPlace({ urll: "https://hooks.example/", hubId: "x" })
  assert.deepEqual(hook.warnings, [
    "automationDetails.urll is unknown to webhook and has no effect",
    "automationDetails.hubId is unknown to webhook and has no effect",
  ])
  const { urll: _wrong, hubId: _other, ...right } = hook.data.automationDetails
  const saved = await owner.put(`/automation/${id}`, { ...hook.data, automationDetails: right })
  assert.equal(saved.json().warnings, undefined)
})

test("one trace follows a request through its jobs to the receiver and into the log", async () => {
  const { server, owner, newTask } = await aPlace()
  const traceId = "4bf92f3577b34da6a3ce929d0e0e4736"
  const reply = await newTask({ traceparent: `00-${traceId}-00f067aa0ba902b7-01` })
  await runJobs(server)
  assert.match(String(calls[0]?.headers.traceparent), new RegExp(`^00-${traceId}-(?!00f067aa0ba902b7)`))
  const [{ _source: entry }] = (await owner.get("/automation-log")).json().data
  assert.deepEqual([entry.traceId, entry.requestId], [traceId, reply.headers["x-request-id"]])
  // Without one, and with one that is not valid, a trace begins here.
  await newTask({ traceparent: "00-nonsense" })
  await newTask()
  await runJobs(server)
  const ids = calls.slice(1).map(({ headers }) => String(headers.traceparent).split("-")[1])
  assert.equal(new Set([traceId, ...ids]).size, 3)
})

test("an automation that another one starts belongs to the same trace", async () => {
  const { server, org, owner, newTask } = await aPlace()
  const [target, hub] = [await aFlow(server.sql, { org }), await aHub(server.sql, { org })]
  await owner.expect(200).post("/automation", {
    name: "Follow-up",
    event: "onTaskCreated",
    automationType: "createTask",
    automationDetails: {
      flow: target.name,
      flowId: target.id,
      hubId: hub.id,
      taskData: { siteName: "Later" },
    },
    rules: { fields: { siteName: "Mill" } },
  })
  const reply = await newTask()
  await runJobs(server)
  assert.equal(calls.length, 2)
  const entries: { _source: { requestId: string; automationType: string } }[] = (
    await owner.get("/automation-log")
  ).json().data
  assert.equal(entries.length, 3)
  assert.ok(entries.every(({ _source }) => _source.requestId === reply.headers["x-request-id"]))
  assert.equal(new Set(calls.map(({ headers }) => headers.traceparent)).size, 1)
})
