import assert from "node:assert/strict"
import { test } from "node:test"
import { aFlow, aHub, anOrganization, aTask, aUser } from "#samples/builders.ts"
import { testApp } from "#testing/test-app.ts"

const pages = [
  {
    id: "page0",
    components: [
      { id: "outlet", component: "input", type: "String", title: "Outlet" },
      { id: "weight", component: "input", type: "number", title: "Weight", showAs: "content" },
      { id: "result", component: "select", options: ["SUKSES", "GAGAL"], title: "Result", showAs: "label" },
      { id: "goods", component: "select", options: ["Rice", "Oil", "Salt"], max: 3, title: "Goods" },
      { id: "sign", component: "signature", title: "Signature" },
      { id: "proof", component: "photo", max: 3, title: "Proof" },
    ],
  },
  { id: "page1", components: [{ id: "receipt", component: "signature", title: "Receipt", required: true }] },
]

async function aDelivery(t: Parameters<typeof testApp>[0]) {
  const app = await testApp(t)
  const org = await anOrganization(app.sql)
  const hub = await aHub(app.sql, { org })
  await app.sql`update hubs set country_code = 'IDN' where id = ${hub.id}`
  const flow = await aFlow(app.sql, { org, pages })
  const worker = await aUser(app.sql, { org, hubs: [hub], permissions: ["view/task", "do/task"] })
  const owner = app.as(org.owner)
  const make = async (values: object) =>
    (await owner.post("/task", { flow: flow.name, hubId: hub.id, ...values })).json().task
  return { ...app, org, hub, flow, worker, owner, make }
}

test("ruling 35: task values come back in the form in which they were sent", async (t) => {
  const { owner, make, flow, hub } = await aDelivery(t)
  const listed = await make({ weight: 12.5, result: ["sukses"], goods: ["Rice", "Oil"] })
  assert.deepEqual([listed.weight, listed.result, listed.goods], [12.5, ["SUKSES"], ["Rice", "Oil"]])
  const texts = await make({ weight: "9", result: "SUKSES", goods: "Rice,oil" })
  assert.deepEqual([texts.weight, texts.result, texts.goods], ["9", "SUKSES", "Rice,Oil"])
  const patched = await owner.patch(`/task/${texts._id}`, { weight: " 100 ", goods: ["Salt"] })
  assert.deepEqual([patched.json().task.weight, patched.json().task.goods], ["100", ["Salt"]])
  await owner.expect(400).patch(`/task/${texts._id}`, { result: ["SUKSES", "GAGAL"] })
  await owner.expect(400).post("/task", { flow: flow.name, hubId: hub.id, weight: "heavy" })
  const joined = await make({ outlet: ["North", "South"] })
  assert.equal(joined.outlet, "North, South", "where text is needed")
})

test("ruling 35: numbers are sorted as numbers and lists by their text, whatever their form", async (t) => {
  const { owner, make } = await aDelivery(t)
  for (const weight of ["9", 100, "20.5", 3]) await make({ weight, goods: weight === 3 ? ["Oil"] : "Rice" })
  const by = async (sortBy: string, field: string) =>
    (await owner.get(`/tasks?sortBy=${sortBy}&sortOrder=asc`))
      .json()
      .tasks.data.map((task: Record<string, unknown>) => task[field])
  assert.deepEqual(await by("weight", "weight"), [3, "9", "20.5", 100])
  assert.deepEqual((await by("goods", "weight"))[0], 3)
})

test("ruling 36: title, content and label carry the value in its own form", async (t) => {
  const { owner, make, org, hub, sql } = await aDelivery(t)
  const task = await make({ weight: 7, result: ["SUKSES"] })
  assert.deepEqual([task.title, task.content, task.label], [null, 7, ["SUKSES"]])
  const { data } = (await owner.get("/tasks?q=sukses&fields=label,content")).json().tasks
  assert.deepEqual(data, [{ _id: task._id, content: 7, label: ["SUKSES"], assignedVehicle: null }])
  const changed = (await owner.patch(`/task/${task._id}`, { weight: "8", result: "GAGAL" })).json().task
  assert.deepEqual([changed.content, changed.label], ["8", "GAGAL"])
  const named = await aFlow(sql, {
    org,
    pages: [
      {
        id: "page0",
        components: [
          { id: "title", component: "input", type: "String" },
          { id: "label", component: "select", options: ["A", "B"], max: 2 },
          { id: "note", component: "input", type: "String", showAs: "content" },
        ],
      },
    ],
  })
  const body = { flow: named.name, hubId: hub.id, title: "Outlet 7", label: ["A"], note: "Left" }
  const own = (await owner.post("/task", body)).json().task
  assert.deepEqual([own.title, own.content, own.label], ["Outlet 7", "Left", ["A"]])
})

test("ruling 39: what a phone says of itself never refuses a change", async (t) => {
  const { sql, as, org, hub, flow, worker, owner, make } = await aDelivery(t)
  const task = await aTask(sql, { org, hub, flow, assignee: [worker] })
  const said = {
    appVersion: { name: "Fieldapp", version: "4.2.1" },
    deviceInfo: { os: "Android 15" },
    network: "4G",
    battery: { level: 0.4, charging: false },
    page0DoneTime: "yesterday",
    doneClickTime: "not a time",
    startClickCoordinate: "somewhere",
    doneCoordinate: [1, 2],
    openTaskTime: "2031-05-04 09:00:00",
  }
  const signed = { status: "DONE", receipt: "https://files.example/receipt.png" }
  const reply = await as(worker)
    .expect(200)
    .patch(`/task/${task.id}`, { ...said, ...signed })
  const done = reply.json().task
  assert.equal(done.status, "DONE")
  assert.deepEqual(done.appVersion, said.appVersion)
  assert.deepEqual([done.deviceInfo, done.network, done.battery], [said.deviceInfo, "4G", said.battery])
  const warnings: string[] = reply.json().warnings
  assert.deepEqual(
    warnings.map((text) => text.split(" ")[0]),
    ["page0DoneTime", "doneClickTime", "startClickCoordinate", "doneCoordinate"],
  )
  const [one, other] = [await make({ appVersion: "4.2.1" }), await make({})]
  assert.equal(one.appVersion, "4.2.1")
  const bulk = await owner.patch("/tasks/bulk", {
    tasks: [
      { _id: one._id, idleDuration: "long" },
      { _id: other._id, syncedTime: "2031-05-04 09:00:00" },
    ],
  })
  assert.deepEqual(
    bulk
      .json()
      .tasks.map((item: { status: boolean; warnings?: string[] }) => [item.status, item.warnings?.length]),
    [
      [true, 1],
      [true, undefined],
    ],
  )
})

test("ruling 40: file keys of a phone are kept and returned next to their component", async (t) => {
  const { sql, as, org, hub, flow, worker } = await aDelivery(t)
  const task = await aTask(sql, { org, hub, flow, assignee: [worker] })
  const keys = {
    receipt_url: "https://files.example/receipt.png",
    receipt_path: "/storage/receipt.png",
    sign_path: "/storage/sign.png",
    proof_0_url: "https://files.example/0.jpg",
    proof_0_path: "/storage/0.jpg",
    proof_0_id: "local-17",
  }
  await as(worker)
    .expect(200)
    .patch(`/task/${task.id}`, { status: "DONE", ...keys })
  const stored = (await as(worker).get(`/task/${task.id}`)).json().task
  for (const [key, value] of Object.entries(keys)) assert.equal(stored[key], value, key)
  assert.equal(stored.receipt, keys.receipt_url, "the signature itself is not lost")
  const again = await aTask(sql, { org, hub, flow, assignee: [worker] })
  await as(worker).patch(`/task/${again.id}`, keys)
  await as(worker).patch(`/task/${again.id}`, { receipt: null })
  const without = await as(worker).patch(`/task/${again.id}`, { status: "DONE" })
  assert.equal(without.statusCode, 400, "a signature that was taken back is missing")
})

test("ruling 42: tasks contain their organization, their hub's country and their visit group", async (t) => {
  const { owner, make, org } = await aDelivery(t)
  const task = await make({ outlet: "One" })
  const { isDeleted, organization, visitGroup, visitGroupPriority } = task
  assert.deepEqual(
    { isDeleted, organization, visitGroup, visitGroupPriority },
    {
      isDeleted: false,
      organization: { _id: org.id, name: org.name },
      visitGroup: null,
      visitGroupPriority: null,
    },
  )
  assert.deepEqual([task.hub.country.code, task.hub.country.name], ["IDN", "Indonesia"])
  const { links } = (await owner.get("/tasks?limit=1")).json().tasks
  assert.deepEqual(
    links.map((link: { page: number | null }) => link.page),
    [null, 1, null],
  )
})
