import assert from "node:assert/strict"
import { type TestContext, test } from "node:test"
import { aHub, anOrganization, aUser } from "#samples/builders.ts"
import { testApp } from "#testing/test-app.ts"

const text = (id: string, more = {}) => ({ id, component: "input", type: "String", title: id, ...more })

interface WireTask {
  _id: string
  flow: string
  title: string | null
  status: string
  taskType: string
  parentId?: string
  subId?: string[]
  assignee: string[]
  [key: string]: unknown
}

/** A flow whose tasks come with a survey and a clean-up. */
async function aBuildingSite(t: TestContext) {
  const app = await testApp(t)
  const org = await anOrganization(app.sql)
  const hub = await aHub(app.sql, { org })
  const worker = await aUser(app.sql, { org, role: "field user", hubs: [hub] })
  const me = app.as(org.owner)
  const flow = async (name: string, components: unknown[]) => {
    const reply = await me.expect(201).post("/flow", { name, pages: [{ id: "page0", components }] })
    return reply.json().flow as { _id: string; name: string }
  }
  const survey = await flow("Survey", [text("place", { required: true, showAs: "title" }), text("kind")])
  const cleanUp = await flow("Clean up", [text("what")])
  const view = (id: string, subFlow: unknown) => ({ id, component: "view", title: id, subFlow })
  const components = [
    text("site", { showAs: "title" }),
    view("surveyTask", { flowId: survey._id, values: { place: "$refFlow.site", kind: "first" } }),
    view("cleanTask", { flowId: cleanUp._id }),
  ]
  const main = await flow("Build", components)
  const list = async (query = "") =>
    (await me.get(`/tasks?sortBy=orderIndex&sortOrder=asc${query}`)).json().tasks.data as WireTask[]
  return { ...app, org, hub, worker, me, survey, cleanUp, main, list, view, components }
}

test("a task of a flow with sub-flows comes with a task of each, linked on both sides", async (t) => {
  const app = await aBuildingSite(t)
  const body = { flow: "Build", hubId: app.hub.id, site: "Quay 4", assignee: [app.worker.email] }
  const reply = await app.me.expect(201).post("/task", body)
  const master = reply.json().task as WireTask
  assert.deepEqual([master.taskType, master.subId?.length], ["taskMaster", 2])
  const subTasks = await app.list(`&parentId=${master._id}`)
  assert.deepEqual(
    subTasks.map(({ _id, flow, taskType, title, status, assignee }) => [
      _id,
      flow,
      taskType,
      title,
      status,
      assignee,
    ]),
    [
      [master.subId?.[0], "Survey", "taskChild", "Quay 4", "ONGOING", [app.worker.email]],
      [master.subId?.[1], "Clean up", "taskChild", null, "ONGOING", [app.worker.email]],
    ],
  )
  assert.deepEqual([subTasks[0]?.kind, subTasks[0]?.startTime], ["first", master.startTime])
  assert.deepEqual(
    (await app.list("&taskType=taskMaster")).map(({ _id }) => _id),
    [master._id],
  )
  const without = await app.me.post("/tasks/bulk", { tasks: [{ flow: "Build", hubId: app.hub.id }, body] })
  assert.deepEqual([without.json().success, without.json().failed], [1, 1])
  assert.match(
    without.json().tasks[0].message,
    /^surveyTask: the sub-task of Survey cannot be created: place is required/,
  )
  assert.equal((await app.list()).length, 6)
})

test("a task is finished after its sub-tasks, and goes to the trash and back with the open ones", async (t) => {
  const app = await aBuildingSite(t)
  const make = async () => {
    const body = { flow: "Build", hubId: app.hub.id, site: "Quay 5", assignee: [app.worker.email] }
    return (await app.me.post("/task", body)).json().task as WireTask
  }
  const finish = (taskId: string | undefined) =>
    app.as(app.worker).patch(`/task/${taskId}`, { status: "DONE" })
  const first = await make()
  const early = await finish(first._id)
  assert.deepEqual([early.statusCode, early.json().failedCode], [400, "task-032"])
  assert.match(early.json().message, /Finish the sub-task first: Survey, Quay 5/)
  assert.equal((await finish(first.subId?.[0])).statusCode, 200)
  const together = await app.as(app.worker).patch("/tasks/bulk", {
    tasks: [first.subId?.[1], first._id].map((_id) => ({ _id, status: "DONE" })),
  })
  assert.deepEqual([together.json().success, together.json().failed], [2, 0])
  const second = await make()
  await finish(second.subId?.[0])
  assert.equal((await app.me.delete(`/task/${second._id}`)).statusCode, 200)
  assert.deepEqual(
    (await app.list(`&parentId=${second._id}`)).map(({ status }) => status),
    ["DONE"],
  )
  const place = await app.me.get(`/tasks?lazyLoad=1&sortBy=title&cursor=${second.subId?.[1]}`)
  assert.equal(place.statusCode, 200, "the id of a sub-task that went with its task is a cursor")
  const { data } = (await app.me.get("/trash?type=Task")).json()
  assert.equal(data.length, 1, "one entry for the whole")
  assert.equal((await app.me.post(`/trash/${data[0]._id}/restore`)).statusCode, 200)
  assert.deepEqual(
    (await app.list(`&parentId=${second._id}`)).map(({ status }) => status),
    ["DONE", "ONGOING"],
  )
})

test("a sub-flow that could make no task is refused with its component", async (t) => {
  const app = await aBuildingSite(t)
  const refusal = async (subFlow: unknown, kind = "view") => {
    const component = { ...app.view("part", subFlow), component: kind, type: "String" }
    const reply = await app.me.post("/flow", {
      name: "Other",
      pages: [{ id: "page0", components: [component] }],
    })
    return `${reply.statusCode} ${reply.json().failedCode} ${reply.json().message}`
  }
  assert.match(await refusal({ flowId: "a".repeat(24) }), /^400 flow-041 .*the flow .* does not exist/)
  assert.match(await refusal({}), /^400 flow-039 .*must have the flowId/)
  assert.match(await refusal({ flowId: app.survey._id }, "input"), /^400 flow-039 .*only a view/)
  assert.match(await refusal({ flowId: app.survey._id, values: { gone: 1 } }), /Survey has no component gone/)
  assert.match(
    await refusal({ flowId: app.survey._id, values: { place: "$refFlow.gone" } }),
    /no component gone can fill place/,
  )
})
