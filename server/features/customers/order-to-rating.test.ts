import assert from "node:assert/strict"
import { type TestContext, test } from "node:test"
import { setTimeout as pause } from "node:timers/promises"
import { runJobs } from "#testing/run-jobs.ts"
import { aMailServer, messageIdOf } from "#testing/services/mail-server.ts"
import { testApp } from "#testing/test-app.ts"
import { startProcess, temporaryFolder } from "#testing/test-process.ts"
import { finishImport, importFile } from "../files/imports/fixtures/imports.ts"
import { etaJobs } from "../planning/eta/index.ts"
import {
  aDay,
  type Day,
  day,
  drive,
  endOf,
  failedIndex,
  languageOf,
  movedIndex,
  orders,
  ordersFile,
  planAndDispatch,
  type Stop,
  stopsOf,
  tightIndexes,
  today,
} from "./fixtures/order-day.ts"
import { aFakeProvider } from "./messages/fixtures/fake-provider.ts"
import { sweepOne } from "./messages/sweep.ts"
import { defaultText } from "./messages/templates/default-texts.ts"

const skip = process.env.FIELDWAY_LONG === undefined && "long round only"
const smsEvents = ["planned", "nextStop", "onTheWay", "arrived", "late", "failed", "ratingRequest"]
const mailEvents = ["planned", "dayBefore", "done", "receipt"]
const [silentIndex, angryIndex] = [7, 5]

type Provider = Awaited<ReturnType<typeof aFakeProvider>>
type Mails = Awaited<ReturnType<typeof aMailServer>>

test("from order to rating: fifty orders are imported, planned, dispatched and driven, and every customer is notified once", {
  skip,
}, async (t) => {
  const server = await testApp(t, { WEBHOOK_ALLOW: "127.0.0.1" })
  t.after(() => server.clock.move(Temporal.Now.instant().toString()))
  const [provider, mails] = [await aFakeProvider(t), await aMailServer(t)]
  server.config.mailUrl = mails.url
  const scene = await aDay(server)
  const { calls, clock, sql, org } = scene
  await channelsAndTemplates(scene, provider)
  const started = await importFile(scene, { filename: "orders.csv", content: ordersFile() })
  const done = await finishImport(scene, started.json().data._id)
  assert.equal(done.totalValid, orders, JSON.stringify(done))
  const stops = await stopsOf(scene)
  await planAndDispatch(scene, stops)
  await sendWithKill(t, scene, { provider, mails })
  clock.move(`${today}T20:00:00Z`)
  await customersChange(scene, stops)

  clock.move(`${today}T23:40:00Z`)
  await minutePasses(scene)
  clock.move(`${day}T08:00:00Z`)
  const reached = new Map<string, number>()
  const rounds = scene.drivers.map((driver) => drive(scene, driver, reached))
  for (let open = true; open; ) {
    const steps = await Promise.all(rounds.map((round) => round.next()))
    open = steps.some(({ done }) => !done)
    await minutePasses(scene)
    clock.move({ minutes: 1 })
  }
  await runJobs(scene)
  await post(scene, `${await pageOf(scene, stops, angryIndex)}/rating`, { stars: "1", comment: "Late" })

  const log = await sql<Logged[]>`
    select id, task_id, event, event_key, kind, status, language, body,
      (extract(epoch from created_time) * 1000)::float8 as at from customer_messages where organization_id = ${org.id}`
  const counts = countsOf(log)
  const eta = etaShare(log, reached)
  t.diagnostic(JSON.stringify({ ...counts, reached: reached.size, eta }))
  checkOnce(log, provider, mails)
  checkLanguages(log, stops)
  checkCounts(counts)
  checkLate(log, stops, reached)
  const [rating] = (await calls.get("/customer-feedback")).json().data.data
  assert.deepEqual([rating.stars, rating.comment], [1, "Late"])
  assert.ok(eta.within / eta.all >= 0.9, JSON.stringify(eta))
})

async function channelsAndTemplates({ me }: Day, provider: Provider): Promise<void> {
  const create = async (path: string, body: object) =>
    (await me.expect(201).post(path, body)).json().data._id as string
  const sms = await create(
    "/customer-message-channel",
    provider.channel({ idempotent: true, dailyCap: 1000 }),
  )
  const mail = await create("/customer-message-channel", { name: "Mail", kind: "email", dailyCap: 1000 })
  for (const event of smsEvents) await create("/customer-message-template", { channelId: sms, event })
  for (const event of mailEvents) await create("/customer-message-template", { channelId: mail, event })
}

/** A real process sends the first messages, is killed with messages at the provider that are not confirmed, and starts again. */
async function sendWithKill(
  t: TestContext,
  { sql, databaseUrl }: Day,
  { provider, mails }: { provider: Provider; mails: Mails },
): Promise<void> {
  const environment = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: await temporaryFolder(t),
    PUBLIC_URL: "http://fieldway.test",
    MAIL_URL: mails.url,
    WEBHOOK_ALLOW: "127.0.0.1",
  }
  const taken = Promise.withResolvers<void>()
  let held = 0
  provider.holdWith(async () => {
    if (provider.received.length < 12) return
    held += 1
    // Both of the organization's slots: no mail is on its way at that moment.
    if (held === 2) taken.resolve()
    await new Promise<void>(() => undefined)
  })
  let running = await startProcess(t, environment)
  await taken.promise
  await running.end("SIGKILL")
  provider.holdWith(undefined)
  // What half a minute would do: the dead worker has been silent for long.
  await sql`update worker_heartbeats set seen_at = now() - interval '1 hour'`
  await sql`update graphile_worker._private_jobs set locked_at = now() - interval '1 hour' where locked_at is not null`
  running = await startProcess(t, environment)
  const rows = (statuses: string[]) =>
    sql`select 1 from customer_messages where status = any (${statuses})`.then(({ length }) => length)
  while ((await rows(["sent"])) < orders * 2 || (await rows(["waiting", "sending"])) > 0) {
    // Retries wait longer and longer; the test does not.
    await sql`update graphile_worker._private_jobs set run_at = now() where run_at > now()`
    await pause(100)
  }
  await running.end("SIGTERM")
  assert.equal(provider.received.length, orders + 2, "two messages were sent again with their references")
  assert.equal(mails.received.length, orders)
}

const pageOf = async ({ calls }: Day, stops: readonly Stop[], index: number) => {
  const taskId = stops.find((stop) => stop.index === index)?.id ?? ""
  return new URL((await calls.post(`/task/${taskId}/tracking-link`)).json().data.url).pathname
}
const post = ({ app }: Day, url: string, fields: Record<string, string>) =>
  app.inject({
    method: "POST",
    url,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: new URLSearchParams(fields).toString(),
  })

/** One customer chooses another time, for which the dispatcher assigns the task again; one wants no messages. */
async function customersChange(scene: Day, stops: readonly Stop[]): Promise<void> {
  const page = await pageOf(scene, stops, movedIndex)
  const offered = (await post(scene, `${page}/times`, {})).body
  const slots = [...offered.matchAll(/name="slot" value="([0-9a-f]{24})"[^>]*><span>([^<]*)/g)]
  // After the day's other stops.
  const [, slot = ""] = slots.find(([, , text = ""]) => /16:00\D+18:00/.test(text)) ?? []
  const chosen = await post(scene, `${page}/slot`, { slot })
  assert.match(String(chosen.headers.location), /sent=saved/, offered)
  const taskId = stops.find((stop) => stop.index === movedIndex)?.id ?? ""
  const [driver] = scene.drivers
  await scene.calls.put(`/task/${taskId}/assign`, { assignee: [driver?.email] })
  await post(scene, `${await pageOf(scene, stops, silentIndex)}/opt-out`, {})
  await minutePasses(scene)
}

const [estimate] = etaJobs

/** What every minute does: estimates, messages that follow from them, and sending. */
async function minutePasses(scene: Day): Promise<void> {
  await estimate?.handle(scene.jobContext(), {})
  await sweepOne(scene, scene.org.id)
  await runJobs(scene)
}

interface Logged {
  id: string
  taskId: string
  event: string
  eventKey: string
  kind: string
  status: string
  language: string
  body: string | null
  at: number
}

const countsOf = (log: readonly Logged[]) =>
  Object.fromEntries(
    [...Map.groupBy(log, ({ event, kind, status }) => `${event} ${kind} ${status}`)]
      .map(([key, rows]): [string, number] => [key, rows.length])
      .toSorted(),
  )

/** Each message of the log left once, and nothing else did. */
function checkOnce(log: readonly Logged[], provider: Provider, mails: Mails): void {
  const sent = log.filter(({ status }) => status === "sent")
  const idsOf = (kind: string) => sent.filter((message) => message.kind === kind).map(({ id }) => id)
  const keys = sent.map(({ taskId, eventKey, kind }) => `${taskId} ${eventKey} ${kind}`)
  assert.equal(new Set(keys).size, keys.length)
  const references = new Set(provider.received.map(({ reference }) => reference))
  assert.deepEqual([...references].toSorted(), idsOf("sms").toSorted())
  assert.equal(provider.received.length, references.size + 2, "only the kill repeated a call")
  assert.deepEqual(mails.received.map(messageIdOf).toSorted(), idsOf("email").toSorted())
}

/** Every driven stop has every message; the silent customer none after opting out, the failed stop its own. */
function checkCounts(counts: Record<string, number>): void {
  const driven = orders - 1
  const { "late sms sent": late = 0, ...others } = counts
  assert.ok(late > 0 && late <= tightIndexes.length, `${late} are late`)
  const skipped = ["nextStop sms", "onTheWay sms", "arrived sms", "ratingRequest sms"]
  assert.deepEqual(others, {
    "planned sms sent": orders + 1,
    "planned email sent": orders + 1,
    "dayBefore email sent": orders - 1,
    // Once the others are done, the one at 16:00 is next too.
    "nextStop sms sent": orders - 1,
    "onTheWay sms sent": driven - 1,
    "arrived sms sent": driven - 1,
    "failed sms sent": 1,
    "done email sent": driven - 2,
    "receipt email sent": driven - 2,
    "ratingRequest sms sent": driven - 2,
    ...Object.fromEntries(
      [...skipped, "dayBefore email", "done email", "receipt email"].map((key) => [`${key} skipped`, 1]),
    ),
  })
}

function checkLate(
  log: readonly Logged[],
  stops: readonly Stop[],
  reached: ReadonlyMap<string, number>,
): void {
  const late = new Set(log.filter(({ event }) => event === "late").map(({ taskId }) => taskId))
  for (const { id, index } of stops) {
    const minutesLate = ((reached.get(id) ?? 0) - endOf(index).epochMilliseconds) / 60_000
    if (minutesLate > 15) assert.ok(late.has(id), `C${index} is ${minutesLate} minutes late`)
    if (!tightIndexes.includes(index)) assert.ok(!late.has(id), `C${index} is in time`)
  }
}

function checkLanguages(log: readonly Logged[], stops: readonly Stop[]): void {
  const indexes = new Map(stops.map(({ id, index }) => [id, index]))
  for (const { taskId, event, language, body } of log.filter(({ status }) => status === "sent")) {
    const index = indexes.get(taskId) ?? -1
    assert.equal(language, languageOf(index))
    const own = defaultText(event as "planned", language).body
    const [longest = ""] = own.split(/\{\{[^}]*\}\}/).toSorted((one, other) => other.length - one.length)
    assert.ok(body?.includes(longest), `${language}: ${body}`)
    if (event === "failed") assert.equal(index, failedIndex)
  }
}

/** How often the arrival was within the window that a message stated, in any language and on a clock of twelve hours too. */
function etaShare(log: readonly Logged[], reached: ReadonlyMap<string, number>) {
  let [within, all] = [0, 0]
  const outside: string[] = []
  for (const { taskId, event, body, status } of log) {
    const arrival = reached.get(taskId)
    if (status !== "sent" || arrival === undefined || !["onTheWay", "nextStop", "late"].includes(event))
      continue
    const [from, to] = [...latin(body ?? "").matchAll(/(\d{1,2})[.:](\d{2})/g)].map(
      ([, hour, minute]) => Number(hour) * 60 + Number(minute),
    )
    assert.ok(from !== undefined, `a time is in: ${body}`)
    const minute = Math.floor(arrival / 60_000)
    const since = (start: number) => (((minute - start) % 720) + 720) % 720
    all += 1
    if (since(from) <= ((((to ?? from) - from) % 720) + 720) % 720) within += 1
    else outside.push(`${event} ${from}-${to}: ${minute % 1440}`)
  }
  return { within, all, outside }
}

const latin = (text: string) => text.replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
