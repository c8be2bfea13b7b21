import assert from "node:assert/strict"
import { test } from "node:test"
import { aDataType, aFlow, aHub, aTask, aUser } from "#samples/builders.ts"
import { testOrganization } from "#testing/test-app.ts"

const input = (id: string, more: Record<string, unknown> = {}) => ({
  id,
  component: "input",
  type: "String",
  title: id,
  ...more,
})
const pagesOf = (...components: Record<string, unknown>[]) => [{ id: "page0", components }]

async function aPlace() {
  const { sql, as, org } = await testOrganization()
  return { sql, as, org, owner: as(org.owner) }
}

test("a flow keeps what it is sent, unknown keys of pages and components included", async () => {
  const { owner } = await aPlace()
  const pages = [
    {
      id: "page0",
      title: "First",
      showTooltip: true,
      components: [input("site", { preValue: "$x", tags: null })],
    },
    {
      id: "page1",
      components: [{ id: "shot", component: "photo", min: "1", max: "3", selectGallery: true }],
    },
  ]
  const reply = await owner.expect(201).post("/flow", { name: "Meter Swap", pages, version: 9 })
  const { flow } = reply.json()
  assert.deepEqual(flow.pages, pages)
  assert.equal(flow.version, 1)
  assert.match(flow.createdTime, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}000Z$/)
  assert.deepEqual(flow.configurations, [
    { id: "startTime", adjustment: 0 },
    { id: "endTime", adjustment: 24 },
  ])
})

test("a flow that no task could use is refused, saying which part of it", async () => {
  const { owner } = await aPlace()
  const select = { id: "s", component: "select", options: ["a"] }
  const cases = [
    [{ pages: [] }, "flow-001"],
    [{ name: "Handover" }, "flow-003"],
    [{ name: "A/B" }, "flow-003"],
    [{ pages: [{ id: "page1", components: [] }] }, "flow-034"],
    [{ pages: [...pagesOf(), ...pagesOf()] }, "flow-034"],
    [{ pages: pagesOf({ id: "x", component: "hologram" }) }, "flow-039"],
    [{ pages: pagesOf(input("x", { type: "Colour" })) }, "flow-039"],
    [{ pages: pagesOf(input("status")) }, "flow-039"],
    [{ pages: pagesOf(input("x"), input("x")) }, "flow-039"],
    [{ pages: pagesOf(input("x", { showAs: "title" }), input("y", { showAs: "title" })) }, "flow-039"],
    [{ pages: pagesOf({ ...select, options: [] }) }, "flow-039"],
    [{ pages: pagesOf({ ...select, min: 2, max: 1 }) }, "flow-039"],
    [
      {
        pages: pagesOf({ id: "l", component: "list", addNewValidationType: "custom", addNewValidation: "(" }),
      },
      "flow-039",
    ],
    [{ pages: pagesOf({ id: "v", component: "voice", maxDuration: 11 }) }, "flow-039"],
    [{ pages: pagesOf(...Array.from({ length: 301 }, (_, index) => input(`c${index}`))) }, "flow-043"],
    [{ pages: pagesOf(input("x", { half: "\ud800" })) }, "flow-034"],
    [{ configurations: [{ id: "startTime", adjustment: "soon" }] }, "flow-013"],
    [
      {
        pages: pagesOf(
          { id: "a", component: "list", value: "$b" },
          { id: "b", component: "list", value: "$a" },
        ),
      },
      "flow-013",
    ],
  ] as const
  for (const [change, code] of cases) {
    const reply = await owner.post("/flow", { name: "Fine", pages: pagesOf(input("x")), ...change })
    assert.equal(reply.statusCode, 400, JSON.stringify(change).slice(0, 200))
    assert.equal(reply.json().failedCode, code, `${JSON.stringify(change).slice(0, 200)}: ${reply.body}`)
  }
  const many = pagesOf(...Array.from({ length: 300 }, (_, index) => input(`c${index}`)))
  assert.equal((await owner.post("/flow", { name: "Fine", pages: many })).statusCode, 201)
})

test("JSON nested a hundred thousand levels deep is refused and harms nothing", async () => {
  const { owner } = await aPlace()
  const deep = "[".repeat(100_000) + "]".repeat(100_000)
  const body = `{"name":"Deep","pages":[{"id":"page0","components":[],"more":${deep}}]}`
  const reply = await owner.expect(400).post("/flow", body, { "content-type": "application/json" })
  assert.equal(reply.json().failedCode, "flow-013")
})

test("a mapping of a data type must fit its fields and the components that it fills", async () => {
  const { sql, org, owner } = await aPlace()
  const type = await aDataType(sql, {
    org,
    fields: [
      { id: "dataId", title: "Key" },
      { id: "crates", title: "Crates", type: "number" },
      { id: "note", title: "Note", type: "text" },
    ],
  })
  const pages = pagesOf(input("partner"), input("amount", { type: "Numeric" }), {
    id: "p",
    component: "photo",
  })
  const mapping = (typeId: string, ...fields: Record<string, unknown>[]) => ({
    name: "Mapped",
    pages,
    configurations: [{ id: "dataSource", list: [{ typeId, fields }] }],
  })
  const key = { id: "dataId", componentId: "partner", primaryKey: true }
  const refused = async (body: unknown, code: string) => {
    const reply = await owner.post("/flow", body)
    assert.equal(reply.json().failedCode, code, reply.body)
  }
  await refused(mapping("6a01c0ffee5de0b4a7710c11", key), "flow-041")
  await refused(mapping(type.id, { id: "note", componentId: "partner" }), "flow-013")
  await refused(mapping(type.id, key, { id: "gone", componentId: "amount" }), "flow-013")
  await refused(mapping(type.id, key, { id: "note", componentId: "amount" }), "flow-013")
  await refused(mapping(type.id, key, { id: "note", componentId: "p" }), "flow-013")
  await refused(mapping(type.id, key, { id: "note", componentId: "nowhere" }), "flow-013")
  const circle = mapping(type.id, key, { id: "note", componentId: "partner" })
  await refused(circle, "flow-013")
  await owner.expect(201).post("/flow", mapping(type.id, key, { id: "crates", componentId: "amount" }))
  const kept = await owner.delete(`/data-type/${type.id}`)
  assert.equal(kept.json().failedCode, "dtype-041")
})

test("a cycle of data sources that fill each other's keys is refused", async () => {
  const { sql, org, owner } = await aPlace()
  const types = [await aDataType(sql, { org }), await aDataType(sql, { org })] as const
  const source = (typeId: string, from: string, to: string) => ({
    typeId,
    fields: [
      { id: "dataId", componentId: from, primaryKey: true },
      { id: "note", componentId: to },
    ],
  })
  const list = [source(types[0].id, "a", "b"), source(types[1].id, "b", "a")]
  const body = {
    name: "Circle",
    pages: pagesOf(input("a"), input("b")),
    configurations: [{ id: "dataSource", list }],
  }
  const reply = await owner.expect(400).post("/flow", body)
  assert.match(reply.json().message, /a > b > a/)
})

test("each change of a flow is a version, and any earlier state can be brought back", async () => {
  const { sql, org, owner } = await aPlace()
  const body = { name: "Versions", pages: pagesOf(input("one")) }
  const { flow } = (await owner.post("/flow", body)).json()
  const changed = await owner.put(`/flow/${flow._id}`, { name: "Renamed", pages: pagesOf(input("two")) })
  assert.equal(changed.json().flow.version, 2)
  assert.deepEqual(changed.json().flow.configurations, flow.configurations)
  const logs = (await owner.get(`/flow-logs?flowId=${flow._id}`)).json()
  assert.equal(logs.code, 200)
  assert.deepEqual(
    logs.data.data.map((log: { action: string; version: number }) => [log.action, log.version]),
    [
      ["put", 1],
      ["create", 1],
    ],
  )
  const [put] = logs.data.data
  assert.equal(put.rawData.name, "Versions")
  assert.equal(put.changeData.name, "Renamed")
  assert.equal(put.changedBy, "Owner")
  const restored = await owner.expect(200).put(`/flow/${flow._id}/restore/${put._id}`)
  assert.equal(restored.json().data.name, "Versions")
  assert.equal(restored.json().data.version, 3)
  assert.deepEqual(restored.json().data.pages, body.pages)
  const other = await aFlow(sql, { org })
  assert.equal((await owner.put(`/flow/${other.id}/restore/${put._id}`)).json().failedCode, "flow-033")
})

test("a flow cannot be restored to a name that another flow has by now", async () => {
  const { owner } = await aPlace()
  const pages = pagesOf(input("x"))
  const { flow } = (await owner.post("/flow", { name: "Taken", pages })).json()
  await owner.put(`/flow/${flow._id}`, { name: "Moved on", pages })
  await owner.post("/flow", { name: "Taken", pages })
  const [put] = (await owner.get(`/flow-logs?flowId=${flow._id}&action=put`)).json().data.data
  assert.equal((await owner.put(`/flow/${flow._id}/restore/${put._id}`)).json().failedCode, "flow-031")
})

test("the saved list of flows orders, renames, copies and deletes, each entry for itself", async () => {
  const { sql, as, org, owner } = await aPlace()
  await sql`delete from flows where organization_id = ${org.id}`
  const [a, b, c] = [
    await aFlow(sql, { org, name: "A" }),
    await aFlow(sql, { org, name: "B" }),
    await aFlow(sql, { org, name: "C" }),
  ]
  const data = [
    { flowId: c.id },
    { flowId: a.id, flowName: "A again" },
    { flowId: a.id, doDuplicate: true, flowName: "A copy" },
    { flowId: "ffffffffffffffffffffffff" },
    { flowId: b.id, doDelete: true },
  ]
  const reply = await owner.expect(200).put("/flow-reorder", { data })
  const responses = reply.json().data
  assert.deepEqual(responses[0].flow, { orderIndex: 1, version: 1 })
  assert.deepEqual(responses[1].flow, { orderIndex: 2, version: 2 })
  assert.equal(responses[2].flow.name, "A copy")
  assert.equal(responses[2].flow.version, 1)
  assert.equal(responses[3].code, 404)
  assert.equal(responses[4].data.name, "B")
  assert.match(responses[4].data.deleted_at, /000Z$/)
  const listed = (await owner.get("/flows?sort_order=asc&fields=name,orderIndex")).json().flows.data
  assert.deepEqual(
    listed.map((flow: { name: string; orderIndex: number }) => [flow.name, flow.orderIndex]),
    [
      ["C", 1],
      ["A again", 2],
      ["A copy", 3],
    ],
  )
  const editor = await aUser(sql, { org, permissions: ["edit/flow"] })
  const refused = (await as(editor).put("/flow-reorder", { data: [{ flowId: c.id, doDelete: true }] })).json()
  assert.equal(refused.data[0].failedCode, "flow-035")
})

test("a renamed flow has its new name in the schedules and automations that use it, and its old one in tasks", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const flow = await aFlow(sql, { org })
  const task = await aTask(sql, { org, hub, flow })
  const owner = as(org.owner)
  await sql`
    insert into task_schedules (organization_id, id, hub_id, flow_id, flow, name, recurrence, task, created_time, updated_time, handled_until)
    values (${org.id}, 'aaaaaaaaaaaaaaaaaaaaaaaa', ${hub.id}, ${flow.id}, ${flow.name}, 'Daily', '{}', ${sql.json({ flow: flow.name })}, now(), now(), now())`
  await sql`
    insert into automations (organization_id, id, name, event, data_type, automation_type, details, rules)
    values (${org.id}, 'bbbbbbbbbbbbbbbbbbbbbbbb', 'Hook', 'onTaskCreated', 'task', 'webhook', '{}', ${sql.json({ flow: flow.name, flowId: flow.id })})`
  const { pages } = (await owner.get(`/flow/${flow.id}`)).json().flow
  assert.equal((await owner.put(`/flow/${flow.id}`, { name: "Night round", pages })).statusCode, 200)
  const [schedule] =
    await sql`select flow, task->>'flow' as in_task from task_schedules where organization_id = ${org.id}`
  assert.deepEqual({ ...schedule }, { flow: "Night round", inTask: "Night round" })
  const [automation] =
    await sql`select rules->>'flow' as flow from automations where organization_id = ${org.id}`
  assert.equal(automation?.flow, "Night round")
  assert.equal((await owner.get(`/task/${task.id}`)).json().task.flow, flow.name)
})

test("a deleted flow goes to the trash, and a second deletion finds nothing", async () => {
  const { sql, org, owner } = await aPlace()
  const flow = await aFlow(sql, { org })
  const reply = await owner.expect(200).delete(`/flow/${flow.id}`, { force: true })
  assert.equal(reply.json().data._id, flow.id)
  assert.equal((await owner.delete(`/flow/${flow.id}`)).statusCode, 404)
  const [kept] = await sql<{ type: string }[]>`select type from trash where source_id = ${flow.id}`
  assert.equal(kept?.type, "Flow")
})
