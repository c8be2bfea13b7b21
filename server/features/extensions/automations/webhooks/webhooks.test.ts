import assert from "node:assert/strict"
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { after, test } from "node:test"
import { setTimeout } from "node:timers/promises"
import { aDataType, aFlow, aHub, anOrganization, aUser } from "#samples/builders.ts"
import { runJobs } from "#testing/run-jobs.ts"
import { type TestApp, testApp } from "#testing/test-app.ts"
import { sign } from "./call-webhook.ts"
import { deliverWebhooks } from "./deliver-webhooks.ts"

interface Call {
  path: string
  headers: IncomingHttpHeaders
  body: string
}

const calls: Call[] = []
/** A receiver: the path selects its response. */
const receiver = createServer((request, reply) => {
  let body = ""
  request.on("data", (part) => {
    body += part
  })
  request.on("end", () => {
    const path = request.url ?? ""
    calls.push({ path, headers: request.headers, body })
    if (path.startsWith("/redirect")) reply.writeHead(302, { location: "/ok" }).end()
    else if (path.startsWith("/huge")) reply.writeHead(200).end("x".repeat(200_000))
    else reply.writeHead(Number(/\d{3}/.exec(path)?.[0] ?? 200)).end('{"status":"received"}')
  })
}).listen(0, "127.0.0.1")
after(() => receiver.close())

const origin = () => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
const callsTo = (path: string) => calls.filter((call) => call.path === path)
const deliver = (server: TestApp) => deliverWebhooks.handle(server.jobContext(), {})
const start = () => testApp(undefined, { WEBHOOK_ALLOW: "127.0.0.1" })

async function aPlace(server: TestApp) {
  const org = await anOrganization(server.sql)
  const [flow, hub] = [await aFlow(server.sql, { org }), await aHub(server.sql, { org })]
  const owner = server.as(org.owner)
  const rules = { flow: flow.name, flowId: flow.id }
  const hook = (path: string, more: object = {}, details: object = {}) =>
    owner.post("/automation", {
      name: `Hook ${path}`,
      event: "onTaskCreated",
      automationType: "webhook",
      automationDetails: { url: origin() + path, ...details },
      rules,
      ...more,
    })
  const newTask = (siteName = "Mill") =>
    owner.post("/task", { flow: flow.name, hubId: hub.id, siteName }).then((reply) => reply.json().task)
  const log = async (query = "") => (await owner.get(`/automation-log?${query}`)).json()
  return { org, flow, hub, owner, rules, hook, newTask, log }
}

test("a webhook gets the bare task with its own headers, and the log keeps the exchange", async () => {
  const server = await start()
  const { hook, newTask, log } = await aPlace(server)
  const made = await hook("/first", {}, { headers: { "X-Key": "secret", Host: "elsewhere.example" } })
  assert.equal(made.statusCode, 200, made.body)
  assert.equal(made.json().data.rules.schema, "flow")
  const task = await newTask()
  await runJobs(server)
  const [call] = callsTo("/first")
  const body = JSON.parse(call?.body ?? "")
  assert.equal(body._id, task._id)
  assert.equal(body.siteName, "Mill")
  assert.equal(body.status, "UNASSIGNED")
  assert.equal(call?.headers["x-key"], "secret")
  assert.equal(call?.headers["x-automation-event"], "onTaskCreated")
  assert.equal(call?.headers["x-automation-attempt"], "0")
  assert.match(call?.headers.host ?? "", /^127/)
  const { message, total, data } = await log()
  assert.equal(message, "elasticData")
  assert.equal(total, 1)
  assert.equal(data[0]._source.isSuccess, "true")
  assert.equal(data[0]._source.statusCode, "200")
  assert.equal(data[0]._id.length, 20)
})

test("any 2xx is success; anything else is retried three times, two minutes apart", async () => {
  const server = await start()
  const { hook, newTask, log } = await aPlace(server)
  await hook("/201")
  await hook("/204")
  const failing = (await hook("/503")).json().data._id
  await newTask()
  await runJobs(server)
  for (let attempt = 1; attempt <= 4; attempt++) {
    server.clock.move({ seconds: 119 })
    await deliver(server)
    assert.equal(callsTo("/503").length, attempt)
    server.clock.move({ seconds: 2 })
    await deliver(server)
    assert.equal(callsTo("/503").length, Math.min(attempt + 1, 4))
  }
  assert.deepEqual([callsTo("/201").length, callsTo("/204").length], [1, 1])
  const { data } = await log(`sortOrder=asc&automationId=${failing}`)
  assert.deepEqual(data.map((hit: { _source: { attempt: string } }) => hit._source.attempt).sort(), [
    "0",
    "1",
    "2",
    "3",
  ])
  assert.ok(data.every((hit: { _source: { isSuccess: string } }) => hit._source.isSuccess === "false"))
  assert.equal((await log("isSuccess=true")).total, 2)
  const sorted = async (sortBy: string, field: string, sortOrder = "asc") =>
    (await log(`sortBy=${sortBy}&sortOrder=${sortOrder}`)).data.map(
      (hit: { _source: Record<string, string> }) => hit._source[field],
    )
  const statuses = ["201", "204", "503", "503", "503", "503"]
  assert.deepEqual(await sorted("statusCode", "statusCode"), statuses)
  assert.deepEqual(await sorted("statusCode", "statusCode", "desc"), statuses.toReversed())
  assert.deepEqual(await sorted("attempt", "attempt"), ["0", "0", "0", "1", "2", "3"])
  assert.deepEqual((await sorted("isSuccess", "isSuccess")).slice(-2), ["true", "true"])
  for (const by of ["automationName", "automationUrl"])
    assert.deepEqual(await sorted(by, "statusCode"), statuses, by)
})

test("redirects are not followed, long responses not read, private addresses not called", async () => {
  const server = await start()
  const { hook, newTask, log } = await aPlace(server)
  await hook("/redirect")
  await hook("/huge")
  await hook("/x", { name: "metadata" }, { url: "http://169.254.169.254/latest" })
  await hook("/x", { name: "v6" }, { url: "http://[::1]:1/" })
  await newTask()
  await runJobs(server)
  const { data } = await log()
  const codes = data.map((hit: { _source: { statusCode: string } }) => hit._source.statusCode)
  assert.deepEqual(codes.sort(), ["0", "0", "0", "302"])
  assert.match(JSON.stringify(data), /private address/)
})

test("failed calls can be retried by hand, alone or in bulk; the log is deleted with its automation", async () => {
  const server = await start()
  const { hook, newTask, log, owner, org } = await aPlace(server)
  const made = (await hook("/500")).json().data
  await newTask()
  await runJobs(server)
  const id = (await log()).data[0]._id
  assert.equal((await owner.patch(`/automation-retry/${id}`)).json().message, "Retry executed")
  const many = (await owner.post("/automation-retries", { id: [id, "unknown"] })).json()
  assert.deepEqual({ total: many.data.total, success: many.data.success }, { total: 2, success: 0 })
  const { data } = await log()
  assert.equal(data.length, 3)
  assert.equal(data[0]._source.attempt, "2")
  assert.equal(data[0]._source.request, data[2]._source.request)
  await owner.delete(`/automation/${made._id}`)
  assert.equal((await log()).total, 0)
  const waiting = await server.sql`select from webhook_deliveries where organization_id = ${org.id}`
  assert.equal(waiting.length, 0)
})

test("a signed webhook carries the headers of Standard Webhooks, and only editors see its key", async () => {
  const server = await start()
  const { hook, newTask, owner, org } = await aPlace(server)
  const made = await hook("/signed", {}, { signature: true, headers: { Authorization: "Basic x" } })
  const { signingSecret } = made.json().data.automationDetails
  assert.match(signingSecret, /^whsec_/)
  await newTask()
  await runJobs(server)
  const [call] = callsTo("/signed")
  const { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": signature } = call?.headers ?? {}
  assert.equal(signature, sign(signingSecret, String(id), Number(time), call?.body ?? ""))
  const reader = server.as(await aUser(server.sql, { org, permissions: ["view/automation"] }))
  const shown = (await reader.get(`/automation/${made.json().data._id}`)).json().data.automationDetails
  assert.deepEqual([shown.signingSecret, shown.headers.Authorization], ["********", "********"])
  const again = await owner.put(`/automation/${made.json().data._id}`, {
    ...made.json().data,
    automationDetails: { ...shown },
  })
  assert.equal(again.json().data.automationDetails.headers.Authorization, "Basic x")
})

test("the owners get one mail when a webhook keeps failing", async () => {
  const server = await start()
  const { hook, newTask, owner } = await aPlace(server)
  await hook("/503")
  for (let count = 0; count < 8; count++) await newTask()
  await runJobs(server)
  const mails = (await owner.get("/outbox?kind=webhookFailing")).json().data
  assert.equal(mails.total, 1)
  assert.match(mails.data[0].text, /8 of 8 calls/)
})

test("a webhook is tested and replayed on demand; headers with line breaks are refused", async () => {
  const server = await start()
  const { hook, newTask, owner } = await aPlace(server)
  const { _id } = (await hook("/again", { isActive: true })).json().data
  for (const name of ["One", "Two"]) {
    await newTask(name)
    await runJobs(server)
  }
  const tested = (await owner.post(`/automation/${_id}/test`)).json()
  assert.equal(tested.data.isSuccess, true)
  const replayed = await owner.post(`/automation/${_id}/replay`, { since: "2020-01-01 00:00:00" })
  assert.equal(replayed.json().data.events, 2)
  await runJobs(server)
  const names = callsTo("/again").map((call) => JSON.parse(call.body).siteName)
  assert.deepEqual(names, ["One", "Two", "Two", "One", "Two"])
  const bad = await hook("/bad", {}, { headers: { "X-Key": "a\r\nX-Other: b" } })
  assert.equal(bad.statusCode, 400)
  const worse = await hook("/bad", {}, { url: "ftp://files.example/" })
  assert.equal(worse.json().failedCode, "auto-007")
})

test("the feed hands out every event once, from a cursor on", async () => {
  const server = await start()
  const { newTask, owner, org } = await aPlace(server)
  await newTask("One")
  await newTask("Two")
  // An event is handed out once no older transaction of the database server runs, of other tests either.
  while ((await owner.get("/events/feed")).json().data.length < 2) await setTimeout(10)
  const first = (await owner.get("/events/feed?limit=1")).json()
  assert.equal(first.data[0].record.siteName, "One")
  assert.equal(first.hasMore, true)
  const rest = (await owner.get(`/events/feed?after=${first.cursor}`)).json()
  assert.deepEqual(
    rest.data.map((event: { event: string; record: { siteName: string } }) => [
      event.event,
      event.record.siteName,
    ]),
    [["onTaskCreated", "Two"]],
  )
  const end = (await owner.get(`/events/feed?after=${rest.cursor}`)).json()
  assert.deepEqual([end.data, end.cursor], [[], rest.cursor])
  const hubless = server.as(await aUser(server.sql, { org, permissions: ["view/task"] }))
  assert.equal((await hubless.get("/events/feed")).json().data.length, 0)
})

test("the events of one bulk come one by one, in order, whatever the size of the page", async () => {
  const server = await start()
  const { owner, org } = await aPlace(server)
  const type = await aDataType(server.sql, { org, commonData: true })
  const keys = Array.from({ length: 150 }, (_, index) => `K-${String(index).padStart(3, "0")}`)
  const bodies = keys.map((dataId) => ({ dataTypeId: type.id, dataId, note: "a, b" }))
  await owner.expect(201).post("/data/bulk", { data: bodies })
  while ((await owner.get("/events/feed?limit=1")).json().data.length < 1) await setTimeout(10)
  const seen: { record: { _id: string; dataId: string; note: string }; referenceId: string }[] = []
  for (let after = ""; ; ) {
    const page = (await owner.get(`/events/feed?limit=47${after && `&after=${after}`}`)).json()
    seen.push(...page.data)
    if (!page.hasMore) break
    after = page.cursor
  }
  assert.deepEqual(
    seen.map(({ record }) => record.dataId),
    keys,
  )
  assert.ok(seen.every(({ record, referenceId }) => record._id === referenceId && record.note === "a, b"))
})

test("transactions are in order by their number, not as text", async () => {
  const server = await start()
  const { owner, org } = await aPlace(server)
  for (const xid of ["9", "10", "11"])
    await server.sql`
      insert into domain_events (organization_id, xid, event, reference_ids, records)
      values (${org.id}, ${xid}::text::xid8, 'onTaskCreated', ${xid}, '{}')`
  const first = (await owner.get("/events/feed?limit=1")).json()
  const rest = (await owner.get(`/events/feed?after=${first.cursor}`)).json()
  const ids = [...first.data, ...rest.data].map((event: { referenceId: string }) => event.referenceId)
  assert.deepEqual(ids, ["9", "10", "11"])
})

test("records and trips are events too", async () => {
  const server = await start()
  const { owner, org } = await aPlace(server)
  const type = await aDataType(server.sql, { org, commonData: true })
  await owner.expect(201).post("/data", { dataTypeId: type.id, dataId: "A-1", note: "New" })
  const place = { email: org.owner.email, lat: 52, lon: 5 }
  const now = server.clock.now().toString().slice(0, 19).replace("T", " ")
  await owner.expect(201).post("/location-history", { ...place, startTime: now, data: { van: 12 } })
  while ((await owner.get("/events/feed")).json().data.length < 2) await setTimeout(10)
  const { data } = (await owner.get("/events/feed")).json()
  assert.deepEqual(
    data.map((event: { event: string }) => event.event),
    ["onDataSourceCreated", "onStartTrip"],
  )
  assert.deepEqual([data[0].record.dataId, data[0].record.note], ["A-1", "New"])
  const { record: tripRecord } = data[1]
  assert.deepEqual([tripRecord.lon, tripRecord.finish, tripRecord.startTime], [5, null, now])
  assert.deepEqual(
    ["createdFrom", "trackedTime", "data"].filter((key) => key in tripRecord),
    [],
  )
})
