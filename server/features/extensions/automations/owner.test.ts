import assert from "node:assert/strict"
import { readFile } from "node:fs/promises"
import { test } from "node:test"
import type { Permission } from "#core/permissions.ts"
import { aFlow, aHub, aToken, aUser, type Person } from "#samples/builders.ts"
import { runJobs } from "#testing/run-jobs.ts"
import { testOrganization } from "#testing/test-app.ts"

const editor: Permission[] = [
  "view/automation",
  "add/automation",
  "edit/automation",
  "view/task",
  "view/flow",
]

async function aPlace() {
  const server = await testOrganization()
  const { sql, as, org } = server
  const [here, elsewhere] = [await aHub(sql, { org }), await aHub(sql, { org })]
  const [flow, next] = [await aFlow(sql, { org }), await aFlow(sql, { org })]
  const person = (permissions: Permission[], hub = here) => aUser(sql, { org, hubs: [hub], permissions })
  const automate = async (who: Person, automationType: string, automationDetails: object) => {
    const reply = await as(who)
      .expect(200)
      .post("/automation", {
        name: `${automationType} ${Math.random()}`,
        event: "onTaskCreated",
        automationType,
        automationDetails,
        rules: { flow: flow.name, flowId: flow.id },
      })
    return reply.json().data
  }
  const follow = { flow: next.name, flowId: next.id, taskData: { siteName: "Follow-up" } }
  const newTask = async (hub = here) => {
    const made = await as(org.owner).post("/task", { flow: flow.name, hubId: hub.id, siteName: "Mill" })
    await runJobs(server)
    return made.json().task._id as string
  }
  const followUps = async () =>
    (await as(org.owner).get(`/tasks?limit=100&flow=${next.name}`)).json().tasks.data as { hubId: string }[]
  const stateOf = async (id: string) => (await as(org.owner).get(`/automation/${id}`)).json().data
  const mailed = async () => {
    const rows = await sql<{ recipient: string }[]>`
      select recipient from mails where organization_id = ${org.id} and kind = 'automationPaused' order by 1`
    return rows.map(({ recipient }) => recipient)
  }
  return {
    ...server,
    org,
    here,
    elsewhere,
    next,
    person,
    automate,
    follow,
    newTask,
    followUps,
    stateOf,
    mailed,
  }
}

test("an automation sees the events that its owner sees, and its log is read by those who see the objects", async () => {
  const { as, org, here, elsewhere, person, automate, follow, newTask, followUps } = await aPlace()
  const near = await person([...editor, "add/task"])
  const { _id, owner } = await automate(near, "createTask", follow)
  assert.deepEqual([owner._id, owner.email], [near.id, near.email])
  await newTask(elsewhere)
  assert.equal((await followUps()).length, 0, "a task in another hub starts nothing")
  await newTask(here)
  assert.deepEqual(
    (await followUps()).map(({ hubId }) => hubId),
    [here.id],
  )
  const far = await person(editor, elsewhere)
  const blind = await person(["view/automation"])
  const totalFor = async (who: Person) =>
    (await as(who).get(`/automation-log?automationId=${_id}`)).json().total
  assert.deepEqual(await Promise.all([org.owner, near, far, blind].map(totalFor)), [1, 1, 0, 0])
  const [entry] = (await as(near).get("/automation-log")).json().data
  assert.equal((await as(far).patch(`/automation-retry/${entry._id}`)).statusCode, 404)
})

test("an action needs its owner's permission at that moment; without it the automation pauses and says so", async () => {
  const { sql, as, org, here, person, automate, follow, newTask, followUps, stateOf, mailed } = await aPlace()
  const admin = await aUser(sql, { org, role: "admin" })
  const clerk = await person([...editor, "add/task"])
  const { _id } = await automate(clerk, "createTask", follow)
  await sql`
    update roles set permission_names = array_remove(permission_names, 'add/task')
    where organization_id = ${org.id} and id = ${clerk.roleId}`
  await newTask(here)
  assert.equal((await followUps()).length, 0)
  const paused = await stateOf(_id)
  assert.equal(paused.pauseReason, "permission")
  assert.ok(paused.pausedTime)
  assert.deepEqual(await mailed(), [admin.email, clerk.email, org.owner.email].sort())
  await newTask(here)
  assert.equal((await mailed()).length, 3, "they are mailed once")
  await as(admin).expect(200).patch(`/automation/${_id}`, { isActive: true })
  const { pausedTime, pauseReason, owner } = await stateOf(_id)
  assert.deepEqual([pausedTime, pauseReason, owner._id], [null, null, admin.id])
})

test("an automation pauses when its owner leaves, and resumes for the person who saves it", async () => {
  const { sql, as, org, here, person, automate, follow, newTask, followUps, stateOf } = await aPlace()
  const clerk = await person([...editor, "add/task"])
  const { _id } = await automate(clerk, "createTask", follow)
  await sql`update users set status = 'disabled' where organization_id = ${org.id} and id = ${clerk.id}`
  await newTask(here)
  assert.deepEqual([(await followUps()).length, (await stateOf(_id)).pauseReason], [0, "membership"])
  await as(org.owner).patch(`/automation/${_id}`, { isActive: true })
  await newTask(here)
  assert.equal((await followUps()).length, 1)
})

test("a refusal is no reason to pause: a hub that the owner lacks", async () => {
  const { as, org, here, elsewhere, person, automate, newTask, stateOf } = await aPlace()
  const clerk = await person([...editor, "move/task"])
  const { _id } = await automate(clerk, "moveTask", { hubId: here.id })
  const moved = { hubId: elsewhere.id }
  await as(org.owner).put(`/automation/${_id}`, { ...(await stateOf(_id)), automationDetails: moved })
  await as(clerk).patch(`/automation/${_id}`, { name: "Mine again" })
  const task = await newTask(here)
  const { hubId } = (await as(org.owner).get(`/task/${task}`)).json().task ?? {}
  assert.ok(hubId === undefined || hubId === here.id)
  const [entry] = (await as(org.owner).get(`/automation-log?automationId=${_id}`)).json().data
  const filtered = (filter: unknown) =>
    as(org.owner).get(`/automation-log?filter=${encodeURIComponent(JSON.stringify(filter))}`)
  const failed = { field: "isSuccess", operator: "equals", value: entry._source.isSuccess }
  assert.ok((await filtered(failed)).json().total > 0)
  assert.equal((await filtered({ not: failed })).json().total, 0)
  assert.equal((await filtered({ field: "details", operator: "empty" })).json().failedCode, "auto-003")
  assert.equal(entry._source.isSuccess, "false", JSON.stringify(entry._source))
  assert.equal((await stateOf(_id)).pausedTime, null)
})

test("a webhook carries only what its owner sees, replays included, and waits while it is paused", async () => {
  const { sql, as, org, here, elsewhere, person, automate, newTask, stateOf } = await aPlace()
  const clerk = await person(editor)
  const { _id } = await automate(clerk, "webhook", { url: "https://hooks.example/" })
  await newTask(elsewhere)
  await newTask(here)
  const since = "2020-01-01 00:00:00"
  assert.equal((await as(clerk).post(`/automation/${_id}/replay`, { since })).json().data.events, 1)
  await sql`update users set status = 'disabled' where organization_id = ${org.id} and id = ${clerk.id}`
  await newTask(here)
  const { pauseReason, delivery } = await stateOf(_id)
  assert.deepEqual([pauseReason, delivery.pauseReason], ["membership", "owner"])
  assert.equal((await as(org.owner).post(`/automation/${_id}/resume`)).statusCode, 400)
  assert.equal((await as(org.owner).post(`/automation/${_id}/test`)).statusCode, 400)
  await as(org.owner).patch(`/automation/${_id}`, { isActive: true })
  assert.equal((await stateOf(_id)).delivery.isPaused, false)
})

test("upgrading gives automations to their last editor, else their creator, else the first owner", async () => {
  const { sql, org, person, automate } = await aPlace()
  const [maker, later] = [await person(editor), await person(editor)]
  const names = [later.email, "gone@couriers.example", "gone@couriers.example"]
  const makers = [org.owner.email, maker.email, "gone@couriers.example"]
  const ids: string[] = []
  for (const [index, updatedBy] of names.entries()) {
    const { _id } = await automate(org.owner, "webhook", { url: "https://hooks.example/" })
    await sql`
      update automations set owner_id = null, updated_by = ${updatedBy}, created_by = ${makers[index] ?? ""} where id = ${_id}`
    ids.push(_id)
  }
  const migration = await readFile(
    new URL("../../../../db/migrations/0821-automation-owners.sql", import.meta.url),
    "utf8",
  )
  await sql.unsafe(/^update automations[^;]+;/m.exec(migration)?.[0] ?? "")
  const rows = await sql<
    { id: string; ownerId: string }[]
  >`select id, owner_id from automations where id = any (${ids})`
  const owners = ids.map((id) => rows.find((row) => row.id === id)?.ownerId)
  assert.deepEqual(owners, [later.id, maker.id, org.owner.id])
})

test("a token with scopes saves no automation that does more than the token may", async () => {
  const { sql, as, nobody, org, next, follow, automate } = await aPlace()
  const save = async (scopes: Permission[], automationType: string, automationDetails: object) => {
    const { token } = await aToken(sql, { person: org.owner, scopes })
    const body = { name: automationType, event: "onTaskCreated", automationType, automationDetails }
    const reply = await nobody.post(
      "/automation",
      { ...body, rules: { flow: next.name, flowId: next.id } },
      { authorization: `Bearer ${token}` },
    )
    return [reply.statusCode, reply.json().failedCode]
  }
  const hook = { url: "https://example.com/hook" }
  assert.deepEqual(await save(["add/automation"], "webhook", hook), [403, "auto-035"])
  assert.deepEqual(await save(["add/automation", "view/task"], "createTask", follow), [403, "auto-035"])
  assert.deepEqual(await save(["add/automation", "view/task"], "webhook", hook), [200, undefined])

  const { _id } = await automate(org.owner, "createTask", follow)
  const editing = await aToken(sql, { person: org.owner, scopes: ["edit/automation"] })
  const switched = await nobody.patch(
    `/automation/${_id}`,
    { isActive: true },
    { authorization: `Bearer ${editing.token}` },
  )
  assert.deepEqual([switched.statusCode, switched.json().failedCode], [403, "auto-035"])
  await as(org.owner).expect(200).delete(`/automation/${_id}`)
  const entry = (await as(org.owner).get("/trash?type=Automation")).json().data[0]
  const { token } = await aToken(sql, {
    person: org.owner,
    scopes: ["view/trash", "view/automation", "add/automation"],
  })
  const restored = await nobody.post(`/trash/${entry._id}/restore`, undefined, {
    authorization: `Bearer ${token}`,
  })
  assert.deepEqual([restored.statusCode, restored.json().failedCode], [403, "auto-035"])
  assert.equal((await as(org.owner).get(`/automation/${_id}`)).statusCode, 404)
  await as(org.owner).expect(200).post(`/trash/${entry._id}/restore`)
})
