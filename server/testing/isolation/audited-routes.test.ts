import assert from "node:assert/strict"
import { test } from "node:test"
import { newToken } from "#core/access/token.ts"
import { newId } from "#core/ids.ts"
import { anOrganization } from "#samples/builders.ts"
import { pathValues } from "#samples/path-values.ts"
import { type Calls, testApp } from "../test-app.ts"
import { keyOf, tryRoute } from "./try-route.ts"
import { unauditedRoutes } from "./unaudited-routes.ts"

const inOrder = ["POST", "PUT", "PATCH", "DELETE"]

test("every route that writes leaves an entry that names it", async (t) => {
  const { sql, app, nobody } = await testApp(t)
  const org = await anOrganization(sql)
  const values: Record<string, string> = {}
  for (const [name, make] of Object.entries(pathValues)) values[name] = await make(sql, org)
  const calls = async (): Promise<Calls> => {
    const { token, hash } = newToken(org.owner.organizationId)
    await sql`
      insert into access_tokens (organization_id, hash, id, user_id, kind, expires_at)
      values (${org.id}, ${hash}, ${newId()}, ${org.owner.id}, 'session', now() + interval '1 hour')`
    const authorization = { authorization: `Bearer ${token}` }
    const write =
      (method: "post" | "put" | "patch" | "delete") =>
      (url: string, body?: unknown, headers: Record<string, string> = {}) =>
        nobody[method](url, body, { ...authorization, ...headers })
    return {
      ...nobody,
      post: write("post"),
      put: write("put"),
      patch: write("patch"),
      delete: write("delete"),
    }
  }
  const routes = app.routeTable
    .routes()
    .filter(({ method, config }) => inOrder.includes(method) && !config.public)
    .toSorted((one, other) => inOrder.indexOf(one.method) - inOrder.indexOf(other.method))
  const accepted: string[] = []
  for (const route of routes) {
    const { reply } = await tryRoute(await calls(), route, values)
    // Bulk calls are accepted although each of their entries may be refused.
    const isRefused =
      route.config.produces !== "other" && (reply.json() as { success?: unknown }).success === 0
    if (reply.statusCode < 300 && !isRefused) accepted.push(keyOf(route))
  }
  const rows = await sql<{ operation: string }[]>`
    select distinct operation from audit_log where organization_id = ${org.id}`
  const audited = new Set(rows.map(({ operation }) => operation))
  const missing = routes
    .filter((route) => accepted.includes(keyOf(route)) && !audited.has(route.schema.operationId ?? ""))
    .map(keyOf)
  assert.deepEqual(
    missing.filter((key) => !(key in unauditedRoutes)),
    [],
  )
  const superfluous = Object.keys(unauditedRoutes).filter(
    (key) => !routes.some((route) => keyOf(route) === key),
  )
  assert.deepEqual(superfluous, [])
  assert.ok(accepted.length > 50, `only ${accepted.length} calls were accepted`)
})
