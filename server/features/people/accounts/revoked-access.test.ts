import assert from "node:assert/strict"
import { test } from "node:test"
import type { Permission } from "#core/permissions.ts"
import { anOrganization, aToken, aUser } from "#samples/builders.ts"
import { type TestApp, testApp } from "#testing/test-app.ts"

/** Of a browser's subscription, from the example of RFC 8291. */
const keys = {
  p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
  auth: "BTBZMqHH6r4Tts7J_aSIgg",
}
const [oldPassword, newPassword] = ["Harbour-27", "Lighthouse-93"]

/** Somebody with everything that lets one in: a session, personal tokens in two organizations, device keys, a feed. */
async function aPlace(server: TestApp) {
  const { sql, as, nobody } = server
  const [org, second] = [await anOrganization(sql), await anOrganization(sql)]
  const permissions: Permission[] = ["token/manage-token", "view/task"]
  const person = await aUser(sql, { org, permissions, password: oldPassword })
  const elsewhere = await aUser(sql, {
    org: second,
    permissions: ["token/manage-token"],
    email: person.email,
  })
  await sql`update accounts set email_verified_time = now(), origin_organization_id = ${org.id} where id = ${person.accountId}`
  const tokenOf = async (who: typeof person): Promise<string> =>
    (await as(who).post("/token", { name: "Integration", expires_at: "2098-12-31 17:00:00" })).json().data
      .token
  const tokens = [await tokenOf(person), await tokenOf(elsewhere)]
  const keyOf = async (maker: typeof person, name: string): Promise<string> =>
    (await as(maker).post("/device-key", { userId: person.id, name })).json().data.key
  const ownKey = await keyOf(person, "own phone")
  const vanKey = await keyOf(org.owner, "van")
  const session = (await nobody.post("/login", { email: person.email, password: oldPassword })).json().token
  const opens = async (token: string) =>
    (await nobody.get("/user", { authorization: `Bearer ${token}` })).statusCode
  const isGood = async (key: string) =>
    (await sql`select 1 from device_keys where hash = sha256(${key}::bytea) and revoked_at is null`).length >
    0
  const feed = await as(person).expect(200).post("/calendar-feed", { kind: "person" })
  const feedPath = new URL(feed.json().data.url).pathname
  await as(person)
    .expect(201)
    .post("/push-subscription", { endpoint: `https://push.example/${person.id}`, keys })
  /** Whether the feed opens, and the number of push subscriptions. */
  const outside = async () => [
    (await server.app.inject({ url: feedPath })).statusCode === 200,
    (await sql`select 1 from push_subscriptions where user_id = ${person.id}`).length,
  ]
  return { org, person, tokens, ownKey, vanKey, session, opens, isGood, outside }
}

test("a password reset ends sessions, personal tokens in every organization, own device keys, feeds and push, by mail and by an administrator", async (t) => {
  const server = await testApp(t)
  const { sql, as, nobody } = server
  for (const by of ["mail", "administrator"] as const) {
    const place = await aPlace(server)
    const { person, tokens, org } = place
    for (const token of [...tokens, place.session]) assert.equal(await place.opens(token), 200)
    if (by === "mail") {
      const code = "ab".repeat(16)
      await sql`
        insert into account_codes (id, account_id, kind, hash, expires_at)
        values (${person.accountId}, ${person.accountId}, 'reset', sha256(${code}::bytea), now() + interval '1 hour')`
      const reset = { email: person.email, token: code, password: newPassword }
      assert.equal((await nobody.post("/user/reset-password", reset)).statusCode, 200)
    } else {
      const given = { userId: person.id, password: newPassword }
      assert.equal((await as(org.owner).post("/member/reset-password", given)).statusCode, 200)
    }
    for (const token of [...tokens, place.session]) assert.equal(await place.opens(token), 401, by)
    assert.deepEqual([await place.isGood(place.ownKey), await place.isGood(place.vanKey)], [false, true])
    assert.deepEqual(await place.outside(), [false, 0])
  }
})

test("a changed password keeps personal tokens and device keys unless asked to revoke them", async (t) => {
  const server = await testApp(t)
  const { nobody } = server
  for (const revokeTokens of [false, true]) {
    const place = await aPlace(server)
    const body = { currentPassword: oldPassword, password: newPassword, revokeTokens }
    const other = (await nobody.post("/login", { email: place.person.email, password: oldPassword })).json()
    await nobody.expect(200).put("/user/change-password", body, {
      authorization: `Bearer ${place.session}`,
    })
    assert.equal(await place.opens(place.session), 200)
    assert.equal(await place.opens(other.token), 401)
    for (const token of place.tokens) assert.equal(await place.opens(token), revokeTokens ? 401 : 200)
    assert.equal(await place.isGood(place.ownKey), !revokeTokens)
    assert.equal(await place.isGood(place.vanKey), true)
    assert.deepEqual(await place.outside(), revokeTokens ? [false, 0] : [true, 1])
  }
})

test("what a person had before they were disabled stays ended when they are enabled again", async (t) => {
  const server = await testApp(t)
  const { org, person, tokens, session, opens, outside } = await aPlace(server)
  const [own = "", elsewhere = ""] = tokens
  assert.deepEqual(await outside(), [true, 1])
  for (const status of ["disabled", "active"])
    await server.as(org.owner).expect(200).patch(`/user/${person.id}`, { status })
  assert.deepEqual([await opens(own), await opens(session), await opens(elsewhere)], [401, 401, 200])
  assert.deepEqual(await outside(), [false, 0])
})

test("a token with scopes neither subscribes a browser to push messages nor unsubscribes one", async (t) => {
  const server = await testApp(t)
  const { person, outside } = await aPlace(server)
  const { token } = await aToken(server.sql, { person, scopes: ["view/task"] })
  const authorization = { authorization: `Bearer ${token}` }
  const endpoint = `https://push.example/${person.id}`
  await server.nobody
    .expect(403)
    .post("/push-subscription", { endpoint: `${endpoint}/2`, keys }, authorization)
  await server.nobody.expect(403).delete("/push-subscription", { endpoint }, authorization)
  assert.deepEqual(await outside(), [true, 1])
})
