import assert from "node:assert/strict"
import { test } from "node:test"
import type { Pool } from "#core/database.ts"
import type { DeclaredRoute } from "#core/http/route-table.ts"
import { anOrganization, aUser, type Organization } from "./builders.ts"
import { bodies, foreignAnswers, pathValues } from "./path-values.ts"
import { sampleOf } from "./sample-body.ts"
import { type Calls, type Reply, type TestApp, testApp } from "./test-app.ts"

/** These walk every route that there is, so that a new one is covered the day it is added. */
const keyOf = (route: DeclaredRoute) => `${route.method} ${route.url.replace("/api/v3", "")}`
const parametersOf = (route: DeclaredRoute) =>
  [...route.url.matchAll(/:(\w+)/g)].map((match) => match[1] ?? "")
const unknownId = "ffffffffffffffffffffffff"

function pathOf(route: DeclaredRoute, values: Record<string, string> = {}): string {
  return route.url
    .replace("/api/v3", "")
    .replace(/:(\w+)/g, (_match, name: string) => encodeURIComponent(values[name] ?? unknownId))
}

function call(calls: Calls, route: DeclaredRoute, path: string, body?: unknown): Promise<Reply> {
  const query = route.schema.querystring ? toQuery(sampleOf(route.schema.querystring)) : ""
  switch (route.method) {
    case "GET":
    case "HEAD":
      return calls.get(path + query)
    case "POST":
      return calls.post(path + query, body)
    case "PUT":
      return calls.put(path + query, body)
    case "PATCH":
      return calls.patch(path + query, body)
    default:
      return calls.delete(path + query, body)
  }
}

function toQuery(values: unknown): string {
  const entries = Object.entries(values as Record<string, unknown>).map(
    ([name, value]) => [name, String(value)] as [string, string],
  )
  return entries.length > 0 ? `?${new URLSearchParams(entries)}` : ""
}

function routesOf({ app }: TestApp): DeclaredRoute[] {
  return app.routeTable.routes().filter((route) => route.method !== "HEAD")
}

test("every route that is not public refuses a call without a token with 401", async (t) => {
  const server = await testApp(t)
  for (const route of routesOf(server).filter(({ config }) => !config.public)) {
    const reply = await call(server.nobody, route, pathOf(route))
    assert.equal(reply.statusCode, 401, keyOf(route))
    assert.equal(reply.json().status, false, keyOf(route))
  }
})

test("every route with a permission refuses somebody without it with 403", async (t) => {
  const server = await testApp(t)
  const org = await anOrganization(server.sql)
  const nobodySpecial = await aUser(server.sql, { org, permissions: [] })
  for (const route of routesOf(server).filter(({ config }) => config.permission ?? config.anyOf)) {
    const reply = await call(server.as(nobodySpecial), route, pathOf(route))
    assert.equal(reply.statusCode, 403, keyOf(route))
    assert.match(reply.json().failedCode, /^(\w+-035|auth-003)$/, keyOf(route))
  }
})

test("no route shows or changes what belongs to another organization", async (t) => {
  const server = await testApp(t)
  const { sql } = server
  const [theirs, ours] = [await anOrganization(sql), await anOrganization(sql)]
  const intruder = server.as(ours.owner)
  for (const route of routesOf(server).filter(
    (candidate) => !candidate.config.public && parametersOf(candidate).length > 0,
  )) {
    const values = await valuesFor(route, sql, theirs)
    const before = await fingerprint(sql, theirs)
    const reply = await call(
      intruder,
      route,
      pathOf(route, values),
      bodies[keyOf(route)] ?? sampleOf(route.schema.body),
    )
    assert.equal(reply.statusCode, foreignAnswers[keyOf(route)] ?? 404, `${keyOf(route)}: ${reply.body}`)
    assert.equal(await fingerprint(sql, theirs), before, `${keyOf(route)} changed another organization`)
  }
})

async function valuesFor(
  route: DeclaredRoute,
  sql: Pool,
  org: Organization,
): Promise<Record<string, string>> {
  const values: Record<string, string> = {}
  for (const name of parametersOf(route)) {
    const make = pathValues[`${route.url.replace("/api/v3", "")}#${name}`] ?? pathValues[name]
    assert.ok(make, `add an entry for the path parameter ${name} of ${keyOf(route)} to path-values.ts`)
    values[name] = await make(sql, org)
  }
  return values
}

let tenantTables: string[] | undefined

/** A digest of every row of an organization, in every table that has organizations. */
async function fingerprint(sql: Pool, org: Organization): Promise<string> {
  tenantTables ??= (
    await sql<{ name: string }[]>`
      select c.relname as name from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped
      join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
      where c.relkind in ('r', 'p') and not c.relispartition order by 1`
  ).map((row) => row.name)
  const parts = tenantTables.map(
    (name) =>
      `select md5(coalesce(string_agg(md5(t::text), '' order by t::text), '')) as digest from "${name}" t where organization_id = '${org.id}'`,
  )
  const rows = await sql.unsafe<{ digest: string }[]>(
    `select string_agg(digest, ',') as digest from (${parts.join(" union all ")}) all_tables`,
  )
  return rows[0]?.digest ?? ""
}
