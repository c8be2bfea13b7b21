import assert from "node:assert/strict"
import { test } from "node:test"
import type { Id } from "#core/ids.ts"
import type { Permission } from "#core/permissions.ts"
import {
  aDataType,
  aFlow,
  aHub,
  aRecord,
  aTask,
  aTeam,
  aUser,
  type Organization,
  type Person,
} from "#samples/builders.ts"
import { aWebhook } from "#samples/extension-builders.ts"
import { aResult } from "#samples/routing-builders.ts"
import { aSchedule } from "#samples/schedule-builder.ts"
import { testApp, testOrganization } from "#testing/test-app.ts"

interface Entry {
  _id: string
  type: string
  dataType: string
  sourceId: string
  data: Record<string, unknown> | null
}

/** One of each kind: how to read it, to delete it, and where. */
async function everyKind(org: Organization) {
  const { sql, as } = await testApp()
  const hub = await aHub(sql, { org })
  const type = await aDataType(sql, { org })
  const vehicle = { hubId: hub.id, name: "Van", speed: 30, workingTime: { startTime: 480, endTime: 1020 } }
  const van = (await as(org.owner).post("/vehicle", vehicle)).json()
  const role = (await as(org.owner).post("/role", { name: "Night", permissionList: ["view/task"] })).json()
  const ids: Record<string, [read: string, remove: string]> = {}
  const add = (dataType: string, read: string, remove = read) => {
    ids[dataType] = [read, remove]
  }
  add("tasks", `/task/${(await aTask(sql, { org, hub })).id}`)
  add("flows", `/flow/${(await aFlow(sql, { org })).id}`)
  add("hubs", `/hub/${(await aHub(sql, { org })).id}`)
  add("teams", `/team/${(await aTeam(sql, { org, hub })).id}`)
  add("roles", `/role/${role._id}`)
  const person = await aUser(sql, { org, role: "planner" })
  add("users", `/user/${person.id}`, `/member/${person.id}`)
  add("data", `/data/${(await aRecord(sql, { org, type, hub })).id}`)
  add("data-types", `/data-type/${(await aDataType(sql, { org })).id}`)
  add("schedules", `/task/schedule/${(await aSchedule(sql, { org })).id}`)
  add("results", `/result/${(await aResult(sql, { org })).id}`)
  add("automations", `/automation/${(await aWebhook(sql, { org })).id}`)
  if (van.data?._id) add("vehicles", `/vehicle/${van.data._id}`)
  return ids
}

test("the trash is a page of entries, each with the object as the API returned it", async () => {
  const { as, org } = await testOrganization()
  const owner = as(org.owner)
  const kinds = await everyKind(org)
  const before = new Map<string, Record<string, unknown>>()
  for (const [dataType, [read, remove]] of Object.entries(kinds)) {
    const reply = (await owner.get(read)).json()
    before.set(
      dataType,
      [reply, ...(Object.values(reply) as Record<string, unknown>[])].find((part) => part?._id) ?? {},
    )
    const removed = await owner.delete(remove)
    assert.ok(removed.statusCode < 300, `${remove}: ${removed.body}`)
  }
  const reply = (await owner.get("/trash?limit=100")).json()
  assert.ok(Array.isArray(reply.data))
  assert.deepEqual([reply.current_page, reply.total, reply.per_page], [1, reply.data.length, 100])
  for (const [dataType, shown] of before) {
    const entry: Entry = reply.data.find((one: Entry) => one.dataType === dataType)
    assert.ok(entry?.data, `${dataType} is not in the trash`)
    assert.equal(entry.data._id, entry.sourceId)
    assert.deepEqual((await owner.get(`/trash/${entry._id}`)).json().data.data, entry.data)
    const unknown = Object.keys(entry.data).filter((key) => !(key in shown))
    assert.deepEqual(unknown, [], `${dataType} has what reading it does not have`)
    const { createdTime, name } = shown
    if (createdTime !== undefined) assert.equal(entry.data.createdTime, createdTime, dataType)
    if (name !== undefined) assert.equal(entry.data.name, name, dataType)
  }
  assert.doesNotMatch(JSON.stringify(reply), /account_id|organization_id|permission_names|secrets/)
})

test("the trash shows nobody what they could not read while it existed", async () => {
  const { sql, as, org } = await testOrganization()
  const [here, elsewhere] = [await aHub(sql, { org }), await aHub(sql, { org })]
  const [ours, theirs] = [await aTeam(sql, { org, hub: here }), await aTeam(sql, { org, hub: here })]
  const all: Permission[] = [
    "view/trash",
    "view/task",
    "view/data",
    "view/user",
    "view/hub",
    "invite",
    "add/data",
  ]
  const person = (
    permissions: Permission[],
    more: { hubs?: { id: Id<"hub"> }[]; teams?: { id: Id<"team"> }[] } = {},
  ) => aUser(sql, { org, hubs: [here], permissions, ...more })
  const clerk = await person(["view/trash"])
  const [near, far] = [await person(all), await person(all, { hubs: [elsewhere] })]
  const onlyMine = await person([...all, "view/task/only-me"])
  const inTeam = await person(all, { teams: [ours] })

  const type = await aDataType(sql, { org, limitUser: true })
  const record = await aRecord(sql, { org, type, hub: here, limitUser: [near] })
  const task = await aTask(sql, { org, hub: here, assignee: [near] })
  const gone = await aUser(sql, { org, hubs: [here], teams: [theirs], role: "planner" })
  const emptied = await aHub(sql, { org })
  for (const path of [`/data/${record.id}`, `/task/${task.id}`, `/member/${gone.id}`, `/hub/${emptied.id}`])
    assert.ok((await as(org.owner).delete(path)).statusCode < 300, path)

  const sees = async (who: Person) => {
    const { data, total } = (await as(who).get("/trash")).json()
    assert.equal(total, data.length)
    return data.map((entry: Entry) => entry.dataType).sort()
  }
  assert.deepEqual(await sees(org.owner), ["data", "hubs", "tasks", "users"])
  assert.deepEqual(await sees(clerk), [])
  assert.deepEqual(await sees(near), ["data", "tasks", "users"])
  assert.deepEqual(await sees(far), ["users"])
  assert.deepEqual(await sees(onlyMine), ["users"])
  assert.deepEqual(await sees(inTeam), ["tasks"])
  const entries: Entry[] = (await as(org.owner).get("/trash")).json().data
  for (const { _id, dataType } of entries.filter((entry) => entry.dataType !== "users"))
    for (const who of [clerk, far]) {
      assert.equal((await as(who).get(`/trash/${_id}`)).statusCode, 404, dataType)
      assert.equal((await as(who).post(`/trash/${_id}/restore`)).statusCode, 404, dataType)
    }
})
