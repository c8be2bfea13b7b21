import assert from "node:assert/strict"
import { test } from "node:test"
import { aHub, anOrganization, aTask, aTeam, aUser, type Organization } from "#samples/builders.ts"
import { type TestApp, testOrganization } from "#testing/test-app.ts"

async function roleId({ sql }: TestApp, org: Organization, name: string): Promise<string> {
  const rows = await sql<
    { id: string }[]
  >`select id from roles where organization_id = ${org.id} and name = ${name}`
  return rows[0]?.id ?? ""
}

test("users are listed with every filter, and read by id and by e-mail", async (t) => {
  const server = await testOrganization(t)
  const { sql, as, org } = server
  const [hub, other] = [await aHub(sql, { org }), await aHub(sql, { org })]
  const team = await aTeam(sql, { org, hub })
  const field = await aUser(sql, { org, role: "field user", hubs: [hub], teams: [team], name: "Zed 100%" })
  const planner = await aUser(sql, { org, role: "planner", hubs: [other], status: "disabled" })
  const ids = async (query: string) =>
    (await as(org.owner).get(`/users${query}`)).json().data.map((user: { _id: string }) => user._id)
  assert.deepEqual(await ids(""), [org.owner.id, field.id, planner.id])
  assert.deepEqual(await ids(`?hubId=${hub.id}`), [field.id])
  assert.deepEqual(await ids(`?hubId=${hub.id},${other.id}`), [field.id, planner.id])
  assert.deepEqual(await ids(`?teamId=${team.id}`), [field.id])
  assert.deepEqual(await ids(`?roleId=${planner.roleId}`), [planner.id])
  assert.deepEqual(await ids("?status=disabled"), [planner.id])
  assert.deepEqual(await ids("?isFieldUser=1"), [field.id])
  assert.deepEqual(await ids("?q=100%25"), [field.id])
  assert.deepEqual(await ids(`?q=${planner.email.toUpperCase()}`), [planner.id])
  const built = (filter: unknown) => ids(`?filter=${encodeURIComponent(JSON.stringify(filter))}`)
  const inTeam = { field: "teamId", operator: "equals", value: team.id }
  assert.deepEqual(await built({ not: inTeam }), [org.owner.id, planner.id])
  assert.deepEqual(
    await built({ or: [inTeam, { field: "status", operator: "equals", value: "disabled" }] }),
    [field.id, planner.id],
  )
  assert.deepEqual(await built({ not: { field: "lastLogin", operator: "empty" } }), [])
  const refused = await as(org.owner).get(`/users?filter={"field":"accountId","operator":"empty"}`)
  assert.deepEqual([refused.statusCode, refused.json().failedCode], [400, "user-003"])
  const [listed] = (await as(org.owner).get(`/users?hubId=${hub.id}`)).json().data
  assert.equal(listed.role.name, "field user")
  assert.equal(listed.role.permissions, undefined)
  assert.deepEqual(listed.organization, { _id: org.id, name: org.name })
  const picked = (await as(org.owner).get(`/users?hubId=${hub.id}&fields=name`)).json().data
  assert.deepEqual(picked, [{ _id: field.id, name: "Zed 100%" }])
  const [whole] = (await as(org.owner).get(`/users?hubId=${hub.id}&fields=role,organization`)).json().data
  assert.ok(whole.role.permissions.length > 0)
  assert.deepEqual(
    [whole.organization.user.industry, whole.organization.customerId],
    [null, { idr: null, usd: null }],
  )
  const single = (await as(org.owner).get(`/user/${field.id}`)).json()
  assert.equal(single.status, "active")
  assert.equal(single.data._id, field.id)
  assert.ok(single.role.permissions.length > 0)
  const byEmail = await as(org.owner).get(`/user/email/${encodeURIComponent(field.email.toUpperCase())}`)
  assert.equal(byEmail.json()._id, field.id)
  assert.equal((await as(org.owner).get("/user/email/nobody@couriers.example")).json().failedCode, "user-033")
  const missing = await aUser(sql, { org, permissions: ["view/user"], hubs: [other] })
  assert.deepEqual((await as(missing).get(`/users?hubId=${hub.id}`)).json().data, [])
})

test("somebody in teams sees themselves, team mates, people without a team and owners", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const [mine, theirs] = [await aTeam(sql, { org, hub }), await aTeam(sql, { org, hub })]
  const me = await aUser(sql, { org, role: "planner", hubs: [hub], teams: [mine] })
  const mate = await aUser(sql, { org, role: "field user", hubs: [hub], teams: [mine] })
  const stranger = await aUser(sql, { org, role: "field user", hubs: [hub], teams: [theirs] })
  const free = await aUser(sql, { org, role: "field user", hubs: [hub] })
  const seen = (await as(me).get("/users")).json().data.map((user: { _id: string }) => user._id)
  assert.deepEqual(seen.sort(), [org.owner.id, me.id, mate.id, free.id].sort())
  assert.equal((await as(me).get(`/user/${stranger.id}`)).statusCode, 404)
  assert.equal((await as(org.owner).get(`/user/${stranger.id}`)).statusCode, 200)
})

test("a member is changed with PUT and PATCH; new hubs clear the teams", async (t) => {
  const server = await testOrganization(t)
  const { sql, as, org } = server
  const [hub, other] = [await aHub(sql, { org }), await aHub(sql, { org })]
  const team = await aTeam(sql, { org, hub })
  const person = await aUser(sql, { org, role: "field user", hubs: [hub], teams: [team] })
  const put = await as(org.owner)
    .expect(200)
    .put(`/user/${person.id}`, {
      name: "  Other Name ",
      phoneNumber: "+62 812-3456",
      hubId: [hub.id],
    })
  assert.equal(put.json().statusCode, 200)
  assert.equal(put.json().data.name, "Other Name")
  assert.deepEqual(put.json().data.teamId, [team.id])
  assert.equal(put.json().data.role, undefined)
  const moved = await as(org.owner).patch(`/user/${person.id}`, { hubId: [other.id] })
  assert.deepEqual(moved.json().data.teamId, [])
  assert.equal(moved.json().data.name, "Other Name")
  const promoted = await as(org.owner).patch(`/user/${person.id}`, {
    roleId: await roleId(server, org, "planner"),
  })
  assert.equal(promoted.json().property.roleId, await roleId(server, org, "planner"))
  assert.equal((await as(org.owner).put(`/user/${person.id}`, {})).json().failedCode, "user-001")
  const bad = await as(org.owner).patch(`/user/${person.id}`, { hubId: ["ffffffffffffffffffffffff"] })
  assert.equal(bad.json().failedCode, "user-038")
  const phone = await as(org.owner).patch(`/user/${person.id}`, { phoneNumber: "call me" })
  assert.equal(phone.json().failedCode, "user-006")
})

test("an e-mail changes everywhere, with the tasks that are assigned to it", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const person = await aUser(sql, { org, role: "field user", hubs: [hub] })
  const task = await aTask(sql, { org, hub, assignee: [person] })
  const taken = await as(org.owner).patch(`/user/${person.id}`, { email: org.owner.email.toUpperCase() })
  assert.equal(taken.json().failedCode, "user-037")
  const van = { name: "Van", hubId: hub.id, assignee: person.email }
  const vehicle = (await as(org.owner).post("/vehicle", van)).json()
  const renamed = await as(org.owner).patch(`/user/${person.id}`, { email: "Renamed@Couriers.example" })
  assert.equal(renamed.json().data.email, "renamed@couriers.example")
  assert.equal((await as(person).get("/user")).json().email, "renamed@couriers.example")
  const [row] = await sql<{ assignee: string[] }[]>`select assignee from tasks where id = ${task.id}`
  assert.deepEqual(row?.assignee, ["renamed@couriers.example"])
  const driven = await as(org.owner).get(`/vehicle/${vehicle.data._id}`)
  assert.equal(driven.json().data.assignee, "renamed@couriers.example")
})

test("one's own place is not one's own to change", async (t) => {
  const server = await testOrganization(t)
  const { sql, as, org } = server
  const admin = await aUser(sql, { org, role: "admin" })
  const codes = [
    (await as(admin).patch(`/user/${admin.id}`, { roleId: await roleId(server, org, "planner") })).json(),
    (await as(admin).patch(`/user/${admin.id}`, { status: "disabled" })).json(),
    (await as(admin).delete(`/member/${admin.id}`)).json(),
    (await as(admin).delete(`/user/${admin.id}`)).json(),
  ].map((body) => body.failedCode)
  assert.deepEqual(codes, ["user-048", "user-048", "user-048", "user-048"])
  assert.equal((await as(admin).patch(`/user/${admin.id}`, { name: "Still Me" })).statusCode, 200)
})

test("owners are changed by owners only, and the first owner stays owner", async (t) => {
  const server = await testOrganization(t)
  const { sql, as, org } = server
  const second = await aUser(sql, { org, role: "owner" })
  const admin = await aUser(sql, { org, role: "admin" })
  const planner = await roleId(server, org, "planner")
  const owner = await roleId(server, org, "owner")
  const code = async (reply: Promise<{ json(): { failedCode?: string } }>) => (await reply).json().failedCode
  assert.equal(await code(as(admin).patch(`/user/${second.id}`, { name: "Changed" })), "user-039")
  assert.equal(await code(as(admin).delete(`/member/${second.id}`)), "user-039")
  assert.equal(await code(as(admin).patch(`/user/${admin.id}`, { roleId: owner })), "user-048")
  const victim = await aUser(sql, { org, role: "planner" })
  assert.equal(await code(as(admin).patch(`/user/${victim.id}`, { roleId: owner })), "user-039")
  assert.equal(await code(as(second).patch(`/user/${org.owner.id}`, { roleId: planner })), "user-049")
  assert.equal(await code(as(second).patch(`/user/${org.owner.id}`, { status: "disabled" })), "user-049")
  assert.equal(await code(as(second).delete(`/member/${org.owner.id}`)), "user-049")
  const reset = await as(admin)
    .expect(403)
    .post("/member/reset-password", { userId: second.id, password: "Lantern-81" })
  assert.equal(reset.json().failedCode, "user-039")
  const plain = { userId: second.id, password: "Lantern81" }
  assert.equal((await as(org.owner).post("/member/reset-password", plain)).json().failedCode, "user-005")
  assert.equal((await as(org.owner).patch(`/user/${second.id}`, { roleId: planner })).statusCode, 200)
})

test("deleting a person frees their tasks, ends their tokens and keeps them in the trash", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const [person, mate] = [
    await aUser(sql, { org, role: "field user", hubs: [hub] }),
    await aUser(sql, { org, role: "field user", hubs: [hub] }),
  ]
  const alone = await aTask(sql, { org, hub, assignee: [person] })
  const shared = await aTask(sql, { org, hub, assignee: [person, mate] })
  const done = await aTask(sql, { org, hub, assignee: [person], status: "DONE" })
  assert.equal((await as(person).get("/user")).statusCode, 200)
  const reply = await as(org.owner).delete(`/member/${person.id}`)
  assert.deepEqual(reply.json(), { status: true, id: person.id, message: reply.json().message })
  const tasks = await sql<{ id: string; status: string; assignee: string[] }[]>`
    select id, status, assignee from tasks where organization_id = ${org.id}`
  const of = (id: string) => tasks.find((task) => task.id === id)
  assert.deepEqual([of(alone.id)?.status, of(alone.id)?.assignee], ["UNASSIGNED", []])
  assert.deepEqual([of(shared.id)?.status, of(shared.id)?.assignee], ["ONGOING", [mate.email]])
  assert.deepEqual([of(done.id)?.status, of(done.id)?.assignee], ["DONE", [person.email]])
  assert.equal((await as(person).get("/user")).statusCode, 401)
  assert.equal((await as(org.owner).delete(`/user/${person.id}`)).statusCode, 404)
  const kept = await sql<
    { type: string; content: unknown }[]
  >`select type, content from trash where source_id = ${person.id}`
  assert.equal(kept[0]?.type, "User")
  assert.equal((await sql`select 1 from accounts where id = ${person.accountId}`).length, 0)
  await as(org.owner)
    .expect(200)
    .post("/user/invite", { email: [person.email], roleId: person.roleId })
})

test("a deleted person comes back with role, places and past, without a password where the account was gone", async (t) => {
  const { sql, as, nobody, org } = await testOrganization(t)
  const [hub, gone] = [await aHub(sql, { org }), await aHub(sql, { org })]
  const person = await aUser(sql, { org, role: "field user", hubs: [hub, gone], password: "Harbour-27" })
  const done = await aTask(sql, { org, hub, assignee: [person], status: "DONE" })
  const remove = async (id: string) => {
    await as(org.owner).delete(`/member/${id}`)
    const { data } = (await as(org.owner).get(`/trash?type=User&limit=1`)).json()
    return data[0]._id as string
  }
  const restore = (entry: string, by = org.owner) => as(by).post(`/trash/${entry}/restore`)
  const entry = await remove(person.id)
  await sql`delete from hubs where id = ${gone.id}`
  const clerk = await aUser(sql, { org, permissions: ["view/trash", "view/user"] })
  assert.equal((await restore(entry, clerk)).statusCode, 403)
  const reply = (await restore(entry)).json()
  assert.equal(reply.data.isInvited, true)
  assert.match(reply.message, /invited again/)
  const back = (await as(org.owner).get(`/user/${person.id}`)).json()
  assert.deepEqual([back.status, back.roleId, back.hubId], ["pending", person.roleId, [hub.id]])
  assert.equal(
    (await as(org.owner).get(`/tasks?doneBy=${person.email}&assignee=${person.email}`)).json().tasks.data[0]
      ._id,
    done.id,
  )
  assert.equal((await nobody.post("/login", { email: person.email, password: "Harbour-27" })).statusCode, 401)
  const mails = await sql`select 1 from mails where recipient = ${person.email} and kind = 'invite'`
  assert.equal(mails.length, 1)
  assert.equal((await restore(entry)).statusCode, 404)

  const neighbour = await anOrganization(sql)
  const both = await aUser(sql, { org, role: "planner", email: neighbour.owner.email })
  const second = await restore(await remove(both.id))
  assert.equal(second.json().data.isInvited, false)
  assert.equal((await as(org.owner).get(`/user/${both.id}`)).json().status, "active")
  const third = await remove(both.id)
  await as(org.owner).post("/user/invite", { email: [both.email], roleId: both.roleId })
  assert.equal((await restore(third)).statusCode, 409)

  const owner = await aUser(sql, { org, role: "owner" })
  const admin = await aUser(sql, { org, role: "admin" })
  assert.equal((await restore(await remove(owner.id), admin)).json().failedCode, "user-039")
})

test("two owners who delete or demote each other at once: one of them stays", async (t) => {
  const server = await testOrganization(t)
  const { sql, as, org } = server
  const planner = await roleId(server, org, "planner")
  for (const act of ["delete", "demote"] as const) {
    const [one, other] = [await aUser(sql, { org, role: "owner" }), await aUser(sql, { org, role: "owner" })]
    const remove = (by: typeof one, target: typeof one) =>
      act === "delete"
        ? as(by).delete(`/member/${target.id}`)
        : as(by).patch(`/user/${target.id}`, { roleId: planner })
    await Promise.all([as(one).get("/user"), as(other).get("/user")])
    const replies = await Promise.all([remove(one, other), remove(other, one)])
    assert.deepEqual(replies.map((reply) => reply.statusCode).sort(), [200, 401], act)
  }
})

test("names of any script are kept; control characters and endless ones are refused", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const person = await aUser(sql, { org, role: "planner" })
  const name = async (options: string) => as(org.owner).patch(`/user/${person.id}`, { name: options })
  for (const good of ["Tên thử nghiệm", "سلام", "日本語 テスト", "Driver 7 🚚"])
    assert.equal((await name(good)).json().data.name, good.normalize("NFC"))
  assert.equal((await name("safe\u202Egnp.exe")).json().data.name, "safegnp.exe")
  for (const bad of [
    "a\u0000b",
    "line\nbreak",
    "tab\there",
    "half\ud83d",
    "\u200B \u200B",
    "x".repeat(10_000),
  ])
    assert.equal((await name(bad)).statusCode, 400, JSON.stringify(bad.slice(0, 20)))
  await as(org.owner)
    .expect(400)
    .post("/hub", { name: "x".repeat(10_000), address: "-", lat: 1, lng: 1 })
  const [, policy] = (await as(org.owner).get("/password-policies")).json().data
  const named = [
    ["/hub", { address: "-", lat: 1, lng: 1 }],
    ["/role", { permissionList: [] }],
    ["/password-policies", policy],
    ["/custom-module", { type: "external", url: "https://stock.example/" }],
    ["/token", { expires_at: "2100-01-01T00:00:00Z" }],
  ] as const
  for (const [path, body] of named)
    for (const bad of ["a\u0007", "line\nbreak", "   ", "\u200B"])
      assert.equal((await as(org.owner).post(path, { ...body, name: bad })).statusCode, 400, path)
})

test("somebody in teams cannot leave them, nor make members who see more than they do", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const [hub, other] = [await aHub(sql, { org }), await aHub(sql, { org })]
  const [mine, theirs] = [await aTeam(sql, { org, hub }), await aTeam(sql, { org, hub })]
  const lead = await aUser(sql, {
    org,
    permissions: ["edit/member", "invite", "view/user", "view/role"],
    hubs: [hub, other],
    teams: [mine],
  })
  const mate = await aUser(sql, { org, permissions: [], hubs: [hub], teams: [mine] })
  const free = await aUser(sql, { org, permissions: [], hubs: [hub] })
  const change = async (id: string, body: object) =>
    (await as(lead).patch(`/user/${id}`, body)).json().failedCode
  for (const body of [
    { teamId: [] },
    { teamId: [mine.id, theirs.id] },
    { teamId: [theirs.id] },
    { hubId: [hub.id] },
  ]) {
    assert.equal(await change(lead.id, body), "user-040", JSON.stringify(body))
    assert.equal(await change(mate.id, { ...body, hubId: [hub.id, other.id] }), "user-040")
  }
  assert.deepEqual((await as(org.owner).get(`/user/${lead.id}`)).json().teamId, [mine.id])
  assert.equal(await change(lead.id, { hubId: [hub.id], teamId: [mine.id] }), undefined)
  assert.equal(await change(free.id, { teamId: [mine.id] }), undefined)
  const add = (body: object) =>
    as(lead).post("/user", {
      ...{ name: "Somebody New", email: "new@couriers.example", password: "Harbour-27", roleId: free.roleId },
      ...{ hubId: [hub.id], ...body },
    })
  assert.equal((await add({})).json().failedCode, "user-040")
  assert.equal((await add({ teamId: [theirs.id] })).json().failedCode, "user-040")
  const invitation = { email: ["other@couriers.example"], roleId: free.roleId, hubId: [hub.id] }
  assert.equal((await as(lead).post("/user/invite", invitation)).json().failedCode, "user-040")
  assert.equal((await add({ teamId: [mine.id] })).statusCode, 201)
})
