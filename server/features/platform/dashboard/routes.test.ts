import assert from "node:assert/strict"
import { test } from "node:test"
import { aFlow, aHub, anOrganization, aTask, aUser } from "#samples/builders.ts"
import { testApp, testOrganization } from "#testing/test-app.ts"

test("the dashboard counts by day, person, status and membership in the organization's time zone", async (t) => {
  const { sql, as } = await testApp(t)
  const org = await anOrganization(sql, { timeZone: "Asia/Jakarta" })
  const [hub, other] = [await aHub(sql, { org }), await aHub(sql, { org })]
  const flow = await aFlow(sql, { org })
  const worker = await aUser(sql, { org, hubs: [hub], permissions: ["do/task"] })
  const at = (text: string) => ({
    startTime: Temporal.Instant.from(text),
    endTime: Temporal.Instant.from(text).add({ hours: 5 }),
  })
  await aTask(sql, { org, hub, flow, status: "DONE", assignee: [worker], ...at("2031-05-03T17:30:00Z") })
  await aTask(sql, { org, hub, flow, assignee: [worker], ...at("2031-05-04T10:00:00Z") })
  await aTask(sql, { org, hub, flow, ...at("2031-05-04T18:00:00Z") })
  await aTask(sql, { org, hub: other, flow, ...at("2031-05-04T10:00:00Z") })
  const body = { hubId: hub.id, startDate: "2031-05-04", endDate: "2031-05-05" }
  const ask = async (path: string, extra = {}) =>
    (await as(org.owner).post(path, { ...body, ...extra })).json().data
  assert.deepEqual(await ask("/task-activities"), {
    "2031-05-04": [{ flow: flow.name, total: 2 }],
    "2031-05-05": [{ flow: flow.name, total: 1 }],
  })
  assert.deepEqual(await ask("/user-activities"), [
    { assignee: worker.email, assigned: 2, ongoing: 1, done: 1, percentage: "50%" },
  ])
  assert.deepEqual(await ask("/task-status", { endDate: "2031-05-04" }), [
    { status: "DONE", total: 1 },
    { status: "ONGOING", total: 1 },
  ])
  assert.deepEqual(await ask("/user-status"), { allUser: 2, activeUser: 1, inactiveUser: 1 })
  const current = await ask("/current-activities")
  assert.equal(current.created, 3)
  assert.equal(current.unassign, 1)
  assert.match(current.dateFilter, /T00:00:00\+07:00 - .*T23:59:59\+07:00$/)
})

test("a dashboard without hub, over more than thirty days, or of a foreign hub is refused", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const foreign = await aHub(sql, { org: await anOrganization(sql) })
  for (const body of [
    { startDate: "2031-05-01", endDate: "2031-05-02" },
    { hubId: hub.id, startDate: "2031-05-01", endDate: "2031-05-31" },
    { hubId: hub.id, startDate: "2031-05-02", endDate: "2031-05-01" },
    { hubId: foreign.id, startDate: "2031-05-01", endDate: "2031-05-02" },
  ]) {
    const reply = await as(org.owner).expect(400).post("/task-status", body)
    assert.equal(reply.json().failedCode, "dash-001")
  }
})

test("late work that goes on counts as ongoing and as a visit", async (t) => {
  const { sql, as } = await testApp(t)
  const org = await anOrganization(sql)
  const hub = await aHub(sql, { org })
  const now = Temporal.Now.instant()
  const late = { startTime: now.subtract({ hours: 5 }), endTime: now.subtract({ hours: 1 }) }
  const task = await aTask(sql, { org, hub, assignee: [org.owner], ...late })
  const { data } = (await as(org.owner).expect(200).post("/current-activities", { hubId: hub.id })).json()
  assert.equal(data.ongoing, 1)
  const { tasks } = (await as(org.owner).expect(200).get("/tasks?isVisit=true")).json()
  assert.deepEqual(
    tasks.data.map(({ _id }: { _id: string }) => _id),
    [task.id],
  )
})
