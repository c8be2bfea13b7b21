import assert from "node:assert/strict"
import { test } from "node:test"
import Fastify, { type FastifyError, type FastifyRequest } from "fastify"
import { inTransaction } from "#core/database/database.ts"
import type { AppError } from "#core/errors.ts"
import { aFlow, aHub, anOrganization, aTask } from "#samples/builders.ts"
import { type TestApp, testApp, testOrganization } from "#testing/test-app.ts"
import type { App } from "../types.ts"
import { type Admission, admissionOf, heavyBodyBytes, installAdmission } from "./admission.ts"
import type { HeavyRequests } from "./heavy-requests.ts"

/** More than the pool has connections. */
const many = 40

/** Holds a task's row, so that changes of the task wait. */
async function holdTask({ sql }: TestApp, id: string) {
  const release = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const holding = inTransaction(sql, async (tx) => {
    await tx`select from tasks where id = ${id} for update`
    held.resolve()
    await release.promise
  })
  await held.promise
  return async () => {
    release.resolve()
    await holding
  }
}

test("while an organization's requests wait for each other, another one is answered", async (t) => {
  const app = await testApp(t)
  const { sql, as } = app
  const [busy, quiet] = [await anOrganization(sql), await anOrganization(sql)]
  const task = await aTask(sql, { org: busy, hub: await aHub(sql, { org: busy }) })
  await aTask(sql, { org: quiet, hub: await aHub(sql, { org: quiet }) })
  const letGo = await holdTask(app, task.id)
  const [a, b] = [as(busy.owner), as(quiet.owner)]
  const waiting = Array.from({ length: many }, (_, index) =>
    a.patch(`/task/${task.id}`, { orderIndex: index + 1 }),
  )
  for (let round = 0; round < 3; round++) {
    const seen = await b.get("/tasks")
    assert.deepEqual([seen.statusCode, seen.json().tasks.total], [200, 1])
    assert.equal((await b.get("/data?limit=10000")).statusCode, 200)
  }
  await letGo()
  const replies = await Promise.all(waiting)
  assert.deepEqual(
    new Set(replies.map(({ statusCode }) => statusCode)),
    new Set([200]),
    "everybody waiting requests succeed",
  )
})

test("a call is given its class by its route and its size", () => {
  const requests: [Admission, Record<string, unknown>][] = [
    ["light", {}],
    ["light", { url: "/tasks?limit=50", query: { limit: 50 } }],
    ["medium", { url: "/tasks?limit=1000", query: { limit: 1000 } }],
    ["heavy", { url: "/tasks?limit=-1", query: { limit: -1 } }],
    ["heavy", { url: "/data?limit=10000", query: { limit: 10_000 } }],
    ["heavy", { url: "/data?filter[a][contains]=b", query: { "filter[a][contains]": "b" } }],
    ["heavy", { headers: { "content-length": "300000" } }],
    [
      "waiting",
      { headers: { "content-type": "multipart/form-data; boundary=x", "content-length": "300000" } },
    ],
    ["free", { routeOptions: { config: { quick: true } } }],
    ["free", { routeOptions: { config: { rateBucket: "positions" } } }],
    ["heavy", { routeOptions: { config: { admission: "heavy" } } }],
  ]
  for (const [admission, request] of requests) {
    const plain = { url: "/tasks", query: {}, headers: {} }
    const sent = { ...plain, routeOptions: { config: {} }, ...request } as FastifyRequest
    assert.equal(admissionOf(sent), admission, JSON.stringify(request))
  }
})

test("a long body is handled by the background thread whether or not its length is announced, and a short one is not", async (t) => {
  const received: (number | undefined)[] = []
  const heavy: HeavyRequests = {
    async handle({ body }) {
      received.push(body?.length)
      return { status: 202, headers: {}, body: new Uint8Array() }
    },
  }
  const app = Fastify() as unknown as App
  t.after(() => app.close())
  const caller = { organizationId: "a" }
  app.addHook("onRequest", async (request) =>
    Object.assign(request, { identified: true, isInternal: false, caller, trace: { traceparent: "" } }),
  )
  app.setErrorHandler(async (error: AppError & FastifyError, _request, reply) =>
    reply.code(error.http ?? error.statusCode).send(),
  )
  installAdmission(app, heavy)
  const bodyLimit = 4 * heavyBodyBytes
  app.post("/", { bodyLimit, config: {} as never }, async ({ body }) => JSON.stringify(body).length)
  const address = await app.listen({ port: 0 })
  const send = async (bytes: number, isStream: boolean) => {
    const text = JSON.stringify("x".repeat(bytes - 2))
    const reply = await fetch(address, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: isStream ? new Blob([text]).stream() : text,
      duplex: "half",
    } as RequestInit)
    return reply.status === 200 ? Number(await reply.text()) : reply.status
  }
  for (const isStream of [false, true]) {
    assert.deepEqual([await send(2, isStream), await send(heavyBodyBytes, isStream)], [2, heavyBodyBytes])
    assert.equal(await send(bodyLimit, isStream), 202)
    assert.equal(await send(bodyLimit + 1, isStream), 413)
  }
  assert.deepEqual(received, [bodyLimit, bodyLimit])
})

test("a long list is the same as its pages", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const flow = await aFlow(sql, { org })
  for (let index = 0; index < 450; index++)
    await aTask(sql, { org, hub, flow, title: `"data":[] ${index}`, values: { siteName: "é\u2028" } })
  const owner = as(org.owner)
  const whole = await owner.get("/tasks?limit=450&sortBy=orderIndex")
  assert.equal(whole.headers["content-type"], "application/json; charset=utf-8")
  const pages = await Promise.all(
    [1, 2, 3].map((page) => owner.get(`/tasks?limit=150&page=${page}&sortBy=orderIndex`)),
  )
  const { data, ...page } = whole.json().tasks
  assert.deepEqual(
    data,
    pages.flatMap((reply) => reply.json().tasks.data),
  )
  assert.deepEqual([page.total, page.per_page, page.to, data.length], [450, 450, 450, 450])
  assert.equal(whole.json().metadata.sourceDataTask, "-")
})
