import assert from "node:assert/strict"
import { test } from "node:test"
import type { DeclaredRoute } from "#core/http/route-table.ts"
import { anOrganization, aUser } from "#samples/builders.ts"
import { sampleOf } from "#samples/sample-body.ts"
import { type Calls, type Reply, type TestApp, testApp } from "../test-app.ts"

/** These walk every route that there is, as does isolation.test.ts: a new one is covered the day it is added. */
const keyOf = (route: DeclaredRoute) => `${route.method} ${route.url.replace("/api/v3", "")}`
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
