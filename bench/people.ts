/*
 * People: who calls (GET /user with a warm token) against the route that does nothing; the list of 10,000
 * members against the bare SQL and JSON of the same rows; the list of one hub in a large and in a small
 * organization; copying an organization against the bare inserts; other people's calls during sign-ins.
 * Run: node bench/people.ts [part of a name]
 */
import { json, type Pool } from "#core/database/database.ts"
import { newId } from "#core/ids.ts"
import { anOrganization, aUser, type Organization } from "#samples/builders.ts"
import {
  type Bench,
  median,
  medianMilliseconds,
  printRatio,
  startBench,
  trivialPath,
} from "./load/harness.ts"

const only = process.argv[2] ?? ""
const bench = await startBench()
try {
  const parts = { caller, list, hub, copy, "sign-in": signIn, refusals }
  for (const [name, measure] of Object.entries(parts)) if (name.includes(only)) await measure(bench)
} finally {
  await bench.close()
}

async function caller({ sql, tokenOf, compare }: Bench): Promise<void> {
  const org = await anOrganization(sql)
  const token = await tokenOf(org.owner)
  const { measured, base } = await compare({ path: "/api/v3/user", token }, { path: trivialPath }, 20_000)
  printRatio({ name: "GET /user, warm token", measured, base, unit: "requests/s", atLeast: 0.4 })
}

async function list({ sql, tokenOf, app }: Bench): Promise<void> {
  const org = await anOrganization(sql)
  await fill(sql, org, { people: 10_000, hubs: 100 })
  const token = await tokenOf(org.owner)
  const measured = await medianMilliseconds(() => get(app, token, "/users"), { rounds: 15 })
  const base = await medianMilliseconds(() => bareUsers(sql, org.id), { rounds: 15 })
  printRatio({ name: "GET /users, 10,000 people", measured, base, unit: "ms", atMost: 3 })
}

async function hub({ sql, tokenOf, app }: Bench): Promise<void> {
  const times: number[] = []
  for (const people of [10_000, 100]) {
    const org = await anOrganization(sql)
    const [first] = await fill(sql, org, { people, hubs: people / 100 })
    await sql`analyze`
    const token = await tokenOf(org.owner)
    times.push(await medianMilliseconds(() => get(app, token, `/users?hubId=${first}`), { rounds: 40 }))
  }
  const [measured = 0, base = 0] = times
  printRatio({ name: "GET /users?hubId=, 100 of 10,000 and of 100", measured, base, unit: "ms", atMost: 3 })
}

async function copy({ sql, tokenOf, app }: Bench): Promise<void> {
  const org = await anOrganization(sql)
  await fill(sql, org, { people: 0, hubs: 200, roles: 100, flows: 200 })
  const token = await tokenOf(org.owner)
  let count = 0
  const measured = await medianMilliseconds(
    async () => {
      const payload = { companyName: `Copy ${++count}`, country: "NLD", copyData: true }
      const url = "/api/v3/auth/create-organization"
      const reply = await app.inject({
        method: "POST",
        url,
        payload,
        headers: { authorization: `Bearer ${token}` },
      })
      if (reply.statusCode !== 201) throw new Error(reply.body)
    },
    { rounds: 15 },
  )
  const base = await medianMilliseconds(() => bareInserts(sql), { rounds: 15 })
  printRatio({ name: "copy of 200 hubs, 100 roles, 200 flows", measured, base, unit: "ms", atMost: 3 })
}

async function signIn({ sql, tokenOf, load, address }: Bench): Promise<void> {
  const org = await anOrganization(sql)
  const token = await tokenOf(org.owner)
  const emails: string[] = []
  for (let count = 0; count < 40; count++)
    emails.push((await aUser(sql, { org, role: "planner", password: "Harbour-27" })).email)
  const order = { path: "/api/v3/user", token, requests: 6_000, connections: 4 }
  const quiet: number[] = []
  const busy: number[] = []
  for (let round = 0; round < 5; round++) {
    quiet.push((await load(order)).p99Milliseconds)
    const stop = new AbortController()
    const signing = keepSigningIn(address, emails, stop.signal)
    busy.push((await load(order)).p99Milliseconds)
    stop.abort()
    await signing
  }
  printRatio({
    name: "p99 of GET /user during 20 sign-ins a second",
    measured: median(busy),
    base: median(quiet),
    unit: "ms",
    atMost: 2,
  })
}

/** Refusals for addresses that have an account against those for addresses that have none, in turn. */
async function refusals({ sql, app }: Bench): Promise<void> {
  const org = await anOrganization(sql)
  const times = { known: [] as number[], unknown: [] as number[] }
  for (let count = 0; count < 150; count++) {
    const known = (await aUser(sql, { org, role: "planner", password: "Harbour-27" })).email
    for (const side of count % 2 === 0 ? (["known", "unknown"] as const) : (["unknown", "known"] as const)) {
      const email = side === "known" ? known : `nobody-${count}@fieldway.test`
      const payload = { email, password: `wrong-${count}` }
      const remoteAddress = `10.${side === "known" ? 1 : 2}.0.${count}`
      const begun = performance.now()
      const reply = await app.inject({ method: "POST", url: "/api/v3/login", payload, remoteAddress })
      if (reply.statusCode !== 401) throw new Error(`a wrong password was answered with ${reply.statusCode}`)
      times[side].push(performance.now() - begun)
    }
  }
  const ninth = (values: number[]) =>
    values.toSorted((one, other) => one - other)[Math.floor(values.length * 0.9)] ?? 0
  for (const [name, of] of [
    ["median", median],
    ["90th percentile", ninth],
  ] as const)
    printRatio({
      name: `refused sign-in, known against unknown e-mail, ${name}`,
      measured: of(times.known),
      base: of(times.unknown),
      unit: "ms",
      atMost: 1.02,
    })
}

/** Twenty sign-ins a second, one every 50 ms, until stopped. */
async function keepSigningIn(address: string, emails: readonly string[], signal: AbortSignal): Promise<void> {
  const pending: Promise<unknown>[] = []
  while (!signal.aborted) {
    const email = emails[pending.length % emails.length]
    const body = JSON.stringify({ email, password: "Harbour-27" })
    const headers = { "content-type": "application/json" }
    pending.push(
      fetch(`${address}/api/v3/login`, { method: "POST", body, headers }).then(async (reply) => {
        if (reply.status !== 200) throw new Error(`a sign-in was answered with ${reply.status}`)
        await reply.arrayBuffer()
      }),
    )
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await Promise.all(pending)
}

async function get(app: Bench["app"], token: string, path: string): Promise<void> {
  const reply = await app.inject({ url: `/api/v3${path}`, headers: { authorization: `Bearer ${token}` } })
  if (reply.statusCode !== 200) throw new Error(reply.body)
}

/** The columns that the list shows, read with one join and written as JSON, without anything of ours. */
async function bareUsers(sql: Pool, organizationId: string): Promise<void> {
  const rows = await sql`
    select users.id, users.name, users.email, users.phone_number, users.avatar, users.language, users.provider,
      users.status, users.role_id, users.first_login, users.last_login, users.onboarding_step, users.dynamic_visit_time,
      users.created_time, users.updated_time, users.organization_id, accounts.password_changed_time, accounts.locked_until,
      roles.name as role_name, roles.permission_names, roles.created_time as role_created, organizations.name as organization_name,
      array(select hub_id from user_hubs where organization_id = users.organization_id and user_id = users.id order by hub_id) as hub_ids,
      array(select team_id from user_teams where organization_id = users.organization_id and user_id = users.id order by team_id) as team_ids
    from users
    join accounts on accounts.id = users.account_id
    join organizations on organizations.id = users.organization_id
    join roles on roles.organization_id = users.organization_id and roles.id = users.role_id
    where users.organization_id = ${organizationId} order by users.created_time, users.id`
  JSON.stringify(rows)
}

/** One organization with the rows of the copy, each table with one statement, in one transaction. */
async function bareInserts(sql: Pool): Promise<void> {
  const organizationId = newId()
  const userId = newId()
  const [account] = await sql<{ id: string }[]>`select id from accounts limit 1`
  const role = { organizationId, id: newId(), name: "owner", permissionNames: ["view/task"] }
  await sql.begin(async (tx) => {
    await tx`insert into organizations (id, name) values (${organizationId}, 'bare')`
    await tx`insert into roles ${tx([role, ...rolesOf(organizationId, 103)])}`
    await tx`
      insert into users (organization_id, id, account_id, email, name, status, role_id)
      values (${organizationId}, ${userId}, ${account?.id ?? ""}, 'bare@fieldway.test', 'Bare', 'active', ${role.id})`
    const hubs = hubsOf(organizationId, 200)
    await tx`insert into hubs ${tx(hubs)}`
    await tx`insert into user_hubs ${tx(hubs.map((row) => ({ organizationId, userId, hubId: row.id })))}`
    await tx`
      insert into flows (organization_id, id, name, pages, configurations, order_index)
      select ${organizationId}, flow.id, flow.name, flow.pages, '[]', 1
      from jsonb_to_recordset(${json(tx, flowsOf(200))}::jsonb) as flow (id text, name text, pages jsonb)`
  })
}

function rolesOf(organizationId: string, count: number) {
  return Array.from({ length: count }, (_, index) => ({
    organizationId,
    id: newId(),
    name: `Role ${index}`,
    permissionNames: ["view/task", "add/task", "edit/task", "view/hub", "view/flow"],
  }))
}

function hubsOf(organizationId: string, count: number) {
  return Array.from({ length: count }, (_, index) => ({
    organizationId,
    id: newId(),
    name: `Hub ${index}`,
    address: "Somewhere 1",
    lat: 52,
    lng: 4,
  }))
}

function flowsOf(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    id: newId(),
    name: `Flow ${index}`,
    pages: Array.from({ length: 2 }, (_page, page) => ({
      id: `page${page}`,
      components: Array.from({ length: 6 }, (_component, number) => ({
        id: `field${page}${number}`,
        component: "input",
        type: "String",
        title: `Field ${number}`,
        visible: true,
        required: false,
      })),
    })),
  }))
}

interface Size {
  people: number
  hubs: number
  roles?: number
  flows?: number
}

/** Fills an organization; each hub has a hundred of the people. Returns the ids of the hubs. */
async function fill(sql: Pool, org: Organization, size: Size): Promise<string[]> {
  const hubs = hubsOf(org.id, size.hubs)
  await sql`insert into hubs ${sql(hubs)}`
  if (size.roles) await sql`insert into roles ${sql(rolesOf(org.id, size.roles))}`
  if (size.flows)
    await sql`
      insert into flows (organization_id, id, name, pages, configurations, order_index)
      select ${org.id}, flow.id, flow.name, flow.pages, '[]', 1
      from jsonb_to_recordset(${json(sql, flowsOf(size.flows))}::jsonb) as flow (id text, name text, pages jsonb)`
  if (size.people > 0) {
    const [planner] = await sql<{ id: string }[]>`
      select id from roles where organization_id = ${org.id} and name = 'planner'`
    const people = Array.from({ length: size.people }, (_, index) => ({
      id: newId(),
      email: `p${index}@${org.id}.test`,
    }))
    const [ids, emails] = [people.map(({ id }) => id), people.map(({ email }) => email)]
    await sql`insert into accounts (id, email) select * from unnest(${ids}::text[], ${emails}::text[])`
    await sql`
      insert into users (organization_id, id, account_id, email, name, phone_number, status, role_id)
      select ${org.id}, id, id, email, 'Person of the field', '+62 8123456789', 'active', ${planner?.id ?? ""}
      from unnest(${ids}::text[], ${emails}::text[]) as person (id, email)`
    await sql`
      insert into user_hubs (organization_id, user_id, hub_id)
      select ${org.id}, person, hub from unnest(${ids}::text[], ${people.map((_, index) => hubs[index % hubs.length]?.id ?? "")}::text[]) as given (person, hub)`
  }
  await sql`analyze users, user_hubs, accounts, hubs, flows, roles`
  return hubs.map((row) => row.id)
}
