import assert from "node:assert/strict"
import { test } from "node:test"
import { Validator } from "@seriousme/openapi-schema-validator"
import buildSerializer, { type Schema } from "fast-json-stringify"
import { compileSchema } from "#core/http/validation.ts"
import { testApp } from "#testing/test-app.ts"
import { errorTables } from "../../../error-tables.ts"
import { errorCatalogue } from "../../errors.ts"

interface Operation {
  operationId?: string
  summary?: string
  tags?: string[]
  responses: Record<string, unknown>
  security?: unknown[]
}

test("the description is a valid OpenAPI 3.1 document", async (t) => {
  const { app } = await testApp(t)
  const reply = await app.inject({ url: "/api/v3/openapi.json" })
  assert.equal(reply.statusCode, 200)
  const outcome = await new Validator().validate(reply.json())
  assert.deepEqual(outcome.errors ?? [], [])
  assert.equal(reply.json().openapi, "3.1.0")
})

test("every operation has a name of its own, a summary, a tag, a response and its errors", async (t) => {
  const { app } = await testApp(t)
  const { paths } = (await app.inject({ url: "/api/v3/openapi.json" })).json() as {
    paths: Record<string, Record<string, Operation>>
  }
  const seen = new Set<string>()
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const where = `${method} ${path}`
      assert.ok(
        operation.operationId && !seen.has(operation.operationId),
        `${where} needs an operationId of its own`,
      )
      seen.add(operation.operationId)
      assert.ok(operation.summary && operation.tags?.length, `${where} needs a summary and a tag`)
      assert.ok(
        Object.keys(operation.responses).some((status) => /^[23]/.test(status)),
        `${where} needs a success response`,
      )
      assert.ok("4XX" in operation.responses, `${where} needs its refusals`)
    }
  }
})

test("every route of the API is described", async (t) => {
  const { app } = await testApp(t)
  const { paths } = (await app.inject({ url: "/api/v3/openapi.json" })).json() as {
    paths: Record<string, Record<string, Operation>>
  }
  for (const route of app.routeTable.routes()) {
    if (route.method === "HEAD") continue
    const path = route.url.replace(/:(\w+)/g, "{$1}")
    assert.ok(paths[path]?.[route.method.toLowerCase()], `${route.method} ${path} is not described`)
  }
})

test("every schema of every route can be compiled", async (t) => {
  const { app } = await testApp(t)
  for (const { method, url, schema } of app.routeTable.routes()) {
    const { body, params, querystring, response = {} } = schema
    for (const part of [body, params, querystring])
      if (part) assert.doesNotThrow(() => compileSchema(part), `${method} ${url}`)
    for (const [status, declared] of Object.entries(response))
      assert.doesNotThrow(() => buildSerializer(declared as Schema), `${method} ${url} ${status}`)
  }
})

test("the reference page is served without anything from elsewhere", async (t) => {
  const { app } = await testApp(t)
  const page = await app.inject({ url: "/docs/" })
  assert.equal(page.statusCode, 200)
  assert.doesNotMatch(page.body, /<script|<style| style=| on\w+=|(?:src|href)="https?:/)
  assert.doesNotMatch(String(page.headers["content-security-policy"]), /unsafe/)
  const { paths }: { paths: Record<string, Record<string, { operationId: string }>> } = (
    await app.inject({ url: "/api/v3/openapi.json" })
  ).json()
  for (const { operationId } of Object.values(paths).flatMap((methods) => Object.values(methods)))
    assert.ok(page.body.includes(`id="${operationId}"`), operationId)
  for (const [, name = ""] of page.body.matchAll(/href="#(schema-\w+)"/g))
    assert.ok(page.body.includes(`id="${name}"`), name)
  assert.doesNotMatch(page.body, /`|\]\(/, "no Markdown is left")
  assert.doesNotMatch(page.body, /<h4>[45]XX[^<]*<\/h4>(?!<)/, "errors have their body")
  const style = await app.inject({ url: "/docs/reference.css" })
  assert.equal(style.statusCode, 200)
  assert.match(style.body, /overflow: auto/)
})

test("every error of the tables is in the list of error codes beside the reference page", async (t) => {
  const { app } = await testApp(t)
  const { statusCode, body, headers } = await app.inject({ url: "/docs/errors.md" })
  assert.equal(statusCode, 200)
  assert.match(String(headers["content-type"]), /text\/markdown/)
  const codes = errorCatalogue(errorTables).map(({ failedCode }) => failedCode)
  assert.ok(codes.length > 100)
  const page = await app.inject({ url: "/docs/errors" })
  assert.match(String(page.headers["content-type"]), /text\/html/)
  for (const code of codes) {
    assert.ok(body.includes(`| \`${code}\` |`), code)
    assert.ok(page.body.includes(`<td><code>${code}</code></td>`), code)
  }
})
