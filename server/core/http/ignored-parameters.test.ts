import assert from "node:assert/strict"
import { test } from "node:test"
import { aDataType, aFlow, aHub, anOrganization } from "#samples/builders.ts"
import { testApp } from "#testing/test-app.ts"

const strict = { prefer: "handling=strict" }

async function aPlace() {
  const server = await testApp()
  const org = await anOrganization(server.sql)
  const [flow, hub] = [await aFlow(server.sql, { org }), await aHub(server.sql, { org })]
  return {
    server,
    org,
    owner: server.as(org.owner),
    task: { flow: flow.name, hubId: hub.id, siteName: "Mill" },
  }
}
const listed = (reply: { headers: Record<string, unknown> }) => reply.headers["x-ignored-parameters"]

test("unknown parameters and keys are ignored, and the response lists them", async () => {
  const { owner } = await aPlace()
  const read = await owner.expect(200).get("/tasks?stauts=DONE&limit=5&caf%C3%A9=1")
  assert.equal(listed(read), "stauts, caf%C3%A9")
  assert.equal(listed(await owner.get("/tasks?status=DONE")), undefined)
  const hub = { name: "North", address: "Quay 2", lat: 52.5, lng: 4.9 }
  const made = await owner.post("/hub?dryRun=1", { ...hub, colour: "red" })
  assert.equal(listed(made), "dryRun, colour")
  const cors = await owner.get("/tasks?x=1", { origin: "https://elsewhere.example" })
  assert.match(String(cors.headers["access-control-expose-headers"]), /x-ignored-parameters/i)
})

test("at most 20 names and 1,000 bytes are listed", async () => {
  const { owner } = await aPlace()
  const many = Array.from({ length: 30 }, (_, index) => `p${index}=1`).join("&")
  assert.equal(String(listed(await owner.get(`/tasks?${many}`))).split(", ").length, 20)
  const long = Array.from({ length: 10 }, (_, index) => `${index}${"x".repeat(300)}=1`).join("&")
  const names = String(listed(await owner.get(`/tasks?${long}`)))
  assert.ok(names.length <= 1000 && names.split(", ").length === 3, names)
})

test("a key that no component of the flow names is unknown; what a task has or phones send is not", async () => {
  const { owner, task } = await aPlace()
  const made = await owner
    .expect(201)
    .post("/task", { ...task, sitename: "typo", appVersion: "5.1", siteName_note: "x" })
  assert.equal(listed(made), "sitename")
  const whole = made.json().task
  const sentBack = await owner.expect(200).put(`/task/${whole._id}`, whole)
  assert.equal(listed(sentBack), undefined)
  assert.equal(listed(await owner.patch(`/task/${whole._id}`, { siteName: "Barn", priorty: 1 })), "priorty")
  const upserted = await owner.put("/tasks/upsert", { ...task, refId: "A-1", colour: "red" })
  assert.equal(listed(upserted), "colour")
})

test("with Prefer: handling=strict they are refused, and nothing is written", async () => {
  const { owner, task } = await aPlace()
  const read = await owner.get("/tasks?stauts=DONE", strict)
  assert.deepEqual([read.statusCode, read.json().failedCode], [400, "task-003"])
  assert.deepEqual(read.json().errors, { stauts: ["is unknown"] })
  await owner.expect(400).post("/task", { ...task, sitename: "typo" }, strict)
  assert.equal((await owner.get("/tasks", strict)).json().tasks.data.length, 0)
  await owner.expect(201).post("/task", task, { prefer: 'respond-async, handling="strict"' })
  assert.equal((await owner.get("/tasks?x=1", { prefer: "handling=lenient" })).statusCode, 200)
})

test("entries of bulk bodies, filters by field and open objects are not listed", async () => {
  const { server, owner, org, task } = await aPlace()
  const bulk = await owner.post("/tasks/bulk", { tasks: [{ ...task, nothing: 1 }], extra: true })
  assert.equal(listed(bulk), "extra")
  const type = await aDataType(server.sql, { org, commonData: true })
  assert.equal(listed(await owner.get(`/data?dataTypeId=${type.id}&filter[note]=a`)), undefined)
  const settings = await owner.put(`/organization/${org.id}`, { configuration: { anything: 1 } })
  assert.equal(listed(settings), undefined, settings.body)
})

test("a key that no field of the data type names is unknown, and strictly refused before anything is written", async () => {
  const { server, owner, org } = await aPlace()
  const type = await aDataType(server.sql, { org, commonData: true })
  const field = "note"
  const body = { dataTypeId: type.id, dataId: "A-1", [field]: "Mill" }
  const made = await owner.expect(201).post("/data", { ...body, ntoe: "typo" })
  assert.equal(listed(made), "ntoe")
  const whole = made.json().data
  assert.equal(listed(await owner.put(`/data/${whole._id}`, whole)), undefined)
  assert.equal(listed(await owner.patch(`/data/${whole._id}`, { colour: "red" })), "colour")
  const refused = await owner.patch(`/data/${whole._id}`, { [field]: "Barn", colour: "red" }, strict)
  assert.deepEqual([refused.statusCode, refused.json().errors], [400, { colour: ["is unknown"] }])
  assert.equal((await owner.put(`/data/${whole._id}`, { ...body, colour: "red" }, strict)).statusCode, 400)
  assert.equal((await owner.post("/data", { ...body, dataId: "A-2", colour: "red" }, strict)).statusCode, 400)
  const { data } = (await owner.get(`/data?dataTypeId=${type.id}`)).json().data
  assert.deepEqual(
    data.map((record: Record<string, unknown>) => [record.dataId, record[field], record.updatedBy]),
    [["A-1", "Mill", org.owner.email]],
  )
  assert.equal((await owner.post("/data", { ...body, dataId: "A-2" }, strict)).statusCode, 201)
})
