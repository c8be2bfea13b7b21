import assert from "node:assert/strict"
import { test } from "node:test"
import { inTransaction } from "#core/database/database.ts"
import { aDataType, aFlow, aHub, anOrganization, aRecord, aTask, aUser } from "#samples/builders.ts"
import { testApp, testOrganization } from "#testing/test-app.ts"

test("a hub is created from numbers sent as text, and its creator gets it", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const admin = await aUser(sql, { org, role: "admin" })
  const reply = await as(admin)
    .expect(200)
    .post("/hub", { name: "North", address: "Quay 1", lat: "52.5", lng: "-4.25" })
  const { data } = reply.json()
  assert.equal(data.lat, 52.5)
  assert.equal(data.lng, -4.25)
  assert.match(data.createdTime, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}000Z$/)
  const listed = (await as(admin).get("/hubs?byUser=true")).json()
  assert.deepEqual(
    listed.data.map((hub: { _id: string }) => hub._id),
    [data._id],
  )
})

test("two hubs of one organization cannot have the same name, in two organizations they can", async (t) => {
  const { sql, as } = await testApp(t)
  const [one, other] = [await anOrganization(sql), await anOrganization(sql)]
  const hub = { name: "Harbour", address: "Quay 1", lat: 1, lng: 2 }
  assert.equal((await as(one.owner).post("/hub", hub)).statusCode, 200)
  const refused = await as(one.owner)
    .expect(400)
    .post("/hub", { ...hub, name: "HARBOUR" })
  assert.equal(refused.json().failedCode, "hub-034")
  assert.equal((await as(other.owner).post("/hub", hub)).statusCode, 200)
})

test("a hub without a country of its own has the organization's, also as a task shows it", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const me = as(org.owner)
  await me.put(`/organization/${org.id}`, { country: "NLD" })
  const { data: hub } = (await me.post("/hub", { name: "Harbour", address: "Quay", lat: 52, lng: 4 })).json()
  assert.deepEqual([hub.countryCode, hub.country.code, hub.country.phoneCode], ["NLD", "NLD", "+31"])
  const flow = await aFlow(sql, { org })
  const made = await me.post("/task", { flow: flow.name, hubId: hub._id, siteName: "Pump" })
  assert.equal(made.json().task.hub.country.code, "NLD")
  await me.put(`/hub/${hub._id}`, { name: "Harbour", address: "Quay 2", lat: 52, lng: 4 })
  await me.put(`/organization/${org.id}`, { country: "BEL" })
  assert.equal((await me.get(`/hub/${hub._id}`)).json().data.countryCode, "BEL")
  const task = (await me.get(`/task/${made.json().task._id}`)).json().task
  assert.equal(task.hub.country.code, "BEL")
})

test("coordinates off the globe are refused with hub-038", async (t) => {
  const { as, org } = await testOrganization(t)
  const reply = await as(org.owner)
    .expect(400)
    .post("/hub", { name: "Nowhere", address: "-", lat: 91, lng: 0 })
  assert.equal(reply.json().failedCode, "hub-038")
  assert.equal(Object.keys(reply.json().errors).length, 1)
})

test("people see the hubs that they have, owners see all", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const [mine, other] = [await aHub(sql, { org }), await aHub(sql, { org })]
  const planner = await aUser(sql, { org, role: "planner", hubs: [mine] })
  const names = async (person: typeof planner) =>
    (await as(person).get("/hubs"))
      .json()
      .data.map((hub: { name: string }) => hub.name)
      .sort()
  assert.deepEqual(await names(planner), [mine.name])
  assert.deepEqual(await names(org.owner), [mine.name, other.name].sort())
  assert.equal((await as(planner).get(`/hub/${other.id}`)).json().failedCode, "hub-033")
})

test("a hub with people or finished tasks is kept; without them it goes to the trash with its tasks", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const done = await aTask(sql, { org, hub, status: "DONE" })
  const refused = await as(org.owner).delete(`/hub/${hub.id}`)
  assert.equal(refused.json().failedCode, "hub-039")
  await sql`delete from tasks where id = ${done.id}`
  const open = await aTask(sql, { org, hub })
  const type = await aDataType(sql, { org })
  const record = await aRecord(sql, { org, type, hub })
  const reply = await as(org.owner).delete(`/hub/${hub.id}`)
  assert.deepEqual(reply.json(), { status: true })
  assert.equal((await as(org.owner).delete(`/hub/${hub.id}`)).statusCode, 404)
  const [kept] = await sql<
    { content: { tasks: { id: string }[] } }[]
  >`select content from trash where source_id = ${hub.id}`
  assert.deepEqual(
    kept?.content.tasks.map((task) => task.id),
    [open.id],
  )
  assert.equal((await as(org.owner).get(`/data/${record.id}`)).statusCode, 404)
  const entryOf = async (id: string) =>
    (await sql<{ id: string }[]>`select id from trash where source_id = ${id}`)[0]?.id
  const restore = async (id: string) => as(org.owner).post(`/trash/${await entryOf(id)}/restore`)
  assert.equal((await restore(record.id)).statusCode, 409)
  assert.equal((await restore(hub.id)).statusCode, 200)
  assert.equal((await restore(record.id)).statusCode, 200)
  assert.equal((await as(org.owner).get(`/hub/${hub.id}`)).json().data.name, hub.name)
  assert.equal((await as(org.owner).get(`/task/${open.id}`)).statusCode, 200)
  assert.equal((await as(org.owner).get(`/data/${record.id}`)).statusCode, 200)
})

test("a task that comes into a hub while it is deleted goes to the trash with it", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const [hub, other] = [await aHub(sql, { org }), await aHub(sql, { org })]
  const task = await aTask(sql, { org, hub: other })
  const { deleting } = await inTransaction(sql, async (tx) => {
    await tx`update tasks set hub_id = ${hub.id} where id = ${task.id}`
    const deleting = as(org.owner).delete(`/hub/${hub.id}`)
    const waiting = () =>
      sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    while ((await waiting()).length === 0);
    return { deleting }
  })
  assert.deepEqual((await deleting).json(), { status: true })
  const [kept] = await sql<
    { content: { tasks: { id: string }[] } }[]
  >`select content from trash where source_id = ${hub.id}`
  assert.deepEqual(
    kept?.content.tasks.map(({ id }) => id),
    [task.id],
  )
})
