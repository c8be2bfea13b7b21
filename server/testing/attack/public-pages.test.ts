import assert from "node:assert/strict"
import { test } from "node:test"
import { aFlow, aHub, anOrganization, aTask } from "#samples/builders.ts"
import { maxPerFormAndHour } from "../../features/customers/request-forms/index.ts"
import { runJobs } from "../run-jobs.ts"
import { type TestApp, testApp } from "../test-app.ts"
import { hostileTexts, pick, seededRandom } from "./attack-values.ts"

/** Pages are in no API description: their routes are attacked here. */
const isLong = process.env.FIELDWAY_LONG !== undefined
const seed = Number(process.env.ATTACK_SEED ?? (isLong ? Date.now() % 2 ** 31 : 17))
const calls = isLong ? 20_000 : 150

const pages = [
  {
    id: "page0",
    components: [
      { id: "name", component: "input", type: "String", title: "Name", showAs: "title" },
      { id: "email", component: "input", type: "String", title: "E-mail" },
      { id: "place", component: "input", type: "Geolocation", title: "Place", routeAs: "Coordinate" },
      { id: "photos", component: "photo", title: "Photos" },
    ],
  },
]

async function aBusiness({ sql, as }: TestApp) {
  const org = await anOrganization(sql, { timeZone: "UTC" })
  const [hub, flow] = [await aHub(sql, { org }), await aFlow(sql, { org, pages })]
  const me = as(org.owner)
  const newForm = async (name: string) => {
    const fields = ["name", "email", "place", "photos"].map((id) => ({ id }))
    const body = { name, hubId: hub.id, flowId: flow.id, settings: { fields } }
    return new URL((await me.expect(201).post("/request-form", body)).json().data.url).pathname
  }
  const task = await aTask(sql, { org, hub, flow, values: { name: "Ani" } })
  const link = (await me.expect(200).post(`/task/${task.id}/tracking-link`)).json().data.url
  const shared = (
    await me.expect(200).post("/location-history/generate-token", { email: org.owner.email })
  ).json()
  return {
    org,
    hub,
    flow,
    me,
    newForm,
    task,
    tracking: new URL(link).pathname,
    shared: new URL(shared.url).pathname,
  }
}

type PublicRoute = readonly [method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE", url: string]

/**
 * Every route outside of the API, from the server's own table: a new page is attacked without being listed here. Left out
 * are the files of the console and the API's description.
 */
function publicRoutes({ app }: TestApp): PublicRoute[] {
  const parents: string[] = []
  const found: PublicRoute[] = []
  for (const line of app.printRoutes({ commonPrefix: false }).split("\n")) {
    const [, indent = "", part = "", methods = ""] =
      /^([│ ]*)[├└]── (.*?)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? []
    if (part === "") continue
    parents.length = indent.length / 4
    parents.push(part)
    const url = parents.join("").replaceAll(/\/{2,}/g, "/")
    if (/^\/(api\/|docs|assets)|\*/.test(url)) continue
    for (const method of methods.split(", "))
      if (/^(GET|POST|PUT|PATCH|DELETE)$/.test(method)) found.push([method as "GET", url])
  }
  return found
}

const codeOf = (path: string) => path.split("/").at(-1) ?? ""

test("no hostile request breaks a public page", async (t) => {
  t.diagnostic(`ATTACK_SEED=${seed}`)
  const server = await testApp(t)
  const { newForm, tracking, shared } = await aBusiness(server)
  const codes = [codeOf(tracking), codeOf(shared), codeOf(await newForm("Repairs"))]
  const random = seededRandom(seed)
  const hostile = () => pick(random, hostileTexts)
  const routes = publicRoutes(server)
  for (const [method, url] of routes) assert.ok(server.app.hasRoute({ method, url }), `${method} ${url}`)
  // The table is read as it should be: these are known.
  const known = ["GET /t/:code/files/:file", "POST /t/:code/slot", "POST /r/:code", "GET /r/:code/:request"]
  const listed = new Set(routes.map((route) => route.join(" ")))
  assert.deepEqual(
    known.filter((route) => !listed.has(route)),
    [],
  )
  t.diagnostic(`${listed.size} routes`)
  // Each route at least once, those with short links more often.
  const pages = routes.filter(([, url]) => /^\/[tr]\//.test(url))
  const faults: string[] = []
  const names = [
    "lang",
    "sent",
    "token",
    "step",
    "stars",
    "comment",
    "slot",
    "offered",
    "instructions",
    "f.name",
    "f.place",
  ]
  for (let count = 0; count < calls + routes.length; count++) {
    const [method, pattern] = routes[count] ?? pick(random, pages)
    const url = pattern.replace(/:(\w+)/g, (_, name: string) =>
      encodeURIComponent((name === "code" && random(4) > 0 ? pick(random, codes) : hostile()).toWellFormed()),
    )
    const fields = new URLSearchParams(Array.from({ length: 3 }, () => [pick(random, names), hostile()]))
    const isPost = method !== "GET"
    const reply = await server.app.inject({
      method,
      url: isPost ? url : `${url}?${fields}`,
      // Misses of one address are counted: each attacker has another.
      remoteAddress: `10.${random(250)}.${random(250)}.${random(250)}`,
      ...(isPost
        ? { headers: { "content-type": "application/x-www-form-urlencoded" }, payload: fields.toString() }
        : {}),
    })
    const what = `${reply.statusCode} ${method} ${url.slice(0, 100)} ${fields.toString().slice(0, 200)}`
    if (reply.statusCode >= 500) faults.push(what)
    const to = reply.headers.location
    const isPage = pages.some(([, page]) => page === pattern)
    const own = isPage ? /^\/(t\/|r\/|shared-position)/ : /^\/(?![/\\])/
    if (to !== undefined && !own.test(String(to))) faults.push(`to ${to}: ${what}`)
    if (isPage && /html/.test(String(reply.headers["content-type"]))) {
      const policy = String(reply.headers["content-security-policy"])
      if (!/default-src 'none'/.test(policy) || /unsafe-inline/.test(policy))
        faults.push(`${policy}: ${what}`)
    }
  }
  assert.deepEqual(faults, [])
})

test("short links cannot be enumerated: measured guesses of a day against the number of codes", async (t) => {
  const { app, clock } = await testApp(t)
  const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"
  const random = seededRandom(seed)
  const guess = () => Array.from({ length: 10 }, () => pick(random, [...alphabet])).join("")
  let [accepted, refused] = [0, 0]
  // All three kinds of pages count together, also for a whole IPv6 network.
  for (let count = 0; count < 130; count++) {
    const url = `/${pick(random, ["t", "r"])}/${guess()}`
    const remoteAddress = `2001:db8:7:1::${count + 1}`
    const { statusCode } = await app.inject({ url, remoteAddress })
    if (statusCode === 404) accepted += 1
    else if (statusCode === 429) refused += 1
  }
  assert.deepEqual([accepted, refused], [100, 30])
  const perDay = accepted * 24
  const [networks, links] = [10_000, 1_000_000]
  const hitsPerDay = (perDay * networks * links) / 32 ** 10
  t.diagnostic(
    `${perDay} guesses a day and network; 10,000 networks meet one of a million links every ${Math.round(1 / hitsPerDay)} days`,
  )
  assert.ok(hitsPerDay < 0.05)
  clock.move({ seconds: 1 })
})

test("public forms cannot be used to message strangers", async (t) => {
  const server = await testApp(t)
  const { sql, clock } = server
  const { org, me, newForm } = await aBusiness(server)
  await me.expect(200).put("/customer-message-settings", { quietFrom: "00:00", quietTo: "00:00" })
  const channel = (
    await me.expect(201).post("/customer-message-channel", { name: "Mail", kind: "email" })
  ).json().data
  for (const event of ["requestReceived", "planned"])
    await me.expect(201).post("/customer-message-template", { channelId: channel._id, event })
  const forms = await Promise.all(["A", "B", "C", "D", "E"].map(newForm))
  let visitor = 0
  const spam = "Win at http://evil.test now"
  const ask = async (path: string, email: string) => {
    const remoteAddress = `198.51.100.${++visitor}`
    const page = await server.app.inject({ url: path, remoteAddress })
    const token = /name="token" value="([^"]+)"/.exec(page.body)?.[1] ?? ""
    clock.move({ seconds: 5 })
    const data = new FormData()
    const fields = { token, step: "send", "f.name": spam, "f.email": email, place: `51.5,0.1;${spam}` }
    for (const [name, value] of Object.entries(fields)) data.append(name, value)
    const encoded = new Response(data)
    await server.app.inject({
      method: "POST",
      url: path,
      remoteAddress,
      headers: { "content-type": encoded.headers.get("content-type") ?? "" },
      payload: Buffer.from(await encoded.arrayBuffer()),
    })
  }
  for (const path of [...forms, ...forms]) await ask(path, "stranger@victim.example")
  // A form that has confirmed many requests within the hour takes further ones, and writes to nobody else.
  const [used = ""] = forms
  const [form] = await sql<{ id: string }[]>`
    select id from request_forms where organization_id = ${org.id} and name = 'A'`
  for (let count = 0; count < maxPerFormAndHour; count++)
    await server.app.limiter.take(`request-confirmations:${form?.id}`, maxPerFormAndHour, 3600)
  await ask(used, "another@victim.example")
  await runJobs(server)
  const requests = (await me.expect(200).get("/task-requests")).json().data.data
  assert.ok(requests.length >= 6, "the forms were sent")
  const messages = await sql<{ body: string | null; subject: string | null; recipient: string }[]>`
    select body, subject, recipient from customer_messages where organization_id = ${org.id} and recipient <> ''`
  assert.ok(messages.length > 0 && messages.length <= 3, `${messages.length} messages to one address`)
  assert.ok(messages.every(({ recipient }) => recipient === "stranger@victim.example"))
  for (const { body, subject } of messages) assert.doesNotMatch(`${subject} ${body}`, /evil|Win at/)
})

test("templates cannot read other organizations", async (t) => {
  const server = await testApp(t)
  const [mine, other] = [await aBusiness(server), await aBusiness(server)]
  const channel = async ({ me }: typeof mine) =>
    (await me.expect(201).post("/customer-message-channel", { name: "Mail", kind: "email" })).json().data._id
  const [channelId, foreignChannel] = [await channel(mine), await channel(other)]
  const create = (more: object) =>
    mine.me.post("/customer-message-template", { channelId, event: "planned", body: "{{name}}", ...more })
  const template = (await create({})).json().data._id
  const preview = (taskId: string) =>
    mine.me.post(`/customer-message-template/${template}/preview`, { taskId })
  assert.equal((await preview(mine.task.id)).statusCode, 200)
  assert.equal((await preview(other.task.id)).statusCode, 404)
  const testSend = { taskId: other.task.id, recipient: "me@harbour.example" }
  const sent = await mine.me.post(`/customer-message-template/${template}/test`, testSend)
  assert.equal(sent.statusCode, 404)
  for (const stranger of [{ channelId: foreignChannel }, { hubId: other.hub.id }, { flowId: other.flow.id }])
    assert.ok((await create(stranger)).statusCode >= 400, JSON.stringify(stranger))
  for (const body of ["{{organization.secrets}}", "{{secret.password}}", "{{constructor}}"])
    assert.equal((await create({ body })).statusCode, 400, body)
})
