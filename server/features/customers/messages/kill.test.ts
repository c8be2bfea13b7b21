import assert from "node:assert/strict"
import { test } from "node:test"
import { setTimeout as pause } from "node:timers/promises"
import { aMailServer, messageIdOf } from "#testing/services/mail-server.ts"
import { multipartBody } from "#testing/test-app.ts"
import { createTestDatabase } from "#testing/test-database.ts"
import { ownerEmail, signIn, startProcess, temporaryFolder } from "#testing/test-process.ts"
import { aFakeProvider } from "./fixtures/fake-provider.ts"

const orders = 50
const skip = process.env.FIELDWAY_LONG === undefined && "long round only"

/** Kinds of providers: how often one message may be sent to each, and how many of them wait for a person at the end. */
const providers = [
  { name: "with an idempotency key", channel: { idempotent: true }, uncertain: 0 },
  { name: "that can be asked", channel: { lookup: true }, uncertain: 0 },
  { name: "that is neither, and is not called again", channel: {}, uncertain: 1 },
]

for (const { name, channel, uncertain } of providers)
  test(`the process is killed in the middle of sending, to a provider ${name}: nothing twice, nothing lost`, {
    skip,
  }, async (t) => {
    const database = await createTestDatabase()
    t.after(() => database.drop())
    const [provider, mails] = [await aFakeProvider(t), await aMailServer(t)]
    const environment = {
      DATABASE_URL: database.url,
      DATA_DIR: await temporaryFolder(t),
      MAIL_URL: mails.url,
      WEBHOOK_ALLOW: "127.0.0.1",
    }
    let running = await startProcess(t, environment)
    const token = await signIn(running.address)
    const call = async (method: string, path: string, body: object, headers: Record<string, string> = {}) => {
      const content = headers["content-type"] ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body)
      const reply = await fetch(`${running.address}/api/v3${path}`, {
        method,
        headers: { "content-type": "application/json", authorization: `Bearer ${token}`, ...headers },
        body: content,
      })
      const response = (await reply.json()) as { data: { _id: string } }
      assert.ok(reply.ok, JSON.stringify(response))
      return response.data
    }
    await call("PUT", "/customer-message-settings", { quietFrom: "00:00", quietTo: "00:00" })
    const hub = await call("POST", "/hub", { name: "North", address: "Quay 1", lat: 52, lng: 4 })
    const input = (id: string, type = "String", more = {}) => ({
      ...{ id, component: "input", type, title: id },
      ...more,
    })
    const components = [
      input("receiver", "String", { showAs: "title" }),
      input("phone", "PhoneNumber"),
      input("email"),
      input("language"),
    ]
    await call("POST", "/flow", { name: "Orders", pages: [{ id: "page0", components }], configurations: [] })
    const [flow] = await database.sql<{ id: string }[]>`select id from flows where name = 'Orders'`
    for (const made of [provider.channel(channel), { name: "Mail", kind: "email" }]) {
      const { _id: channelId } = await call("POST", "/customer-message-channel", made)
      await call("POST", "/customer-message-template", { channelId, event: "planned" })
    }
    const rows = Array.from(
      { length: orders },
      (_, index) => `C${index},+1415555${String(index).padStart(4, "0")},c${index}@customer.example,en`,
    )
    const file = { filename: "orders.csv", content: `receiver,phone,email,language\n${rows.join("\n")}\n` }
    const form = multipartBody({ file, type: "task", flowId: flow?.id ?? "", hubId: hub._id })
    await call("POST", "/data/import", new Uint8Array(form.body), { "content-type": form.contentType })
    const taskIds = () => database.sql<{ id: string }[]>`select id from tasks`
    while ((await taskIds()).length < orders) await pause(100)

    // Each kill comes after the other side has taken a message and before it has said so: the worst moment.
    const reached = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
    const forever = () => new Promise<void>(() => undefined)
    provider.holdWith(async () => {
      if (provider.received.length !== 12) return
      provider.holdWith(undefined)
      reached[0].resolve()
      await forever()
    })
    mails.hooks.beforeReply = async () => {
      if (mails.received.length < 30) return
      mails.hooks.beforeReply = undefined
      reached[1].resolve()
      await forever()
    }
    const tasks = (await taskIds()).map(({ id }) => ({ _id: id, assignee: [ownerEmail] }))
    await call("PUT", "/tasks/bulk/assign", { tasks })
    for (const { promise } of reached) {
      await promise
      await running.end("SIGKILL")
      // What half a minute would do: the dead worker has been silent for long.
      await database.sql`update worker_heartbeats set seen_at = now() - interval '1 hour'`
      await database.sql`update graphile_worker._private_jobs set locked_at = now() - interval '1 hour' where locked_at is not null`
      running = await startProcess(t, environment)
    }
    const open = () => database.sql`select 1 from customer_messages where status in ('waiting', 'sending')`
    const known = () => database.sql`select 1 from customer_messages`
    while ((await known()).length < orders * 2 || (await open()).length > 0) {
      // Retries wait longer and longer; the test does not.
      await database.sql`update graphile_worker._private_jobs set run_at = now() where run_at > now()`
      await pause(100)
    }
    const states = await database.sql<{ kind: string; status: string; count: number }[]>`
      select kind, status, count(*)::int as count from customer_messages group by 1, 2 order by 1, 2`
    const references = provider.received.map(({ reference }) => reference)
    const mailIds = mails.received.map(messageIdOf)
    t.diagnostic(
      JSON.stringify({
        states,
        calls: references.length,
        messages: new Set(references).size,
        mails: mailIds.length,
        mailIds: new Set(mailIds).size,
      }),
    )
    assert.equal(new Set(references).size, orders, "every message reached the provider")
    // An idempotent provider takes a repeated reference for the message that it has.
    assert.equal(references.length, "idempotent" in channel ? orders + 1 : orders)
    assert.equal(new Set(mailIds).size, orders, "every mail arrived")
    assert.ok(mailIds.length <= orders + 1, "a mail that was cut off is sent again with the same Message-ID")
    const waiting = states.find(({ status }) => status === "uncertain")?.count ?? 0
    assert.equal(waiting, uncertain)
    await running.end("SIGTERM")
  })
