import assert from "node:assert/strict"
import { readFile } from "node:fs/promises"
import { test } from "node:test"
import { aFlow, aHub, aUser } from "#samples/builders.ts"
import { testOrganization } from "#testing/test-app.ts"
import { refusal } from "../fixtures/companies.ts"

const [page0, page1] = [
  [
    { id: "receiver", component: "input", type: "String", title: "Receiver", showAs: "title" },
    { id: "cash", component: "input", type: "Numeric" },
    { id: "due", component: "input", type: "Datetime" },
    { id: "floor", component: "input", type: "String" },
    { id: "phone", component: "input", type: "PhoneNumber", workerCanEdit: true },
    { id: "place", component: "input", type: "Geolocation", title: "Place", useGeoLock: true, radius: 100 },
  ],
  [
    { id: "load", component: "input", type: "Numeric", title: "Load", useUnit: true, units: ["kg", "g"] },
    { id: "proof", component: "photo", title: "Proof", watermark: true },
  ],
]
const pages = [
  { id: "page0", components: page0 },
  { id: "page1", components: page1 },
]
const planned = {
  receiver: "Mrs. Bauer",
  cash: "250",
  due: "2031-05-04 10:00:00",
  phone: "+31 6 1234567",
  place: "52.1,4.3",
}

async function aStop(t: import("node:test").TestContext, configurations: object[] = []) {
  const { sql, as, clock, app, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const flow = await aFlow(sql, { org, pages, configurations })
  const worker = await aUser(sql, { org, hubs: [hub], permissions: ["view/task", "do/task"] })
  const stop = async () => {
    const body = { flow: flow.name, hubId: hub.id, assignee: [worker.email], ...planned }
    return `/task/${(await as(org.owner).post("/task", body)).json().task._id}`
  }
  return { sql, as, clock, app, org, hub, flow, worker, stop }
}

test("a worker fills in what is empty and changes what is open; the rest is kept, with what was sent", async (t) => {
  const { as, org, hub, flow, worker, stop } = await aStop(t)
  const path = await stop()
  const sent = {
    ...{ receiver: "Eva", cash: 2.5, due: "2031-05-04T10:00:00Z", place: "48.1, 11.5" },
    ...{ floor: "3", phone: "0612345678" },
  }
  const changed = (await as(worker).patch(path, sent)).json()
  const { receiver, cash, place, floor, phone, title, histories } = changed.task
  assert.deepEqual(
    [receiver, title, cash, place, floor, phone],
    ["Mrs. Bauer", "Mrs. Bauer", "250", "52.1,4.3", "3", "0612345678"],
  )
  assert.equal(changed.warnings.length, 3, changed.warnings)
  assert.deepEqual(histories.at(-1).details, {
    notApplied: { receiver: "Eva", cash: 2.5, place: "48.1, 11.5" },
  })
  const same = { receiver: "Mrs. Bauer", cash: 250, due: "2031-05-04T10:00:00+00:00", place: "52.1, 4.3" }
  assert.equal((await as(worker).patch(path, same)).json().warnings, undefined)
  const replaced = await as(worker).put(path, { flow: flow.name, hubId: hub.id, receiver: "", floor: "4" })
  assert.deepEqual([replaced.json().task.receiver, replaced.json().task.floor], ["Mrs. Bauer", "3"])
  assert.equal((await as(org.owner).patch(path, { receiver: "Eva" })).json().task.receiver, "Eva")
})

test("a finish outside a lock, with an old fix or none, is stored, explained, listed, and accepted once", async (t) => {
  const { as, clock, app, org, worker, stop } = await aStop(t)
  const old = clock.now().subtract({ minutes: 30 }).toString()
  const photo = app.links.plain(`${org.id}/2031/05/04/1_proof.jpg`)
  const near = { doneCoordinate: "52.1005,4.3", load_unit: "kg" }
  for (const [sent, expected] of [
    [{ ...near, doneAccuracy: 12, doneCoordinateTime: clock.now().toString() }, undefined],
    [
      { ...near, doneCoordinate: "52.4,4.3", doneAccuracy: 5000 },
      /33.4 km from Place.*100 m.*accurate to 5.0 km/,
    ],
    [{ ...near, doneCoordinate: "52.1015,4.3", doneAccuracy: 80 }, undefined],
    [{ ...near, doneCoordinateTime: old }, /old position.*30 minutes old/],
    [{ load_unit: "g", proof_0_url: photo }, /without a position.*\n.*watermark/],
    [{ ...near, load_unit: undefined }, /Load has no unit/],
  ] as const) {
    const done = (await as(worker).patch(await stop(), { status: "DONE", load: 3, ...sent })).json()
    assert.equal(done.task.status, "DONE")
    assert.equal(done.task.needsReview, expected && true, JSON.stringify(sent))
    if (expected) assert.match(done.task.reviewReasons.join("\n"), expected)
  }
  const open = (await as(org.owner).get("/tasks?needsReview=true")).json().tasks.data
  assert.equal(open.length, 4)
  const review = `/task-reviews/${open[0]._id}`
  assert.equal((await as(worker).put(review, {})).statusCode, 403)
  const accepted = await as(org.owner).put(review, { note: "Gate was closed" })
  const { needsReview, reviewedBy, reviewNote } = accepted.json().task
  assert.deepEqual([needsReview, reviewedBy, reviewNote], [false, org.owner.email, "Gate was closed"])
  assert.equal((await as(org.owner).put(review)).statusCode, 200)
  const { histories } = (await as(org.owner).get(`/task/${open[0]._id}`)).json().task
  const last = histories.at(-1)
  assert.deepEqual([last.action, last.details.reviewNote, histories.length], ["review", "Gate was closed", 3])
  assert.equal((await as(org.owner).get("/tasks?needsReview=true")).json().tasks.total, 3)
})

test("where the flow rejects, a worker outside the lock is refused, and a supervisor is not", async (t) => {
  const { as, org, worker, stop } = await aStop(t, [{ id: "geoLock", outside: "reject" }])
  const path = await stop()
  const far = { status: "DONE", doneCoordinate: "52.4,4.3" }
  const refused = await as(worker).patch(path, far)
  assert.deepEqual(refusal(refused), { status: 400, code: "task-032" })
  assert.match(refused.json().message, /33.4 km from Place/)
  const own = await as(worker).patch(path, { ...far, place: "52.4,4.3" })
  assert.equal(own.statusCode, 400, "nobody moves the lock")
  const done = await as(org.owner).patch(path, far)
  assert.equal(done.json().task.needsReview, true)
  assert.match(done.json().task.histories.at(-1).details.reviewReasons[0], /33.4 km/)
})

test("a failed stop gets one next attempt: the worker's where the flow asks, the planner's later", async (t) => {
  const list = [{ outcome: "failed", nextAttempt: "ask", nextAttemptHours: 24 }]
  const { as, org, worker, stop } = await aStop(t, [{ id: "outcomes", list }])
  const path = await stop()
  const near = { doneCoordinate: "52.1,4.3" }
  const failed = (
    await as(worker).patch(path, { ...near, status: "DONE", outcome: "failed", nextAttempt: true })
  ).json().task
  const next = (await as(org.owner).get(`/task/${failed.nextTaskId}`)).json().task
  assert.deepEqual(
    [next.previousTaskId, next.attempt, next.status, next.receiver, next.place],
    [failed._id, 2, "UNASSIGNED", planned.receiver, planned.place],
  )
  assert.equal(Date.parse(next.startTime) - Date.parse(failed.startTime), 86_400_000)
  const returned = await stop()
  const plain = { ...near, status: "DONE", outcome: "returned", nextAttempt: true }
  assert.match((await as(worker).patch(returned, plain)).json().warnings[0], /lets no worker/)
  const attempts = returned.replace("/task/", "/task-attempts/")
  const calls = await Promise.all([as(org.owner).post(attempts), as(org.owner).post(attempts, {})])
  assert.deepEqual(calls.map(({ statusCode }) => statusCode).sort(), [200, 201])
  assert.equal(calls[0]?.json().task._id, calls[1]?.json().task._id)
  assert.equal((await as(worker).post(attempts)).statusCode, 403)
})

test("the upgrade opens inputs of the first page that field users changed", async (t) => {
  const { sql, as, org, flow, worker, stop } = await aStop(t)
  const path = await stop()
  await as(worker).patch(path, { floor: "3" })
  await sql`update users set name = 'Eva' where email = ${worker.email}`
  await as(org.owner).patch(path, { cash: 100 })
  // As it was before: what a worker sent was applied.
  const id = path.replace("/task/", "")
  await sql`update task_histories set notes = 'patched by Eva', change_data = change_data || '{"updatedBy": "x", "receiver": "Mr. Old", "cash": "250"}'
    where task_id = ${id} and change_data->>'floor' is null and action = 'patch'`
  const migration = await readFile(
    new URL("../../../../../db/migrations/0951-worker-edits.sql", import.meta.url),
    "utf8",
  )
  await sql.unsafe(migration)
  await sql.unsafe(migration)
  const [row] = await sql<{ ids: string[]; version: number }[]>`
    select version, (select array_agg(c->>'id' order by c->>'id') from jsonb_array_elements(pages->0->'components') c
      where c->'workerCanEdit' = 'true') as ids from flows where id = ${flow.id}`
  assert.deepEqual(row, { ids: ["phone", "receiver"], version: 2 })
})
