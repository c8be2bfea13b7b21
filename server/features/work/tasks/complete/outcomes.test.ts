import assert from "node:assert/strict"
import { test } from "node:test"
import type { Pool } from "#core/database/database.ts"
import { aFlow, aHub, anOrganization, aTask, aUser } from "#samples/builders.ts"
import { testApp } from "#testing/test-app.ts"
import { refusal } from "../fixtures/companies.ts"

const pages = [
  { id: "page0", components: [{ id: "siteName", component: "input", type: "String", showAs: "title" }] },
  {
    id: "page1",
    components: [
      { id: "signature", component: "input", type: "String", required: true },
      { id: "door", component: "input", type: "String" },
    ],
  },
]

const outcomes = {
  id: "outcomes",
  list: [
    { outcome: "failed", reasons: ["Nobody home", "Refused"], reasonRequired: true, required: ["door"] },
    { outcome: "skipped", reasons: ["Road closed"] },
  ],
}

async function aDay(sql: Pool, configurations: object[] = [outcomes]) {
  const org = await anOrganization(sql)
  const hub = await aHub(sql, { org })
  const flow = await aFlow(sql, { org, pages, configurations })
  const worker = await aUser(sql, { org, hubs: [hub], permissions: ["view/task", "do/task"] })
  const stop = (times: object = {}) => aTask(sql, { org, hub, flow, assignee: [worker], ...times })
  return { org, hub, flow, worker, stop }
}

test("a stop is arrived at, failed for a reason of the flow with its proof, and left", async (t) => {
  const { sql, as } = await testApp(t)
  const { org, worker, stop } = await aDay(sql)
  const { id } = await stop()
  const change = (patch: object) => as(worker).patch(`/task/${id}`, patch)
  const arrived = await change({ arrivedTime: "2031-05-04 08:00:00" })
  assert.equal(arrived.json().task.arrivedTime, "2031-05-04T08:00:00+00:00")
  for (const patch of [
    { outcome: "failed" },
    { status: "DONE", outcome: "lost" },
    { status: "DONE", outcome: "failed", door: "12" },
    { status: "DONE", outcome: "failed", outcomeReason: "Tired", door: "12" },
    { status: "DONE", outcome: "failed", outcomeReason: "Refused" },
    { status: "DONE" },
  ])
    assert.deepEqual(refusal(await change(patch)), { status: 400, code: "task-032" }, JSON.stringify(patch))
  const failed = await change({ status: "DONE", outcome: "failed", outcomeReason: "Refused", door: "12" })
  assert.equal(failed.statusCode, 200, failed.body)
  const { status, outcome, outcomeReason } = failed.json().task
  assert.deepEqual([status, outcome, outcomeReason], ["DONE", "failed", "Refused"])
  assert.equal((await change({ leftTime: "2031-05-04 08:09:00" })).statusCode, 200)
  assert.deepEqual(refusal(await change({ leftTime: "2031-05-04 08:10:00" })), {
    status: 400,
    code: "task-032",
  })
  const events = await sql<{ event: string }[]>`
    select event from domain_events where organization_id = ${org.id} order by number`
  assert.deepEqual(
    events.map(({ event }) => event),
    ["onTaskArrived", "onTaskUpdated", "onTaskFinished", "onTaskFailed", "onTaskLeft", "onTaskUpdated"],
  )
})

test("tasks are listed by outcome; those finished without one are done, and skipped ones stay open", async (t) => {
  const { sql, as } = await testApp(t)
  const { worker, stop, org, hub, flow } = await aDay(sql)
  const [done, partial, skipped] = [await stop(), await stop(), await stop()]
  await aTask(sql, { org, hub, flow, assignee: [worker] })
  await as(worker).patch(`/task/${done.id}`, { status: "DONE", signature: "E" })
  await as(worker).patch(`/task/${partial.id}`, { status: "DONE", outcome: "Partial" })
  const both = await as(worker).patch(`/task/${skipped.id}`, { status: "DONE", outcome: "skipped" })
  assert.match(both.json().warnings[0], /stays open/)
  const listed = async (query: string) =>
    (await as(worker).get(`/tasks?${query}`)).json().tasks.data.map(({ _id }: { _id: string }) => _id)
  assert.deepEqual(await listed("outcome=done"), [done.id])
  assert.deepEqual(await listed("outcome=partial,skipped&sortOrder=asc"), [partial.id, skipped.id])
  assert.equal((await as(worker).get("/tasks?outcome=lost")).statusCode, 400)
  const rows = (await as(worker).get("/tasks?fields=outcome,status&sortBy=outcome&sortOrder=asc")).json()
    .tasks.data
  assert.deepEqual(
    rows.map(({ status, outcome }: Record<string, unknown>) => [status, outcome]),
    [
      ["DONE", "done"],
      ["DONE", "partial"],
      ["ONGOING", "skipped"],
      ["ONGOING", undefined],
    ],
  )
  const again = await as(worker).patch(`/task/${skipped.id}`, { status: "DONE", signature: "E" })
  assert.equal(again.json().task.outcome, "done")
})

test("late work is listed as active, finished, and marked with its reason", async (t) => {
  const { sql, as, clock } = await testApp(t)
  const reasons = [{ id: "late", reasonRequired: true, reasons: ["Traffic"] }]
  const { worker, stop } = await aDay(sql, reasons)
  const now = clock.now()
  const past = { startTime: now.subtract({ hours: 9 }), endTime: now.subtract({ hours: 1 }) }
  const [late, sentLate] = [await stop(past), await stop(past)]
  const [kept, keptWithout] = [await stop(past), await stop(past)]
  const active = await as(worker).get("/tasks?active=true")
  assert.equal(active.json().tasks.total, 4)
  const finish = (id: string, more: object) =>
    as(worker).patch(`/task/${id}`, { status: "DONE", signature: "E", ...more })
  assert.match((await finish(late.id, {})).json().message, /lateReason is required.*Traffic/)
  const unlisted = await finish(late.id, { lateReason: "Fog" })
  assert.deepEqual(
    [unlisted.statusCode, unlisted.json().message],
    [400, "lateReason is not a reason of this flow. Choose from: Traffic"],
  )
  const { isLate, lateReason } = (await finish(late.id, { lateReason: "Traffic" })).json().task
  assert.deepEqual([isLate, lateReason], [true, "Traffic"])
  const inTime = await finish(sentLate.id, { doneTime: now.subtract({ hours: 2 }).toString() })
  assert.equal(inTime.json().task.isLate, undefined, inTime.body)
  // A phone without a network sends it later: it is stored, and a supervisor looks at it.
  const doneTime = now.subtract({ minutes: 30 }).toString()
  const stored = (await finish(kept.id, { doneTime, lateReason: "Fog" })).json()
  assert.deepEqual([stored.task.lateReason, stored.task.needsReview], ["Fog", true])
  assert.deepEqual(stored.warnings, [
    "Marked for review. Finished late for a reason that the flow does not list: Fog",
  ])
  const without = (await finish(keptWithout.id, { doneTime })).json()
  assert.deepEqual(without.task.reviewReasons, ["Finished late without a reason"])
  assert.equal((await as(worker).get("/tasks?isLate=true")).json().tasks.total, 3)
  assert.equal((await as(worker).get("/tasks?active=true")).json().tasks.total, 0)
})

test("an older flow's component keeps the key of an outcome; new flows cannot use it", async (t) => {
  const { sql, as } = await testApp(t)
  const own = [{ id: "page0", components: [{ id: "outcome", component: "input", type: "String" }] }]
  const org = await anOrganization(sql)
  const hub = await aHub(sql, { org })
  const flow = await aFlow(sql, { org, pages: own })
  const created = await as(org.owner).post("/task", {
    flow: flow.name,
    hubId: hub.id,
    assignee: [org.owner.email],
    outcome: "wet",
  })
  const path = `/task/${created.json().task._id}`
  const done = await as(org.owner).patch(path, { status: "DONE", outcome: "dry", _outcome: "returned" })
  const { outcome, _outcome } = done.json().task
  assert.deepEqual([outcome, _outcome], ["dry", "returned"])
  assert.equal((await as(org.owner).get("/tasks?outcome=returned")).json().tasks.total, 1)
  await as(org.owner).expect(200).put(`/flow/${flow.id}`, { name: "Kept", pages: own })
  for (const id of ["outcome", "isLate", "lateReason", "priority", "tags", "arrivedTime"]) {
    const refused = await as(org.owner).post("/flow", {
      name: "New",
      pages: [{ id: "page0", components: [{ id, component: "input", type: "String" }] }],
    })
    assert.deepEqual(refusal(refused), { status: 400, code: "flow-039" }, id)
  }
})
