import assert from "node:assert/strict"
import { test } from "node:test"
import { setTimeout as pause } from "node:timers/promises"
import { SMTPServer } from "smtp-server"
import { inTransaction } from "#core/database/database.ts"
import { startWorker } from "#core/jobs/worker.ts"
import { createLog } from "#core/telemetry/log.ts"
import { anOrganization, aUser } from "#samples/builders.ts"
import { directionOf, languages } from "#shared/languages.ts"
import { testApp, testOrganization } from "#testing/test-app.ts"
import { mailJobs } from "./jobs.ts"
import { sealStoredMails } from "./kept-text.ts"
import { toHtml, toText } from "./mail-message.ts"
import { queueMail, tidy } from "./queue-mail.ts"
import { textsIn } from "./texts/texts.ts"

/** A mail server that accepts everything or rejects the recipient, and records what it received. */
async function aMailServer(options: { refuses?: boolean; port?: number; slowFor?: string } = {}) {
  const received: string[] = []
  const held: string[] = []
  const released = Promise.withResolvers<void>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    async onRcptTo({ address }, _session, done) {
      if (address === options.slowFor) {
        held.push(address)
        await released.promise
      }
      done(options.refuses ? Object.assign(new Error("no such mailbox"), { responseCode: 550 }) : null)
    },
    onData(stream, session, taken) {
      const parts: Buffer[] = []
      stream.on("data", (part: Buffer) => parts.push(part))
      stream.on("end", () => {
        const from = session.envelope.mailFrom
        received.push(`MAIL FROM ${from ? from.address : ""}\n${Buffer.concat(parts).toString("utf8")}`)
        taken()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, "127.0.0.1", resolve))
  const address = server.server.address()
  const port = typeof address === "object" && address ? address.port : 0
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  const url = `smtp://127.0.0.1:${port}?from=ops@couriers.example`
  return { received, held, release: released.resolve, port, url, close }
}

const sendMail = mailJobs[0]

async function aMail(sql: Parameters<typeof inTransaction>[0], organizationId: string) {
  await inTransaction(sql, (tx) =>
    queueMail(tx, { organizationId, email: "reader@couriers.example", language: "id" }, "invite", {
      inviter: 'Somebody <script>"\r\nBcc: thief@couriers.example',
      organization: "Harbour & Sons\u202E",
      link: "https://fieldway.test/accept-invitation?code=1&x=2",
      days: 7,
    }),
  )
  const rows = await sql<{ id: string }[]>`select id from mails where organization_id = ${organizationId}`
  return rows[0]?.id ?? ""
}

test("a mail is sent once, as text and HTML, and its text is then deleted", async (t) => {
  const { sql, jobContext, config, org } = await testOrganization(t)
  const mailId = await aMail(sql, org.id)
  const server = await aMailServer()
  const context = { ...jobContext(), config: { ...config, mailUrl: server.url } }
  for (const _run of [1, 2]) await sendMail?.handle(context, { organizationId: org.id, mailId })
  await server.close()
  assert.equal(server.received.length, 1)
  const [mail = ""] = server.received
  assert.match(mail, /^MAIL FROM ops@couriers.example$/m)
  assert.match(mail, /^From: ops@couriers.example\r?$/m)
  assert.match(mail, /^To: reader@couriers.example\r?$/m)
  assert.doesNotMatch(mail, /^Bcc:/m)
  assert.match(mail, /text\/plain/)
  assert.match(mail, /text\/html/)
  const [row] = await sql<
    { text: string | null; sentTime: unknown }[]
  >`select text, sent_time from mails where id = ${mailId}`
  assert.equal(row?.text, null)
  assert.ok(row?.sentTime)
})

test("a refused mail stays with its reason and is tried again", async (t) => {
  const { sql, jobContext, config, as, org } = await testOrganization(t)
  const mailId = await aMail(sql, org.id)
  const server = await aMailServer({ refuses: true })
  const context = { ...jobContext(), config: { ...config, mailUrl: server.url } }
  await assert.rejects(async () => sendMail?.handle(context, { organizationId: org.id, mailId }))
  await server.close()
  const [mail] = (await as(org.owner).get("/outbox")).json().data.data
  assert.match(mail.error, /550|no such mailbox/)
  assert.equal(mail.sentTime, null)
})

test("the ascending order of mails that were queued at once is the reverse of the descending one", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  await inTransaction(sql, async (tx) => {
    for (const name of ["first", "second", "third", "fourth"])
      await queueMail(
        tx,
        { organizationId: org.id, email: `${name}@couriers.example`, language: "en" },
        "exportFailed",
        { name },
      )
  })
  const listed = async (sortOrder: string): Promise<string[]> =>
    (await as(org.owner).get(`/outbox?sortOrder=${sortOrder}`))
      .json()
      .data.data.map((mail: { _id: string }) => mail._id)
  assert.deepEqual((await listed("asc")).toReversed(), await listed("desc"))
})

test("a mail server that is down for an hour loses no mail, and each goes out once", async (t) => {
  const server = await testOrganization(t)
  const { sql, config, org } = server
  const mailId = await aMail(sql, org.id)
  const down = await aMailServer()
  await down.close()
  const { signal: _signal, attempt: _attempt, isLastAttempt: _last, ...context } = server.jobContext()
  const worker = await startWorker({
    databaseUrl: server.databaseUrl,
    sql,
    log: createLog("silent"),
    jobs: mailJobs,
    context: { ...context, config: { ...config, mailUrl: down.url } },
  })
  /** Seconds until the next try, once `tries` have failed. */
  const waitAfter = async (tries: number): Promise<number> => {
    for (;;) {
      const [job] = await sql<{ wait: number }[]>`
        select extract(epoch from run_at - now())::float8 as wait from graphile_worker._private_jobs
        where attempts = ${tries} and locked_at is null and payload->>'mailId' = ${mailId}`
      if (job) return job.wait
      await pause(10)
    }
  }
  const tryNow = async () => {
    await sql`update graphile_worker._private_jobs set run_at = now() where payload->>'mailId' = ${mailId}`
    await sql`select pg_notify('jobs:insert', '{"count":1}')`
  }
  let seconds = 0
  for (let tries = 1; seconds < 3_600; tries += 1) {
    seconds += await waitAfter(tries)
    if (seconds < 3_600) await tryNow()
  }
  const up = await aMailServer({ port: down.port })
  await tryNow()
  while ((await sql`select 1 from mails where id = ${mailId} and sent_time is not null`).length === 0)
    await pause(10)
  await worker.stop()
  await up.close()
  assert.equal(up.received.length, 1)
})

test("an organization's many mails keep neither its password resets nor another's mails waiting", async (t) => {
  const server = await testApp(t)
  const { sql, config } = server
  const [busy, other] = [await anOrganization(sql), await anOrganization(sql)]
  const mails = await aMailServer({ slowFor: "slow@couriers.example" })
  t.after(() => mails.close())
  const { signal: _signal, attempt: _attempt, isLastAttempt: _last, ...context } = server.jobContext()
  const worker = await startWorker({
    databaseUrl: server.databaseUrl,
    sql,
    log: createLog("silent"),
    jobs: mailJobs,
    context: { ...context, config: { ...config, mailUrl: mails.url } },
  })
  t.after(() => worker.stop())
  const write = (organizationId: string, email: string, count = 1) =>
    inTransaction(sql, async (tx) => {
      for (let written = 0; written < count; written += 1)
        await queueMail(tx, { organizationId, email, language: "en" }, "exportFailed", { name: "Tasks" })
    })
  await write(busy.id, "slow@couriers.example", 12)
  while (mails.held.length === 0) await pause(10)
  await inTransaction(sql, (tx) =>
    queueMail(tx, { organizationId: busy.id, email: "reset@couriers.example", language: "en" }, "reset", {
      link: "https://fieldway.test/reset?code=1",
      minutes: 60,
    }),
  )
  await write(other.id, "reader@mill.example")
  while (mails.received.length < 2) await pause(10)
  assert.equal(mails.held.length, 1)
  const readers = mails.received.map((mail) => /^To: (\S+)\r?$/m.exec(mail)?.[1])
  assert.deepEqual(readers.toSorted(), ["reader@mill.example", "reset@couriers.example"])
  mails.release()
  while (mails.received.length < 14) await pause(10)
})

test("every mail exists in every language, as text and as HTML that a name cannot break out of", () => {
  const facts = {
    name: "<b>Name</b>",
    link: "https://fieldway.test/?a=1&b=2",
    days: 3,
    minutes: 10,
    code: "012345",
    inviter: "Inviter",
    organization: "Org",
    email: "new@couriers.example",
    rule: "Late",
    text: "Stop 4 is late",
    from: "2031-05-01",
    until: "2031-05-31",
  }
  const subjects = new Map<string, string[]>()
  for (const language of languages) {
    for (const [kind, write] of Object.entries(textsIn(language))) {
      const message = (write as (known: typeof facts) => ReturnType<typeof write>)(facts)
      const [text, html] = [toText(message), toHtml(message, language)]
      assert.ok(message.subject.length > 0 && message.footnote.length > 0, kind)
      assert.ok(!html.includes("<b>Name"), kind)
      assert.match(html, new RegExp(`<html lang="${language}" dir="${directionOf(language)}">`))
      if (message.action) assert.ok(text.includes(facts.link) && html.includes("?a=1&amp;b=2"), kind)
      if (message.code) assert.ok(text.includes("012345") && html.includes("012345"), kind)
      subjects.set(kind, [...(subjects.get(kind) ?? []), message.subject])
    }
  }
  for (const [kind, list] of subjects)
    assert.equal(new Set(list.filter((text) => text !== "Org")).size, languages.length, kind)
})

test("no mail carries a link that somebody chose by a name, in any kind and language", () => {
  const bait = "Prize at https://evil.example/win or www.evil.com //evil.com evil。com"
  const link = "https://fieldway.test/?a=1"
  const numbers = { days: 3, minutes: 10, hours: 2, failed: 5, attempted: 9, code: "012345" }
  const names = { name: bait, inviter: bait, organization: bait, rule: bait, text: bait }
  const endpoint = "https://evil.example/win"
  const facts = tidy({ ...numbers, ...names, link, endpoint, email: "new@couriers.example" })
  for (const language of languages) {
    for (const [kind, write] of Object.entries(textsIn(language))) {
      const message = (write as (known: typeof facts) => ReturnType<typeof write>)(facts)
      for (const text of [message.subject, toText(message), toHtml(message, language)]) {
        const found: string[] = text.match(/https?:\/\/[^\s"<]+|[\w-]+[.。．｡][a-z]{2,}/g) ?? []
        const foreign = found.filter((part) => !part.startsWith(link) && part !== "couriers.example")
        assert.deepEqual(foreign, [], `${kind} ${language}`)
      }
    }
  }
})

test("names of people and organizations with a web address are refused, others with dots are not", async (t) => {
  const { sql, as, nobody, org } = await testOrganization(t)
  const person = await aUser(sql, { org, role: "planner" })
  const rename = (name: string) => as(person).patch("/user", { name })
  const renameOrganization = (companyName: string) =>
    as(org.owner).put(`/organization/${org.id}`, { companyName })
  for (const bait of ["https://evil.example", "see //evil", "WWW.evil.example", "evil.example/win"]) {
    const reply = await rename(bait)
    assert.deepEqual([reply.statusCode, reply.json().failedCode], [400, "user-016"], bait)
    assert.match(reply.json().message, /does not contain a web address/)
    assert.equal((await renameOrganization(bait)).json().failedCode, "org-016", bait)
  }
  assert.equal((await rename("Win at evil.com now")).statusCode, 400)
  const registered = await nobody.post("/register", {
    email: `x${org.id}@fieldway.test`,
    name: "You won, go to prize.link",
    password: "Lighthouse-93",
  })
  assert.equal(registered.json().failedCode, "user-016")
  for (const name of ["J.Smith", "Dr. Anna B. Lindqvist", "Sri M.Kom."])
    assert.equal((await rename(name)).statusCode, 200, name)
  assert.equal((await renameOrganization("Booking.com Couriers")).statusCode, 200)
})

test("a mail that opens an account is sealed while it waits, shown to its owner and sent all the same", async (t) => {
  const { sql, as, jobContext, config, org } = await testOrganization(t)
  const mailId = await aMail(sql, org.id)
  const secret = "accept-invitation?code=1&x=2"
  const isReadable = async () =>
    (await sql`select 1 from mails where id = ${mailId} and mails::text like ${`%${secret}%`}`).length > 0
  assert.equal(await isReadable(), true)
  await sendMail?.handle(jobContext(), { organizationId: org.id, mailId })
  assert.equal(await isReadable(), false)
  const [shown] = (await as(org.owner).get("/outbox")).json().data.data
  assert.ok(shown.text.includes(secret) && shown.html.includes("accept-invitation"))
  const server = await aMailServer()
  const context = { ...jobContext(), config: { ...config, mailUrl: server.url } }
  await sendMail?.handle(context, { organizationId: org.id, mailId })
  await server.close()
  assert.equal(server.received.length, 1)
  // As version 0.1 kept one.
  await sql`update mails set text = ${secret}, html = ${secret}, sealed = null, sent_time = null where id = ${mailId}`
  assert.ok((await sealStoredMails({ sql, config })) >= 1)
  assert.equal(await isReadable(), false)
})
