import assert from "node:assert/strict"
import { test } from "node:test"
import { findCaller, toCaller } from "#core/access/caller.ts"
import { hashToken } from "#core/access/token.ts"
import { inTransaction } from "#core/database/database.ts"
import { aFlow, aHub, anOrganization, aTask, aUser } from "#samples/builders.ts"
import { testApp, tokenOf } from "#testing/test-app.ts"
import { restoreUntouchedTasks, snapshotTasks } from "../remove/take-back.ts"

async function aPlace() {
  const server = await testApp()
  const org = await anOrganization(server.sql)
  const [flow, hub, other] = [
    await aFlow(server.sql, { org }),
    await aHub(server.sql, { org }),
    await aHub(server.sql, { org }),
  ]
  const owner = server.as(org.owner)
  const order = (refId: string, more: object = {}) => ({
    ...{ refId, flow: flow.name, hubId: hub.id, siteName: "Mill" },
    ...more,
  })
  const withRef = async (refId: string) => (await owner.get(`/tasks?refId=${refId}`)).json().tasks.data
  const setUnique = (uniqueRefId: boolean) =>
    owner.put(`/organization/${org.id}`, { configuration: { uniqueRefId } })
  return { server, org, flow, hub, other, owner, order, withRef, setUnique }
}

test("a first call creates the task, the next ones change it and leave absent keys as they are", async () => {
  const { owner, order, withRef } = await aPlace()
  const created = await owner.expect(200).put("/tasks/upsert", order("A-1", { note: "gate" }))
  assert.equal(created.json().event, "create")
  assert.ok(created.headers.etag)
  const updated = await owner.put("/tasks/upsert", { refId: "A-1", siteName: "Barn" })
  assert.equal(updated.json().event, "update")
  const { task } = updated.json()
  assert.deepEqual([task._id, task.siteName], [created.json().task._id, "Barn"])
  assert.equal(task.startTime, created.json().task.startTime)
  const listed: { _id: string }[] = await withRef("A-1,Z-9")
  assert.deepEqual(
    listed.map(({ _id }) => _id),
    [task._id],
  )
  assert.equal((await withRef("Z-9")).length, 0)
  await owner.expect(412).put("/tasks/upsert", { refId: "A-1" }, { "if-match": String(created.headers.etag) })
})

test("fifty calls with one refId at once create exactly one task", async () => {
  const { owner, order, withRef } = await aPlace()
  /** As clients do: 503 on a busy machine is repeated. */
  const upsert = async (siteName: string): Promise<Awaited<ReturnType<typeof owner.put>>> => {
    const reply = await owner.put("/tasks/upsert", order("A-1", { siteName }))
    return reply.statusCode === 503 ? upsert(siteName) : reply
  }
  const replies = await Promise.all(Array.from({ length: 50 }, (_, index) => upsert(`Call ${index}`)))
  assert.deepEqual([...new Set(replies.map(({ statusCode }) => statusCode))], [200])
  const events = replies.map((reply) => reply.json().event)
  assert.equal(events.filter((event) => event === "create").length, 1)
  assert.equal((await withRef("A-1")).length, 1)
})

test("a bulk call returns a result per entry, and an entry may repeat the refId of an earlier one", async () => {
  const { owner, order, withRef } = await aPlace()
  await owner.put("/tasks/upsert", order("A-1"))
  const reply = await owner.expect(200).put("/tasks/bulk/upsert", {
    tasks: [
      order("A-1", { siteName: "One" }),
      order("A-2"),
      { refId: "A-3", siteName: "Nowhere" },
      { siteName: "No key" },
      { refId: "A-2", siteName: "Two" },
    ],
  })
  const { success, failed, tasks } = reply.json()
  assert.deepEqual([success, failed], [3, 2])
  assert.deepEqual(
    tasks.map((entry: { event?: string; refId?: string; failedCode?: string }) => [
      entry.event,
      entry.refId,
      entry.failedCode,
    ]),
    [
      ["update", "A-1", undefined],
      ["create", "A-2", undefined],
      [undefined, "A-3", "task-001"],
      [undefined, undefined, "task-001"],
      ["update", "A-2", undefined],
    ],
  )
  const [second] = await withRef("A-2")
  assert.equal(second.siteName, "Two")
})

test("a repeated call with an Idempotency-Key gets the first response, a new one finds the task", async () => {
  const { owner, order, withRef } = await aPlace()
  const key = { "idempotency-key": "order-1" }
  const [first, second] = await Promise.all([
    owner.put("/tasks/upsert", order("A-1"), key),
    owner.put("/tasks/upsert", order("A-1"), key),
  ])
  assert.deepEqual(
    [first.json(), second.json()].map(({ event }) => event),
    ["create", "create"],
  )
  assert.equal(first.json().task._id, second.json().task._id)
  assert.equal(first.headers.etag, second.headers.etag)
  assert.equal([first, second].filter(({ headers }) => headers["idempotency-replayed"] === "true").length, 1)
  assert.equal((await owner.put("/tasks/upsert", order("A-1"))).json().event, "update")
  assert.equal((await withRef("A-1")).length, 1)
})

test("a refId of spaces is refused, so that rows with blank cells are not merged into one task", async () => {
  const { owner, order } = await aPlace()
  await owner.expect(400).put("/tasks/upsert", order("  "))
  const { success, failed } = (
    await owner.put("/tasks/bulk/upsert", { tasks: [order(" "), order("A-1")] })
  ).json()
  assert.deepEqual([success, failed], [1, 1])
})

test("finished tasks and several matches are refused with task-032", async () => {
  const { server, org, hub, owner, order } = await aPlace()
  await aTask(server.sql, { org, hub, refId: "done", status: "DONE" })
  for (const _ of [1, 2]) await aTask(server.sql, { org, hub, refId: "twice" })
  for (const refId of ["done", "twice"]) {
    const reply = await owner.put("/tasks/upsert", order(refId))
    assert.deepEqual([reply.statusCode, reply.json().failedCode], [400, "task-032"], refId)
  }
})

test("creating needs add/task, updating edit/task; other hubs' tasks are not revealed", async () => {
  const { server, org, hub, other, owner, order, withRef } = await aPlace()
  const adder = server.as(
    await aUser(server.sql, { org, hubs: [hub], permissions: ["add/task", "view/task"] }),
  )
  const editor = server.as(await aUser(server.sql, { org, hubs: [hub], permissions: ["edit/task"] }))
  assert.equal((await adder.put("/tasks/upsert", order("A-1"))).json().event, "create")
  assert.equal((await adder.put("/tasks/upsert", order("A-1"))).statusCode, 403)
  assert.equal((await editor.put("/tasks/upsert", order("A-1", { siteName: "Barn" }))).json().event, "update")
  assert.equal((await editor.put("/tasks/upsert", order("A-2"))).statusCode, 403)
  await owner.put("/tasks/upsert", order("A-3", { hubId: other.id }))
  const hidden = await adder.put("/tasks/upsert", order("A-3"))
  assert.equal(hidden.json().event, "create")
  assert.equal((await withRef("A-3")).length, 2)
  assert.equal((await adder.get("/tasks?refId=A-3")).json().tasks.data.length, 1)
})

test("an organization can require unique references: checked when switched on, then kept", async () => {
  const { server, org, hub, owner, order, setUnique } = await aPlace()
  const twins = [
    await aTask(server.sql, { org, hub, refId: "A-1" }),
    await aTask(server.sql, { org, hub, refId: "A-1" }),
  ]
  const refused = await setUnique(true)
  assert.deepEqual([refused.statusCode, refused.json().failedCode], [400, "org-032"])
  assert.match(refused.json().message, /A-1/)
  await owner.patch(`/task/${twins[0]?.id}`, { refId: "A-0" })
  assert.equal((await setUnique(true)).statusCode, 200)
  const made = await owner.post("/task", order("A-1"))
  assert.deepEqual([made.statusCode, made.json().failedCode], [409, "task-031"])
  await owner.expect(409).patch(`/task/${twins[0]?.id}`, { refId: "A-1" })
  await owner.expect(200).patch(`/task/${twins[0]?.id}`, { refId: "A-0", siteName: "Barn" })
  const bulk = (await owner.post("/tasks/bulk", { tasks: [order("B-1"), order("B-1")] })).json()
  assert.deepEqual([bulk.success, bulk.failed], [1, 1])
  const many = await Promise.all(Array.from({ length: 10 }, () => owner.post("/task", order("C-1"))))
  assert.equal(many.filter(({ statusCode }) => statusCode === 201).length, 1)
  await setUnique(false)
  assert.equal((await owner.post("/task", order("A-1"))).statusCode, 201)
})

test("a hub comes back only when its references are still free, else nothing of it does", async () => {
  const { owner, org, server, flow, order, setUnique } = await aPlace()
  const gone = await aHub(server.sql, { org })
  const task = await aTask(server.sql, { org, hub: gone, flow, refId: "A-1" })
  await aTask(server.sql, { org, hub: gone, flow, refId: "A-2" })
  assert.equal((await owner.delete(`/hub/${gone.id}`)).statusCode, 200)
  const made = await owner.expect(201).post("/task", order("A-1"))
  assert.equal((await setUnique(true)).statusCode, 200)
  const entries = (await owner.get("/trash")).json().data as { _id: string; sourceId: string }[]
  const entry = entries.find(({ sourceId }) => sourceId === gone.id)
  assert.ok(entry)
  const refused = await owner.post(`/trash/${entry._id}/restore`)
  assert.deepEqual([refused.statusCode, refused.json().failedCode], [409, "trash-031"])
  assert.match(refused.json().message, /A-1/)
  assert.equal((await owner.get(`/hub/${gone.id}`)).statusCode, 404)
  assert.equal((await owner.get(`/task/${task.id}`)).statusCode, 404)
  assert.equal((await owner.delete(`/task/${made.json().task._id}`)).statusCode, 200)
  await owner.expect(200).post(`/trash/${entry._id}/restore`)
  assert.equal((await owner.get(`/task/${task.id}`)).json().task.refId, "A-1")
})

test("what is taken back must not repeat a reference that became another task's", async () => {
  const { owner, org, server, order, setUnique } = await aPlace()
  const { sql } = server
  const first = (await owner.post("/task", order("A-1"))).json().task
  const row = await findCaller(sql, org.id, hashToken(await tokenOf(sql, org.owner)))
  assert.ok(row)
  const caller = toCaller(row)
  const before = await inTransaction(sql, (tx) => snapshotTasks(tx, caller, [first._id]))
  assert.equal((await owner.patch(`/task/${first._id}`, { refId: "A-2" })).statusCode, 200)
  assert.equal((await owner.post("/task", order("A-1"))).statusCode, 201)
  assert.equal((await setUnique(true)).statusCode, 200)
  const [{ at }] = (await sql`select updated_time as at from tasks where id = ${first._id}`) as [
    { at: Temporal.Instant },
  ]
  const context = { now: at, live: server.app.live }
  const undo = inTransaction(sql, (tx) => restoreUntouchedTasks(tx, caller, before, at, context))
  await assert.rejects(undo, /refId A-1 belongs to another task/)
  assert.equal((await owner.get(`/task/${first._id}`)).json().task.refId, "A-2")
})
