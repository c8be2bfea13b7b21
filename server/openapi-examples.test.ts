import assert from "node:assert/strict"
import { test } from "node:test"
import { testOrganization } from "#testing/test-app.ts"
import { exampleIds, requestExamples } from "./openapi-examples.ts"

interface Operation {
  operationId: string
  requestBody?: { content: Record<string, { example?: unknown }> }
}

test("every example of a request is in the document and is accepted as it is printed", async (t) => {
  const { app, as, org } = await testOrganization(t)
  const owner = as(org.owner)
  const { paths } = (await app.inject({ url: "/api/v3/openapi.json" })).json() as {
    paths: Record<string, Record<string, Operation>>
  }
  const operations = new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, each]) => [each.operationId, { ...each, path, method }] as const),
    ),
  )
  const roles = (await owner.get("/roles")).json() as { data: { _id: string; name: string }[] }
  const flows = (await owner.get("/flows")).json() as { flows: { data: { _id: string; name: string }[] } }
  const ids: Record<string, string> = {
    [exampleIds.role]: roles.data.find(({ name }) => name === "field user")?._id ?? "",
    [exampleIds.flow]: flows.flows.data.find(({ name }) => name === "Delivery")?._id ?? "",
  }
  const created: Record<string, [example: string, read: (body: never) => string]> = {
    createHub: [exampleIds.hub, (body: { data: { _id: string } }) => body.data._id],
    createTask: [exampleIds.task, (body: { task: { _id: string } }) => body.task._id],
    createDataType: [exampleIds.dataType, (body: { data_type: { _id: string } }) => body.data_type._id],
  }
  for (const [operationId, example] of Object.entries(requestExamples)) {
    const operation = operations.get(operationId)
    assert.ok(operation, `no operation is called ${operationId}`)
    assert.deepEqual(operation.requestBody?.content["application/json"]?.example, example)
    const text = JSON.stringify(example).replace(/6a01c0ffee[0-9a-f]{14}/g, (id) => ids[id] ?? id)
    const path = operation.path.replace("/api/v3", "").replace("{taskId}", ids[exampleIds.task] ?? "")
    const call = { post: owner.post, put: owner.put, patch: owner.patch }[operation.method]
    assert.ok(call, `${operationId} is no write`)
    const response = await call(path, JSON.parse(text))
    assert.ok(response.statusCode < 300, `${operationId}: ${response.statusCode} ${response.body}`)
    const made = created[operationId]
    if (made) ids[made[0]] = made[1](response.json())
  }
})

test("an operation lists Idempotency-Key exactly where it is honoured", async (t) => {
  const { app } = await testOrganization(t)
  const { paths } = (await app.inject({ url: "/api/v3/openapi.json" })).json()
  const takesKey = (method: string, path: string) =>
    JSON.stringify(paths[`/api/v3${path}`][method]).includes("#/components/parameters/IdempotencyKey")
  for (const path of ["/tasks/upsert", "/tasks/bulk/upsert"]) assert.ok(takesKey("put", path), path)
  assert.ok(takesKey("post", "/task"))
  assert.ok(takesKey("post", "/data/import"), "a form whose handler honours it")
  assert.ok(!takesKey("post", "/data/import/preview"))
  assert.ok(!takesKey("put", "/task/{taskId}"))
})
