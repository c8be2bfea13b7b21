import assert from "node:assert/strict"
import { test } from "node:test"
import { json } from "#core/database/database.ts"
import { aFlow, aHub, anOrganization, aTask, aUser } from "#samples/builders.ts"
import { type TestApp, testApp } from "#testing/test-app.ts"
import { etaJobs } from "../../planning/eta/index.ts"
import { offerSlots } from "../../planning/slots/index.ts"
import { createCodeMaker, readCode } from "./code.ts"

const pages = [
  {
    id: "page0",
    components: [
      { id: "receiver", component: "input", type: "String", title: "Receiver", showAs: "title" },
      { id: "phone", component: "input", type: "PhoneNumber" },
      { id: "secretNote", component: "input", type: "String" },
      { id: "crates", component: "bill", title: "Crates" },
      { id: "proof", component: "photo" },
    ],
  },
]

async function aDelivery({ sql, as }: TestApp) {
  const org = await anOrganization(sql, { name: "Kopi <b>Nusantara</b>", timeZone: "Asia/Jakarta" })
  const [hub, flow] = [await aHub(sql, { org }), await aFlow(sql, { org, pages })]
  const driver = await aUser(sql, { org, hubs: [hub], role: "field user", name: "Budi Santoso" })
  const values = {
    receiver: "Ibu <Ani>",
    phone: "0812 3456 7890",
    secretNote: "gate code 4711",
    crates: [{ title: "Coffee", qty: 2, unitPrice: 5 }],
  }
  const task = await aTask(sql, { org, hub, flow, title: "Ibu <Ani>", assignee: [driver], values })
  const calls = as(org.owner).expect(200)
  const { url } = (await calls.post(`/task/${task.id}/tracking-link`)).json().data
  return { org, hub, driver, task, calls, path: new URL(url).pathname as string, values }
}

test("a customer reads the page of their task without a script, and nothing that is not theirs", async (t) => {
  const server = await testApp(t, {
    MAP_STYLE_URL: "https://style.example/streets.json",
    MAP_ORIGINS: "https://tiles.example",
  })
  const { path, task, calls, org, driver } = await aDelivery(server)
  const page = await server.app.inject({ url: path })
  assert.equal(page.statusCode, 200)
  assert.match(page.body, /Your appointment is planned/)
  assert.match(page.body, /Kopi &lt;b&gt;Nusantara&lt;\/b&gt;/)
  assert.match(page.body, /Ibu &lt;Ani&gt;/)
  assert.match(page.body, /Coffee<\/bdi><span>× 2 · <bdi>(US)?\$10\.00/)
  for (const hidden of ["4711", "7890", driver.email, org.owner.email, task.id, "Santoso"])
    assert.ok(!page.body.includes(hidden), hidden)
  assert.equal(page.headers["cache-control"], "no-store")
  assert.equal(page.headers["referrer-policy"], "no-referrer")
  const policy = String(page.headers["content-security-policy"])
  assert.match(policy, /default-src 'none'.*frame-ancestors 'none'/)
  assert.match(policy, /connect-src 'self' https:\/\/style\.example https:\/\/tiles\.example;/)
  const again = await server.app.inject({
    url: path,
    headers: { "if-none-match": String(page.headers.etag) },
  })
  assert.deepEqual([again.statusCode, again.body], [304, ""])
  const arabic = await server.app.inject({ url: `${path}?lang=ar` })
  assert.match(arabic.body, /<html lang="ar" dir="rtl">/)
  assert.match(arabic.body, /تم تحديد موعدك/)
  // The same address each time, until it is revoked; it works for no call of the API.
  assert.equal(new URL((await calls.post(`/task/${task.id}/tracking-link`)).json().data.url).pathname, path)
  const code = path.slice(3)
  const asToken = await server.app.inject({
    url: "/api/v3/tasks",
    headers: { authorization: `Bearer ${code}` },
  })
  assert.equal(asToken.statusCode, 401)
  await calls.put("/tracking-page-settings", { color: "#ffcc00", language: "id", showTitle: false })
  assert.deepEqual((await calls.get("/organization-brand")).json().data, { logo: null, color: "#ffcc00" })
  const changed = await server.app.inject({ url: path.toUpperCase().replace("/T/", "/t/") })
  await calls.delete(`/task/${task.id}/tracking-link`)
  assert.equal((await server.app.inject({ url: path })).statusCode, 404)
  assert.notEqual(
    new URL((await calls.post(`/task/${task.id}/tracking-link`)).json().data.url).pathname,
    path,
  )
  assert.match(changed.body, /--brand:#ffcc00;--on:#000/)
})

test("a customer changes what the settings allow, rates once, and the link ends", async (t) => {
  const server = await testApp(t)
  const { app, sql, clock, as } = server
  const { path, task, calls, org, driver, values } = await aDelivery(server)
  const send = (action: string, fields: Record<string, string>) =>
    app.inject({
      method: "POST",
      url: `${path}/${action}`,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      payload: new URLSearchParams(fields).toString(),
    })
  const saved = await send("details", {
    instructions: "Ring\u202e twice\r\nplease",
    safePlace: "Shed",
    status: "DONE",
  })
  assert.deepEqual([saved.statusCode, saved.headers.location], [303, `${path}?sent=saved`])
  await send("cancellation", { reason: "not allowed" })
  const read = async () => (await calls.get(`/task/${task.id}`)).json().task
  const now = await read()
  assert.deepEqual(
    [now.customerInstructions, now.customerSafePlace, now.customerCancellation, now.status],
    ["Ring twice\nplease", "Shed", undefined, "ONGOING"],
  )
  assert.match((await app.inject({ url: `${path}?sent=saved` })).body, /Saved. Thank you.*Shed/s)
  await calls.put("/tracking-page-settings", { allowCancellation: true })
  await send("cancellation", { reason: "Away" })
  assert.equal((await read()).customerCancellation, "Away")
  const tooEarly = await send("rating", { stars: "1" })
  assert.equal(tooEarly.statusCode, 303)
  await sql`
    update tasks set status = 'DONE', done_time = now(), done_by = ${driver.email},
      "values" = ${json(sql, { ...values, proof_0_url: "https://elsewhere.test/p.jpg" })}
    where organization_id = ${org.id} and id = ${task.id}`
  await send("rating", { stars: "2", comment: "Late <script>" })
  await send("rating", { stars: "5" })
  const done = await app.inject({ url: path })
  assert.match(done.body, /★★☆☆☆.*Late &lt;script&gt;/s)
  assert.ok(!done.body.includes("elsewhere.test"))
  const [feedback, ...others] = (await calls.get("/customer-feedback")).json().data.data
  assert.deepEqual(
    [feedback.stars, feedback.comment, feedback.driver, others.length],
    [2, "Late <script>", driver.email, 0],
  )
  // A poor rating is a comment that the driver and the office are notified of.
  const comments = (await as(driver).get(`/messages?taskId=${task.id}`)).json().data
  assert.deepEqual(
    comments.map(({ text, author }: { text: string; author: string }) => [text, author]),
    [["★★☆☆☆ Late <script>", "Customer"]],
  )
  const [summary] = (await calls.get("/customer-feedback/summary?by=driver")).json().data
  assert.deepEqual(summary, { key: driver.email, count: 1, average: 2, poor: 1 })
  await calls.put(`/customer-feedback/${feedback._id}/read`)
  assert.equal((await calls.get("/customer-feedback?unread=true")).json().data.total, 0)
  assert.equal((await as(driver).get("/customer-feedback")).json().data.total, 1)
  clock.move({ hours: 24 * 12 })
  assert.equal((await app.inject({ url: path })).statusCode, 404)
  clock.move({ hours: -24 * 12 })
})

test("codes cannot be searched: 50 bits, a keyed hash, and few misses per address", async (t) => {
  const { app, sql } = await testApp(t)
  const [one, other] = [createCodeMaker(Buffer.alloc(32, 1)), createCodeMaker(Buffer.alloc(32, 2))]
  const codes = Array.from({ length: 2000 }, (_, index) => one.codeOf("tracking", String(index)).code)
  assert.equal(new Set(codes).size, codes.length)
  for (let place = 0; place < 10; place++)
    assert.equal(new Set(codes.map((code) => code[place])).size, 32, "every place uses the whole alphabet")
  const [code = ""] = codes
  assert.notDeepEqual(one.hashOf(code), other.hashOf(code))
  assert.equal(readCode("O1IL0ABCDE"), "01110abcde")
  for (const bad of ["", "abc", "../../etc/", "abcdefghi\u0000", "uuuuuuuuuu"])
    assert.equal(readCode(bad), undefined)
  const statuses = new Map<number, number>()
  const remoteAddress = "198.51.100.7"
  for (let guess = 0; guess < 150; guess++) {
    const reply = await app.inject({ url: `/t/${codes[guess]}`, remoteAddress })
    statuses.set(reply.statusCode, (statuses.get(reply.statusCode) ?? 0) + 1)
  }
  assert.deepEqual(
    [...statuses],
    [
      [404, 100],
      [429, 50],
    ],
  )
  assert.equal((await app.inject({ url: `/t/${code}`, remoteAddress: "198.51.100.8" })).statusCode, 404)
  const stored =
    await sql`select 1 from tracking_links where encode(code_hash, 'escape') like '%' || ${code} || '%'`
  assert.equal(stored.length, 0)
})

test("a shared position states its facts without a script, at its short and its long address, until it is revoked", async (t) => {
  const { app, sql, as, clock } = await testApp(t)
  const org = await anOrganization(sql, { name: "Harbour", timeZone: "UTC" })
  const person = await aUser(sql, { org, name: "Budi <b>Santoso</b>" })
  const calls = as(org.owner)
  const entry = { email: person.email, lat: -34.9, lon: -56.16, createdTime: clock.now().toString() }
  const share = async () =>
    (await calls.expect(200).post("/location-history/generate-token", { email: person.email })).json()
  const { token, url } = await share()
  const path = new URL(url).pathname
  const read = (headers = {}) => app.inject({ url: path, headers })
  assert.match((await read()).body, /This link works until.*No position was sent on that day/s)
  await calls.expect(201).post("/location-history", entry)
  const page = await read()
  assert.equal(page.statusCode, 200)
  for (const fact of [
    /<dd><bdi>Budi &lt;b&gt;Santoso/,
    /href="geo:-34\.9,-56\.16"><bdi dir="ltr">-34\.90000, -56\.16000/,
    /Time of the position<\/dt><dd>\w+/,
    /This link works until<\/dt><dd>\w+/,
    /<noscript><meta http-equiv="refresh"/,
    /data-places="\{&quot;driver&quot;:\[-56\.16,-34\.9\]/,
  ])
    assert.match(page.body, fact)
  assert.ok(!page.body.includes(person.email))
  assert.equal((await read({ "if-none-match": String(page.headers.etag) })).statusCode, 304)
  assert.match((await app.inject({ url: `${path}?lang=ar` })).body, /dir="rtl".*آخر موقع معروف/s)
  const long = await app.inject({ url: `/shared-position?token=${encodeURIComponent(token)}` })
  assert.deepEqual([long.statusCode, long.headers.location], [302, path])
  for (const bad of ["", "none", token.slice(0, -8)])
    assert.equal((await app.inject({ url: `/shared-position?token=${bad}` })).statusCode, 404)
  // It shows a position, whatever the pages of tasks do, and is no page of a task.
  await calls.expect(200).put("/tracking-page-settings", { isActive: false })
  assert.equal((await read()).statusCode, 200)
  for (const action of ["details", "times", "opt-out"])
    assert.equal((await app.inject({ method: "POST", url: `${path}/${action}` })).statusCode, 404)
  const [link] = (await calls.expect(200).get("/location-links")).json().data
  await calls.expect(200).delete(`/location-link/${link._id}`)
  assert.equal((await read()).statusCode, 404)
  const gone = await app.inject({ url: `/shared-position?token=${encodeURIComponent(token)}` })
  assert.equal((await app.inject({ url: String(gone.headers.location) })).statusCode, 404)
})

/** A driver's planned day, tomorrow: four stops along a street, the last two with appointments. */
async function aPlannedDay(server: TestApp) {
  const { sql, as, clock } = server
  const org = await anOrganization(sql, { timeZone: "UTC" })
  const hub = await aHub(sql, { org })
  await sql`update hubs set lat = 0, lng = 1 where id = ${hub.id}`
  const place = { id: "place", component: "input", type: "Geolocation", showAs: "expectedCoordinate" }
  const flow = await aFlow(sql, { org, pages: [{ id: "page0", components: [place] }] })
  const driver = await aUser(sql, { org, hubs: [hub], role: "field user" })
  const calls = as(org.owner)
  const workingTime = { startTime: "08:00", endTime: "18:00" }
  const van = { hubId: hub.id, name: "Van", assignee: driver.email, workingTime, speed: 30 }
  await calls.expect(200).post("/vehicle", van)
  await calls.expect(200).put("/tracking-page-settings", { allowReschedule: true })
  const today = Temporal.Now.plainDateISO("UTC")
  clock.move(`${today}T20:00:00Z`)
  const day = today.add({ days: 1 }).toString()
  const windows = ["08:00/18:00", "08:00/18:00", "14:00/16:00", "16:00/18:00"].map((text) => text.split("/"))
  const ids: string[] = []
  for (const [index, [from, to]] of windows.entries()) {
    const times = { startTime: `${day}T${from}:00Z`, endTime: `${day}T${to}:00Z` }
    const body = { flow: flow.name, hubId: hub.id, place: `0,${1.01 + index / 100}`, ...times }
    const { task } = (await calls.expect(201).post("/task", { ...body, assignee: [driver.email] })).json()
    ids.push(task._id)
    await sql`
      update tasks set order_index = ${index + 1}, attributes = attributes || ${sql.json({
        ...{ routePlannedOrder: index + 1, eta: `${["08", "09", "14", "16"][index]}:00:00` },
      })}::jsonb where organization_id = ${org.id} and id = ${task._id}`
  }
  const pageOf = async (id: string) =>
    new URL((await calls.expect(200).post(`/task/${id}/tracking-link`)).json().data.url).pathname
  return { org, hub, day, ids, calls, pageOf }
}

test("a page says that there is too much to do, and asks again, rather than that there are no times", async (t) => {
  const server = await testApp(t)
  t.after(() => server.clock.move(Temporal.Now.instant().toString()))
  const { app, sql } = server
  const { org, hub, ids, pageOf } = await aPlannedDay(server)
  const page = await pageOf(ids[0] ?? "")
  const times = async (fields: Record<string, string>) => {
    const headers = { "content-type": "application/x-www-form-urlencoded" }
    const payload = new URLSearchParams(fields).toString()
    return (await app.inject({ method: "POST", url: `${page}/times?lang=en`, headers, payload })).body
  }
  const left = new AbortController()
  const query = { hubId: hub.id, position: [1, 0] as const, serviceMinutes: 30, tags: [], count: 1 }
  const context = { now: server.clock.now(), roads: {} as never, signal: left.signal }
  let others: Promise<unknown>[] = []
  await sql.begin(async (tx) => {
    // One offer waits for the hub's lock, and as many as may wait do so behind it.
    await tx`select pg_advisory_xact_lock(hashtextextended(${`slots:${org.id}:${hub.id}`}, 0))`
    others = Array.from({ length: 201 }, () =>
      offerSlots(sql, org.id, { ...query, days: 0, windowMinutes: 120 }, context).catch(() => undefined),
    )
    const first = await times({})
    assert.match(first, /many requests came in/)
    assert.match(
      first,
      /data-again="8"><input type="hidden" name="offered" value=""><input type="hidden" name="attempt" value="1">/,
    )
    const last = await times({ attempt: "3" })
    assert.match(last, /many requests came in/)
    assert.doesNotMatch(last, /data-again="/, "it asks three times by itself")
    left.abort()
  })
  await Promise.all(others)
  assert.match(await times({ attempt: "1" }), /name="slot" value="[0-9a-f]{24}"/)
})

test("a stop that its customer moves within the day takes its place in the route at once", async (t) => {
  const server = await testApp(t)
  t.after(() => server.clock.move(Temporal.Now.instant().toString()))
  const { app, clock } = server
  const { day, ids, calls, pageOf } = await aPlannedDay(server)
  const [first = ""] = ids
  const page = await pageOf(first)
  const post = (action: string, fields: Record<string, string>) =>
    app.inject({
      method: "POST",
      url: `${page}/${action}`,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      payload: new URLSearchParams(fields).toString(),
    })
  const offered = [
    ...(await post("times", {})).body.matchAll(/name="slot" value="([0-9a-f]{24})"[^>]*><span>([^<]*)/g),
  ]
  const [, slot = ""] = offered.find(([, , text = ""]) => /10:00\D+12:00/.test(text)) ?? []
  assert.match(String((await post("slot", { slot })).headers.location), /sent=saved/, JSON.stringify(offered))
  const route = async () => {
    const { tasks } = (await calls.expect(200).get("/tasks?sortBy=orderIndex&sortOrder=asc")).json()
    return tasks.data as { _id: string; eta: string; routePlannedOrder: number }[]
  }
  const planned = await route()
  const [one, two, three, four] = ids
  assert.deepEqual(
    planned.map(({ _id, routePlannedOrder }) => [_id, routePlannedOrder]),
    [two, one, three, four].map((id, index) => [id, index + 1]),
  )
  const etas = planned.map(({ eta }) => eta.slice(0, 5))
  assert.match(etas.join(" "), /^08:0\d 10:00 14:00 16:00$/)
  const shown = (await app.inject({ url: page })).body
  assert.match(shown, new RegExp(`class="eta">[^<]*${etas[1]}`))
  // The day itself: the live estimate has the same order.
  clock.move(`${day}T08:00:00Z`)
  await etaJobs[0]?.handle(server.jobContext(), {})
  assert.match((await app.inject({ url: await pageOf(three ?? "") })).body, /2 stops before yours/)
})
