import assert from "node:assert/strict"
import { test } from "node:test"
import { aFlow, aHub, anOrganization, aTask, aTeam, aUser } from "#samples/builders.ts"
import { testApp } from "#testing/test-app.ts"
import { aCompany, pages, refusal } from "../fixtures/companies.ts"

test("work is finished once, not before its start, with its photos, by who has it or may edit", async (t) => {
  const { sql, as, app, clock } = await testApp(t)
  const { org, hub, flow, worker } = await aCompany(sql)
  const now = clock.now()
  const task = await aTask(sql, { org, hub, flow, assignee: [worker] })
  const photo = app.links.plain(`${org.id}/2031/05/04/1_proof.jpg`)
  const without = await as(worker).patch(`/task/${task.id}`, { status: "DONE" })
  assert.deepEqual(refusal(without), { status: 400, code: "task-032" })
  assert.match(without.json().message, /Proof/)
  const both = await Promise.all(
    [worker, org.owner].map((person) =>
      as(person).patch(`/task/${task.id}`, { status: "DONE", proof_0_url: photo }),
    ),
  )
  assert.deepEqual(both.map((reply) => reply.statusCode).sort(), [200, 400])
  const early = await aTask(sql, {
    org,
    hub,
    flow,
    assignee: [worker],
    startTime: now.add({ hours: 1 }),
    endTime: now.add({ hours: 9 }),
  })
  const nobodys = await aTask(sql, { org, hub, flow })
  for (const { id } of [early, nobodys]) {
    const reply = await as(org.owner).patch(`/task/${id}`, { status: "DONE", proof_0_url: photo })
    assert.deepEqual(refusal(reply), { status: 400, code: "task-032" })
  }
  for (const reply of [
    await as(org.owner).patch(`/task/${task.id}`, { siteName: "x" }),
    await as(org.owner).put(`/task/${task.id}/assign`, { assignee: [] }),
    await as(org.owner).put(`/task/${task.id}/move`, { hubId: hub.id }),
    await as(org.owner).delete(`/task/${task.id}`),
  ])
    assert.deepEqual(refusal(reply), { status: 400, code: "task-032" })
})

test("finished tasks of a day are numbered, and only the newest is the last", async (t) => {
  const { sql, as } = await testApp(t)
  const { org, hub, worker } = await aCompany(sql)
  const flow = await aFlow(sql, { org })
  const ids = []
  for (let count = 0; count < 3; count += 1)
    ids.push((await aTask(sql, { org, hub, flow, assignee: [worker] })).id)
  const patch = (id: string | undefined, lat: number) => ({
    _id: id,
    status: "DONE",
    doneCoordinate: `${lat},4`,
  })
  await as(worker).patch("/tasks/bulk", { tasks: [patch(ids[0], 52.01), patch(ids[1], 52.02)] })
  await as(worker).patch(`/task/${ids[2]}`, patch(ids[2], 52.02))
  const tasks = await Promise.all(ids.map(async (id) => (await as(worker).get(`/task/${id}`)).json().task))
  assert.deepEqual(
    tasks.map((task) => task.doneOrder),
    [1, 2, 3],
  )
  assert.deepEqual(
    tasks.map((task) => task.isLastDoneOrder),
    [false, false, true],
  )
  assert.deepEqual(
    tasks.map((task) => task.travelDistance),
    [1112, 1112, 0],
  )
  assert.deepEqual(
    tasks.map((task) => task.doneFrom),
    ["MOBILE", "MOBILE", "MOBILE"],
  )
})

test("somebody who only does tasks works on their own, orders them with task/reorder, and plans nothing", async (t) => {
  const { sql, as } = await testApp(t)
  const { org, hub, flow, worker } = await aCompany(sql)
  const sorter = await aUser(sql, { org, hubs: [hub], permissions: ["view/task", "task/reorder"] })
  const own = await aTask(sql, { org, hub, flow, assignee: [worker, sorter] })
  const others = await aTask(sql, { org, hub, flow, assignee: [org.owner] })
  await as(worker).expect(200).patch(`/task/${own.id}`, { crates: 3, openTaskTime: "2031-05-04 03:02:01" })
  await as(worker).expect(403).patch(`/task/${own.id}`, { endTime: "2041-05-04 03:02:01" })
  assert.equal((await as(worker).patch(`/task/${own.id}`, { orderIndex: 5 })).statusCode, 403)
  assert.equal((await as(worker).patch(`/task/${others.id}`, { crates: 3 })).statusCode, 403)
  assert.equal((await as(sorter).patch(`/task/${own.id}`, { orderIndex: 5 })).statusCode, 200)
  assert.equal((await as(sorter).patch(`/task/${own.id}`, { crates: 4 })).statusCode, 403)
  const shown = (await as(worker).get(`/task/${own.id}`)).json().task
  const { endTime, startTime, hubId, assignee, orderIndex } = shown
  const whole = await as(worker).patch(`/task/${own.id}`, {
    endTime,
    startTime,
    hubId,
    assignee,
    orderIndex,
    crates: 9,
  })
  assert.equal(whole.statusCode, 200, "a phone that sends back the whole task changes only its work")
})

test("somebody who only does a task neither changes nor clears what it was planned with", async (t) => {
  const { sql, as } = await testApp(t)
  const { org, hub, flow, worker } = await aCompany(sql)
  const { id } = await aTask(sql, { org, hub, flow, assignee: [worker] })
  const plan = { priority: "high", tags: ["glass"], visitGroup: "north", visitGroupPriority: 2 }
  const planOf = async () => {
    const { task } = (await as(org.owner).expect(200).get(`/task/${id}`)).json()
    return Object.fromEntries(Object.keys(plan).map((field) => [field, task[field]]))
  }
  await as(org.owner).expect(200).patch(`/task/${id}`, plan)
  const other = { priority: "low", tags: null, visitGroup: "south", visitGroupPriority: 2 }
  const { warnings, task } = (
    await as(worker)
      .expect(200)
      .patch(`/task/${id}`, { ...other, crates: 4 })
  ).json()
  assert.equal(task.crates, 4)
  assert.deepEqual(
    warnings.map((warning: string) => warning.split(" ")[0]),
    ["priority", "tags", "visitGroup"],
  )
  await as(worker).expect(200).put(`/task/${id}`, { flow: flow.name, hubId: hub.id, siteName: "x" })
  assert.deepEqual(await planOf(), plan)
  await as(org.owner).expect(200).put(`/task/${id}`, { flow: flow.name, hubId: hub.id, siteName: "x" })
  assert.equal((await planOf()).visitGroup, null)
})

test("people are assigned by hub and team, stamped, and taken away again", async (t) => {
  const { sql, as } = await testApp(t)
  const { org, hub, flow, worker } = await aCompany(sql)
  const elsewhere = await aUser(sql, { org, hubs: [await aHub(sql, { org })], permissions: ["do/task"] })
  const gone = await aUser(sql, { org, hubs: [hub], permissions: ["do/task"], status: "disabled" })
  const task = await aTask(sql, { org, hub, flow })
  const foreigner = (await anOrganization(sql)).owner
  for (const email of [elsewhere.email, gone.email, foreigner.email, "stranger@fieldway.test"]) {
    const reply = await as(org.owner).put(`/task/${task.id}/assign`, { assignee: [email] })
    assert.deepEqual(refusal(reply), { status: 400, code: "task-036" })
  }
  const assigned = (await as(org.owner).put(`/task/${task.id}/assign`, { assignee: [worker.email] })).json()
    .task
  assert.equal(assigned.status, "ONGOING")
  assert.equal(assigned.assignedBy, org.owner.email)
  assert.equal(assigned.assignedTo.email, worker.email)
  const freed = (await as(org.owner).put(`/task/${task.id}/assign`, { assignee: [] })).json().task
  assert.equal(freed.status, "UNASSIGNED")
  assert.equal("assignedTo" in freed || "assignedBy" in freed || "assignedTime" in freed, false)
  assert.equal(freed.histories.at(-1).action, "unassign")
})

test("a task given to a team is given to its people", async (t) => {
  const { sql, as } = await testApp(t)
  const { org, hub, flow, worker } = await aCompany(sql)
  const [team, empty] = [await aTeam(sql, { org, hub }), await aTeam(sql, { org, hub })]
  const permissions = ["add/task", "assign/task", "view/task"] as const
  const mate = await aUser(sql, { org, hubs: [hub], teams: [team], permissions })
  await aUser(sql, { org, hubs: [hub], teams: [team], permissions: ["do/task"], status: "disabled" })
  const outsider = await aUser(sql, { org, hubs: [hub], teams: [empty], permissions })
  const task = await aTask(sql, { org, hub, flow })
  const tasks = [{ _id: task.id, assignee: [team.id.toUpperCase(), worker.email] }]
  assert.equal((await as(mate).put("/tasks/bulk/assign", { tasks })).json().success, 1)
  const assigned = (await as(org.owner).get(`/task/${task.id}`)).json().task
  assert.deepEqual(assigned.assignee, [mate.email, worker.email])
  const body = { flow: flow.name, hubId: hub.id, siteName: "Pump", assignee: [team.id] }
  assert.deepEqual((await as(mate).post("/task", body)).json().task.assignee, [mate.email])
  const byOutsider = await as(outsider).post("/task", body)
  assert.deepEqual(refusal(byOutsider), { status: 400, code: "task-036" })
  assert.doesNotMatch(byOutsider.body, new RegExp(mate.email), "who is in another team stays there")
  await sql`delete from user_teams where user_id = ${outsider.id}`
  const nobody = await as(org.owner).post("/task", { ...body, assignee: [empty.id] })
  assert.deepEqual(refusal(nobody), { status: 400, code: "task-036" })
})

test("what a flow demands since a task was made does not keep it from being finished", async (t) => {
  const { sql, as } = await testApp(t)
  const { org, hub, worker } = await aCompany(sql)
  const flow = await aFlow(sql, { org })
  const made = (
    await as(org.owner).post("/task", {
      flow: flow.name,
      hubId: hub.id,
      siteName: "Pump",
      assignee: worker.email,
    })
  ).json().task
  const later = [
    ...pages,
    { id: "page2", components: [{ id: "sign", component: "signature", required: true }] },
  ]
  await as(org.owner).expect(200).put(`/flow/${flow.id}`, { name: flow.name, pages: later })
  const after = (
    await as(org.owner).post("/task", {
      flow: flow.name,
      hubId: hub.id,
      siteName: "Mill",
      assignee: worker.email,
    })
  ).json().task
  assert.equal((await as(worker).patch(`/task/${made._id}`, { status: "DONE" })).statusCode, 200)
  assert.equal((await as(worker).patch(`/task/${after._id}`, { status: "DONE" })).statusCode, 400)
})
