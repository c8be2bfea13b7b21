import assert from "node:assert/strict"
import { test } from "node:test"
import { aFlow, aTask, aUser } from "#samples/builders.ts"
import { testApp } from "#testing/test-app.ts"
import { aCompany, refusal } from "../fixtures/companies.ts"

test("what a second assignee did on a finished task is attached once, and shown with its photo", async (t) => {
  const { sql, as, app, clock } = await testApp(t)
  const { org, hub, flow, worker } = await aCompany(sql)
  const mate = await aUser(sql, {
    org,
    hubs: [hub],
    permissions: ["view/task", "view/task/only-me", "do/task"],
  })
  const task = await aTask(sql, { org, hub, flow, assignee: [worker, mate] })
  const photo = (name: string) => app.links.plain(`${org.id}/2031/05/04/${name}.jpg`)
  const first = { status: "DONE", proof_0_url: photo("first"), crates: 1 }
  assert.equal((await as(worker).patch(`/task/${task.id}`, first)).statusCode, 200)

  const doneTime = clock.now().subtract({ minutes: 5 }).toString()
  const body = { additionId: "second-phone-1", doneTime, proof_0_url: photo("second"), crates: 2 }
  for (const _attempt of [1, 2]) {
    const reply = await as(mate).expect(201).post(`/task-additions/${task.id}`, body)
    assert.equal(reply.json().data.doneBy, worker.email, "the second learns who was first")
  }
  const shown = (await as(worker).get(`/task/${task.id}`)).json().task
  assert.equal(shown.proof_0_url, photo("first"), "the first stands")
  assert.equal(shown.additions.length, 1)
  assert.equal(shown.additions[0].doneBy, mate.email)
  assert.deepEqual(
    [shown.additions[0].values.proof_0_url, shown.additions[0].values.crates],
    [photo("second"), 2],
  )
  assert.equal(shown.histories.at(-1).action, "add")

  const stranger = await aUser(sql, { org, hubs: [hub], permissions: ["view/task", "do/task"] })
  assert.deepEqual(refusal(await as(stranger).post(`/task-additions/${task.id}`, body)), {
    status: 404,
    code: "task-033",
  })
  const open = await aTask(sql, { org, hub, flow, assignee: [mate] })
  assert.equal(
    (await as(mate).post(`/task-additions/${open.id}`, body)).statusCode,
    400,
    "it can be finished",
  )
  await as(org.owner).put(`/task/${open.id}/assign`, { assignee: [worker.email] })
  assert.equal((await as(mate).post(`/task-additions/${open.id}`, body)).statusCode, 201, "it was theirs")
})

test("with edit/task somebody sends what an assignee did, in the assignee's name", async (t) => {
  const { sql, as } = await testApp(t)
  const { org, hub, worker } = await aCompany(sql)
  const flow = await aFlow(sql, { org })
  const done = { status: "DONE", doneFor: worker.email }
  const own = await aTask(sql, { org, hub, flow, assignee: [worker] })
  const released = (await as(org.owner).patch(`/task/${own.id}`, done)).json().task
  assert.deepEqual([released.doneBy, released.doneOrder], [worker.email, 1])
  assert.match(released.histories.at(-1).notes, new RegExp(`for ${worker.email}$`))
  const others = await aTask(sql, { org, hub, flow, assignee: [org.owner] })
  const refused = (await as(org.owner).patch(`/task/${others.id}`, done)).json().task
  assert.equal(refused.doneBy, org.owner.email, "not in the name of somebody who never had it")
  const shared = await aTask(sql, { org, hub, flow, assignee: [worker, org.owner] })
  const body = { status: "DONE", doneFor: org.owner.email }
  assert.equal((await as(worker).patch(`/task/${shared.id}`, body)).json().task.doneBy, worker.email)
})

test("the person who finished a task corrects it within the organization's time; the first completion stands", async (t) => {
  const { sql, as, app, clock } = await testApp(t)
  const { org, hub, flow, worker } = await aCompany(sql)
  const task = await aTask(sql, { org, hub, flow, assignee: [worker] })
  const proof = app.links.plain(`${org.id}/2031/05/04/proof.jpg`)
  await as(worker).expect(200).patch(`/task/${task.id}`, { status: "DONE", crates: 1, proof_0_url: proof })
  const body = { additionId: "correction-1", isCorrection: true, crates: 2 }
  const late = await as(worker).expect(400).post(`/task-additions/${task.id}`, body)
  assert.match(late.json().message, /time for correcting/)
  await as(org.owner)
    .expect(200)
    .put(`/organization/${org.id}`, { configuration: { correctionMinutes: 30 } })
  clock.move({ minutes: 20 })
  await as(worker).expect(201).post(`/task-additions/${task.id}`, body)
  const shown = (await as(org.owner).get(`/task/${task.id}`)).json().task
  const [addition] = shown.additions
  assert.deepEqual([shown.crates, addition.values.crates, addition.isCorrection], [1, 2, true])
  assert.equal(shown.histories.at(-1).action, "add")
  clock.move({ minutes: 20 })
  await as(worker)
    .expect(400)
    .post(`/task-additions/${task.id}`, { ...body, additionId: "correction-2" })
})
