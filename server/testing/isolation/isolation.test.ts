import assert from "node:assert/strict"
import { before, test } from "node:test"
import { newToken } from "#core/access/token.ts"
import type { DeclaredRoute } from "#core/http/route-table.ts"
import { newId } from "#core/ids.ts"
import { type Permission, permissionNames, switchPermissions } from "#core/permissions.ts"
import {
  aFlow,
  aHub,
  anOrganization,
  aToken,
  aUser,
  type Organization,
  type Person,
} from "#samples/builders.ts"
import type { References } from "#samples/foreign-references.ts"
import {
  acrossHubs,
  notedByPublicRoutes,
  organizationWide,
  publicShows,
  sessionOnly,
  untouchedByHub,
} from "#samples/isolation-expectations.ts"
import { aDeviceKey } from "#samples/location-builders.ts"
import { foreignResponses, pathValues } from "#samples/path-values.ts"
import { runJobs } from "../run-jobs.ts"
import { type Calls, type Reply, type TestApp, testApp } from "../test-app.ts"
import { changedTables, digestOf, hiddenSecrets, hiddenThings } from "./hidden-things.ts"
import { keyOf, parametersOf, pathOf, tryRoute } from "./try-route.ts"

/**
 * Tenancy and permissions of every route, generated from the route table: somebody has something of everything, and others
 * try every route with its ids in path, query and body. What is expected follows from the declarations of the routes;
 * `isolation-expectations.ts` has the exceptions with their reasons.
 */
const allPermissions = permissionNames.filter((name) => !switchPermissions.has(name))
const reading = new Set(["GET"])
const inOrder = ["GET", "POST", "PUT", "PATCH", "DELETE"]
const isLong = Boolean(process.env.FIELDWAY_LONG)

let server: TestApp
let routes: DeclaredRoute[]

before(async () => {
  server = await testApp()
  routes = server.app.routeTable
    .routes()
    .filter(({ method }) => method !== "HEAD")
    .toSorted((one, other) => inOrder.indexOf(one.method) - inOrder.indexOf(other.method))
})

/** A call may end the session that it was made with, so each gets its own. */
async function freshCalls(person: Person): Promise<Calls> {
  const { token, hash } = newToken(person.organizationId)
  await server.sql`
    insert into access_tokens (organization_id, hash, id, user_id, kind, expires_at)
    values (${person.organizationId}, ${hash}, ${newId()}, ${person.id}, 'session', now() + interval '1 hour')`
  return withBearer(token)
}

function withBearer(token: string): Calls {
  const authorization = { authorization: `Bearer ${token}` }
  const { nobody } = server
  const write =
    (method: "post" | "put" | "patch" | "delete") =>
    (url: string, body?: unknown, headers: Record<string, string> = {}) =>
      nobody[method](url, body, { ...authorization, ...headers })
  return {
    ...nobody,
    get: (url, headers = {}) => nobody.get(url, { ...authorization, ...headers }),
    post: write("post"),
    put: write("put"),
    patch: write("patch"),
    delete: write("delete"),
  }
}

async function everything(org: Organization): Promise<References> {
  const values: Record<string, string> = {}
  for (const [name, make] of Object.entries(pathValues)) values[name] = await make(server.sql, org)
  return values
}

function shownOf(secrets: ReadonlySet<string>, body: string, sent: string): string[] {
  return [...secrets].filter((secret) => body.includes(secret) && !sent.includes(secret))
}

/** References in the body may be refused before the path is looked at: then without them. */
async function assertForeign(
  route: DeclaredRoute,
  reply: Reply,
  values: References,
  calls: () => Promise<Calls>,
): Promise<void> {
  const wanted = foreignResponses[keyOf(route)] ?? 404
  if (reply.statusCode === wanted) return
  assert.equal(reply.statusCode, 400, `${keyOf(route)}: ${reply.body}`)
  const plain = (await tryRoute(await calls(), route, values, { isPlain: true })).reply
  assert.equal(plain.statusCode, wanted, `${keyOf(route)}: ${plain.body}`)
}

/** The short round looks after calls that were accepted, and once at the end; the long one after each that may change. */
const isSurelyUnchanged = (route: DeclaredRoute, reply: Reply) =>
  reading.has(route.method) || (reply.statusCode >= 400 && !isLong && !route.config.public)

const isStream = (route: DeclaredRoute) => keyOf(route) === "GET /events"

test("another organization reads, changes and deletes nothing, whatever ids it sends", async () => {
  const [theirs, ours] = [await anOrganization(server.sql), await anOrganization(server.sql)]
  const values = await everything(theirs)
  const secrets = await hiddenSecrets(server.sql, theirs.id)
  let digest = await digestOf(server.sql, theirs.id)
  for (const route of routes.filter((one) => !isStream(one))) {
    const key = keyOf(route)
    const calls = route.config.public ? server.nobody : await freshCalls(ours.owner)
    const { reply, sent } = await tryRoute(calls, route, values)
    assert.ok(reply.statusCode < 500, `${key}: ${reply.body}`)
    if (!(key in publicShows)) assert.deepEqual(shownOf(secrets, reply.body, sent), [], `${key} shows`)
    if (!route.config.public && parametersOf(route).length > 0)
      await assertForeign(route, reply, values, () => freshCalls(ours.owner))
    if (isSurelyUnchanged(route, reply)) continue
    const now = await digestOf(server.sql, theirs.id)
    const allowed = route.config.public ? notedByPublicRoutes : []
    const changed = changedTables(digest, now).filter((name) => !allowed.includes(name))
    assert.deepEqual(changed, [], `${key} changed another organization`)
    digest = now
  }
  const atLast = changedTables(digest, await digestOf(server.sql, theirs.id))
  const unexplained = atLast.filter((name) => !notedByPublicRoutes.includes(name))
  assert.deepEqual(unexplained, [], "a refused call changed another organization: FIELDWAY_LONG says which")
})

test("somebody with every permission in another hub reads and changes nothing of this one", async () => {
  const { sql } = server
  const org = await anOrganization(sql)
  const own = await aHub(sql, { org })
  const intruder = await aUser(sql, { org, hubs: [own], permissions: allPermissions })
  const { values, secrets, hubIds } = await hiddenThings(sql, org, await everything(org), own)
  let digest = await digestOf(sql, org.id, hubIds)
  for (const route of routes.filter(
    (one) => !isStream(one) && !one.config.public && !(keyOf(one) in untouchedByHub),
  )) {
    const key = keyOf(route)
    for (const name of parametersOf(route))
      assert.ok(
        name in organizationWide || acrossHubs.has(name),
        `say in isolation-expectations.ts whether ${name} is in a hub`,
      )
    const { reply, sent } = await tryRoute(await freshCalls(intruder), route, values)
    assert.ok(reply.statusCode < 500, `${key}: ${reply.body}`)
    assert.deepEqual(shownOf(secrets, reply.body, sent), [], `${key} shows`)
    const isInHub =
      parametersOf(route).some((name) => acrossHubs.has(name)) ||
      /^\/(positions|track)\/:/.test(pathOf(route))
    if (isInHub) await assertForeign(route, reply, values, () => freshCalls(intruder))
    if (isSurelyUnchanged(route, reply)) continue
    const now = await digestOf(sql, org.id, hubIds)
    assert.deepEqual(changedTables(digest, now), [], `${key} changed another hub`)
    digest = now
  }
  const atLast = changedTables(digest, await digestOf(sql, org.id, hubIds))
  assert.deepEqual(atLast, [], "a refused call changed another hub: FIELDWAY_LONG says which")
})

test("every route is refused to roles, scoped tokens, device keys and shared links that its declaration leaves out", async () => {
  const { sql } = server
  const org = await anOrganization(sql)
  const hub = await aHub(sql, { org })
  const roles = ["admin", "planner", "field user"] as const
  const people = await Promise.all(roles.map((role) => aUser(sql, { org, role, hubs: [hub] })))
  const { key: deviceKey } = await aDeviceKey(sql, { org, person: org.owner })
  const made = await server.as(org.owner).post("/location-history/generate-token", { email: org.owner.email })
  for (const route of routes.filter(({ config }) => !config.public)) {
    const key = keyOf(route)
    const { permission, anyOf, scopedToken } = route.config
    const wanted = permission ? [permission] : (anyOf ?? [])
    for (const [index, person] of people.entries()) {
      const granted = await permissionsOf(person)
      const isAllowed = wanted.length === 0 || wanted.some((name) => granted.has(name))
      if (isAllowed && (!isLong || isStream(route))) continue
      const { reply } = await tryRoute(await freshCalls(person), route, {})
      if (isAllowed) {
        assert.doesNotMatch(reply.body, /lacks? the permission/, `${key} as ${roles[index]}`)
        continue
      }
      assert.equal(reply.statusCode, 403, `${key} as ${roles[index]}: ${reply.body}`)
    }
    const scopes: Permission[] = isLong ? [...allPermissions] : ["view/dashboard", "view/task"]
    for (const scope of scopes) {
      const named = Array.isArray(scopedToken) ? scopedToken : wanted
      if (scopedToken === "accepted" || (named as readonly string[]).includes(scope)) continue
      const { token } = await scoped(org, scope)
      const { reply } = await tryRoute(withBearer(token), route, {})
      assert.equal(reply.statusCode, 403, `${key} with the scope ${scope}: ${reply.body}`)
    }
    for (const bearer of [deviceKey, made.json().token]) {
      const { reply } = await tryRoute(withBearer(bearer), route, {})
      assert.equal(reply.statusCode, 401, `${key} with a key of another kind`)
    }
  }
})

const granted = new Map<string, ReadonlySet<string>>()
async function permissionsOf(person: Person): Promise<ReadonlySet<string>> {
  const known = granted.get(person.id)
  if (known) return known
  const user = (await server.as(person).get("/user")).json()
  const entries: { name: string; access: boolean }[] = user.role.permissions
  const names = new Set(entries.filter(({ access }) => access).map(({ name }) => name))
  granted.set(person.id, names)
  return names
}

const scopedTokens = new Map<string, Promise<{ token: string }>>()
function scoped(org: Organization, scope: Permission): Promise<{ token: string }> {
  const made = scopedTokens.get(scope) ?? aToken(server.sql, { person: org.owner, scopes: [scope] })
  scopedTokens.set(scope, made)
  return made
}

test("a personal token does nothing that takes a person who signed in", async () => {
  const org = await anOrganization(server.sql)
  const { token } = await aToken(server.sql, { person: org.owner })
  for (const route of routes.filter((one) => keyOf(one) in sessionOnly)) {
    const { reply } = await tryRoute(withBearer(token), route, {})
    assert.ok([400, 403].includes(reply.statusCode), `${keyOf(route)}: ${reply.body}`)
  }
})

test("searches, counts and exports of another hub find nothing of this one", async () => {
  const { sql } = server
  const org = await anOrganization(sql)
  const own = await aHub(sql, { org })
  const intruder = await aUser(sql, { org, hubs: [own], permissions: allPermissions })
  const made = await everything(org)
  const { secrets } = await hiddenThings(sql, org, made, own)
  const calls = server.as(intruder)
  for (const route of routes.filter(
    ({ method, schema }) => method === "GET" && hasSearch(schema.querystring),
  )) {
    const reply = (await tryRoute(calls, route, {}, { query: { q: "a" } })).reply
    assert.deepEqual(shownOf(secrets, reply.body, ""), [], keyOf(route))
  }
  const { tasks } = (await calls.get("/tasks?limit=1")).json()
  assert.equal(tasks.total, 0)
  const flows = await sql<{ name: string }[]>`select name from flows where organization_id = ${org.id}`
  for (const { name } of flows.slice(0, 3)) {
    const body = { flow: name, startTime: "2000-01-01", endTime: "2099-01-01", download: "json" }
    const exported = await calls.post("/tasks/export", body)
    assert.deepEqual(shownOf(secrets, exported.body, ""), [], exported.body)
  }
  const links = await sql<{ fileKey: string }[]>`
    select file_key from exports where organization_id = ${org.id} and file_key is not null`
  for (const { fileKey } of links) {
    const file = await server.app.objects.open(fileKey)
    const text = file ? Buffer.concat(await file.stream.toArray()).toString() : ""
    assert.deepEqual(shownOf(secrets, text, ""), [])
  }
})

const hasSearch = (query: unknown) =>
  "q" in ((query as { properties?: Record<string, unknown> } | undefined)?.properties ?? {})

test("automations and the feed of another hub learn nothing of this one", async (t) => {
  const { sql } = server
  const org = await anOrganization(sql)
  const own = await aHub(sql, { org })
  const intruder = await aUser(sql, { org, hubs: [own], permissions: allPermissions })
  const values = await everything(org)
  const calls = server.as(intruder)
  const flow = await aFlow(sql, { org })
  for (const event of ["onTaskCreated", "onTaskUpdated", "onTaskDeleted"]) {
    await calls.expect(200).post("/automation", {
      name: `${event} elsewhere`,
      event,
      automationType: "webhook",
      automationDetails: { url: "https://hooks.example/" },
      rules: { flow: flow.name, flowId: flow.id },
    })
  }
  const task = (
    await server.as(org.owner).post("/task", { flow: flow.name, hubId: values.hubId, siteName: "Hidden" })
  ).json().task
  await server.as(org.owner).patch(`/task/${task._id}`, { flow: flow.name, siteName: "Hidden still" })
  await server.as(org.owner).delete(`/task/${task._id}`)
  await runJobs(server)
  const waiting = await sql`
    select from webhook_deliveries join automations on automations.id = webhook_deliveries.automation_id
    where automations.organization_id = ${org.id} and automations.owner_id = ${intruder.id}`
  assert.equal(waiting.length, 0)
  assert.equal((await calls.get("/automation-log")).json().total, 0)
  const feedOf = async (reader: typeof calls) => (await reader.get("/events/feed")).body
  // An event waits for every transaction that began before it, also those of other databases of the cluster.
  await t.waitFor(async () => assert.match(await feedOf(server.as(org.owner)), /Hidden still/), {
    timeout: 10_000,
  })
  assert.doesNotMatch(await feedOf(calls), /Hidden/)
  assert.doesNotMatch((await calls.get("/trash?limit=100")).body, /Hidden/)
})
