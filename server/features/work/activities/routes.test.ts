import assert from "node:assert/strict"
import { test } from "node:test"
import type { Pool } from "#core/database/database.ts"
import { aFlow, aHub, anOrganization, aUser, type Person } from "#samples/builders.ts"
import { type Calls, testApp } from "#testing/test-app.ts"

async function aCompany(sql: Pool, as: (person: Person) => Calls) {
  const org = await anOrganization(sql)
  const hub = await aHub(sql, { org })
  const worker = await aUser(sql, { org, hubs: [hub], permissions: ["view/task", "do/task"] })
  const flows = [await aFlow(sql, { org }), await aFlow(sql, { org })]
  const body = {
    name: "Repair",
    customStatuses: [{ name: "Measured" }, { name: "Repaired" }],
    steps: [
      { flowId: flows[0]?.id, statusMapping: "Measured" },
      {
        flowId: flows[1]?.id,
        statusMapping: "Repaired",
        fieldMappings: [
          { targetField: "siteName", sourceType: "step", sourceStepId: "0", sourceField: "siteName" },
        ],
      },
    ],
  }
  const workflow = (await as(org.owner).post("/workflows", body)).json().data
  return { org, hub, worker, flows, workflow, body }
}

test("the steps of an activity are finished in order, and the whole follows from them", async (t) => {
  const { sql, as } = await testApp(t)
  const { org, hub, worker, workflow } = await aCompany(sql, as)
  const made = await as(org.owner)
    .expect(201)
    .post("/activity", {
      workflowId: workflow._id,
      hubId: hub.id,
      tasks: [{ siteName: "Pump", assignee: worker.email }, { assignee: [worker.email] }],
    })
  const activity = made.json().data
  assert.equal(activity.status, "ONGOING")
  assert.equal(activity.name, "Repair")
  assert.equal(activity.hub.address, "Somewhere 1")
  assert.deepEqual(activity.workflow, { _id: workflow._id, name: "Repair", organizationId: org.id })
  const [first, second] = activity.subId
  assert.equal(
    (await as(worker).get(`/task/${second}`)).json().task.siteName,
    "Pump",
    "filled from the first step",
  )
  const early = await as(worker).expect(400).patch(`/task/${second}`, { status: "DONE" })
  assert.equal(early.json().failedCode, "activ-037")
  assert.match(early.json().message, /^Finish the step .*Pump/)
  await as(worker).patch("/user", { language: "id" })
  const inIndonesian = await as(worker).patch(`/task/${second}`, { status: "DONE" })
  assert.match(inIndonesian.json().message, /^Selesaikan .*Pump/)
  await as(worker).patch(`/task/${first}`, { status: "DONE" })
  const half = (await as(org.owner).get(`/activity/${activity._id}`)).json().data
  assert.deepEqual([half.status, half.subStatus], ["ONGOING", "Measured"])
  await as(worker).patch(`/task/${second}`, { status: "DONE" })
  const { activities } = (await as(org.owner).get("/activities?status=DONE&fields=status,subStatus")).json()
    .data
  const empty = (await as(org.owner).get("/activities?pageSize=0")).json()
  assert.deepEqual([empty.failedCode, Object.keys(empty.errors)], ["activ-009", ["pageSize"]])
  assert.deepEqual(activities, [
    { _id: activity._id, organizationId: org.id, status: "DONE", subStatus: "Repaired" },
  ])
  assert.equal((await as(org.owner).patch(`/task/${activity._id}`, { title: "x" })).statusCode, 400)
  assert.equal((await as(org.owner).delete(`/activity/${activity._id}`)).statusCode, 200)
  assert.equal((await as(org.owner).get(`/task/${first}`)).statusCode, 404)
  assert.equal((await as(org.owner).get("/trash")).json().total, 0)
})

test("an activity is refused as a whole when a step does not fit", async (t) => {
  const { sql, as } = await testApp(t)
  const { org, hub, workflow } = await aCompany(sql, as)
  const none = await as(org.owner).post("/activity", { workflowId: workflow._id, hubId: hub.id })
  assert.deepEqual([none.statusCode, none.json().failedCode], [400, "ACTIV_WORKFLOW_NOT_FOUND"])
  assert.equal(none.json().message, "tasks is required")
  const short = await as(org.owner).post("/activity", {
    workflowId: workflow._id,
    hubId: hub.id,
    tasks: [{ siteName: "A" }],
  })
  assert.deepEqual([short.statusCode, short.json().failedCode], [400, "ACTIV_WORKFLOW_NOT_FOUND"])
  const unknown = await as(org.owner).post("/activity", { workflowId: "f".repeat(24), tasks: [{}] })
  assert.deepEqual([unknown.statusCode, unknown.json().failedCode], [404, "ACTIV_WORKFLOW_NOT_FOUND"])
  const bad = await as(org.owner).post("/activity", {
    workflowId: workflow._id,
    hubId: hub.id,
    tasks: [{ siteName: "A" }, { assignee: ["nobody@fieldway.test"] }],
  })
  assert.equal(bad.json().failedCode, "task-036")
  assert.equal((await as(org.owner).get("/tasks")).json().tasks.total, 0)
})

test("a workflow has a name of its own, existing flows once each, and mappings that fit", async (t) => {
  const { sql, as } = await testApp(t)
  const { org, workflow, body, flows } = await aCompany(sql, as)
  const again = await as(org.owner).post("/workflows", body)
  assert.deepEqual([again.statusCode, again.json().failedCode], [400, "WORKF_DUPLICATE_NAME"])
  const twice = [{ flowId: flows[0]?.id }, { flowId: flows[0]?.id }]
  await as(org.owner)
    .expect(400)
    .post("/workflows", { ...body, name: "Two", steps: twice })
  const judged = await as(org.owner).post(`/workflow/${workflow._id}/steps/1/validate-field-mappings`, {
    fieldMappings: [
      { targetField: "nothing", sourceType: "step", sourceStepId: "0", sourceField: "siteName" },
    ],
  })
  assert.equal(judged.json().data.valid, false)
  const changed = await as(org.owner).put(`/workflow/${workflow._id}`, { name: "Mend" })
  assert.equal(changed.json().data.steps.length, 2)
  const found = (await as(org.owner).get("/workflows/search?q=men&stepsCountMin=2")).json()
  assert.deepEqual(
    found.data.map((one: { name: string }) => one.name),
    ["Mend"],
  )
})
