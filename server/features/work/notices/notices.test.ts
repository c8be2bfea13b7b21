import assert from "node:assert/strict"
import { createDecipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { type TestContext, test } from "node:test"
import { aFlow, aHub, anOrganization, aUser } from "#samples/builders.ts"
import { runJobs } from "#testing/run-jobs.ts"
import { testApp } from "#testing/test-app.ts"

/** A browser's half of a subscription, which alone can read what is pushed to it. */
function aBrowser() {
  const ecdh = createECDH("prime256v1")
  ecdh.generateKeys()
  const auth = randomBytes(16)
  const derive = (secret: Buffer, salt: Buffer, info: Buffer | string, length: number) =>
    Buffer.from(hkdfSync("sha256", secret, salt, info, length))
  return {
    keys: { p256dh: ecdh.getPublicKey("base64url"), auth: auth.toString("base64url") },
    read(body: Buffer): unknown {
      const [salt, sender] = [body.subarray(0, 16), body.subarray(21, 86)]
      const info = Buffer.concat([Buffer.from("WebPush: info\0"), ecdh.getPublicKey(), sender])
      const secret = derive(ecdh.computeSecret(sender), auth, info, 32)
      const key = derive(secret, salt, "Content-Encoding: aes128gcm\0", 16)
      const nonce = derive(secret, salt, "Content-Encoding: nonce\0", 12)
      const decipher = createDecipheriv("aes-128-gcm", key, nonce)
      decipher.setAuthTag(body.subarray(-16))
      const text = Buffer.concat([decipher.update(body.subarray(86, -16)), decipher.final()])
      return JSON.parse(text.subarray(0, -1).toString())
    },
  }
}

async function aPushService(t: TestContext) {
  const received: { path: string; body: Buffer; authorization: string }[] = []
  let status = 201
  const server = createServer(async (request, reply) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const { url = "", headers } = request
    received.push({ path: url, body: Buffer.concat(parts), authorization: headers.authorization ?? "" })
    reply.writeHead(status).end()
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  t.after(() => server.close())
  t.after(() => server.closeAllConnections())
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { address, received, respondWith: (code: number) => (status = code) }
}

async function aDay(t: TestContext) {
  const server = await testApp(t, { WEBHOOK_ALLOW: "127.0.0.1" })
  const { sql } = server
  const org = await anOrganization(sql)
  const hub = await aHub(sql, { org })
  const flow = await aFlow(sql, { org })
  const [eva, finn] = [
    await aUser(sql, { org, hubs: [hub], role: "field user" }),
    await aUser(sql, { org, hubs: [hub], role: "field user" }),
  ]
  const planner = server.as(org.owner)
  const create = async (assignee: string[]) =>
    (
      await planner
        .expect(201)
        .post("/task", { flow: flow.name, hubId: hub.id, assignee, siteName: "Harbour Books" })
    ).json().task._id as string
  return { ...server, server, org, hub, flow, eva, finn, planner, create }
}

test("people read in their inbox what others changed about their tasks, and nobody else's", async (t) => {
  const { as, sql, org, eva, finn, planner, create } = await aDay(t)
  const inbox = async () => (await as(eva).expect(200).get("/notices")).json()
  await create([eva.email])
  assert.deepEqual((await inbox()).data, [], "nothing is collected before the first visit")
  await as(finn).expect(200).get("/notices")
  const taskId = await create([eva.email])
  const other = await create([eva.email, finn.email])
  await planner.expect(200).patch(`/task/${other}`, { endTime: "2031-05-04 18:00:00" })
  await planner.expect(200).patch(`/task/${taskId}`, { orderIndex: 4 })
  await planner.expect(200).delete(`/task/${taskId}`)
  const { data, unread } = await inbox()
  assert.deepEqual(
    data.map(({ kind, taskId, createdBy, isRead }: Record<string, unknown>) => [
      kind,
      taskId,
      createdBy,
      isRead,
    ]),
    [
      ["taskCancelled", taskId, org.owner.email, false],
      ["taskNew", other, org.owner.email, false],
    ],
  )
  assert.equal(unread, 2)
  const events = await sql<{ owner: string }[]>`
    select distinct owner from live_events where type = 'notice.created' and organization_id = ${org.id} order by owner`
  assert.deepEqual(
    events.map(({ owner }) => owner),
    [eva.email, finn.email].sort(),
  )

  const read = await as(eva)
    .expect(200)
    .put("/notices/read", { noticeIds: [data[0]._id] })
  assert.equal(read.json().unread, 1)
  await as(finn)
    .expect(200)
    .put("/notices/read", { noticeIds: [data[1]._id] })
  assert.equal((await inbox()).unread, 1, "another person's notices stay unread")
  await as(eva).expect(200).put("/notices/read", {})
  await planner.expect(200).patch(`/task/${other}`, { endTime: "2031-05-04 19:00:00" })
  await as(eva).expect(200).patch(`/task/${other}`, { note: "Rang twice" })
  const after = await inbox()
  assert.deepEqual([after.unread, after.data[0].kind], [1, "taskChanged"], "not of one's own changes")
  const page = (await as(eva).get(`/notices?limit=1&before=${after.data[0]._id}`)).json().data
  assert.deepEqual(page, [after.data[1]])
})

test("a push message reaches the subscribed browser alone, says nothing private, and a browser that is gone is removed", async (t) => {
  const { server, as, sql, eva, finn, create } = await aDay(t)
  const push = await aPushService(t)
  const browser = aBrowser()
  const endpoint = `${push.address}/send/eva`
  const subscription = { endpoint, keys: browser.keys, language: "id" }
  await as(eva)
    .expect(400)
    .post("/push-subscription", { ...subscription, keys: { p256dh: "AAAA", auth: "AAAA" } })
  await as(eva)
    .expect(400)
    .post("/push-subscription", { ...subscription, endpoint: "file:///etc/passwd" })
  await as(finn).expect(201).post("/push-subscription", subscription)
  await as(eva).expect(201).post("/push-subscription", subscription)
  const { publicKey } = (await as(eva).expect(200).get("/push-key")).json()
  await create([eva.email])
  await create([eva.email, finn.email])
  await runJobs(server)
  assert.equal(push.received.length, 1, "for the phone's last person alone, and once for both tasks")
  const [last] = push.received
  assert.deepEqual(browser.read(last?.body ?? Buffer.alloc(0)), { kinds: { taskNew: 2 }, language: "id" })
  assert.equal(last?.authorization.split("k=").at(-1), publicKey)

  await as(eva).expect(200).put("/notices/read", {})
  const taskId = await create([eva.email])
  await runJobs(server)
  assert.deepEqual(
    browser.read(push.received.at(-1)?.body ?? Buffer.alloc(0)),
    { kinds: { taskNew: 1 }, language: "id", taskId },
    "a tap opens the one task that it is about",
  )

  push.respondWith(503)
  await create([eva.email])
  await assert.rejects(runJobs(server), /responded with 503/)
  push.respondWith(410)
  await create([eva.email])
  await runJobs(server)
  const sent = push.received.length
  await create([eva.email])
  await runJobs(server)
  assert.equal(push.received.length, sent, "an expired subscription is not tried again")

  // An address of the inner network is refused by the guard of all outgoing requests, and removed.
  await as(eva)
    .expect(201)
    .post("/push-subscription", { ...subscription, endpoint: "http://10.1.2.3/send" })
  await create([eva.email])
  await runJobs(server)
  const left = await sql`select 1 from push_subscriptions where user_id = ${eva.id}`
  assert.equal(left.length, 0)
})
