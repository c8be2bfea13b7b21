import assert from "node:assert/strict"
import { test } from "node:test"
import { setTimeout } from "node:timers/promises"
import { aDataType, aFlow, aHub, anOrganization, aUser } from "#samples/builders.ts"
import { runJobs } from "#testing/run-jobs.ts"
import { testApp } from "#testing/test-app.ts"
import { automationJobs } from "./jobs.ts"

interface FeedEvent {
  event: string
  dataType: string
  referenceId: string
  record: Record<string, unknown>
}

async function aPlace() {
  const server = await testApp()
  const org = await anOrganization(server.sql)
  const [flow, hub, other] = [
    await aFlow(server.sql, { org }),
    await aHub(server.sql, { org }),
    await aHub(server.sql, { org }),
  ]
  const owner = server.as(org.owner)
  const newTask = async (more: object = {}): Promise<string> => {
    const made = await owner
      .expect(201)
      .post("/task", { flow: flow.name, hubId: hub.id, siteName: "Mill", ...more })
    return made.json().task._id
  }
  let after = ""
  /** What has happened since the last look, without the creation of tasks; waits for the given number. */
  const seen = async (count: number): Promise<FeedEvent[]> => {
    const events: FeedEvent[] = []
    for (;;) {
      const page = (await owner.get(`/events/feed?limit=1000${after && `&after=${after}`}`)).json()
      after = page.cursor ?? after
      events.push(...page.data.filter(({ event }: FeedEvent) => event !== "onTaskCreated"))
      if (events.length >= count) return events
      await setTimeout(5)
    }
  }
  const names = async (count: number) => (await seen(count)).map(({ event }) => event)
  return { server, org, flow, hub, other, owner, newTask, seen, names }
}

test("changes of tasks are events, each under the name of what it is", async () => {
  const { owner, org, other, newTask, seen, names } = await aPlace()
  const [one, two] = [await newTask(), await newTask()]
  await owner.patch(`/task/${one}`, { siteName: "Barn" })
  const [updated] = await seen(1)
  assert.deepEqual(
    [updated?.event, updated?.referenceId, updated?.record.siteName],
    ["onTaskUpdated", one, "Barn"],
  )
  await owner.put(`/task/${one}/move`, { hubId: other.id })
  const [moved] = await seen(1)
  assert.deepEqual([moved?.event, moved?.record.hubId], ["onTaskMoved", other.id])
  await owner.put(`/task/${one}/assign`, { assignee: [org.owner.email] })
  assert.deepEqual(await names(1), ["onTaskAssigned"])
  await owner.put(`/task/${one}/assign`, { assignee: [] })
  assert.deepEqual(await names(1), ["onTaskUpdated"])
  await owner.patch(`/task/${one}`, { assignee: [org.owner.email], siteName: "Yard" })
  assert.deepEqual(await names(2), ["onTaskAssigned", "onTaskUpdated"])
  await owner.patch(`/task/${one}`, { status: "DONE", siteName: "Done" })
  assert.deepEqual(await names(1), ["onTaskFinished"])
  await owner.patch("/tasks/bulk", { tasks: [{ _id: two, siteName: "Bulk" }] })
  assert.deepEqual(await names(1), ["onTaskUpdated"])
  await owner.delete(`/task/${two}`)
  const [deleted] = await seen(1)
  assert.deepEqual([deleted?.event, deleted?.record.siteName], ["onTaskDeleted", "Bulk"])
})

test("a task that comes back from the trash, and one whose assignee leaves, are events", async () => {
  const { server, owner, org, hub, newTask, seen, names } = await aPlace()
  const worker = await aUser(server.sql, { org, hubs: [hub], permissions: ["do/task"] })
  const id = await newTask()
  await owner.delete("/tasks/bulk", { tasks: [{ _id: id }] })
  assert.deepEqual(await names(1), ["onTaskDeleted"])
  const { data } = (await owner.get("/trash?type=Task")).json()
  const entries: { _id: string }[] = Array.isArray(data) ? data : data.data
  await owner.expect(200).post(`/trash/${entries[0]?._id}/restore`)
  await owner.put(`/task/${id}/assign`, { assignee: [worker.email] })
  assert.deepEqual(await names(1), ["onTaskAssigned"])
  await owner.expect(200).delete(`/user/${worker.id}`)
  const [released] = await seen(1)
  assert.deepEqual([released?.event, released?.record.assignee], ["onTaskUpdated", []])
})

test("deleting a hub is an event of each task and record that goes with it, restoring it of its tasks", async () => {
  const { server, owner, org, hub, newTask, seen } = await aPlace()
  const type = await aDataType(server.sql, { org, name: "Depots" })
  const record = await owner.expect(201).post("/data", {
    dataTypeId: type.id,
    hubId: hub.id,
    dataId: "A1",
    partnerName: "P",
  })
  const tasks = [await newTask(), await newTask()]
  await seen(1)
  assert.equal((await owner.delete(`/hub/${hub.id}`)).statusCode, 200)
  const gone = await seen(3)
  assert.deepEqual(
    gone.map(({ event, referenceId }) => `${event} ${referenceId}`).toSorted(),
    [...tasks.map((id) => `onTaskDeleted ${id}`), `onRecordDeleted ${record.json().data._id}`].toSorted(),
  )
  const deleted = gone.find(({ event }) => event === "onTaskDeleted")?.record
  assert.equal((deleted?.hub as { _id: string } | undefined)?._id, hub.id, "as it was")
  const entry = (await owner.get("/trash?type=Hub")).json().data[0]
  assert.equal((await owner.post(`/trash/${entry._id}/restore`)).statusCode, 200)
  await owner.patch(`/task/${tasks[0]}`, { siteName: "Back" })
  await seen(1)
  const events = (await owner.get("/events/feed?limit=1000")).json().data as FeedEvent[]
  const created = events
    .filter(({ event }) => event === "onTaskCreated")
    .map(({ referenceId }) => referenceId)
  assert.deepEqual(created.toSorted(), [...tasks, ...tasks].toSorted())
})

test("changes of records are events: single, bulk, upsert, import and its undoing", async () => {
  const { server, owner, org, seen, names } = await aPlace()
  const type = await aDataType(server.sql, { org, commonData: true })
  const body = (dataId: string, note: string) => ({ dataTypeId: type.id, dataId, note })
  const made = await owner.expect(201).post("/data", body("A-1", "one"))
  const id = made.json().data._id
  await owner.patch(`/data/${id}`, { note: "two" })
  await owner.post("/data/bulk/upsert", { data: [body("A-1", "three"), body("A-2", "new")] })
  const events = await seen(4)
  assert.deepEqual(
    events.map(({ event, record }) => [event, record.dataId, record.note]),
    [
      ["onDataSourceCreated", "A-1", "one"],
      ["onRecordUpdated", "A-1", "two"],
      ["onDataSourceCreated", "A-2", "new"],
      ["onRecordUpdated", "A-1", "three"],
    ],
  )
  assert.ok(events.every(({ dataType, record }) => dataType === "data" && record.organizationId === org.id))
  const imported = await owner.upload("/data/import", {
    file: { filename: "records.csv", content: "Key,Note\nA-1,four\nA-3,file\n" },
    dataTypeId: type.id,
    mode: "upsert",
  })
  assert.ok(imported.statusCode < 300, imported.body)
  await runJobs(server)
  assert.deepEqual((await names(2)).toSorted(), ["onDataSourceCreated", "onRecordUpdated"])
  const [entry] = (await owner.get("/import-monitoring")).json().data.data
  const undone = await owner.post(`/import-monitoring/${entry._id}/undo`)
  assert.ok(undone.statusCode < 300, undone.body)
  await runJobs(server)
  assert.deepEqual((await names(2)).toSorted(), ["onRecordDeleted", "onRecordUpdated"])
  await owner.delete(`/data/${id}`)
  assert.deepEqual(await names(1), ["onRecordDeleted"])
})

test("an automation of all flows acts on updates, and under the newer name on new records", async () => {
  const { server, owner, org, flow, hub, newTask } = await aPlace()
  const type = await aDataType(server.sql, { org, commonData: true })
  const automate = async (name: string, event: string, automationDetails: object, rules: object) => {
    const made = await owner.expect(200).post("/automation", {
      ...{ name, event, automationDetails, rules },
      automationType: name,
    })
    return made.json().data
  }
  const details = { dataTypeId: type.id, dataId: "$refFlow._id", dataSource: { note: "$refFlow.siteName" } }
  const ofAllFlows = await automate("createOrUpdateDataSource", "onTaskUpdated", details, {})
  assert.deepEqual(ofAllFlows.rules, {})
  const target = { flow: flow.name, flowId: flow.id, hubId: hub.id, taskData: { siteName: "$refData.note" } }
  await automate("createTask", "onRecordCreated", target, { dataTypeId: type.id })
  const id = await newTask()
  await runJobs(server)
  assert.equal((await owner.get("/tasks")).json().tasks.data.length, 1, "creating is no update")
  await owner.patch(`/task/${id}`, { siteName: "Barn" })
  await runJobs(server)
  const tasks: { siteName: string }[] = (await owner.get("/tasks")).json().tasks.data
  assert.deepEqual(
    tasks.map(({ siteName }) => siteName),
    ["Barn", "Barn"],
  )
  const bad = await owner.post("/automation", {
    ...{ name: "Late", event: "onTaskDeleted", automationType: "moveTask" },
    automationDetails: { hubId: hub.id },
  })
  assert.deepEqual([bad.statusCode, bad.json().failedCode], [400, "auto-034"])
})

test("a record that is limited to others does not appear in the feed", async () => {
  const { server, owner, org, seen } = await aPlace()
  const type = await aDataType(server.sql, { org, commonData: true, limitUser: true })
  const reader = server.as(await aUser(server.sql, { org, permissions: ["view/data"] }))
  const record = { dataTypeId: type.id, note: "secret" }
  await owner.post("/data", { ...record, dataId: "hidden", limitUser: [org.owner.email] })
  await owner.post("/data", { ...record, dataId: "open" })
  await seen(2)
  const shown: FeedEvent[] = (await reader.get("/events/feed")).json().data
  assert.deepEqual(
    shown.map(({ record }) => record.dataId),
    ["open"],
  )
})

test("a feed cursor of another server, or from before what is kept, is refused with the oldest valid one", async () => {
  const { server, org, owner, newTask } = await aPlace()
  await newTask()
  while ((await owner.get("/events/feed")).json().data.length < 1) await setTimeout(5)
  const { cursor } = (await owner.get("/events/feed")).json()
  assert.equal((await owner.get(`/events/feed?after=${cursor}`)).statusCode, 200)
  const refuse = async (after: string) => {
    const reply = await owner.expect(410).get(`/events/feed?after=${after}`)
    return String(reply.json().cursor)
  }
  const [, place] = cursor.split(".")
  const start = await refuse(`00000000.${place}`)
  assert.equal((await owner.get(`/events/feed?after=${start}`)).json().data.length, 1)
  await refuse("99999999999999-1")
  assert.equal((await owner.get("/events/feed?after=nonsense")).statusCode, 400)
  // Events older than 30 days are deleted; readers beyond them continue, others get 410.
  await server.sql`update domain_events set created_time = now() - interval '31 days' where organization_id = ${org.id}`
  const removal = automationJobs.find(({ name }) => name === "automation.remove-old")
  await removal?.handle(server.jobContext(), {})
  const oldest = await refuse(start)
  assert.equal((await owner.get(`/events/feed?after=${oldest}`)).statusCode, 200)
})
