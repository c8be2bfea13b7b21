import { newId } from "#core/ids.ts"
import { aFlow, aHub, anOrganization, aTeam, aToken, aUser, type Organization } from "#samples/builders.ts"
import { newestMail } from "../read-mail.ts"
import { faultTest } from "./run-operation.ts"
import { fromAnywhere, type World } from "./world.ts"

const password = "Harbour-27"
const newEmail = () => `${newId()}@fieldway.test`
const once = () => ({ "idempotency-key": newId() })

async function roleId({ sql }: World, org: Organization, name = "planner"): Promise<string> {
  const rows = await sql<
    { id: string }[]
  >`select id from roles where organization_id = ${org.id} and name = ${name}`
  return rows[0]?.id ?? ""
}

const countOf = (rows: readonly unknown[]) => rows.length

async function mailsTo({ sql }: World, email: string): Promise<number> {
  return countOf(await sql`select 1 from mails where recipient = ${email}`)
}

faultTest({
  name: "registration",
  async scene({ sql }) {
    return { org: await anOrganization(sql), email: newEmail() }
  },
  act: ({ email }, { nobody }) =>
    nobody.post("/register", { email, password, name: "Registrant" }, fromAnywhere()),
  repeated: [400, 409],
  async effects({ email }, world) {
    const accounts = countOf(await world.sql`select 1 from accounts where email = ${email}`)
    const mails = await mailsTo(world, email)
    return accounts === mails ? accounts : 0.5
  },
})

faultTest({
  name: "setting up the organization of a new account",
  async scene(world) {
    const { sql, nobody } = world
    const org = await anOrganization(sql)
    const email = newEmail()
    await nobody.post("/register", { email, password, name: "Registrant" }, fromAnywhere())
    await world.runJobs()
    const mail = await newestMail(sql, email)
    return { org, email, code: /[0-9a-f]{32}/.exec(mail?.text ?? "")?.[0] ?? "" }
  },
  act: ({ email, code }, { nobody }) =>
    nobody.put(
      "/account",
      {
        name: "Known Name",
        phoneNumber: "+62 81234567",
        numberOfUsers: "11-40",
        industry: "Logistics",
        position: "Dispatcher",
        email,
        activationCode: code,
        companyName: "Harbour Couriers",
        country: "idn",
        timeZone: "Asia/Jakarta",
        hub: { name: "North", displayName: "North hub", address: "Quay 1", lat: "-6.2", lng: 106.8 },
        flows: ["Delivery", "Pickup"],
      },
      fromAnywhere(),
    ),
  repeated: [400],
  async effects({ email }, { sql }) {
    const rows = await sql<{ hubs: number; flows: number }[]>`
      select (select count(*) from hubs where organization_id = users.organization_id)::int as hubs,
        (select count(*) from flows where organization_id = users.organization_id)::int as flows
      from users where email = ${email} and status = 'active'`
    if (rows.some(({ hubs, flows }) => hubs !== 1 || flows < 2)) return 0.5
    return rows.length
  },
})

faultTest({
  name: "copy of an organization",
  async scene({ sql }) {
    const org = await anOrganization(sql)
    await aHub(sql, { org, name: "Depot" })
    await aFlow(sql, { org, name: "Own flow" })
    await aUser(sql, { org, permissions: ["view/task", "add/task"] })
    return { org, name: `Second ${newId()}`, key: once() }
  },
  act: ({ org, name, key }, { as }) =>
    as(org.owner).post(
      "/auth/create-organization",
      { companyName: name, country: "IDN", copyData: true },
      key,
    ),
  async effects({ name }, { sql }) {
    const rows = await sql<{ hubs: number; flows: number; roles: number; owners: number }[]>`
      select (select count(*) from hubs where organization_id = o.id)::int as hubs,
        (select count(*) from flows where organization_id = o.id and name = 'Own flow')::int as flows,
        (select count(*) from roles where organization_id = o.id and not is_default)::int as roles,
        (select count(*) from users where organization_id = o.id)::int as owners
      from organizations o where name = ${name}`
    if (
      rows.some(({ hubs, flows, roles, owners }) => hubs !== 1 || flows !== 1 || roles !== 1 || owners !== 1)
    )
      return 0.5
    return rows.length
  },
})

faultTest({
  name: "create user",
  async scene(world) {
    const org = await anOrganization(world.sql)
    const hub = await aHub(world.sql, { org })
    return { org, hub, role: await roleId(world, org), email: newEmail(), key: once() }
  },
  act: ({ org, hub, role, email, key }, { as }) =>
    as(org.owner).post("/user", { name: "Ada", email, roleId: role, hubId: [hub.id] }, key),
  async effects({ org, hub, email }, { sql }) {
    const rows = await sql`
      select 1 from users join user_hubs on user_hubs.organization_id = users.organization_id and user_id = users.id
      where users.organization_id = ${org.id} and email = ${email} and hub_id = ${hub.id}`
    return rows.length
  },
})

faultTest({
  name: "invite two users",
  async scene(world) {
    const org = await anOrganization(world.sql)
    const hub = await aHub(world.sql, { org })
    return { org, hub, role: await roleId(world, org), emails: [newEmail(), newEmail()], key: once() }
  },
  act: ({ org, hub, role, emails, key }, { as }) =>
    as(org.owner).post("/user/invite", { email: emails, roleId: role, hubId: [hub.id] }, key),
  runsJobs: true,
  async effects({ org, emails }, world) {
    const users = await world.sql`
      select 1 from users where organization_id = ${org.id} and email = any (${emails}) and status = 'pending'`
    const mails = await Promise.all(emails.map((email) => mailsTo(world, email)))
    return (users.length + mails.reduce((sum, count) => sum + count, 0)) / 4
  },
})

faultTest({
  name: "accept an invitation",
  async scene(world) {
    const org = await anOrganization(world.sql)
    const email = newEmail()
    await world.as(org.owner).post("/user/invite", { email: [email], roleId: await roleId(world, org) })
    await world.runJobs()
    const mail = await newestMail(world.sql, email)
    return { org, email, code: /code=([0-9a-zA-Z_-]+)/.exec(mail?.text ?? "")?.[1] ?? "" }
  },
  act: ({ code }, { nobody }) =>
    nobody.post("/invitation/accept", { code, name: "New Person", password }, fromAnywhere()),
  repeated: [400],
  async effects({ email }, { sql }) {
    const rows = await sql<{ isActive: boolean; hasPassword: boolean }[]>`
      select users.status = 'active' as is_active, accounts.password_hash is not null as has_password
      from users join accounts on accounts.id = users.account_id where users.email = ${email}`
    const [row] = rows
    return row?.isActive === row?.hasPassword ? Number(row?.isActive) : 0.5
  },
})

async function aTeamMember(world: World) {
  const { sql } = world
  const org = await anOrganization(sql)
  const hub = await aHub(sql, { org })
  const team = await aTeam(sql, { org, hub })
  const flow = await aFlow(sql, { org })
  const member = await aUser(sql, { org, hubs: [hub], teams: [team], role: "planner" })
  const made = await world
    .as(org.owner)
    .post("/task", { flow: flow.name, hubId: hub.id, siteName: "Pump", assignee: [member.email] })
  return { org, hub, team, member, taskId: String(made.json().task._id) }
}

faultTest({
  name: "delete a user with open tasks",
  scene: aTeamMember,
  act: ({ org, member }, { as }) => as(org.owner).delete(`/user/${member.id}`),
  repeated: [404],
  async effects({ org, member, taskId }, { sql }) {
    const [left] = await sql<{ users: number; trash: number; assigned: number; tokens: number }[]>`
      select (select count(*) from users where organization_id = ${org.id} and id = ${member.id})::int as users,
        (select count(*) from trash where organization_id = ${org.id} and source_id = ${member.id})::int as trash,
        (select count(*) from tasks where id = ${taskId} and ${member.email} = any (assignee))::int as assigned`
    if (left?.users === 1 && left.trash === 0 && left.assigned === 1) return 0
    return left?.users === 0 && left.trash === 1 && left.assigned === 0 ? 1 : 0.5
  },
})

faultTest({
  name: "restore a user",
  async scene(world) {
    const scene = await aTeamMember(world)
    await world.as(scene.org.owner).delete(`/user/${scene.member.id}`)
    const [entry] = await world.sql<
      { id: string }[]
    >`select id from trash where source_id = ${scene.member.id}`
    return { ...scene, trashId: entry?.id ?? "", key: once() }
  },
  act: ({ org, trashId, key }, { as }) => as(org.owner).post(`/trash/${trashId}/restore`, {}, key),
  async effects({ org, member, trashId }, { sql }) {
    const [found] = await sql<{ users: number; trash: number; hubs: number; teams: number }[]>`
      select (select count(*) from users where organization_id = ${org.id} and email = ${member.email})::int as users,
        (select count(*) from trash where id = ${trashId})::int as trash,
        (select count(*) from user_hubs where organization_id = ${org.id} and user_id = ${member.id})::int as hubs,
        (select count(*) from user_teams where organization_id = ${org.id} and user_id = ${member.id})::int as teams`
    if (found?.users === 0 && found.trash === 1) return 0
    return found?.users === 1 && found.trash === 0 && found.hubs === 1 && found.teams === 1 ? 1 : 0.5
  },
})

faultTest({
  name: "role update",
  async scene({ sql }) {
    const org = await anOrganization(sql)
    const person = await aUser(sql, { org, permissions: ["view/task"] })
    return { org, person }
  },
  act: ({ org, person }, { as }) =>
    as(org.owner).put(`/role/${person.roleId}`, {
      name: `Night ${person.id}`,
      permissionList: ["view/task", "edit/task"],
    }),
  async effects({ person }, { sql }) {
    const [role] = await sql<{ name: string; permissionNames: string[] }[]>`
      select name, permission_names from roles where id = ${person.roleId}`
    const isNamed = role?.name.startsWith("Night") === true
    return isNamed === role?.permissionNames.includes("edit/task") ? Number(isNamed) : 0.5
  },
})

faultTest({
  name: "hub deletion",
  async scene({ sql }) {
    const org = await anOrganization(sql)
    const hub = await aHub(sql, { org })
    await aTeam(sql, { org, hub })
    return { org, hub }
  },
  act: ({ org, hub }, { as }) => as(org.owner).delete(`/hub/${hub.id}`),
  repeated: [404],
  async effects({ org, hub }, { sql }) {
    const [left] = await sql<{ hubs: number; teams: number; trash: number }[]>`
      select (select count(*) from hubs where id = ${hub.id})::int as hubs,
        (select count(*) from teams where organization_id = ${org.id} and hub_id = ${hub.id})::int as teams,
        (select count(*) from trash where organization_id = ${org.id} and source_id = ${hub.id})::int as trash`
    if (left?.hubs === 1 && left.teams === 1 && left.trash === 0) return 0
    return left?.hubs === 0 && left.teams === 0 && left.trash === 1 ? 1 : 0.5
  },
})

faultTest({
  name: "a personal token is made",
  async scene({ sql }) {
    return { org: await anOrganization(sql), key: once() }
  },
  act: ({ org, key }, { as }) =>
    as(org.owner).post("/token", { name: "Tracker", expires_at: "2098-12-31T17:00:00.000000Z" }, key),
  async effects({ org }, { sql }) {
    return countOf(
      await sql`select 1 from access_tokens where organization_id = ${org.id} and kind = 'personal'`,
    )
  },
})

faultTest({
  name: "a personal token is used",
  async scene({ sql }) {
    const org = await anOrganization(sql)
    return { org, token: await aToken(sql, { person: org.owner }), name: `Hub ${newId()}`, key: once() }
  },
  act: ({ token, name, key }, { nobody }) =>
    nobody.post(
      "/hub",
      { name, address: "Quay 1", lat: 1, lng: 2 },
      { authorization: `Bearer ${token.token}`, ...key },
    ),
  async effects({ org, name }, { sql }) {
    return countOf(await sql`select 1 from hubs where organization_id = ${org.id} and name = ${name}`)
  },
})

faultTest({
  name: "password reset",
  async scene(world) {
    const org = await anOrganization(world.sql, { password })
    await world.nobody.post("/user/forgot-password", { email: org.owner.email }, fromAnywhere())
    await world.runJobs()
    const mail = await newestMail(world.sql, org.owner.email)
    return { org, token: /[0-9a-f]{32}/.exec(mail?.text ?? "")?.[0] ?? "" }
  },
  act: ({ org, token }, { nobody }) =>
    nobody.post(
      "/user/reset-password",
      { email: org.owner.email, token, password: "Lantern-83" },
      fromAnywhere(),
    ),
  repeated: [400],
  async effects({ org }, { nobody, sql }) {
    const [code] = await sql<{ used: boolean }[]>`
      select not exists (select 1 from account_codes where account_id = ${org.owner.accountId}) as used`
    const isNew =
      (await nobody.post("/login", { email: org.owner.email, password: "Lantern-83" }, fromAnywhere()))
        .statusCode === 200
    return isNew === code?.used ? Number(isNew) : 0.5
  },
})
