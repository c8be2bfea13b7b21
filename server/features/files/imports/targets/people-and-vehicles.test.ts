import assert from "node:assert/strict"
import { type TestContext, test } from "node:test"
import { aHub, anOrganization, aTeam, aUser } from "#samples/builders.ts"
import { testApp } from "#testing/test-app.ts"
import { finishImport } from "../fixtures/imports.ts"

async function aScene(t: TestContext) {
  const app = await testApp(t)
  const org = await anOrganization(app.sql)
  const hub = await aHub(app.sql, { org })
  const me = app.as(org.owner)
  const send = async (
    type: "vehicle" | "user",
    content: string,
    { by = me, ...more }: { by?: typeof me; mode?: string; dryRun?: string } = {},
  ) => {
    const file = { filename: `${type}s.csv`, content }
    const reply = await by.expect(200).upload("/data/import", { file, type, hubId: hub.id, ...more })
    const record = await finishImport({ ...app, me }, reply.json().data._id)
    const failed = (await me.get(`/import-monitoring/${record._id}/failed-rows`)).json().data.data
    return {
      ...record,
      refusals: failed.map(({ row, message }: { row: number; message: string }) => `${row} ${message}`),
    }
  }
  const undo = async (importId: string) =>
    (await me.expect(200).post(`/import-monitoring/${importId}/undo`, {})).json().data.undoResult
  const vehicles = async () => {
    const { data } = (await me.get("/vehicles?sortBy=name&sortOrder=asc")).json()
    return data.data ?? data
  }
  const people = async () => (await me.get("/users?limit=100")).json().data
  return { ...app, org, hub, me, send, undo, vehicles, people }
}

test("vehicles of a file are checked, created, changed and taken back, every row accounted for", async (t) => {
  const { send, undo, vehicles, me, hub, org, sql } = await aScene(t)
  const driver = await aUser(sql, { org, hubs: [hub] })
  const csv = `Name,Assignee,Speed,Tags,Working Time,Break Time,Capacity,VIN
Van 1,${driver.email},40,"cold, big",06:30-15:00,10:00-10:30,"weight=800, volume=3.5",1
Van 2,,,,"{""startTime"":""08:00"",""endTime"":""17:00"",""multiday"":0}","{""startTime"":null,""endTime"":null}","{""weight"":{""min"":0,""max"":50}}",2
Van 3,nobody@company.test,,,,,,3
Van 4,,3,,late,,much,4
van 1,,30,,,,,5
,,30,,,,,6
`
  const dry = await send("vehicle", csv, { dryRun: "true" })
  assert.deepEqual([dry.totalValid, dry.totalInvalid, (await vehicles()).length], [2, 4, 0])
  const made = await send("vehicle", csv)
  assert.deepEqual([made.totalRows, made.totalCreated, made.totalInvalid], [6, 2, 4], made.refusals.join())
  assert.match(
    made.refusals.join("\n"),
    /4 The assignee must be a member.*\n5 Speed: .*at least 5.*Working Time: must look like 08:00-17:00/,
  )
  const [one, two] = await vehicles()
  assert.deepEqual(
    [one.assignee, one.speed, one.tags, one.workingTime.startTime, one.breakTime.endTime, one.capacity],
    [
      driver.email,
      40,
      ["cold", "big"],
      "06:30",
      "10:30",
      { weight: { min: 0, max: 800 }, volume: { min: 0, max: 3.5 } },
    ],
  )
  assert.deepEqual([two.name, two.capacity], ["Van 2", { weight: { min: 0, max: 50 } }])

  const hostile = [
    `Name,Capacity\nBad 1,"${" ".repeat(30_000)}"x`,
    `Name,Capacity\nBad 2,"{""${"w".repeat(300)}"":{""min"":0,""max"":1}}"`,
    `Name,Working Time\nBad 3,"{""startTime"":""08:00"",""endTime"":""07:00"",""multiday"":1000000}"`,
    `Name,Working Time\nBad 4,25:00-26:00`,
  ]
  for (const file of hostile) assert.equal((await send("vehicle", file)).totalCreated, 0, file.slice(0, 40))

  const again = await send("vehicle", "Name,Speed\nVAN 1,55\nVan 2,25\nVan 9,20\n", { mode: "upsert" })
  assert.deepEqual([again.totalCreated, again.totalChanged, again.totalValid], [1, 1, 3])
  assert.equal((await vehicles())[0].speed, 55)
  const undone = await undo(again._id)
  assert.deepEqual([undone.removed, undone.restored, undone.kept], [1, 1, 0])
  assert.equal((await vehicles())[0].speed, 40)
  await me.expect(200).patch(`/vehicle/${two._id}`, { speed: 60 })
  const rest = await undo(made._id)
  assert.deepEqual([rest.removed, rest.keptIds], [0, [one._id, two._id]], "somebody changed both since")
})

test("people of a file are invited once, changed and taken back until they accept", async (t) => {
  const { send, undo, people, org, sql, as, hub, me } = await aScene(t)
  const planner = await aUser(sql, { org, hubs: [hub], role: "planner" })
  const csv = `E-mail,Name,Phone,Role
ana@fleet.test,Ana Torres,+44 117 496 0111,
BEN@fleet.test,Ben,,planner
cleo@fleet.test,Cleo,no number,
dan@fleet.test,Dan,,captain
${planner.email},Known,,
no address,Eve,,
,Fay,,
`
  const dry = await send("user", csv, { dryRun: "true" })
  const mails = async () => (await sql`select from mails where organization_id = ${org.id}`).length
  assert.deepEqual([dry.totalValid, dry.totalInvalid, await mails()], [2, 5, 0], dry.refusals.join())
  const made = await send("user", csv)
  assert.deepEqual([made.totalCreated, made.totalInvalid, await mails()], [2, 5, 2], made.refusals.join())
  assert.match(made.refusals.join("\n"), /4 .*phone.*\n5 .*Role.*\n6 .*member already.*\n7 .*address/s)
  const found = (await people()).filter(({ email }: { email: string }) => email.endsWith("@fleet.test"))
  const [ana, ben] = found.toSorted((a: { email: string }, b: { email: string }) =>
    a.email < b.email ? -1 : 1,
  )
  assert.deepEqual(
    [ana.name, ana.status, ana.hubId, ana.role.name, ben.email, ben.role.name],
    ["Ana Torres", "pending", [hub.id], "field user", "ben@fleet.test", "planner"],
  )

  const changed = await send("user", `E-mail,Name\n${planner.email},New Name\nnew@fleet.test,New\n`, {
    mode: "update",
  })
  assert.deepEqual([changed.totalChanged, changed.totalInvalid], [1, 1])
  assert.equal((await me.get(`/user/${planner.id}`)).json().data.name, "New Name")
  assert.deepEqual((await undo(changed._id)).restored, 1)
  assert.notEqual((await me.get(`/user/${planner.id}`)).json().data.name, "New Name")

  await sql`update users set status = 'active', updated_time = now() where id = ${ana._id}`
  const undone = await undo(made._id)
  assert.deepEqual([undone.removed, undone.keptIds], [1, [ana._id]], "Ana has accepted meanwhile")
  assert.equal((await me.get(`/user/${ben._id}`)).statusCode, 404)

  const importer = await aUser(sql, { org, hubs: [hub], permissions: ["import/data", "view/user"] })
  for (const type of ["user", "vehicle"]) {
    const file = { filename: "rows.csv", content: csv }
    const reply = await as(importer).upload("/data/import", { file, type, hubId: hub.id })
    assert.equal(reply.statusCode, 403, reply.body)
  }
  const foreign = await aHub(sql, { org: await anOrganization(sql) })
  const file = { filename: "rows.csv", content: csv }
  assert.equal((await me.upload("/data/import", { file, type: "user", hubId: foreign.id })).statusCode, 422)
})

test("rows give nobody what the importer lacks, and touch nothing of other teams, hubs and organizations", async (t) => {
  const { send, org, sql, as, hub, me } = await aScene(t)
  const far = await aHub(sql, { org })
  const foreign = await anOrganization(sql)
  const theirHub = await aHub(sql, { org: foreign })
  const [ours, other] = [await aTeam(sql, { org, hub }), await aTeam(sql, { org, hub: far })]
  const hidden = await aUser(sql, { org, hubs: [far], teams: [other], role: "field user", name: "Hidden" })
  const theirs = await aUser(sql, { org: foreign, role: "planner", name: "Theirs" })
  const permissions = [
    "import/data",
    "view/user",
    "invite",
    "edit/member",
    "add/vehicle",
    "edit/vehicle",
  ] as const
  const weak = await aUser(sql, { org, hubs: [hub], teams: [ours], permissions })
  const by = as(weak)
  const csv = `E-mail,Name,Role
x1@fleet.test,X,owner
x2@fleet.test,X,admin
${org.owner.email},Renamed,
${hidden.email},Renamed,
${weak.email},,owner
${theirs.email},Renamed,
`
  const people = () => sql<{ email: string; name: string; roleId: string; status: string }[]>`
    select email, name, role_id, status from users where organization_id = any (${[org.id, foreign.id]}) order by 1, 2`
  const before = await people()
  const changed = await send("user", csv, { by, mode: "update" })
  assert.deepEqual([changed.totalCreated, changed.totalChanged], [0, 0], changed.refusals.join())
  const made = await send("user", csv, { by, mode: "upsert" })
  assert.equal(made.totalChanged, 0, made.refusals.join())
  const after = await people()
  const added = after.filter((one) => !before.some((old) => JSON.stringify(old) === JSON.stringify(one)))
  assert.equal(before.length + added.length, after.length, "nobody who was there has changed")
  // Somebody of others is invited at most, and never with a role that the importer could not give.
  assert.deepEqual(
    added.map(({ email, status }) => [email, status]).filter(([email]) => email !== theirs.email),
    [],
  )
  assert.ok(added.every(({ status, name }) => status === "pending" && name !== "Theirs"))

  await me.expect(200).post("/vehicle", { name: "Van 1", hubId: far.id, speed: 30 })
  await as(foreign.owner).expect(200).post("/vehicle", { name: "Van 1", hubId: theirHub.id, speed: 30 })
  const vans = await send("vehicle", `Name,Speed,Assignee\nVan 1,70,\nVan 2,70,${theirs.email}\n`, {
    by,
    mode: "upsert",
  })
  assert.deepEqual([vans.totalCreated, vans.totalInvalid], [1, 1], vans.refusals.join())
  const [others] = await sql<{ count: number }[]>`
    select count(*)::int as count from vehicles where name = 'Van 1' and speed = 30
      and hub_id = any (${[far.id, theirHub.id]})`
  assert.equal(others?.count, 2)
})
