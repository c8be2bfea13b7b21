import assert from "node:assert/strict"
import { createHash, createHmac } from "node:crypto"
import { test } from "node:test"
import { inTransaction } from "#core/database/database.ts"
import { aFlow, aHub, anOrganization, aUser } from "#samples/builders.ts"
import { runJobs } from "#testing/run-jobs.ts"
import { aMailServer } from "#testing/services/mail-server.ts"
import { type TestApp, testApp } from "#testing/test-app.ts"
import { isGenuine, readCallback, statusOf } from "./callbacks/callbacks.ts"
import { aFakeProvider } from "./fixtures/fake-provider.ts"
import { queueNotification } from "./notification.ts"
import { endOfQuiet } from "./quiet-hours.ts"
import { sendMessage } from "./send-message.ts"
import { presetNames, presets } from "./templates/presets.ts"
import { fillTemplate, unknownFields } from "./templates/template-text.ts"

const environment = { WEBHOOK_ALLOW: "127.0.0.1" }
const pages = [
  {
    id: "page0",
    components: [
      { id: "receiver", component: "input", type: "String", showAs: "title" },
      { id: "phone", component: "input", type: "PhoneNumber" },
      { id: "email", component: "input", type: "String" },
      { id: "language", component: "input", type: "String" },
      { id: "floor", component: "input", type: "Numeric" },
      { id: "place", component: "input", type: "Geolocation", showAs: "expectedCoordinate" },
    ],
  },
]

async function aCompany(server: TestApp) {
  const org = await anOrganization(server.sql, { name: "Harbour", timeZone: "Asia/Jakarta" })
  await server.sql`update organizations set country_code = 'IDN' where id = ${org.id}`
  const [hub, flow] = [await aHub(server.sql, { org }), await aFlow(server.sql, { org, pages })]
  const driver = await aUser(server.sql, { org, hubs: [hub], role: "field user", name: "Budi" })
  const calls = server.as(org.owner).expect(200)
  await calls.put("/customer-message-settings", {
    quietFrom: "00:00",
    quietTo: "00:00",
    ratingDelayMinutes: 0,
  })
  const create = async (path: string, body: object) =>
    (await server.as(org.owner).expect(201).post(path, body)).json().data
  const order = async (values: object) =>
    (await server.as(org.owner).post("/task", { flow: flow.name, hubId: hub.id, ...values })).json().task
      ._id as string
  const assign = (taskId: string) => calls.put(`/task/${taskId}/assign`, { assignee: [driver.email] })
  const log = async () => (await calls.get("/customer-messages")).json().data.data as Record<string, string>[]
  return { org, hub, flow, driver, calls, create, order, assign, log }
}

test("each event sends one message per channel, in the customer's language, until they opt out", async (t) => {
  const server = await testApp(t, environment)
  const { app } = server
  const provider = await aFakeProvider(t)
  const { calls, create, order, assign, log, org } = await aCompany(server)
  const channel = await create(
    "/customer-message-channel",
    provider.channel({ cost: 0.05, secrets: { key: "s3cret" } }),
  )
  assert.doesNotMatch(JSON.stringify(channel), /s3cret/)
  for (const template of [
    { event: "planned", body: "Hi {{name|there}}, floor {{task.floor}}: {{link}}" },
    { event: "planned", language: "id", body: "Halo {{name}} {{link}}" },
    { event: "done" },
  ])
    await create("/customer-message-template", { channelId: channel._id, ...template })
  const refused = await server.as(org.owner).post("/customer-message-template", {
    event: "done",
    channelId: channel._id,
    body: "{{organization.secrets}} {{constructor}}",
  })
  assert.equal(refused.statusCode, 400)
  const tasks = [
    await order({ receiver: "Ani //evil.test/x", phone: "0812-3456-7890", language: "id" }),
    await order({ receiver: "Bob", phone: "+14155550100", floor: 7 }),
    await order({ receiver: "Nobody" }),
  ]
  for (const task of tasks) await assign(task)
  await runJobs(server)
  for (const task of tasks) await assign(task)
  await runJobs(server)
  const sent = provider.received.toSorted((one, other) => (one.to < other.to ? -1 : 1))
  assert.deepEqual(
    sent.map(({ to }) => to),
    ["+14155550100", "+6281234567890"],
  )
  assert.match(sent[0]?.text ?? "", /^Hi Bob, floor 7: http:\/\/fieldway.test\/t\/[0-9a-z]{10}$/)
  assert.match(sent[1]?.text ?? "", /^Halo Ani +evil\. test\/x http:\/\/fieldway.test\/t\//)
  const [nobody] = (await log()).filter(({ taskId }) => taskId === tasks[2])
  assert.deepEqual([nobody?.status, nobody?.recipient], ["skipped", ""])
  // The provider reports, and the customer writes.
  const callback = (body: object, secret?: string) =>
    app.inject({
      method: "POST",
      url:
        secret === undefined
          ? channel.callbackUrl.slice("http://fieldway.test".length)
          : `${new URL(channel.callbackUrl).pathname}?secret=${secret}`,
      payload: body,
    })
  const bob = (await log()).find(({ recipient }) => recipient === "+14155550100")
  assert.equal((await callback({ id: bob?.providerId, status: "delivered" }, "wrong")).statusCode, 404)
  assert.equal((await callback({ id: bob?.providerId, status: "delivered" })).statusCode, 200)
  assert.equal((await log()).find(({ _id }) => _id === bob?._id)?.status, "delivered")
  await callback({ from: "+14155550100", text: "Which door?" })
  await callback({ from: "+14155550100", text: " Stop " })
  const replies = (await calls.get("/customer-feedback?kind=reply")).json().data.data
  assert.deepEqual(replies.map(({ comment, sender }: Record<string, string>) => [comment, sender]).at(-1), [
    "Which door?",
    "+14155550100",
  ])
  for (const task of tasks.slice(0, 2))
    await calls.patch(`/task/${task}`, {
      status: "DONE",
      doneFor: (await calls.get(`/task/${task}`)).json().task.assignee[0],
    })
  await runJobs(server)
  const done = (await log()).filter(({ event }) => event === "done")
  assert.deepEqual(done.map(({ status }) => status).sort(), ["sent", "skipped"])
  assert.equal(provider.received.length, 3)
  const [used] = (await calls.get("/customer-message-channels")).json().data
  assert.deepEqual([used.today.messages, used.today.cost], [3, 0.15])
})

test("a message whose sending was interrupted is neither lost nor sent twice", async (t) => {
  const server = await testApp(t, environment)
  const provider = await aFakeProvider(t)
  const { calls, create, order, assign, log, org } = await aCompany(server)
  const channel = await create("/customer-message-channel", provider.channel({ lookup: true }))
  await create("/customer-message-template", { channelId: channel._id, event: "planned" })
  const messages = async () =>
    (await log()).map(({ _id, status, attempts }) => ({ _id, status, attempts: Number(attempts) }))
  const run = async (messageId = "") =>
    sendMessage.handle(server.jobContext(), { organizationId: org.id, messageId }).catch(() => undefined)
  // The process ends before the provider is called, and after the provider has taken the message.
  await assign(await order({ receiver: "A", phone: "+14155550101" }))
  const match = async () => {
    const { matchEvents } = await import("./match-events.ts")
    const rows = await server.sql<{ payload: { organizationId: string; xid: string } }[]>`
      delete from graphile_worker._private_jobs jobs using graphile_worker._private_tasks tasks
      where tasks.id = jobs.task_id and tasks.identifier = 'customer-messages.match' returning jobs.payload`
    for (const { payload } of rows) await matchEvents.handle(server.jobContext(), payload)
  }
  await match()
  const [first] = await messages()
  assert.equal(first?.status, "waiting")
  const interrupt = () =>
    server.sql`update customer_messages set status = 'sending', sent_time = null where organization_id = ${org.id} and id = ${first?._id ?? ""}`
  await interrupt()
  await run(first?._id)
  assert.deepEqual([provider.received.length, (await messages())[0]?.status], [1, "sent"])
  await interrupt()
  await run(first?._id)
  await run(first?._id)
  assert.deepEqual([provider.received.length, (await messages())[0]?.status], [1, "sent"])
  // Where the provider cannot be asked, a person decides.
  await calls.put(`/customer-message-channel/${channel._id}`, provider.channel())
  await interrupt()
  await run(first?._id)
  assert.deepEqual([provider.received.length, (await messages())[0]?.status], [1, "uncertain"])
  await server.as(org.owner).expect(202).post(`/customer-message/${first?._id}/resend`)
  provider.failures.push(503)
  await run(first?._id)
  assert.equal((await messages())[0]?.status, "waiting")
  await run(first?._id)
  assert.deepEqual([provider.received.length, (await messages())[0]?.status], [2, "sent"])
  // A refusal is final, and the daily limit holds.
  await calls.put(`/customer-message-channel/${channel._id}`, provider.channel({ dailyCap: 2 }))
  provider.failures.push(400)
  await assign(await order({ receiver: "B", phone: "+14155550102" }))
  await runJobs(server)
  await assign(await order({ receiver: "C", phone: "+14155550103" }))
  await assign(await order({ receiver: "D", phone: "+14155550104" }))
  await runJobs(server)
  const states = (await log()).map(({ status, reason }) => `${status} ${reason ?? ""}`)
  assert.ok(
    states.some((state) => state.startsWith("failed The provider responded with status 400")),
    states.join(),
  )
  assert.ok(
    states.some((state) => state.includes("daily limit")),
    states.join(),
  )
  // What was tried again counts once, and what was refused does not count.
  const [used] = (await calls.get("/customer-message-channels")).json().data
  assert.deepEqual([used.today.messages, provider.received.length], [2, 3])
})

test("mails go through the mail server, and quiet hours delay or drop", async (t) => {
  const { received, url } = await aMailServer(t)
  const server = await testApp(t, environment)
  const { create, order, assign, log, calls, org, hub, flow, driver } = await aCompany(server)
  const channel = await create("/customer-message-channel", { name: "Mail", kind: "email" })
  const template = await create("/customer-message-template", { channelId: channel._id, event: "planned" })
  const task = await order({ receiver: "Ani", email: "Ani@Customer.example", language: "ar" })
  const preview = (
    await calls.post(`/customer-message-template/${template._id}/preview`, { taskId: task })
  ).json().data
  assert.deepEqual([preview.language, preview.recipient], ["ar", "ani@customer.example"])
  assert.match(preview.body, /Harbour: تم تحديد موعدك/)
  await assign(task)
  server.config.mailUrl = url
  t.after(() => {
    server.config.mailUrl = undefined
  })
  await runJobs(server)
  assert.equal(received.length, 1)
  const [message] = await log()
  assert.match(received[0] ?? "", new RegExp(`Message-ID: <${message?._id}@`))
  assert.match(received[0] ?? "", /To: ani@customer\.example/)
  // A receipt has the service report attached where the flow's report says so.
  await calls.put(`/flow/${flow.id}/report-settings`, { attachToReceipt: true })
  await create("/customer-message-template", { channelId: channel._id, event: "receipt" })
  await calls.patch(`/task/${task}`, { status: "DONE", doneFor: driver.email })
  await runJobs(server)
  assert.match(received[1] ?? "", new RegExp(`application/pdf; name=report-${task}.pdf`))
  // 22:00 in Jakarta: what can wait waits, what is urgent is dropped.
  await calls.put("/customer-message-settings", {})
  server.clock.move("2031-05-04T15:00:00Z")
  t.after(() => server.clock.move(Temporal.Now.instant().toString()))
  for (const event of ["arrived"])
    await create("/customer-message-template", { channelId: channel._id, event })
  const late = await order({ receiver: "B", email: "b@customer.example" })
  await assign(late)
  await calls.patch(`/task/${late}`, { arrivedTime: "2031-05-04 15:00:00" })
  await runJobs(server)
  const states = new Map(
    (await log()).filter(({ taskId }) => taskId === late).map((entry) => [entry.event, entry]),
  )
  assert.equal(states.get("planned")?.status, "waiting")
  assert.equal(states.get("planned")?.runTime, "2031-05-05T01:00:00+00:00")
  assert.match(states.get("arrived")?.reason ?? "", /Quiet hours/)
  assert.equal(received.length, 2)
  // An alert for a member does not wait for the morning of customers.
  const provider = await aFakeProvider(t)
  await create("/customer-message-channel", provider.channel())
  const alert = { organizationId: org.id, taskId: null, hubId: hub.id, kind: "sms", text: "SOS" } as const
  const sent = { ...alert, receiver: "+6281234567", key: "alert:1" }
  await inTransaction(server.sql, (tx) => queueNotification(tx, server.sql, sent, server.clock.now()))
  await runJobs(server)
  assert.equal(provider.received[0]?.text, "SOS")
  // It is 11:00 where another customer lives.
  await assign(await order({ receiver: "C", email: "c@customer.example", place: "40.7,-74" }))
  await runJobs(server)
  assert.match(received[2] ?? "", /To: c@customer\.example/)
  // What was sent is sent again when a person asks for it, once at a time, as an entry of its own.
  const me = server.as(org.owner)
  const copy = (await me.expect(202).post(`/customer-message/${message?._id}/resend`)).json().data._id
  await me.expect(409).post(`/customer-message/${message?._id}/resend`)
  server.clock.move("2031-05-05T03:00:00Z")
  await sendMessage.handle(server.jobContext(), { organizationId: org.id, messageId: copy })
  assert.match(received[3] ?? "", new RegExp(`Message-ID: <${copy}@`))
  const entry = (await log()).find(({ _id }) => _id === copy)
  assert.deepEqual([entry?.status, entry?.resendOf, entry?.event], ["sent", message?._id, "planned"])
  await me.expect(202).post(`/customer-message/${message?._id}/resend`)
})

test("templates reach nothing but their values, and callbacks must be genuine", () => {
  const values = new Map([["name", "A {{secret}}"]])
  assert.equal(
    fillTemplate("{{name}} {{ secret | none }} {{__proto__}} {name}", values),
    "A {{secret}} none {{__proto__}} {name}",
  )
  assert.deepEqual(unknownFields("{{name}} {{task.x}} {{constructor}}"), ["constructor"])
  const quiet = { quietFrom: "21:00", quietTo: "08:00" }
  const at = (text: string) => endOfQuiet(quiet, "Europe/Lisbon", Temporal.Instant.from(text))?.toString()
  assert.equal(at("2031-01-04T22:30:00Z"), "2031-01-05T08:00:00Z")
  assert.equal(at("2031-01-04T07:59:00Z"), "2031-01-04T08:00:00Z")
  assert.equal(at("2031-01-04T12:00:00Z"), undefined)
  for (const name of presetNames) assert.ok(presets[name].request.idPath, name)
  const secrets = { callback: "c", authToken: "12345", appSecret: "app", signatureSecret: "jwt" }
  const base = {
    url: "https://mycompany.example/x?secret=c",
    secret: "c",
    isForm: true,
    raw: "From=%2B1&Body=Hi",
  }
  const twilio = createHmac("sha1", "12345").update(`${base.url}BodyHiFrom+1`).digest("base64")
  assert.equal(isGenuine("twilio", { ...base, headers: { "x-twilio-signature": twilio } }, secrets), true)
  assert.equal(
    isGenuine(
      "twilio",
      { ...base, raw: "From=%2B2&Body=Hi", headers: { "x-twilio-signature": twilio } },
      secrets,
    ),
    false,
  )
  const meta = `sha256=${createHmac("sha256", "app").update(base.raw).digest("hex")}`
  assert.equal(isGenuine("meta", { ...base, headers: { "x-hub-signature-256": meta } }, secrets), true)
  assert.equal(isGenuine("meta", { ...base, headers: {} }, secrets), false)
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")
  const unsigned = `${part({ alg: "HS256" })}.${part({ payload_hash: createHash("sha256").update(base.raw).digest("hex") })}`
  const jwt = `${unsigned}.${createHmac("sha256", "jwt").update(unsigned).digest("base64url")}`
  assert.equal(isGenuine("vonage", { ...base, headers: { authorization: `Bearer ${jwt}` } }, secrets), true)
  assert.equal(
    isGenuine("vonage", { ...base, raw: "x", headers: { authorization: `Bearer ${jwt}` } }, secrets),
    false,
  )
  assert.equal(isGenuine("secret", { ...base, secret: "", headers: {} }, { callback: "c" }), false)
  assert.deepEqual(readCallback({ ...base, headers: {} }, presets.twilio.paths), {
    providerId: null,
    status: null,
    from: "+1",
    text: "Hi",
  })
  assert.deepEqual(["DELIVRD", "undelivered", "read", "queued"].map(statusOf), [
    undefined,
    "failed",
    "read",
    undefined,
  ])
})
