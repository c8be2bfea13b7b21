import assert from "node:assert/strict"
import { test } from "node:test"
import { aFlow, aHub, anOrganization, aUser } from "#samples/builders.ts"
import { runJobs } from "#testing/run-jobs.ts"
import { type TestApp, testApp } from "#testing/test-app.ts"
import { aFakeProvider } from "../messages/fixtures/fake-provider.ts"

const pages = [
  {
    id: "page0",
    components: [
      { id: "name", component: "input", type: "String", title: "Name", showAs: "title", required: true },
      { id: "phone", component: "input", type: "PhoneNumber", title: "Phone" },
      { id: "problem", component: "input", type: "String", title: "What is broken?" },
      { id: "floor", component: "input", type: "Numeric", title: "Floor" },
      { id: "kind", component: "select", title: "Kind", options: ["Repair", "Check"] },
      { id: "address", component: "input", type: "Address", title: "Address" },
      { id: "place", component: "input", type: "Geolocation", title: "Place", routeAs: "Coordinate" },
      { id: "photos", component: "photo", title: "Photos" },
      { id: "gate", component: "input", type: "String", title: "Gate code" },
    ],
  },
]
const ids = ["name", "phone", "problem", "floor", "kind", "address", "place", "photos"]
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
)

async function aForm(server: TestApp, settings: object = {}) {
  const { sql, as, app, clock } = server
  const org = await anOrganization(sql, { name: "Kopi <b>Nusantara</b>", timeZone: "UTC" })
  await sql`update organizations set country_code = 'IDN' where id = ${org.id}`
  const [hub, flow] = [await aHub(sql, { org }), await aFlow(sql, { org, pages })]
  const calls = as(org.owner)
  const body = {
    name: "Repairs",
    hubId: hub.id,
    flowId: flow.id,
    settings: { fields: ids.map((id) => ({ id })), ...settings },
  }
  const form = (await calls.expect(201).post("/request-form", body)).json().data
  const path = new URL(form.url).pathname as string
  let visitor = 0
  const open = async (remoteAddress = `203.0.113.${++visitor}`) => {
    const page = await app.inject({ url: path, remoteAddress })
    assert.equal(page.statusCode, 200)
    const token = /name="token" value="([^"]+)"/.exec(page.body)?.[1] ?? ""
    const post = (fields: Record<string, string>, files: Record<string, Buffer> = {}) => {
      const data = new FormData()
      for (const [name, value] of Object.entries({ token, step: "send", ...fields })) data.append(name, value)
      for (const [name, file] of Object.entries(files))
        data.append(name, new Blob([new Uint8Array(file)]), "a.png")
      const encoded = new Response(data)
      return encoded.arrayBuffer().then((payload) =>
        app.inject({
          method: "POST",
          url: path,
          remoteAddress,
          headers: { "content-type": encoded.headers.get("content-type") ?? "" },
          payload: Buffer.from(payload),
        }),
      )
    }
    clock.move({ seconds: 5 })
    return { page, token, post }
  }
  const requests = async () => (await calls.expect(200).get("/task-requests")).json().data.data
  return { org, hub, flow, calls, form, path, open, requests, body }
}

test("a stranger asks on a form, the office decides, and the same post is one request", async (t) => {
  const server = await testApp(t, { WEBHOOK_ALLOW: "127.0.0.1" })
  const { app } = server
  const provider = await aFakeProvider(t)
  const { org, calls, path, open, requests, form } = await aForm(server, {
    texts: { en: { title: "Book a repair", labels: { kind: "What <u>do</u> you need" } } },
    frameOrigins: ["https://shop.example"],
  })
  const create = async (url: string, body: object) => (await calls.expect(201).post(url, body)).json().data
  const channel = await create("/customer-message-channel", provider.channel())
  for (const event of ["requestReceived", "requestApproved", "requestRejected"])
    await create("/customer-message-template", { channelId: channel._id, event })
  await calls.expect(200).put("/customer-message-settings", { quietFrom: "00:00", quietTo: "00:00" })
  const visit = await open()
  assert.match(
    visit.page.body,
    /Book a repair.*Kopi &lt;b&gt;Nusantara|Kopi &lt;b&gt;Nusantara.*Book a repair/s,
  )
  assert.match(visit.page.body, /What &lt;u&gt;do&lt;\/u&gt; you need/)
  assert.ok(!visit.page.body.includes("Gate code"))
  assert.match(
    String(visit.page.headers["content-security-policy"]),
    /frame-ancestors https:\/\/shop\.example$/,
  )
  const missing = await visit.post({ "f.problem": "Leaks <img src=x>", "f.floor": "ground" })
  assert.equal(missing.statusCode, 422)
  assert.match(missing.body, /Leaks &lt;img src=x&gt;/)
  assert.equal(missing.body.match(/class="problem"/g)?.length, 2)
  const fields = {
    "f.name": "Ani //evil.test",
    "f.phone": "0812 3456 7890",
    "f.problem": "Leaks",
    "f.kind": "repair",
    "f.gate": "4711",
    "f.status": "DONE",
    address: "Jalan Merdeka 1",
  }
  const [first, second] = await Promise.all([
    visit.post(fields, { "f.photos": png }),
    visit.post(fields, { "f.photos": png }),
  ])
  assert.deepEqual([first?.statusCode, second?.statusCode], [303, 303])
  assert.equal(first?.headers.location, second?.headers.location)
  const [request, ...others] = await requests()
  assert.equal(others.length, 0)
  const { photos_0_url: photo, ...values } = request.values
  assert.deepEqual(values, {
    name: "Ani //evil.test",
    phone: "0812 3456 7890",
    problem: "Leaks",
    kind: "Repair",
    address: "Jalan Merdeka 1",
  })
  assert.equal((await app.inject({ url: photo.slice("http://fieldway.test".length) })).statusCode, 200)
  const state = await app.inject({ url: String(first?.headers.location) })
  assert.match(state.body, /We have received your request.*4?.*Reference/s)
  await runJobs(server)
  assert.equal(provider.received.length, 1)
  assert.equal(provider.received[0]?.to, "+6281234567890")
  assert.match(
    provider.received[0]?.text ?? "",
    new RegExp(`^Kopi .*request ${request.reference}.*${path}/`, "s"),
  )
  assert.ok(!provider.received[0]?.text.includes("evil"))
  const { taskId } = (await calls.expect(200).post(`/task-request/${request._id}/approve`)).json()
  const task = (await calls.expect(200).get(`/task/${taskId}`)).json().task
  assert.deepEqual(
    [task.title, task.problem, task.gate, task.status],
    ["Ani //evil.test", "Leaks", null, "UNASSIGNED"],
  )
  // Everybody who sees the task sees the customer's photo, which no member uploaded.
  const address = `/file/view?url=${encodeURIComponent(task.photos_0_url)}`
  await calls.expect(200).get(address)
  const elsewhere = await aUser(server.sql, { org, hubs: [], permissions: ["view/task"] })
  await server.as(elsewhere).expect(404).get(address)
  assert.equal((await calls.post(`/task-request/${request._id}/reject`, {})).statusCode, 409)
  assert.match(
    (await app.inject({ url: String(first?.headers.location) })).body,
    /accepted.*\/t\/[0-9a-z]{10}/s,
  )
  // Again on the same day: a second request, but no second confirmation of it.
  const again = await (await open()).post({ ...fields, "f.name": "Budi" })
  assert.equal(again.statusCode, 303)
  const [newest] = await requests()
  await calls.expect(200).post(`/task-request/${newest._id}/reject`, { reason: "We do not\nrepair boilers" })
  await runJobs(server)
  assert.deepEqual(provider.received.map(({ text }) => /received|accepted|cannot/.exec(text)?.[0]).sort(), [
    "accepted",
    "cannot",
    "received",
  ])
  assert.match((await app.inject({ url: String(again.headers.location) })).body, /We do not\nrepair boilers/)
  await calls.expect(200).post(`/request-form/${form._id}/new-link`)
  assert.equal((await app.inject({ url: path })).statusCode, 404)
})

test("forms refuse robots, floods, forged values and other people's windows", async (t) => {
  const server = await testApp(t)
  const { app, clock } = server
  const { calls, path, open, requests, form, body } = await aForm(server, { dailyCap: 12 })
  const fields = { "f.name": "Ani" }
  const visit = await open()
  assert.match(
    (await visit.post({ ...fields, website: "http://spam.test" })).body,
    /leave the field at the end empty/,
  )
  assert.equal((await visit.post({ ...fields, token: "" })).statusCode, 422)
  assert.equal((await visit.post({ ...fields, token: visit.token.replace(/.$/, "_") })).statusCode, 422)
  clock.move({ seconds: -4 })
  assert.match((await visit.post(fields)).body, /That was quick/)
  clock.move({ seconds: 4 })
  assert.match(
    (await visit.post(fields, { "f.photos": Buffer.from("<svg onload=x>") })).body,
    /not a JPEG or PNG/,
  )
  assert.match((await visit.post({ ...fields, "f.kind": "Free" })).body, /check the marked/)
  const hostile = [
    "\u0000",
    "'); drop table tasks;--",
    "{{secret.key}}",
    "\u202egpj.exe",
    "a".repeat(20_000),
    "[object Object]",
    "__proto__",
  ]
  for (const value of hostile)
    for (const name of ["f.problem", "place", "address", "slot", "offered", "step", "f.__proto__", "lang"]) {
      const { statusCode, body: html } = await visit.post({ [name]: value })
      assert.ok(statusCode === 422 || statusCode === 200, `${name} ${value.slice(0, 20)}: ${statusCode}`)
      assert.ok(!html.includes("\u202e"))
    }
  assert.deepEqual(await requests(), [])
  const json = { method: "POST" as const, url: path, remoteAddress: "203.0.113.200", payload: { token: "x" } }
  assert.equal((await app.inject(json)).statusCode, 422)
  // One address: ten requests an hour; the form: twelve a day.
  const statuses: number[] = []
  for (let count = 0; count < 11; count++)
    statuses.push((await (await open("203.0.113.201")).post(fields)).statusCode)
  assert.deepEqual([statuses.filter((status) => status === 303).length, statuses.at(-1)], [10, 429])
  for (let count = 0; count < 2; count++) await (await open()).post(fields)
  assert.match((await (await open()).post(fields)).body, /cannot take more requests today/)
  // Posts are counted before they are read.
  const flood = await open("203.0.113.202")
  let last = 0
  for (let count = 0; count < 121; count++) last = (await flood.post({ token: "" })).statusCode
  assert.equal(last, 429)
  // Codes cannot be searched, and a form that is off says so.
  const guesses = new Set<number>()
  for (let guess = 0; guess < 110; guess++)
    guesses.add(
      (
        await app.inject({
          url: `/r/abcdef${String(guess).padStart(4, "0")}`,
          remoteAddress: "203.0.113.203",
        })
      ).statusCode,
    )
  assert.deepEqual([...guesses], [404, 429])
  await calls.expect(200).put(`/request-form/${form._id}`, { ...body, isActive: false })
  assert.equal((await app.inject({ url: path })).statusCode, 404)
  for (const settings of [
    { fields: [{ id: "phone" }] },
    { fields: [{ id: "name" }, { id: "nothing" }] },
    { fields: [{ id: "name" }], offersSlots: true },
    { fields: [{ id: "name" }], frameOrigins: ["https://a.test; script-src *"] },
  ])
    assert.equal((await calls.put(`/request-form/${form._id}`, { ...body, settings })).statusCode, 400)
})

test("a customer chooses one of the times that fit, and it is held until the office has decided", async (t) => {
  const server = await testApp(t)
  const { sql } = server
  const settings = { offersSlots: true, needsApproval: false, maxKilometers: 50 }
  await assert.rejects(aForm(server, settings), /need a map/)
  await sql`insert into place_versions (region, version, is_current) values ('north', 'one', true)`
  const { org, hub, calls, open, requests, form, body } = await aForm(server, settings)
  const driver = await aUser(sql, { org, hubs: [hub], role: "field user" })
  await calls.expect(200).post("/vehicle", {
    hubId: hub.id,
    name: "Van",
    assignee: driver.email,
    workingTime: { startTime: "00:00", endTime: "23:59" },
    speed: 40,
  })
  const [lat, lng] = [52.1, 4.3]
  const place = `${lat + 0.05},${lng + 0.05};Jalan Merdeka 1`
  const visit = await open()
  const far = await visit.post({ step: "times", place: `${lat + 5},${lng};Far away` })
  assert.match(far.body, /do not come to this address/)
  const slotsOf = (html: string) =>
    [...html.matchAll(/name="slot" value="([0-9a-f]{24})"/g)].map(([, id = ""]) => id)
  const offered = slotsOf((await visit.post({ step: "times", place })).body)
  assert.ok(offered.length > 1)
  const fields = { "f.name": "Ani", place }
  assert.match((await visit.post(fields)).body, /choose a time/)
  // What is wrong elsewhere does not cost the chosen time.
  const chosen = { place, slot: offered[0] ?? "", offered: offered.join(" ") }
  const incomplete = (await visit.post({ ...chosen, "f.name": "" })).body
  assert.deepEqual(slotsOf(incomplete), offered)
  assert.match(incomplete, new RegExp(`value="${offered[0]}" checked`))
  const other = { ...chosen, place: `${lat + 0.06},${lng};Elsewhere` }
  assert.deepEqual(slotsOf((await visit.post({ ...other, "f.name": "" })).body), [])
  const elsewhere = `${lat + 0.06},${lng};Elsewhere`
  const moved = await visit.post({ ...fields, place: elsewhere, slot: offered.at(-1) ?? "" })
  assert.match(moved.body, /no longer available/)
  const sent = await visit.post({ ...fields, slot: offered.at(-1) ?? "" })
  assert.equal(sent.statusCode, 303)
  const [made] = await requests()
  const task = (await calls.expect(200).get(`/task/${made.taskId}`)).json().task
  assert.deepEqual([task.startTime, task.address], [made.startTime, "Jalan Merdeka 1"])
  assert.equal((await (await open()).post({ ...fields, slot: offered.at(-1) ?? "" })).statusCode, 422)
  // With approval the window waits for the decision.
  await calls.expect(200).put(`/request-form/${form._id}`, {
    ...body,
    settings: { ...body.settings, needsApproval: true },
  })
  const second = await open()
  const [slot = ""] = slotsOf((await second.post({ step: "times", place })).body)
  await second.post({ ...fields, slot })
  server.clock.move({ minutes: 30 })
  const [pending] = await requests()
  assert.equal(pending.status, "pending")
  const { taskId } = (await calls.expect(200).post(`/task-request/${pending._id}/approve`)).json()
  const [booked] = await sql`select status, task_id from appointment_slots where id = ${slot}`
  assert.deepEqual([booked?.status, booked?.taskId], ["booked", taskId])
  // On the tracking page the customer chooses another time.
  const post = async (action: string, fields: Record<string, string>) =>
    server.app.inject({
      method: "POST",
      url: `${tracking}/${action}`,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      payload: new URLSearchParams(fields).toString(),
    })
  const { url } = (await calls.expect(200).post(`/task/${made.taskId}/tracking-link`)).json().data
  const tracking = new URL(url).pathname
  assert.deepEqual(slotsOf((await post("times", {})).body), [])
  await calls.expect(200).put("/tracking-page-settings", { allowReschedule: true })
  const times = slotsOf((await post("times", {})).body)
  assert.ok(times.length > 1)
  assert.equal((await post("slot", { slot })).headers.location, `${tracking}?sent=slotTaken`)
  assert.equal((await post("slot", { slot: times.at(-1) ?? "" })).headers.location, `${tracking}?sent=saved`)
  const after = (await calls.expect(200).get(`/task/${made.taskId}`)).json().task
  assert.notEqual(after.startTime, made.startTime)
  assert.equal(
    (await post("slot", { slot: times.at(-1) ?? "" })).headers.location,
    `${tracking}?sent=slotTaken`,
  )
})
