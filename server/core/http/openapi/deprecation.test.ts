import assert from "node:assert/strict"
import { test } from "node:test"
import swagger from "@fastify/swagger"
import fastify from "fastify"
import type { App } from "../types.ts"
import { installDeprecation } from "./deprecation.ts"

async function anApp(deprecated: { since: string; sunset: string; replacement: string }) {
  const app = fastify()
  await app.register(swagger, { openapi: { openapi: "3.1.0" } })
  installDeprecation(app as App)
  app.get("/old", { config: { deprecated }, schema: { summary: "Old things" } }, async () => ({
    status: true,
  }))
  app.get("/new", { schema: { summary: "New things" } }, async () => ({ status: true }))
  await app.ready()
  return app
}

test("a deprecated route announces it in each response and in the OpenAPI document", async () => {
  const app = await anApp({ since: "2031-01-01", sunset: "2031-07-01", replacement: "/api/v3/new" })
  const { headers } = await app.inject("/old")
  assert.equal(headers.deprecation, `@${Date.parse("2031-01-01T00:00:00Z") / 1000}`)
  assert.equal(headers.sunset, "Tue, 01 Jul 2031 00:00:00 GMT")
  assert.equal(headers.link, '</api/v3/new>; rel="successor-version"')
  const paths = (
    app.swagger() as { paths: Record<string, { get: { deprecated?: boolean; description?: string } }> }
  ).paths
  assert.equal(paths["/old"]?.get.deprecated, true)
  assert.match(paths["/old"]?.get.description ?? "", /removed on 2031-07-01: use \/api\/v3\/new/)
  const current = await app.inject("/new")
  assert.equal(current.headers.deprecation ?? current.headers.sunset, undefined)
  assert.equal(paths["/new"]?.get.deprecated, undefined)
})

test("a route cannot end before it is deprecated", async () => {
  await assert.rejects(anApp({ since: "2031-07-01", sunset: "2031-01-01", replacement: "/new" }), /before/)
})
