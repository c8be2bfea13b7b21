import assert from "node:assert/strict"
import { test } from "node:test"
import { distanceBetween } from "#packages/geodesy/geodesy.ts"
import { aFlow, aHub, anOrganization, aUser, type Person } from "#samples/builders.ts"
import { runJobs } from "#testing/run-jobs.ts"
import { aMailServer } from "#testing/services/mail-server.ts"
import { type TestApp, testApp } from "#testing/test-app.ts"
import { finishImport, importFile } from "../files/imports/fixtures/imports.ts"
import { etaJobs } from "../planning/eta/index.ts"
import { aFakeProvider } from "./messages/fixtures/fake-provider.ts"
import { sweepOne } from "./messages/sweep.ts"
import { defaultText } from "./messages/templates/default-texts.ts"

const skip = process.env.FIELDWAY_LONG === undefined && "long round only"
const orders = 50
const languages = ["en", "ar", "id", "de"] as const
const hubPlace = { lat: 0, lng: 1 }
const today = Temporal.Now.plainDateISO("UTC")
const day = today.add({ days: 1 }).toString()

const input = (id: string, type = "String", more = {}) => ({
  ...{ id, component: "input", type, title: id },
  ...more,
})
const pages = [
  {
    id: "page0",
    components: [
      input("receiver", "String", { showAs: "title" }),
      input("phone", "PhoneNumber"),
      input("email"),
      input("language"),
      input("place", "Geolocation", { showAs: "expectedCoordinate" }),
    ],
  },
]

interface Stop {
  id: string
  index: number
  place: readonly [lat: number, lng: number]
}

const placeOf = (index: number): readonly [number, number] => [
  Number((((index * 37) % 11) * 0.004).toFixed(4)),
  Number((1.004 + ((index * 17) % 13) * 0.005).toFixed(4)),
]
const languageOf = (index: number) => languages[index % languages.length] ?? "en"
const phoneOf = (index: number) => `+1415555${String(index).padStart(4, "0")}`
/** Repeatable, between 0 and 1. */
const chance = (seed: number) => (Math.sin(seed * 12.9898) * 43758.5453 + 1e6) % 1

async function aDay(server: TestApp) {
  const { sql, as, clock } = server
  clock.move(`${today}T12:00:00Z`)
  const org = await anOrganization(sql, { name: "Harbour", timeZone: "UTC" })
  const hub = await aHub(sql, { org })
  await sql`update hubs set lat = ${hubPlace.lat}, lng = ${hubPlace.lng} where id = ${hub.id}`
  const flow = await aFlow(sql, { org, pages })
  const drivers = [
    await aUser(sql, { org, hubs: [hub], role: "field user", name: "Budi" }),
    await aUser(sql, { org, hubs: [hub], role: "field user", name: "Sari" }),
  ]
  const calls = as(org.owner).expect(200)
  const workingTime = { startTime: "08:00", endTime: "18:00" }
  for (const { email } of drivers)
    await calls.post("/vehicle", { hubId: hub.id, name: email, assignee: email, workingTime, speed: 30 })
  await calls.put("/customer-message-settings", {
    ...{ quietFrom: "00:00", quietTo: "00:00", ratingDelayMinutes: 0, onTheWayMinutes: 20 },
  })
  await calls.put("/tracking-page-settings", { allowReschedule: true })
  return { ...server, org, hub, flow, drivers, calls, me: as(org.owner) }
}
type Day = Awaited<ReturnType<typeof aDay>>

const smsEvents = ["planned", "nextStop", "arrived", "late", "failed", "ratingRequest"]
const mailEvents = ["planned", "dayBefore", "done", "receipt"]

async function importOrders(scene: Day): Promise<Stop[]> {
  const rows = Array.from({ length: orders }, (_, index) =>
    [
      `C${index}`,
      phoneOf(index),
      `c${index}@customer.example`,
      languageOf(index),
      `"${placeOf(index)}"`,
    ].join(),
  )
  const content = `receiver,phone,email,language,place\n${rows.join("\n")}\n`
  const started = await importFile(scene, { filename: "orders.csv", content })
  const done = await finishImport(scene, started.json().data._id)
  assert.equal(done.totalValid, orders, JSON.stringify(done))
  await scene.sql`
    update tasks set start_time = ${`${day}T08:00:00Z`}, end_time = ${`${day}T18:00:00Z`}
    where organization_id = ${scene.org.id}`
  const tasks = await scene.sql<{ id: string; receiver: string }[]>`
    select id, "values"->>'receiver' as receiver from tasks where organization_id = ${scene.org.id}`
  return tasks.map(({ id, receiver }) => {
    const index = Number(receiver.slice(1))
    return { id, index, place: placeOf(index) }
  })
}

/** Plans with the solver, and gives the plan to the drivers. */
async function planAndDispatch({ calls, hub, drivers }: Day, stops: readonly Stop[]): Promise<void> {
  const visits = stops.map(({ id, index, place }) => ({
    ...{ id: `taskId-${id}`, name: `C${index}`, address: "Street", coordinate: place.join(), visitTime: 5 },
  }))
  const vehicles = drivers.map(({ email }, place) => ({
    ...{ id: `v${place}`, name: `Van ${place}`, assignee: email },
    workingTime: { startTime: "08:00", endTime: "18:00" },
  }))
  const plan = (
    await calls.post("/routing", { hubId: hub.id, visits, vehicles, seconds: 2, routingDate: day })
  ).json().data
  const dispatched = (await calls.post("/dispatch", { resultId: plan._id })).json()
  assert.deepEqual(
    [dispatched.success, dispatched.failed],
    [stops.length, 0],
    JSON.stringify(dispatched.tasks),
  )
}

const [estimate] = etaJobs

/** What every minute does: estimates, messages that follow from them, and sending. */
async function minutePasses(scene: Day): Promise<void> {
  await estimate?.handle(scene.jobContext(), {})
  await sweepOne(scene, scene.org.id)
  await runJobs(scene)
}

const metersPerSecond = 25 / 3.6
const failedIndex = 11
/** Chooses another day. */
const movedIndex = 3

/** A driver's day minute by minute: drives with traffic, waits at doors, finishes. Notes when each stop was reached. */
async function* drive(scene: Day, driver: Person, reached: Map<string, number>) {
  const phone = scene.as(driver)
  const { tasks } = (
    await phone.get("/tasks?status=ONGOING&sortBy=orderIndex&sortOrder=asc&limit=100")
  ).json()
  let [lat, lng] = [hubPlace.lat, hubPlace.lng]
  for (const task of tasks.data as { _id: string; receiver: string; routePlannedOrder: number }[]) {
    const index = Number(task.receiver.slice(1))
    if (index === movedIndex) continue
    const [toLat, toLng] = placeOf(index)
    const speed = metersPerSecond * (0.8 + 0.4 * chance(index + 1))
    const minutes = Math.max(1, Math.round((distanceBetween(lng, lat, toLng, toLat) * 1.3) / speed / 60))
    for (let minute = 1; minute <= minutes; minute++) {
      const share = minute / minutes
      const point = { lat: lat + (toLat - lat) * share, lon: lng + (toLng - lng) * share }
      await phone
        .expect(201)
        .post("/location-history", { ...point, createdTime: scene.clock.now().toString() })
      yield
    }
    ;[lat, lng] = [toLat, toLng]
    reached.set(task._id, scene.clock.now().epochMilliseconds)
    await phone.expect(200).patch(`/task/${task._id}`, {
      arrivedTime: scene.clock.now().toString().slice(0, 19).replace("T", " "),
    })
    const atDoor = 3 + Math.round(4 * chance(index + 77))
    for (let minute = 0; minute < atDoor; minute++) {
      await phone
        .expect(201)
        .post("/location-history", { lat, lon: lng, createdTime: scene.clock.now().toString() })
      yield
    }
    const failure = index === failedIndex ? { outcome: "failed", outcomeReason: "Nobody there" } : {}
    await phone.expect(200).patch(`/task/${task._id}`, { status: "DONE", ...failure })
  }
}

test("from order to rating: fifty orders are imported, planned, dispatched and driven, and every customer is notified once", {
  skip,
}, async (t) => {
  const server = await testApp(t, { WEBHOOK_ALLOW: "127.0.0.1" })
  t.after(() => server.clock.move(Temporal.Now.instant().toString()))
  const [provider, mails] = [await aFakeProvider(t), await aMailServer(t)]
  server.config.mailUrl = mails.url
  const scene = await aDay(server)
  const { calls, app, clock, sql, org } = scene
  const create = async (path: string, body: object) =>
    (await scene.me.expect(201).post(path, body)).json().data._id as string
  const sms = await create(
    "/customer-message-channel",
    provider.channel({ idempotent: true, dailyCap: 1000 }),
  )
  const mail = await create("/customer-message-channel", { name: "Mail", kind: "email", dailyCap: 1000 })
  for (const event of smsEvents) await create("/customer-message-template", { channelId: sms, event })
  const body = "{{name}} {{etaFrom}}–{{etaTo}} {{link}}"
  await create("/customer-message-template", { channelId: sms, event: "onTheWay", body })
  for (const event of mailEvents) await create("/customer-message-template", { channelId: mail, event })

  const stops = await importOrders(scene)
  await planAndDispatch(scene, stops)
  await runJobs(scene)
  assert.deepEqual([provider.received.length, mails.received.length], [orders, orders])

  // One customer chooses another time, one wants no messages.
  const byIndex = (index: number) => stops.find((stop) => stop.index === index)?.id ?? ""
  const pageOf = async (index: number) =>
    new URL((await calls.post(`/task/${byIndex(index)}/tracking-link`)).json().data.url).pathname
  const send = (url: string, fields: Record<string, string>) =>
    app.inject({
      method: "POST",
      url,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      payload: new URLSearchParams(fields).toString(),
    })
  const [moving, silent, angry] = [movedIndex, 7, 5]
  const offered = (await send(`${await pageOf(moving)}/times`, {})).body
  const slots = [...offered.matchAll(/name="slot" value="([0-9a-f]{24})"/g)].map(([, id = ""]) => id)
  assert.ok(slots.length > 0, "there are other times")
  const chosen = await send(`${await pageOf(moving)}/slot`, { slot: slots.at(-1) ?? "" })
  assert.match(String(chosen.headers.location), /sent=saved/)
  await send(`${await pageOf(silent)}/opt-out`, {})
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
  await send(`${await pageOf(angry)}/rating`, { stars: "1", comment: "Late" })

  const log = await sql<Logged[]>`
    select task_id, event, event_key, kind, status, language, body, recipient,
      (extract(epoch from created_time) * 1000)::float8 as at from customer_messages where organization_id = ${org.id}`
  checkOnce(log, provider.received, mails.received)
  checkLanguages(log, stops)
  const eta = await etaShare(log, reached)
  const silentRows = log.filter(({ taskId, event }) => taskId === byIndex(silent) && event !== "planned")
  assert.ok(silentRows.length > 3 && silentRows.every(({ status }) => status === "skipped"))
  const [rating] = (await calls.get("/customer-feedback")).json().data.data
  assert.deepEqual([rating.stars, rating.comment], [1, "Late"])
  assert.equal(log.filter(({ event }) => event === "failed").length, 1)
  const counts = Object.groupBy(log, ({ event, status }) => `${event} ${status}`)
  t.diagnostic(
    JSON.stringify({
      ...Object.fromEntries(Object.entries(counts).map(([key, rows]) => [key, rows?.length])),
      reached: reached.size,
      eta,
    }),
  )
  assert.ok(eta.within / eta.all >= 0.9, JSON.stringify(eta))
})

interface Logged {
  taskId: string
  event: string
  eventKey: string
  kind: string
  status: string
  language: string
  body: string | null
  recipient: string
  at: number
}

function checkOnce(
  log: readonly Logged[],
  sms: readonly { reference: string }[],
  mails: readonly string[],
): void {
  const sent = log.filter(({ status }) => status === "sent")
  assert.deepEqual(
    log.filter(({ status }) => status !== "sent" && status !== "skipped"),
    [],
  )
  const keys = sent.map(({ taskId, eventKey, kind }) => `${taskId} ${eventKey} ${kind}`)
  assert.equal(new Set(keys).size, keys.length)
  assert.equal(new Set(sms.map(({ reference }) => reference)).size, sms.length)
  assert.equal(sms.length, sent.filter(({ kind }) => kind === "sms").length)
  assert.equal(mails.length, sent.filter(({ kind }) => kind === "email").length)
}

function checkLanguages(log: readonly Logged[], stops: readonly Stop[]): void {
  const indexes = new Map(stops.map(({ id, index }) => [id, index]))
  for (const { taskId, event, language, body } of log.filter(({ status }) => status === "sent")) {
    assert.equal(language, languageOf(indexes.get(taskId) ?? -1))
    if (event === "onTheWay") continue
    const own = defaultText(event as "planned", language).body
    const [longest = ""] = own.split(/\{\{[^}]*\}\}/).toSorted((one, other) => other.length - one.length)
    assert.ok(body?.includes(longest), `${language}: ${body}`)
  }
}

/** How often the arrival was within the window that the message on the way said. */
async function etaShare(log: readonly Logged[], reached: ReadonlyMap<string, number>) {
  let [within, all] = [0, 0]
  const outside: string[] = []
  for (const { taskId, body, status } of log.filter(({ event }) => event === "onTheWay")) {
    const arrival = reached.get(taskId)
    if (status !== "sent" || arrival === undefined) continue
    const times = [...latin(body ?? "").matchAll(/(\d{1,2})[.:](\d{2})/g)].map(
      ([, hour, minute]) => Number(hour) * 60 + Number(minute),
    )
    const [from = 0, to = 0] = times
    const minute = Math.floor((arrival / 60_000) % 1440)
    all += 1
    if (minute >= from && minute <= to) within += 1
    else outside.push(`${from}-${to}: ${minute}`)
  }
  return { within, all, outside }
}

const latin = (text: string) => text.replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
