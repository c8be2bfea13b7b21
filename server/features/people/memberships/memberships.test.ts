import assert from "node:assert/strict"
import { test } from "node:test"
import { aFlow, aHub, anOrganization, aToken, aUser } from "#samples/builders.ts"
import { type Reply, testApp, testOrganization } from "#testing/test-app.ts"

const password = "Harbour-27"
const bearer = (reply: Reply) => ({ authorization: `Bearer ${reply.json().token}` })

test("switching moves the session: the old token is dead, the next sign-in is there", async (t) => {
  const { sql, nobody } = await testApp(t)
  const [home, other] = [await anOrganization(sql), await anOrganization(sql)]
  const person = await aUser(sql, { org: home, role: "planner", password })
  const there = await aUser(sql, { org: other, role: "admin", email: person.email })
  const session = await nobody.post("/login", { email: person.email, password })
  const listed = (await nobody.get("/auth/my-organizations", bearer(session))).json()
  assert.equal(listed.code, 200)
  const current = listed.data.find((row: { isCurrent: boolean }) => row.isCurrent)
  assert.deepEqual([current._id, current.isOrigin, current.roleName], [home.id, true, "planner"])
  const moved = await nobody
    .expect(200)
    .post("/auth/switch-organization", { organizationId: other.id }, bearer(session))
  assert.equal(moved.json().status, true)
  assert.equal(moved.json().data._id, there.id)
  assert.equal((await nobody.get("/user", bearer(session))).statusCode, 401)
  const again = await nobody.post("/login", { email: person.email, password })
  assert.equal(again.json().data.organizationId, other.id)
})

test("of many switches with one token exactly one succeeds", async (t) => {
  const { sql, nobody } = await testApp(t)
  const [home, other] = [await anOrganization(sql), await anOrganization(sql)]
  const person = await aUser(sql, { org: home, role: "planner", password })
  await aUser(sql, { org: other, role: "planner", email: person.email })
  const session = await nobody.post("/login", { email: person.email, password })
  const replies = await Promise.all(
    Array.from({ length: 10 }, () =>
      nobody.post("/auth/switch-organization", { organizationId: other.id }, bearer(session)),
    ),
  )
  assert.equal(replies.filter((reply) => reply.statusCode === 200).length, 1)
  assert.ok(replies.every((reply) => [200, 401].includes(reply.statusCode)))
})

test("switching is refused where the caller is no active member, or not as themselves", async (t) => {
  const { sql, nobody, as } = await testApp(t)
  const [home, off, pending] = [
    await anOrganization(sql),
    await anOrganization(sql),
    await anOrganization(sql),
  ]
  const [demanding, foreign] = [await anOrganization(sql), await anOrganization(sql)]
  const person = await aUser(sql, { org: home, role: "planner", password })
  await aUser(sql, { org: off, role: "planner", email: person.email, status: "disabled" })
  await aUser(sql, { org: pending, role: "planner", email: person.email, status: "pending" })
  await aUser(sql, { org: demanding, permissions: ["security/otp-email"], email: person.email })
  const to = async (organizationId: unknown) =>
    (await as(person).post("/auth/switch-organization", { organizationId })).json().failedCode
  assert.equal(await to(foreign.id), "org-033")
  assert.equal(await to("ffffffffffffffffffffffff"), "org-033")
  assert.equal(await to("nonsense"), "org-033")
  assert.equal(await to(pending.id), "org-033")
  assert.equal(await to(off.id), "user-035")
  assert.equal(await to(demanding.id), "org-035")
  assert.equal(await to(undefined), "org-001")
  const token = await aToken(sql, { person })
  await nobody
    .expect(403)
    .post(
      "/auth/switch-organization",
      { organizationId: home.id },
      { authorization: `Bearer ${token.token}` },
    )
  await sql`update access_tokens set sign_in = 'sso' where organization_id = ${home.id} and kind = 'session'`
  assert.equal(await to(home.id), "org-035")
})

test("another organization is made with a copy of settings, hubs, custom roles and flows, and nothing else", async (t) => {
  const { sql, as } = await testApp(t)
  const source = await anOrganization(sql, { timeZone: "Asia/Jakarta", language: "id" })
  const hub = await aHub(sql, { org: source, name: "Depot" })
  const flow = await aFlow(sql, { org: source, name: "Own flow" })
  await aUser(sql, {
    org: source,
    permissions: ["view/task", "add/task", "view/custom/fuel-log"],
    permissionDetails: [{ permissionName: "add/task", items: [flow.id] }],
  })
  const body = { companyName: "Second", country: "IDN", copyData: true }
  const made = await as(source.owner).expect(201).post("/auth/create-organization", body)
  const flows = await sql<
    { n: number }[]
  >`select count(*) as n from flows where organization_id = ${source.id}`
  assert.deepEqual(made.json().copied, { settings: 1, hubs: 1, roles: 1, flows: flows[0]?.n })
  const { _id: id, timeZone } = made.json().data
  assert.equal(timeZone, "Asia/Jakarta")
  const hubs = await sql<
    { id: string; name: string }[]
  >`select id, name from hubs where organization_id = ${id}`
  assert.equal(hubs[0]?.name, "Depot")
  assert.notEqual(hubs[0]?.id, hub.id)
  const roles = await sql<{ permissionNames: string[]; permissionDetails: { items: string[] }[] }[]>`
    select permission_names, permission_details from roles where organization_id = ${id} and not is_default`
  assert.deepEqual(roles[0]?.permissionNames, ["view/task", "add/task"])
  const copied = await sql<{ id: string; version: number }[]>`
    select id, version from flows where organization_id = ${id} and name = 'Own flow'`
  assert.deepEqual(roles[0]?.permissionDetails[0]?.items, [copied[0]?.id])
  assert.equal(copied[0]?.version, 1)
  const members = await sql<{ email: string }[]>`select email from users where organization_id = ${id}`
  assert.deepEqual(
    members.map(({ email }) => email),
    [source.owner.email],
  )
  const defaults = await sql`select 1 from roles where organization_id = ${id} and is_default`
  assert.equal(defaults.length, 4)
  const again = await as(source.owner).post("/auth/create-organization", { ...body, companyName: "SECOND" })
  assert.equal(again.json().failedCode, "org-031")
})

test("copying needs an organization that one owns; a failure leaves nothing behind", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const guest = await aUser(sql, { org, permissions: ["create/organization"] })
  const lacking = await aUser(sql, { org, permissions: [] })
  const body = { companyName: "Mine", country: "NLD", copyData: true }
  assert.equal((await as(lacking).post("/auth/create-organization", body)).json().failedCode, "org-035")
  const before = await sql`select 1 from organizations`
  assert.equal((await as(guest).post("/auth/create-organization", body)).json().failedCode, "org-032")
  const bad = { ...body, copyData: false, hub: { name: "H", address: "A", lat: 100, lng: 0 } }
  assert.equal((await as(guest).post("/auth/create-organization", bad)).statusCode, 400)
  assert.equal((await sql`select 1 from organizations`).length, before.length)
  const plain = { companyName: "Mine", country: "NLD", hub: { name: "H", address: "A", lat: "1", lng: 0 } }
  await as(guest).expect(201).post("/auth/create-organization", plain)
  const invited = await aUser(sql, { org, role: "owner" })
  await as(invited)
    .expect(201)
    .post("/auth/create-organization", { ...body, companyName: "Copy" })
})
