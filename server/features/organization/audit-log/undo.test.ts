import assert from "node:assert/strict"
import { test } from "node:test"
import { aHub, aTask, aUser } from "#samples/builders.ts"
import { type Calls, testOrganization } from "#testing/test-app.ts"

interface Action {
  _id: string
  operation: string
  partCount: number
  isUndoable: boolean
  undoneBy: string | null
}

async function newest(calls: Calls, operation: string): Promise<Action> {
  const { data } = (await calls.expect(200).get("/actions")).json() as { data: Action[] }
  const action = data.find((one) => one.operation === operation)
  assert.ok(action, `no action ${operation}`)
  return action
}

const undo = async (calls: Calls, { _id }: Action) =>
  (await calls.expect(200).post(`/action/${_id}/undo`)).json().data as {
    done: number
    leftAlone: { objectId: string; reason: string }[]
  }

test("a mass action is undone, except for what was changed since; the undo can be undone", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const worker = await aUser(sql, { org, hubs: [hub], role: "field user" })
  const tasks = [
    await aTask(sql, { org, hub }),
    await aTask(sql, { org, hub }),
    await aTask(sql, { org, hub }),
  ]
  const owner = as(org.owner)
  const assignees = async () =>
    Promise.all(tasks.map(async ({ id }) => (await owner.get(`/task/${id}`)).json().task.assignee.length))
  await owner.expect(200).put("/tasks/bulk/assign", {
    tasks: tasks.map(({ id }) => ({ _id: id, assignee: [worker.email] })),
  })
  const assigned = await newest(owner, "assignTasks")
  assert.deepEqual([assigned.partCount, assigned.isUndoable], [3, true])
  await owner.expect(200).patch(`/task/${tasks[2]?.id}`, { orderIndex: 7 })
  const first = await undo(owner, assigned)
  assert.equal(first.done, 2)
  assert.deepEqual(
    first.leftAlone.map(({ objectId }) => objectId),
    [tasks[2]?.id],
  )
  assert.deepEqual(await assignees(), [0, 0, 1])
  const undone = await newest(owner, "undoAction")
  assert.equal((await newest(owner, "assignTasks")).undoneBy, undone._id)
  assert.equal((await undo(owner, undone)).done, 2)
  assert.deepEqual(await assignees(), [1, 1, 1])
  await owner.expect(200).patch("/tasks/bulk", {
    tasks: tasks.map(({ id }, index) => ({ _id: id, assignee: [], orderIndex: index + 1 })),
  })
  const placed = await newest(owner, "patchTasks")
  assert.equal((await undo(owner, placed)).done, 3)
  assert.deepEqual(await assignees(), [1, 1, 1])
  assert.equal((await newest(owner, "undoAction")).partCount, 3, "each task was written once")
})

test("one action after the other is undone, the newest first, also where they changed the same objects", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const [one, other] = [
    await aUser(sql, { org, hubs: [hub], role: "field user" }),
    await aUser(sql, { org, hubs: [hub], role: "field user" }),
  ]
  const { id } = await aTask(sql, { org, hub })
  const owner = as(org.owner)
  const assign = async (email: string) => {
    await owner.expect(200).put("/tasks/bulk/assign", { tasks: [{ _id: id, assignee: [email] }] })
    return newest(owner, "assignTasks")
  }
  const assignee = async () => (await owner.get(`/task/${id}`)).json().task.assignee
  const first = await assign(one.email)
  const second = await assign(other.email)
  assert.equal((await undo(owner, first)).leftAlone.length, 1, "the second assignment stands")
  assert.equal((await undo(owner, second)).done, 1)
  assert.deepEqual(await assignee(), [one.email])
  const back = await newest(owner, "undoAction")
  assert.deepEqual(await undo(owner, first), { done: 1, leftAlone: [], next: null })
  assert.deepEqual(await assignee(), [])
  assert.equal(
    (await undo(owner, await newest(owner, "undoAction"))).done,
    1,
    "undone is what undid the first",
  )
  assert.equal((await undo(owner, back)).done, 1, "and what undid the second")
  assert.deepEqual(await assignee(), [other.email])
  assert.equal((await undo(owner, first)).leftAlone.length, 1, "the second assignment stands again")
})

test("deleting, making and editing are undone by the person who did it, with their own rights", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const permissions = [
    "view/task",
    "add/task",
    "edit/task",
    "delete/task",
    "view/vehicle",
    "edit/vehicle",
  ] as const
  const planner = await aUser(sql, { org, hubs: [hub], permissions })
  const other = await aUser(sql, { org, hubs: [hub], permissions })
  const calls = as(planner)
  const task = await aTask(sql, { org, hub })
  await calls.expect(200).delete(`/task/${task.id}`)
  const deleted = await newest(calls, "deleteTask")
  assert.equal((await as(other).post(`/action/${deleted._id}/undo`)).statusCode, 404)
  assert.deepEqual(await undo(calls, deleted), { done: 1, leftAlone: [], next: null })
  assert.equal((await calls.get(`/task/${task.id}`)).statusCode, 200)
  const body = { hubId: hub.id, name: "Van", speed: 30 }
  const { _id: vanId } = (await as(org.owner).expect(200).post("/vehicle", body)).json().data
  await calls.expect(200).patch(`/vehicle/${vanId}`, { name: "Truck", tags: ["cold"] })
  const made = await newest(as(org.owner), "createVehicle")
  const refused = await undo(as(org.owner), made)
  assert.deepEqual([refused.done, refused.leftAlone[0]?.reason], [0, "It has been changed since"])
  assert.equal((await undo(calls, await newest(calls, "patchVehicle"))).done, 1)
  const van = (await calls.get(`/vehicle/${vanId}`)).json().data
  assert.deepEqual([van.name, van.tags], ["Van", []])
  const history = (await as(other).expect(200).get(`/history?objectType=vehicle&objectId=${vanId}`)).json()
    .data
  assert.deepEqual(
    history.map(({ operation, actor }: Record<string, unknown>) => [operation, actor]),
    [
      ["undoAction", planner.email],
      ["patchVehicle", planner.email],
      ["createVehicle", org.owner.email],
    ],
  )
  assert.deepEqual(history[1].changes, [
    { field: "name", before: "Van", after: "Truck" },
    { field: "tags", before: [], after: ["cold"] },
  ])
  const far = await aUser(sql, { org, hubs: [await aHub(sql, { org })], permissions })
  assert.deepEqual((await as(far).get(`/history?objectType=vehicle&objectId=${vanId}`)).json().data, [])
})

test("a deleted person comes back with their hubs and tasks", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const worker = await aUser(sql, { org, hubs: [hub], permissions: ["do/task"] })
  const task = await aTask(sql, { org, hub, assignee: [worker] })
  const owner = as(org.owner)
  await owner.expect(200).delete(`/user/${worker.id}`)
  const read = async () => (await owner.get(`/task/${task.id}`)).json().task.assignee
  assert.deepEqual(await read(), [])
  const undone = await undo(owner, await newest(owner, "deleteUser"))
  assert.deepEqual([undone.done, undone.leftAlone], [2, []])
  assert.deepEqual((await owner.get(`/user/${worker.id}`)).json().data.hubId, [hub.id])
  assert.deepEqual(await read(), [worker.email])
})

test("everything that one action deleted is found in the trash and restored together", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const tasks = [await aTask(sql, { org, hub }), await aTask(sql, { org, hub })]
  const owner = as(org.owner)
  await owner.expect(200).delete(`/task/${(await aTask(sql, { org, hub })).id}`)
  await owner.expect(200).delete("/tasks/bulk", { tasks: tasks.map(({ id }) => ({ _id: id })) })
  const { _id: actionId } = await newest(owner, "deleteTasks")
  const found = (await owner.get(`/trash?actionId=${actionId}`)).json()
  assert.equal(found.total, 2)
  const trashIds = found.data.map(({ _id }: { _id: string }) => _id)
  const restored = (
    await owner.expect(200).post("/trash/restore", { trashIds: [...trashIds, "0".repeat(24)] })
  ).json()
  assert.deepEqual([restored.success, restored.failed], [2, 1])
  for (const { id } of tasks) assert.equal((await owner.get(`/task/${id}`)).statusCode, 200)
  const undone = await undo(owner, await newest(owner, "restoreTrashEntries"))
  assert.equal(undone.done, 2)
  assert.equal((await owner.get("/trash")).json().total, 3)
  assert.equal((await undo(owner, await newest(owner, "undoAction"))).done, 2, "the undo is undone")
  const entries = await sql<{ operation: string; parts: number }[]>`
    select operation, (select count(*)::int from audit_parts part
      where part.organization_id = entry.organization_id and part.entry_id = entry.id) as parts
    from audit_log entry where organization_id = ${org.id} and operation in ('restoreTrashEntries', 'undoAction')
    order by number`
  assert.deepEqual(
    entries.map(({ operation, parts }) => [operation, parts]),
    [
      ["restoreTrashEntries", 2],
      ["undoAction", 2],
      ["undoAction", 2],
    ],
    "a mass action is one entry with its parts",
  )
})

test("an undo is refused where it is not the caller's, too late, or no longer allowed, and happens once", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const other = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const planner = await aUser(sql, {
    org,
    hubs: [hub],
    permissions: ["view/task", "add/task", "delete/task"],
  })
  const ids: string[] = []
  for (let count = 0; count < 6; count += 1) ids.push((await aTask(sql, { org, hub })).id)
  const tasks = ids.map((_id) => ({ _id }))
  const calls = as(planner)
  await calls.expect(200).delete("/tasks/bulk", { tasks: tasks.slice(0, 5) })
  const deleted = await newest(calls, "deleteTasks")
  const address = `/action/${deleted._id}/undo`
  for (const stranger of [as(other.org.owner), as(await aUser(sql, { org, hubs: [hub] }))])
    assert.equal((await stranger.post(address)).statusCode, 404)
  for (const id of ["x", "0".repeat(24), `${deleted._id}'`])
    assert.equal((await calls.post(`/action/${encodeURIComponent(id)}/undo`)).statusCode, 404)

  const once = await Promise.all(Array.from({ length: 4 }, () => undo(calls, deleted)))
  assert.deepEqual(once.map(({ done }) => done).toSorted(), [0, 0, 0, 5])
  assert.ok(once.every(({ leftAlone }) => leftAlone.length === 0))
  assert.equal((await calls.get("/tasks")).json().tasks.total, 6)

  await calls.expect(200).delete(`/task/${ids[5]}`)
  const single = await newest(calls, "deleteTask")
  const role = await sql<{ id: string }[]>`
    select role_id as id from users where organization_id = ${org.id} and id = ${planner.id}`
  await as(org.owner)
    .expect(200)
    .put(`/role/${role[0]?.id}`, { name: "Reader", permissionList: ["view/task"] })
  const refused = await undo(calls, single)
  assert.deepEqual([refused.done, refused.leftAlone.length], [0, 1])
  assert.match(refused.leftAlone[0]?.reason ?? "", /add\/task/)
  assert.equal((await calls.get(`/task/${ids[5]}`)).statusCode, 404)

  await sql`
    update audit_log set time = time - interval '11 minutes' where organization_id = ${org.id} and id = ${single._id}`
  const late = await as(org.owner).post(`/action/${single._id}/undo`)
  assert.equal(late.statusCode, 409, late.body)
})
