import assert from "node:assert/strict"
import { test } from "node:test"
import type { Permission } from "#core/permissions.ts"
import { aHub, anOrganization, aTeam, aUser, type Organization } from "#samples/builders.ts"
import { type Reply, type TestApp, testApp, testOrganization } from "#testing/test-app.ts"

const password = "Harbour-27"
const bearer = (reply: Reply) => ({ authorization: `Bearer ${reply.json().token}` })

async function roleId({ sql }: TestApp, org: Organization, name: string): Promise<string> {
  const rows = await sql<
    { id: string }[]
  >`select id from roles where organization_id = ${org.id} and name = ${name}`
  return rows[0]?.id ?? ""
}

async function codeFor({ sql }: TestApp, org: Organization, email: string): Promise<string> {
  const rows = await sql<{ text: string }[]>`
    select text from mails where organization_id = ${org.id} and recipient = ${email} and kind = 'invite'
    order by created_time desc, id desc limit 1`
  return /code=([0-9a-f]{32})/.exec(rows[0]?.text ?? "")?.[1] ?? "none"
}

test("an invited person chooses name and password with the mailed link and is in", async (t) => {
  const server = await testOrganization(t)
  const { sql, as, nobody, org } = server
  const hub = await aHub(sql, { org })
  const email = "new.person@couriers.example"
  await as(org.owner)
    .expect(200)
    .post("/user/invite", {
      email: [email],
      roleId: await roleId(server, org, "planner"),
      hubId: [hub.id],
    })
  const listed = (await as(org.owner).get(`/users?status=pending`)).json().data
  assert.equal(listed[0].email, email)
  const code = await codeFor(server, org, email)
  const shown = (await nobody.get(`/invitation/${code}`)).json().data
  assert.equal(shown.organizationName, org.name)
  assert.equal(shown.needsPassword, true)
  const weak = await nobody.post("/invitation/accept", { code, name: "New Person", password: "aaaaaaaa" })
  assert.equal(weak.json().failedCode, "user-005")
  await nobody.expect(200).post("/invitation/accept", { code, name: "New Person", password })
  const proved = await sql`select from accounts where email = ${email} and email_verified_time is not null`
  assert.equal(
    proved.length,
    0,
    "a link that the inviting owner can read, without a mail server, proves no address",
  )
  const replay = await nobody.post("/invitation/accept", { code, name: "Thief", password: "Stolen-123" })
  assert.equal(replay.json().failedCode, "user-043")
  const session = await nobody.expect(200).post("/login", { email, password })
  assert.equal(session.json().data.name, "New Person")
  assert.deepEqual(session.json().data.hubId, [hub.id])
})

test("one who has an account keeps name and password and must accept while signed in", async (t) => {
  const server = await testApp(t)
  const { sql, as, nobody } = server
  const [home, host, third] = [
    await anOrganization(sql),
    await anOrganization(sql),
    await anOrganization(sql),
  ]
  const person = await aUser(sql, { org: home, role: "planner", password, name: "Known Name" })
  const somebody = await aUser(sql, { org: third, role: "planner", password })
  const created = await as(host.owner)
    .expect(201)
    .post("/user", {
      name: "Evil Name",
      email: person.email.toUpperCase(),
      roleId: await roleId(server, host, "admin"),
      hubId: [],
      password: "Stolen-123",
    })
  assert.equal(created.json().data.status, "pending")
  assert.ok(!["Evil Name", "Known Name"].includes(created.json().data.name))
  assert.equal((await nobody.post("/login", { email: person.email, password: "Stolen-123" })).statusCode, 401)
  const session = await nobody.post("/login", { email: person.email, password })
  assert.equal(session.json().data.organizationId, home.id)
  const code = await codeFor(server, host, person.email)
  assert.equal((await nobody.post("/invitation/accept", { code, password: "Stolen-123" })).statusCode, 401)
  const other = await nobody.post("/login", { email: somebody.email, password })
  assert.equal((await nobody.post("/invitation/accept", { code }, bearer(other))).statusCode, 403)
  const waiting = (await nobody.get("/auth/my-invitations", bearer(session))).json().data
  assert.deepEqual(
    waiting.map((row: { organizationId: string }) => row.organizationId),
    [host.id],
  )
  await nobody.expect(403).post("/invitation/accept", { organizationId: host.id }, bearer(session))
  assert.equal((await nobody.post("/invitation/accept", { code }, bearer(session))).statusCode, 200)
  const organizations = (await nobody.get("/auth/my-organizations", bearer(session))).json().data
  assert.equal(organizations.length, 2)
  const there = await as(host.owner).get(`/user/email/${person.email}`)
  assert.equal(there.json().name, "Known Name")
})

test("a password that an administrator chose opens their organization only, until the address is proved", async (t) => {
  const server = await testApp(t)
  const { sql, as, nobody } = server
  const [home, host] = [await anOrganization(sql), await anOrganization(sql)]
  const person = await aUser(sql, { org: home, role: "planner", password })
  const guest = await aUser(sql, { org: host, role: "admin", email: person.email })
  await sql`update users set last_login = now() where id = ${guest.id}`
  const taken = await as(host.owner).expect(403).post("/member/reset-password", {
    userId: guest.id,
    password: "Takeover-1",
  })
  assert.equal(taken.json().failedCode, "user-035")
  await as(host.owner).expect(403).patch(`/user/${guest.id}`, { email: "mine@couriers.example" })
  await as(home.owner).expect(403).patch(`/user/${person.id}`, { email: "mine@couriers.example" })
  await as(home.owner).expect(200).post("/member/reset-password", {
    userId: person.id,
    password: "Takeover-1",
  })
  const session = await nobody.post("/login", { email: person.email, password: "Takeover-1" })
  assert.equal(session.json().data.organizationId, home.id)
  await nobody.expect(403).post("/auth/switch-organization", { organizationId: host.id }, bearer(session))
  const renamed = await nobody.patch("/user", { email: "mine@couriers.example" }, bearer(session))
  assert.equal(renamed.json().failedCode, "user-035", "nor does it take the account to another mailbox")
})

test("several invitations succeed or fail each on its own; all failed is 400", async (t) => {
  const server = await testOrganization(t)
  const { sql, as, org } = server
  const planner = await roleId(server, org, "planner")
  const hub = await aHub(sql, { org })
  const member = await aUser(sql, { org, role: "planner" })
  const invitations = [
    { email: ["one@couriers.example", "ONE@couriers.example"], roleId: planner, hubId: [hub.id] },
    { email: [member.email], roleId: planner, hubId: [hub.id] },
    { email: ["two@couriers.example"], roleId: planner, hubId: ["ffffffffffffffffffffffff"] },
  ]
  const reply = await as(org.owner).expect(200).post("/user/invites", { invitations })
  assert.equal(reply.json().success, 1)
  assert.equal(reply.json().failed, 2)
  assert.ok(reply.json().errors[0].includes(member.email))
  const again = await as(org.owner).expect(400).post("/user/invites", { invitations })
  assert.equal(again.json().status, false)
  assert.equal(again.json().success, 0)
})

test("an invitation that cannot be read fails on its own as well", async (t) => {
  const server = await testOrganization(t)
  const { sql, as, org } = server
  const planner = await roleId(server, org, "planner")
  const hub = await aHub(sql, { org })
  const unreadable = [
    { email: ["no-address"], roleId: planner, hubId: [hub.id] },
    { email: ["norole@couriers.example"], hubId: [hub.id] },
    { roleId: planner, hubId: [hub.id] },
    "three@couriers.example",
  ]
  const mixed = { email: ["good@couriers.example", "also-bad"], roleId: planner, hubId: [hub.id] }
  const reply = await as(org.owner)
    .expect(200)
    .post("/user/invites", { invitations: [...unreadable, mixed] })
  const { status, success, failed, errors } = reply.json()
  assert.deepEqual([status, success, failed], [true, 1, 5])
  for (const [index, about] of ["no-address", "norole@couriers.example", "email", "", "also-bad"].entries())
    assert.ok(errors[index].includes(about), errors[index])
  const refused = await as(org.owner).expect(400).post("/user/invites", { invitations: unreadable })
  assert.deepEqual([refused.json().status, refused.json().success, refused.json().failed], [false, 0, 4])
  assert.equal(refused.json().errors.length, 4)
  assert.equal((await as(org.owner).post("/user/invites", {})).json().failedCode, "user-001")
})

test("inviting one e-mail many times at once makes one membership", async (t) => {
  const server = await testOrganization(t)
  const { sql, as, org } = server
  const planner = await roleId(server, org, "planner")
  const spellings = ["crowd@couriers.example", "Crowd@Couriers.example", "CROWD@COURIERS.EXAMPLE"]
  const replies = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      as(org.owner).post("/user/invite", { email: [spellings[index % 3]], roleId: planner }),
    ),
  )
  const good = replies.filter((reply) => reply.statusCode === 200)
  assert.equal(good.length, 1)
  for (const reply of replies.filter((candidate) => candidate.statusCode !== 200))
    assert.equal(reply.json().failedCode, "user-036", reply.body)
  const rows =
    await sql`select 1 from users where organization_id = ${org.id} and email = 'crowd@couriers.example'`
  assert.equal(rows.length, 1)
})

test("an invitation sent again replaces the old link; accepted ones are not sent again", async (t) => {
  const server = await testOrganization(t)
  const { sql, as, nobody, org } = server
  const email = "again@couriers.example"
  await as(org.owner).post("/user/invite", { email, roleId: await roleId(server, org, "planner") })
  const old = await codeFor(server, org, email)
  assert.equal((await as(org.owner).post("/user/reinvite", { email })).statusCode, 200)
  const code = await codeFor(server, org, email)
  assert.notEqual(code, old)
  assert.equal((await nobody.get(`/invitation/${old}`)).statusCode, 400)
  await sql`update users set invitation_expires = now() - interval '1 minute' where email = ${email}`
  const late = await nobody.post("/invitation/accept", { code, name: "Late", password })
  assert.equal(late.json().failedCode, "user-043")
  await sql`update users set invitation_expires = now() + interval '1 day' where email = ${email}`
  const both = await Promise.all([
    nobody.post("/invitation/accept", { code, name: "First", password }),
    nobody.post("/invitation/accept", { code, name: "Second", password: "Lantern-81" }),
  ])
  assert.deepEqual(both.map((reply) => reply.statusCode).sort(), [200, 400])
  const accepted = await as(org.owner).post("/user/reinvite", { email: [email] })
  assert.equal(accepted.json().failedCode, "user-044")
  const active = await as(org.owner).post("/user/invite", {
    email: [email],
    roleId: await roleId(server, org, "planner"),
  })
  assert.equal(active.json().failedCode, "user-045")
})

test("an invitation that nobody accepted gives its organization no power over the account", async (t) => {
  const server = await testApp(t)
  const { sql, as, nobody } = server
  const [hostile, employer] = [await anOrganization(sql), await anOrganization(sql)]
  const email = "victim@couriers.example"
  await as(hostile.owner).post("/user/invite", { email, roleId: await roleId(server, hostile, "planner") })
  await as(employer.owner).post("/user/invite", { email, roleId: await roleId(server, employer, "planner") })
  const code = await codeFor(server, employer, email)
  assert.equal((await nobody.post("/invitation/accept", { code, name: "Victim", password })).statusCode, 200)
  const [there] = await sql<
    { id: string }[]
  >`select id from users where organization_id = ${hostile.id} and email = ${email}`
  await as(hostile.owner).expect(403).post("/member/reset-password", {
    userId: there?.id,
    password: "Takeover-1",
  })
  await as(hostile.owner).expect(200).delete(`/member/${there?.id}`)
  assert.equal((await nobody.post("/login", { email, password })).statusCode, 200)
})

const fieldPermissions: Permission[] = [
  "view/task",
  "do/task",
  "view/hub",
  "view/flow",
  "view/data",
  "token/manage-token",
]

test("only an owner invites owners, and nobody grants a role that holds what they lack", async (t) => {
  const server = await testOrganization(t)
  const { sql, as, org } = server
  const admin = await aUser(sql, { org, role: "admin" })
  const clerk = await aUser(sql, { org, permissions: ["invite", "view/user", "view/role"] })
  const invite = async (person: typeof admin, role: string, email: string) =>
    as(person).post("/user/invite", { email: [email], roleId: await roleId(server, org, role) })
  assert.equal((await invite(admin, "owner", "a@couriers.example")).json().failedCode, "user-039")
  assert.equal((await invite(admin, "admin", "b@couriers.example")).statusCode, 200)
  assert.equal((await invite(clerk, "admin", "c@couriers.example")).json().failedCode, "user-039")
  assert.equal((await invite(clerk, "planner", "d@couriers.example")).json().failedCode, "user-039")
  const lead = await aUser(sql, {
    org,
    permissions: ["invite", "view/user", "view/role", ...fieldPermissions],
  })
  assert.equal((await invite(lead, "field user", "d@couriers.example")).statusCode, 200)
  assert.equal((await invite(org.owner, "owner", "e@couriers.example")).statusCode, 200)
  const blind = await aUser(sql, { org, permissions: ["invite"] })
  assert.equal((await invite(blind, "planner", "f@couriers.example")).statusCode, 403)
})

test("teams of an invitation must be in its hubs", async (t) => {
  const server = await testOrganization(t)
  const { sql, as, org } = server
  const [here, elsewhere] = [await aHub(sql, { org }), await aHub(sql, { org })]
  const team = await aTeam(sql, { org, hub: elsewhere })
  const planner = await roleId(server, org, "planner")
  const body = { email: ["team@couriers.example"], roleId: planner, hubId: [here.id], teamId: [team.id] }
  assert.equal((await as(org.owner).post("/user/invite", body)).json().failedCode, "user-040")
  await as(org.owner)
    .expect(200)
    .post("/user/invite", { ...body, hubId: [here.id, elsewhere.id] })
})
