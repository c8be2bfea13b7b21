import assert from "node:assert/strict"
import { test } from "node:test"
import { aDataType, aFlow, aHub, anOrganization, aUser } from "#samples/builders.ts"
import { runJobs } from "#testing/run-jobs.ts"
import { type TestApp, testApp } from "#testing/test-app.ts"
import { fits, resolve } from "./references.ts"

async function aPlace(server: TestApp) {
  const org = await anOrganization(server.sql)
  const hub = await aHub(server.sql, { org })
  const [flow, next] = [await aFlow(server.sql, { org }), await aFlow(server.sql, { org })]
  const owner = server.as(org.owner)
  const automate = (automationType: string, automationDetails: object, more: object = {}) =>
    owner.post("/automation", {
      name: `${automationType} ${Math.random()}`,
      event: "onTaskCreated",
      automationType,
      automationDetails,
      rules: { flow: flow.name, flowId: flow.id },
      ...more,
    })
  const newTask = async (more: object = {}) =>
    (await owner.post("/task", { flow: flow.name, hubId: hub.id, siteName: "Mill", ...more })).json().task
  const tasks = async (): Promise<Record<string, unknown>[]> =>
    (await owner.get("/tasks?limit=100")).json().tasks.data
  const log = async () => (await owner.get("/automation-log?limit=100")).json().data
  return { org, hub, flow, next, owner, automate, newTask, tasks, log }
}

test("a finished task makes the next one, with its values, for who did it", async () => {
  const server = await testApp()
  const { org, hub, flow, next, owner, automate, newTask, tasks } = await aPlace(server)
  const made = await automate(
    "createAssignTask",
    {
      flow: next.name,
      flowId: next.id,
      hubId: "$refFlow.hubId",
      reassignment: "doneBy",
      taskData: { siteName: "$refFlow.siteName" },
    },
    { event: "onTaskFinished" },
  )
  assert.equal(made.statusCode, 200, made.body)
  const worker = await aUser(server.sql, { org, hubs: [hub], permissions: ["do/task", "view/task"] })
  const task = await newTask({ assignee: [worker.email] })
  await server.as(worker).expect(200).patch(`/task/${task._id}`, { flow: flow.name, status: "DONE" })
  await runJobs(server)
  const followUp = (await tasks()).find((candidate) => candidate.flow === next.name)
  assert.deepEqual(
    [followUp?.siteName, followUp?.assignee, followUp?.status, followUp?.createdFrom, followUp?.createdBy],
    ["Mill", [worker.email], "ONGOING", "Automation", "System"],
  )
  assert.equal((await owner.get("/automations?q=createAssign")).json().data.total, 1)
})

test("a made task takes its times from the first one, unless the automation says otherwise", async () => {
  const server = await testApp()
  const { next, automate, newTask, tasks } = await aPlace(server)
  const details = { flow: next.name, flowId: next.id }
  await automate("createTask", { ...details, taskData: { siteName: "Inherits" }, hubId: null })
  await automate("createTask", {
    ...details,
    taskData: { siteName: "Own", startTime: "2026-12-01 08:00:00", endTime: "2026-12-01 09:00:00" },
  })
  const first = await newTask({ startTime: "2026-11-25 10:00:00", endTime: "2026-11-25 11:00:00" })
  await runJobs(server)
  const startOf = async (name: string) => (await tasks()).find((task) => task.siteName === name)?.startTime
  assert.deepEqual(
    [await startOf("Inherits"), await startOf("Own")],
    [first.startTime, "2026-12-01T08:00:00+00:00"],
  )
})

test("a rule on field values decides, and one on a field that is gone never matches", async () => {
  const server = await testApp()
  const { flow, next, automate, newTask, tasks } = await aPlace(server)
  const rules = { flow: flow.name, flowId: flow.id }
  const details = { flow: next.name, flowId: next.id, taskData: { siteName: "Made" } }
  await automate("createTask", details, { rules: { ...rules, fields: { siteName: "Mill" } } })
  await automate("createTask", details, { rules: { ...rules, fields: { formerField: "x" } } })
  await newTask()
  await newTask({ siteName: "Quarry" })
  await runJobs(server)
  assert.equal((await tasks()).filter((task) => task.flow === next.name).length, 1)
})

test("a new task moves to a hub and gets its people", async () => {
  const server = await testApp()
  const { org, automate, newTask, owner } = await aPlace(server)
  const there = await aHub(server.sql, { org })
  const worker = await aUser(server.sql, { org, hubs: [there], permissions: ["do/task"] })
  await automate("assignTask", { hubId: there.id, assignee: [worker.email] })
  const task = await newTask()
  await runJobs(server)
  const now = (await owner.get(`/task/${task._id}`)).json().task
  assert.deepEqual([now.hubId, now.assignee, now.status], [there.id, [worker.email], "ONGOING"])
})

test("a task writes the record that its reference names, once and again", async () => {
  const server = await testApp()
  const { org, automate, newTask, owner } = await aPlace(server)
  const type = await aDataType(server.sql, { org, commonData: true })
  await automate("createOrUpdateDataSource", {
    dataTypeId: type.id,
    dataId: "$refFlow.siteName",
    dataSource: { note: "$refFlow.status" },
  })
  await newTask()
  await newTask()
  await runJobs(server)
  const records = (await owner.get(`/data?dataTypeId=${type.id}`)).json().data
  assert.deepEqual([records.total, records.data[0].dataId, records.data[0].note], [1, "Mill", "UNASSIGNED"])
})

test("a cycle of automations ends by itself, and the log gives the reason", async () => {
  const server = await testApp()
  const { flow, automate, newTask, tasks, log } = await aPlace(server)
  await automate("createTask", { flow: flow.name, flowId: flow.id, taskData: { siteName: "Again" } })
  await newTask()
  await runJobs(server)
  assert.equal((await tasks()).length, 6)
  const failed = (await log()).filter(
    (hit: { _source: { isSuccess: string } }) => hit._source.isSuccess === "false",
  )
  assert.equal(failed.length, 1)
  assert.match(failed[0]._source.response, /auto-039.*|circle/)
})

test("an inactive automation does nothing, and a job that runs twice acts once", async () => {
  const server = await testApp()
  const { next, automate, newTask, tasks, owner, log } = await aPlace(server)
  const made = await automate("createTask", { flow: next.name, flowId: next.id, taskData: { siteName: "x" } })
  const { _id } = made.json().data
  await owner.patch(`/automation/${_id}`, { isActive: false })
  await newTask()
  await runJobs(server)
  assert.deepEqual([(await tasks()).length, (await log()).length], [1, 0])
  await owner.patch(`/automation/${_id}`, { isActive: "true" })
  await newTask()
  const match = await server.sql`
    select payload from graphile_worker._private_jobs jobs join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id
    where identifier = 'automation.match'`
  assert.equal(match.length, 1)
  await runJobs(server)
  await server.sql`select graphile_worker.add_job('automation.match', ${server.sql.json(match[0]?.payload)}::json)`
  await runJobs(server)
  assert.equal((await tasks()).filter((task) => task.flow === next.name).length, 1)
})

test("an action that fails by a fault of ours is tried again alone, and holds up no other", async () => {
  const server = await testApp()
  const { next, automate, newTask, tasks } = await aPlace(server)
  await server.sql.unsafe(`
    create function refuse_broken() returns trigger language plpgsql as $$ begin raise exception 'no disk'; end $$;
    create trigger refuse_broken before insert on tasks for each row when (new.title = 'Broken')
      execute function refuse_broken()`)
  for (const siteName of ["Broken", "Whole"])
    await automate("createTask", { flow: next.name, flowId: next.id, taskData: { siteName } })
  await newTask()
  await assert.rejects(runJobs(server), /no disk/)
  const made = async () =>
    (await tasks()).filter((task) => task.flow === next.name).map((task) => task.siteName)
  assert.deepEqual(await made(), ["Whole"])
  await server.sql.unsafe("drop function refuse_broken cascade")
})

test("a notification without a sender fails visibly", async () => {
  const server = await testApp()
  const { automate, newTask, log } = await aPlace(server)
  await automate("notification", {
    channel: "whatsApp",
    taskFieldReceiver: "siteName",
    secretKey: "k-secret",
    message: "Hello {organization_name} {other} {link}",
  })
  const task = await newTask()
  await runJobs(server)
  const [entry] = await log()
  assert.match(entry._source.response, /auto-042/)
  const sent = JSON.parse(entry._source.request)
  assert.equal(sent.receiver, "Mill")
  assert.match(sent.message, new RegExp(`^Hello .+ \\{other\\} http.+/tracking/${task._id}$`))
  assert.doesNotMatch(JSON.stringify(entry), /k-secret/)
})

test("what cannot work is refused when it is saved", async () => {
  const server = await testApp()
  const { org, flow, hub, next, automate, owner } = await aPlace(server)
  const other = await anOrganization(server.sql)
  const foreign = await aHub(server.sql, { org: other })
  const task = { flow: next.name, flowId: next.id, taskData: [] }
  const common = await aDataType(server.sql, { org, commonData: true })
  const message = { channel: "whatsapp", secretKey: "k", message: "Hello" }
  const cases: [string, () => ReturnType<typeof automate>][] = [
    ["auto-034", () => automate("moveTask", { hubId: hub.id }, { event: "onStartTrip" })],
    ["auto-034", () => automate("createTask", task, { dataType: "data" })],
    ["auto-042", () => automate("moveTask", { hubId: foreign.id })],
    ["auto-040", () => automate("createTask", { ...task, flow: "Handover" })],
    ["auto-042", () => automate("createTask", { ...task, flow: flow.name })],
    ["auto-001", () => automate("webhook", {})],
    ["auto-042", () => automate("assignTask", { hubId: hub.id, assignee: ["nobody@fieldway.test"] })],
    ["auto-034", () => automate("createAssignTask", { ...task, hubId: hub.id, reassignment: "doneBy" })],
    ["auto-001", () => automate("createTask", task, { rules: { flow: flow.name } })],
    ["auto-017", () => automate("somethingElse", {})],
    ["auto-042", () => automate("notification", { ...message, taskFieldReceiver: "elsewhere" })],
    [
      "auto-001",
      () => automate("createTask", task, { event: "onDataSourceCreated", rules: { dataTypeId: common.id } }),
    ],
    ["auto-001", () => automate("webhook", { url: "https://hooks.example/", retry: "often" })],
  ]
  for (const [code, send] of cases) {
    const reply = await send()
    assert.deepEqual([reply.statusCode, reply.json().failedCode], [400, code], reply.body)
  }
  const made = (await automate("moveTask", { hubId: hub.id }, { name: "Move" })).json().data
  const taken = await automate("moveTask", { hubId: hub.id }, { name: "move" })
  assert.equal(taken.json().failedCode, "auto-031")
  const retyped = await owner.put(`/automation/${made._id}`, {
    ...made,
    automationType: "webhook",
    automationDetails: { url: "https://hooks.example/" },
  })
  assert.equal(retyped.json().failedCode, "auto-032")
  const removed = await owner.delete(`/automation/${made._id}/`)
  assert.deepEqual(removed.json(), { status: true, message: "Automation deleted", _id: made._id })
  assert.equal((await owner.get("/trash?type=Automation")).json().total, 1)
})

test("references stand for whole values only, and keep their kind", () => {
  const record = { count: 3, tags: ["a", "b"] }
  assert.equal(resolve("$refFlow.count", record), 3)
  assert.deepEqual(resolve("$refData.tags", record), ["a", "b"])
  assert.equal(resolve("$refFlow.gone", record), null)
  assert.equal(resolve("No $refFlow.count", record), "No $refFlow.count")
  assert.equal(resolve("$refFlow.toString", record), null)
  assert.equal(fits({ fields: { count: "3", tags: "b" } }, record), true)
  assert.equal(fits({ fields: { count: "4" } }, record), false)
})
