import assert from "node:assert/strict"
import { test } from "node:test"
import { unseal } from "#core/security/sealing.ts"
import { aUser } from "#samples/builders.ts"
import { findInDatabase } from "#testing/find-in-database.ts"
import { testOrganization } from "#testing/test-app.ts"
import { sealStoredSecrets } from "../jobs.ts"

const key = { id: "dataId", title: "Key", type: "text", primaryKey: true }
const password = "Harbour-27"
const nothing = { secretsKey: undefined, secretsKeyOld: undefined }

test("keys of services and authenticators that an earlier version stored readable are sealed at the start, by several nodes at once, and under a new key", async (t) => {
  const server = await testOrganization(t)
  const { sql, as, org } = server
  const person = await aUser(sql, { org, role: "planner", password })
  const providerKey = "key-of-the-warehouse-service"
  const secret = Buffer.from("12345678901234567890")
  const readable = [providerKey, secret.toString("hex")]
  const makeType = async (name: string) => {
    const providerConfig = { url: "https://data.example/rows", key: providerKey }
    const made = await as(org.owner).post("/data-type", {
      name,
      fields: [key],
      provider: "external-api",
      providerConfig,
    })
    return made.json().data_type._id as string
  }
  const [kept, deleted] = [await makeType("Kept"), await makeType("Deleted")]
  assert.deepEqual(await findInDatabase(server, readable), [])
  await as(org.owner).delete(`/data-type/${deleted}`)
  // As version 0.1 stored them.
  const config = JSON.stringify({ url: "https://data.example/rows", key: providerKey })
  await sql`update data_types set provider_key = null, provider_config = ${config}::text::jsonb where id = ${kept}`
  await sql`update trash set content = jsonb_set(content, '{provider_config}', ${config}::text::jsonb) where source_id = ${deleted}`
  await sql`update accounts set totp_secret = ${secret}, totp_enabled_time = now() where id = ${person.accountId}`
  assert.equal((await findInDatabase(server, readable)).length, 3)
  const nodes = await Promise.all([1, 2, 3].map(() => sealStoredSecrets({ sql, config: nothing })))
  assert.equal(
    nodes.reduce((sum, rows) => sum + rows, 0),
    3,
  )
  assert.equal(await sealStoredSecrets({ sql, config: nothing }), 0)
  assert.deepEqual(await findInDatabase(server, readable), [])
  assert.equal((await as(org.owner).get(`/data-type/${kept}`)).json().data_type.providerConfig.hasKey, true)
  // What is bound to its row opens in no other.
  const other = await makeType("Other")
  await sql`
    update data_types set provider_key = (select provider_key from data_types where id = ${kept}) where id = ${other}`
  const stolen = await as(org.owner).get(`/data?dataTypeId=${other}`)
  assert.notEqual(stolen.statusCode, 200)
  const first = { secretsKey: "k".repeat(40), secretsKeyOld: undefined }
  assert.ok((await sealStoredSecrets({ sql, config: first })) >= 2)
  const rotated = { secretsKey: "n".repeat(40), secretsKeyOld: first.secretsKey }
  assert.ok((await sealStoredSecrets({ sql, config: rotated })) >= 2)
  assert.equal(await sealStoredSecrets({ sql, config: { ...rotated, secretsKeyOld: undefined } }), 0)
})

test("the key of a running reading is sealed again under a new key", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const old = { secretsKey: "o".repeat(40), secretsKeyOld: undefined }
  const reading = {
    system: "fleetbase",
    collection: "orders",
    address: "https://fleet.example",
    token: "sesame",
  }
  const started = await as(org.owner).expect(200).post("/data/import/readings", reading)
  const readingId = started.json().data._id as string
  await sealStoredSecrets({ sql, config: old })
  const config = { secretsKey: "p".repeat(40), secretsKeyOld: undefined }
  await sealStoredSecrets({ sql, config: { ...config, secretsKeyOld: old.secretsKey } })
  const [{ sealedKey } = assert.fail()] = await sql<{ sealedKey: Buffer }[]>`
    select sealed_key from other_system_readings where id = ${readingId}`
  assert.equal(await unseal({ sql, config }, `reading of another system ${readingId}`, sealedKey), "sesame")
})

test("a new device key and a mailed code are readable nowhere, not even in the response kept for a repeated call", async (t) => {
  const server = await testOrganization(t)
  const { as, org } = server
  const device = { userId: org.owner.id, name: "Van 7" }
  const repeated = { "idempotency-key": "one" }
  const made = await as(org.owner).expect(201).post("/device-key", device, repeated)
  const again = await as(org.owner).post("/device-key", device, repeated)
  assert.deepEqual([again.json(), again.headers["idempotency-replayed"]], [made.json(), "true"])
  const { key: deviceKey } = made.json().data
  assert.ok(deviceKey.length > 20)
  assert.deepEqual(await findInDatabase(server, [deviceKey]), [])
})
