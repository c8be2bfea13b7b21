import assert from "node:assert/strict"
import { test } from "node:test"
import { aDataType, aHub } from "#samples/builders.ts"
import { testOrganization, type UploadFile } from "#testing/test-app.ts"

const file = (filename: string, content: string): UploadFile => ({ filename, content })

test("a form with an Idempotency-Key is carried out once, and another form is refused", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const me = as(org.owner)
  const hub = await aHub(sql, { org })
  const { id: dataTypeId } = await aDataType(sql, { org, name: "Depot" })
  const dump = (row: string) =>
    file("traccar.sql", `INSERT INTO tc_devices (id, name, uniqueid) VALUES ${row};\n`)
  const cases = [
    {
      path: "/data/import",
      // Forced, or the same file would be refused without a key.
      parts: {
        type: "datasource",
        dataTypeId,
        hubId: hub.id,
        force: "true",
        file: file("a.csv", "Code,Note\n1,x\n"),
      },
      other: { file: file("a.csv", "Code,Note\n2,x\n") },
      idOf: (body: { data: { _id: string } }) => body.data._id,
      count: () => sql`select from imports where organization_id = ${org.id}`,
    },
    {
      path: "/data/import/readings/dump",
      parts: { collection: "devices", file: dump("(1, 'Van', '123456789012345')") },
      other: { file: dump("(2, 'Van', '123456789012345')") },
      idOf: (body: { data: { _id: string } }) => body.data._id,
      count: () => sql`select from other_system_readings where organization_id = ${org.id}`,
    },
    {
      path: "/plugin",
      parts: {
        name: "Stock Counter",
        description: "Counts what is in stock",
        resourceFile: file("stock.js", "export const a = 1"),
      },
      other: { name: "Stock Counter 2" },
      idOf: (body: { data: { id: string } }) => body.data.id,
      count: () => sql`select from plugins where organization_id = ${org.id}`,
    },
    {
      path: "/app-integration",
      parts: {
        integrationType: "oidc",
        name: "Directory",
        issuerUrl: "https://login.example",
        clientId: "a",
      },
      other: { clientId: "b" },
      idOf: (body: { data: { _id: string } }) => body.data._id,
      count: () => sql`select from app_integrations where organization_id = ${org.id}`,
    },
  ]
  for (const { path, parts, other, idOf, count } of cases) {
    const keyOfCase = { "idempotency-key": path }
    const send = (more = {}) => me.upload(path, { ...parts, ...more }, "POST", keyOfCase)
    const together = await Promise.all([send(), send()])
    const last = await send()
    const replies = [...together, last]
    for (const reply of replies) assert.ok(reply.statusCode < 300, reply.body)
    const [first] = replies
    assert.ok(
      replies.every((reply) => reply.statusCode === first?.statusCode),
      path,
    )
    assert.equal(new Set(replies.map((reply) => idOf(reply.json()))).size, 1, path)
    assert.equal(last.headers["idempotency-replayed"], "true", path)
    assert.equal((await count()).length, 1, path)
    const refused = await send(other)
    assert.deepEqual([refused.statusCode, refused.json().failedCode], [409, "sys-031"], path)
    assert.equal((await count()).length, 1, path)
  }
})

test("a refused form does not use up its Idempotency-Key", async (t) => {
  const { as, org } = await testOrganization(t)
  const send = (source: string) =>
    as(org.owner).upload(
      "/plugin",
      {
        name: "Stock Counter",
        description: "Counts what is in stock",
        resourceFile: file("stock.js", source),
      },
      "POST",
      { "idempotency-key": "again" },
    )
  assert.equal((await send("function (")).statusCode, 422)
  assert.equal((await send("export const a = 1")).statusCode, 201)
})
