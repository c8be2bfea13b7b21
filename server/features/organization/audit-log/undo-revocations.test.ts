import assert from "node:assert/strict"
import { test } from "node:test"
import { anOrganization, aUser } from "#samples/builders.ts"
import { type Reply, type TestApp, testOrganization } from "#testing/test-app.ts"

const password = "Harbour-27"
const inYears = "2098-12-31 17:00:00"

async function aPerson(server: TestApp) {
  const { sql, as, nobody } = server
  const org = await anOrganization(sql)
  const permissions = ["token/manage-token", "edit/organization", "edit/member", "view/task"] as const
  const person = await aUser(sql, { org, permissions: [...permissions], password })
  await sql`update accounts set email_verified_time = now(), origin_organization_id = ${org.id} where id = ${person.accountId}`
  const make = async (name: string): Promise<{ _id: string; token: string }> =>
    (await as(person).expect(200).post("/token", { name, expires_at: inYears })).json().data
  const opens = async (token: string) =>
    (await nobody.get("/user", { authorization: `Bearer ${token}` })).statusCode
  const revoke = async (id: string) =>
    (await as(person).expect(200).delete(`/token/${id}`)).headers["x-action-id"]
  return { org, person, make, opens, revoke }
}

const outcome = (reply: Reply) => {
  const { done, leftAlone } = reply.json().data
  return [done, leftAlone.map(({ reason }: { reason: string }) => reason)]
}
const onlyActor = "Only the person who did this can undo it, signed in and without an access token"

test("a token ends when it is revoked; only the person who revoked it has it back, without a token, and its history shows both", async (t) => {
  const server = await testOrganization(t)
  const { as, nobody } = server
  const { org, person, make, opens, revoke } = await aPerson(server)
  const [lost, other] = [await make("Lost"), await make("Other")]
  const action = await revoke(lost._id)
  assert.equal(await opens(lost.token), 401)
  const path = `/action/${String(action)}/undo`
  assert.deepEqual(outcome(await as(org.owner).post(path)), [0, [onlyActor]])
  const byToken = await nobody.post(path, {}, { authorization: `Bearer ${other.token}` })
  assert.deepEqual(outcome(byToken), [0, [onlyActor]])
  assert.equal(await opens(lost.token), 401)
  assert.deepEqual(outcome(await as(person).post(path)), [1, []])
  assert.equal(await opens(lost.token), 200)
  const history = async (who: typeof person) =>
    (await as(who).get(`/history?objectType=token&objectId=${lost._id}`)).json().data
  assert.deepEqual(
    (await history(person)).map(({ operation }: { operation: string }) => operation),
    ["undoAction", "deleteToken", "createToken"],
  )
  const stranger = await aUser(server.sql, { org, permissions: ["token/manage-token", "edit/member"] })
  assert.deepEqual(await history(stranger), [])
})

test("a token that has ended for another reason since, or that would be one too many, stays revoked", async (t) => {
  const server = await testOrganization(t)
  const { as, nobody, sql } = server
  const { person, make, opens, revoke } = await aPerson(server)
  const stolen = await make("Stolen")
  const stolenAction = await revoke(stolen._id)
  const key = (await as(person).post("/device-key", { name: "Phone" })).json().data
  const keyAction = (await as(person).expect(200).delete(`/device-key/${key._id}`)).headers["x-action-id"]
  const session = (await nobody.post("/login", { email: person.email, password })).json().token
  const change = { currentPassword: password, password: "Lighthouse-93", revokeTokens: true }
  const bearer = { authorization: `Bearer ${session}` }
  await nobody.expect(200).put("/user/change-password", change, bearer)
  for (const action of [stolenAction, keyAction]) {
    const reply = await nobody.post(`/action/${String(action)}/undo`, {}, bearer)
    assert.deepEqual(outcome(reply), [0, ["It has ended for another reason since"]])
  }
  assert.equal(await opens(stolen.token), 401)
  const [kept] = await sql`select revoked_at from device_keys where id = ${key._id}`
  assert.ok(kept?.revokedAt)

  const full = await aPerson(server)
  const first = await full.make("First")
  const firstAction = await full.revoke(first._id)
  for (let index = 0; index < 10; index += 1) await full.make(`T${index}`)
  const [done, [reason]] = outcome(await as(full.person).post(`/action/${String(firstAction)}/undo`)) as [
    number,
    string[],
  ]
  assert.equal(done, 0)
  assert.match(String(reason), /10|ten/)
  assert.equal(await full.opens(first.token), 401)
})
