import assert from "node:assert/strict"
import { test } from "node:test"
import { aFlow, aHub, anOrganization } from "#samples/builders.ts"
import { testApp } from "#testing/test-app.ts"
import { finishImport, importFile, meterSwapPages } from "./fixtures/imports.ts"

const title = { id: "siteName", component: "input", type: "String", title: "Site", showAs: "title" }

test("priority and tags are written, refused, cleared, filtered and imported; a component with the id keeps its key", async (t) => {
  const app = await testApp(t)
  const org = await anOrganization(app.sql)
  const hub = await aHub(app.sql, { org })
  const flow = await aFlow(app.sql, { org, pages: [{ id: "page0", components: [title] }] })
  const me = app.as(org.owner)
  const create = async (body: object) =>
    (await me.expect(201).post("/task", { flow: flow.name, hubId: hub.id, siteName: "A", ...body })).json()
      .task
  const urgent = await create({ priority: "Urgent", tags: ["cold", " cold ", "north"] })
  assert.deepEqual([urgent.priority, urgent.tags], ["urgent", ["cold", "north"]])
  const plain = await create({})
  assert.equal("priority" in plain, false)
  for (const body of [
    { priority: "now" },
    { tags: [1] },
    { tags: Array.from({ length: 21 }, (_, index) => String(index)) },
  ])
    assert.equal((await me.expect(400).patch(`/task/${plain._id}`, body)).json().failedCode, "task-032")
  await me
    .expect(200)
    .patch("/tasks/bulk", { tasks: [{ _id: plain._id, priority: "low", tags: "west, far" }] })
  const titles = async (query: string) =>
    (await me.get(`/tasks?${query}`)).json().tasks.data.map(({ _id }: { _id: string }) => _id)
  assert.deepEqual(await titles("priority=urgent,high"), [urgent._id])
  assert.deepEqual(await titles("tags=far,none"), [plain._id])
  assert.deepEqual(await titles("tags=cold&priority=low"), [])
  const cleared = (await me.patch(`/task/${plain._id}`, { priority: null, tags: [] })).json().task
  assert.deepEqual([cleared.priority ?? null, cleared.tags ?? null], [null, null])

  const content = 'Site,Priority,Tags\nHarbour,high,"cold, north"\nMill,soon,\n'
  const scene = { ...app, me, flow, hub }
  const sent = await importFile(scene, { filename: "stops.csv", content })
  const done = await finishImport(scene, sent.json().data._id)
  assert.deepEqual([done.totalValid, done.totalInvalid], [1, 1])
  const [imported] = (await me.get("/tasks?priority=high")).json().tasks.data
  assert.deepEqual([imported.title, imported.tags], ["Harbour", ["cold", "north"]])

  const own = await aFlow(app.sql, {
    org,
    pages: [
      {
        id: "page0",
        components: [title, { ...title, id: "priority", title: "Priority", showAs: "content" }],
      },
    ],
  })
  const both = await create({ flow: own.name, priority: "shelf 3", _priority: "high" })
  assert.deepEqual([both.priority, both._priority], ["shelf 3", "high"])
})

test("a column is suggested only for a field that its first values fit", async (t) => {
  const app = await testApp(t)
  const org = await anOrganization(app.sql)
  const hub = await aHub(app.sql, { org })
  const flow = await aFlow(app.sql, { org, pages: meterSwapPages })
  const content = "Client,Fee date,Remarks,Delivery date\nKai Ray,2031-05-01,Ring twice,2031-05-04 08:00\n"
  const parts = { type: "task", flowId: flow.id, hubId: hub.id }
  const preview = await app.as(org.owner).upload("/data/import/preview", {
    file: { filename: "a.csv", content },
    ...parts,
  })
  const { columns, unknown } = preview.json().data
  assert.deepEqual([columns.fee, unknown], [null, ["Fee date"]])
  assert.deepEqual(
    [columns.customer, columns.note, columns.startTime],
    ["Client", "Remarks", "Delivery date"],
  )
})

test("a date alone is the start or end of a task at midnight in the organization's zone, as a date cell is", async (t) => {
  const app = await testApp(t)
  const org = await anOrganization(app.sql)
  await app.sql`update organizations set time_zone = 'Asia/Tokyo' where id = ${org.id}`
  const hub = await aHub(app.sql, { org })
  const flow = await aFlow(app.sql, { org, pages: [{ id: "page0", components: [title] }] })
  const scene = { ...app, me: app.as(org.owner), flow, hub }
  const content = "Site,Start Time,End Time\nMill,2026-11-30,2026-12-01\nHarbour,2026-02-30,\n"
  const sent = await importFile(scene, { filename: "days.csv", content })
  const done = await finishImport(scene, sent.json().data._id)
  assert.deepEqual([done.totalValid, done.totalInvalid], [1, 1])
  const [{ startTime, endTime }] = (await scene.me.get("/tasks")).json().tasks.data
  assert.deepEqual([startTime, endTime], ["2026-11-29T15:00:00+00:00", "2026-11-30T15:00:00+00:00"])
})
