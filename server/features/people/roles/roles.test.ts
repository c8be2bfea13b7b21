import assert from "node:assert/strict"
import { test } from "node:test"
import { aFlow, anOrganization, aPasswordPolicy, aUser, type Organization } from "#samples/builders.ts"
import { type TestApp, testApp, testOrganization } from "#testing/test-app.ts"
import { addCustomPermission, removeCustomPermission } from "./index.ts"

async function roleId({ sql }: TestApp, org: Organization, name: string): Promise<string> {
  const rows = await sql<
    { id: string }[]
  >`select id from roles where organization_id = ${org.id} and name = ${name}`
  return rows[0]?.id ?? ""
}

test("the catalogue of permissions is the same everywhere, with labels", async (t) => {
  const { sql, as } = await testApp(t)
  const [one, other] = [await anOrganization(sql), await anOrganization(sql)]
  const [first, second] = [await as(one.owner).get("/permissions"), await as(other.owner).get("/permissions")]
  assert.equal(first.body, second.body)
  const entries = first.json().data
  assert.ok(entries.length >= 75)
  const invite = entries.find((entry: { name: string }) => entry.name === "invite")
  assert.match(invite._id, /^[0-9a-f]{24}$/)
  assert.equal(invite.displayName, "Invite user")
})

test("a custom role is made, read in both forms, changed and deleted", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const flow = await aFlow(sql, { org })
  const catalogue = (await as(org.owner).get("/permissions")).json().data
  const idOf = (name: string) => catalogue.find((entry: { name: string }) => entry.name === name)._id
  const made = await as(org.owner)
    .expect(200)
    .post("/role", {
      name: "Night shift",
      permissionList: [idOf("view/task"), "add/task"],
      permissionDetails: [
        { permissionName: "add/task", items: [flow.id] },
        { permissionName: "view/checkincheckout", interval: "3", checkinRadius: 100, checkoutRadius: null },
      ],
    })
  assert.equal(made.json().status, true)
  assert.equal(made.json().name, "Night shift")
  const id = made.json().data._id
  const read = (await as(org.owner).get(`/role/${id}`)).json().data
  const adding = read.permissions.find((entry: { name: string }) => entry.name === "add/task")
  assert.deepEqual([adding.access, adding.meta], [true, { items: [flow.id] }])
  assert.equal(read.permission.length, read.permissions.length)
  assert.equal(read.permissionDetails[1].interval, 3)
  assert.equal(read.permissionDetails[1].profile, "Balance")
  const saving = { permissionName: "view/checkincheckout", profile: "Power Saving", minDistance: 25 }
  const sparing = await as(org.owner).post("/role", { name: "Sparing", permissionDetails: [saving] })
  const { interval, minDistance } = sparing.json().permissionDetails[0]
  assert.deepEqual([interval, minDistance], [10, 25], "a profile says what the role does not")
  const taken = await as(org.owner).post("/role", { name: "NIGHT SHIFT", permissionList: [] })
  assert.equal(taken.json().failedCode, "role-031")
  const badFlow = await as(org.owner).put(`/role/${id}`, {
    name: "Night shift",
    permissionDetails: [{ permissionName: "add/task", items: ["ffffffffffffffffffffffff"] }],
  })
  assert.equal(badFlow.json().failedCode, "role-039")
  const renamed = await as(org.owner).put(`/role/${id}`, {
    name: "Late shift",
    permissionList: ["view/task"],
  })
  assert.equal(renamed.json().name, "Late shift")
  assert.deepEqual(renamed.json().permissionList, [idOf("view/task")])
  const holder = await aUser(sql, { org, role: "planner" })
  await as(org.owner).patch(`/user/${holder.id}`, { roleId: id })
  assert.equal((await as(org.owner).delete(`/role/${id}`)).json().failedCode, "role-046")
  await as(org.owner).delete(`/member/${holder.id}`)
  assert.equal((await as(org.owner).delete(`/role/${id}`)).json().data._id, id)
  assert.equal((await as(org.owner).get(`/role/${id}`)).json().failedCode, "role-033")
  assert.equal((await sql`select 1 from trash where source_id = ${id}`).length, 1)
})

test("default roles stay; the owner role changes its switches and policy only", async (t) => {
  const server = await testOrganization(t)
  const { sql, as, org } = server
  const [owner, planner] = [await roleId(server, org, "owner"), await roleId(server, org, "planner")]
  assert.deepEqual(
    (await as(org.owner).get("/roles")).json().data.map((role: { name: string }) => role.name),
    ["owner", "admin", "planner", "field user"],
  )
  assert.equal((await as(org.owner).delete(`/role/${planner}`)).json().failedCode, "role-044")
  assert.equal((await as(org.owner).put(`/role/${owner}`, { name: "Chief" })).json().failedCode, "role-043")
  const less = await as(org.owner).put(`/role/${owner}`, { name: "owner", permissionList: ["view/task"] })
  assert.equal(less.json().failedCode, "role-042")
  const current = (await as(org.owner).get(`/role/${owner}`)).json().data
  const policy = await aPasswordPolicy(sql, { org })
  const switched = await as(org.owner)
    .expect(200)
    .put(`/role/${owner}`, {
      name: "owner",
      permissionList: [...current.permissionList, "single/login"],
      passwordPolicyId: policy.id,
    })
  assert.equal(switched.json().passwordPolicyId, policy.id)
  const admin = await aUser(sql, { org, role: "admin" })
  const byAdmin = await as(admin).put(`/role/${owner}`, {
    name: "owner",
    permissionList: current.permissionList,
  })
  assert.equal(byAdmin.json().failedCode, "role-042")
  const inUse = (await as(org.owner).delete(`/password-policy/${policy.id}`)).json()
  assert.deepEqual([inUse.failedCode, inUse.error], ["passp-032", inUse.message])
})

test("nobody can extend their own role or grant a permission that they lack", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const clerk = await aUser(sql, {
    org,
    permissions: ["create/role", "edit/role", "edit/permission", "view/role", "view/task", "add/task"],
  })
  const other = await aUser(sql, { org, permissions: ["view/task"] })
  const own = await as(clerk).put(`/role/${clerk.roleId}`, { name: "Mine", permissionList: ["invite"] })
  assert.equal(own.json().failedCode, "role-035")
  const keys = await as(clerk).put(`/role/${other.roleId}`, {
    name: "Theirs",
    permissionList: ["edit/organization"],
  })
  assert.equal(keys.json().failedCode, "role-035")
  const made = await as(clerk).post("/role", { name: "Strong", permissionList: ["edit/member"] })
  assert.equal(made.json().failedCode, "role-035")
  await as(clerk)
    .expect(200)
    .put(`/role/${other.roleId}`, {
      name: "Theirs",
      permissionList: ["view/task", "add/task"],
    })
  const namer = await aUser(sql, { org, permissions: ["edit/role", "view/task", "add/task"] })
  assert.equal((await as(namer).put(`/role/${other.roleId}`, { name: "New name" })).statusCode, 200)
  const powers = await as(namer).put(`/role/${other.roleId}`, { name: "New name", permissionList: [] })
  assert.equal(powers.json().failedCode, "role-035")
})

test("a changed role counts at once for those who have it", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const person = await aUser(sql, { org, permissions: ["view/role"] })
  assert.equal((await as(person).get("/roles")).statusCode, 200)
  await as(org.owner).put(`/role/${person.roleId}`, { name: "Less", permissionList: [] })
  assert.equal((await as(person).get("/roles")).statusCode, 403)
})

test("a custom module brings a permission that leaves with it", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  await sql.begin((tx) => addCustomPermission(tx, org.id, { label: "fuel-log", name: "Fuel log" }))
  const role = await as(org.owner)
    .expect(200)
    .post("/role", { name: "Fuel", permissionList: ["view/custom/fuel-log"] })
  const listed = (await as(org.owner).get("/permissions")).json().data.at(-1)
  assert.equal(listed.displayName, "View Fuel log")
  assert.deepEqual(role.json().permissionList, [listed._id])
  await sql.begin((tx) => removeCustomPermission(tx, org.id, "fuel-log"))
  assert.deepEqual((await as(org.owner).get(`/role/${role.json()._id}`)).json().data.permissionList, [])
  const gone = await as(org.owner).post("/role", { name: "Fuel 2", permissionList: ["view/custom/fuel-log"] })
  assert.equal(gone.json().failedCode, "role-017")
})

test("a role is changed and granted only by somebody who holds everything that it holds", async (t) => {
  const server = await testOrganization(t)
  const { sql, as, org } = server
  const admin = await roleId(server, org, "admin")
  await sql`
    update roles set permission_names = permission_names || '{security/otp-email,single/login}'
    where organization_id = ${org.id} and id = ${admin}`
  const clerk = await aUser(sql, {
    org,
    permissions: [
      "edit/role",
      "edit/permission",
      "create/role",
      "delete/role",
      "invite",
      "view/user",
      "view/role",
    ],
  })
  const bare = { name: "admin", permissionList: ["view/task"] }
  assert.equal((await as(clerk).put(`/role/${admin}`, bare)).json().failedCode, "role-035")
  await as(clerk).expect(403).put(`/role/${admin}`, { name: "admin", passwordPolicyId: null })
  const harmless = await as(clerk).post("/role", { name: "Sees tasks", permissionList: ["view/task"] })
  assert.equal(harmless.json().failedCode, "role-035")
  const planner = await roleId(server, org, "planner")
  const invited = await as(clerk).post("/user/invite", { email: ["new@couriers.example"], roleId: planner })
  assert.equal(invited.json().failedCode, "user-039", invited.body)
  const [row] = await sql<{ names: string[] }[]>`
    select permission_names as names from roles where organization_id = ${org.id} and id = ${admin}`
  assert.ok(row?.names.includes("security/otp-email") && row.names.includes("single/login"))
})

test("only an owner removes a switch from a role", async (t) => {
  const server = await testOrganization(t)
  const { sql, as, org } = server
  const admin = await aUser(sql, { org, role: "admin" })
  const field = await roleId(server, org, "field user")
  const without = { name: "field user", permissionList: ["view/task", "do/task"] }
  const refused = await as(admin).put(`/role/${field}`, without)
  assert.deepEqual([refused.statusCode, refused.json().failedCode], [403, "role-035"])
  const guarded = {
    name: "field user",
    permissionList: ["view/task", "view/task/only-me", "do/task", "security/otp-email"],
  }
  assert.equal((await as(admin).put(`/role/${field}`, guarded)).statusCode, 200)
  assert.equal((await as(org.owner).put(`/role/${field}`, without)).statusCode, 200)
})

test("people who only see their own tasks, or create tasks of one flow, grant no more than that", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const [mine, other] = [await aFlow(sql, { org }), await aFlow(sql, { org })]
  const lead = await aUser(sql, {
    org,
    permissions: ["create/role", "view/task", "view/task/only-me", "add/task"],
    permissionDetails: [{ permissionName: "add/task", items: [mine.id] }],
  })
  const make = async (name: string, permissionList: string[], items?: string[]) =>
    (
      await as(lead).post("/role", {
        name,
        permissionList,
        ...(items ? { permissionDetails: [{ permissionName: "add/task", items }] } : {}),
      })
    ).statusCode
  assert.equal(await make("Sees all", ["view/task"]), 403)
  assert.equal(await make("Sees own", ["view/task", "view/task/only-me"]), 200)
  assert.equal(await make("Every flow", ["add/task"]), 403)
  assert.equal(await make("Other flow", ["add/task"], [other.id]), 403)
  assert.equal(await make("Same flow", ["add/task"], [mine.id]), 200)
})
