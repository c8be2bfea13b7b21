import assert from "node:assert/strict"
import { test } from "node:test"
import { requireDeclaration } from "#core/access/access.ts"
import { aToken, aUser } from "#samples/builders.ts"
import { testOrganization } from "#testing/test-app.ts"

const inAYear = "2099-01-01T00:00:00+07:00"

test("a personal token is shown once, renamed, seen in use and revoked", async (t) => {
  const { sql, as, nobody, org } = await testOrganization(t)
  const person = await aUser(sql, { org, role: "planner" })
  const made = await as(person).expect(200).post("/token", { name: "Tracker", expires_at: inAYear })
  const { _id, token, expires_at, expireUnix } = made.json().data
  assert.equal(expires_at, "2098-12-31T17:00:00.000000Z")
  assert.ok(Math.abs(expireUnix - (Date.parse(inAYear) - Date.now()) / 1000) < 60)
  const bearer = { authorization: `Bearer ${token}` }
  assert.equal((await nobody.get("/user", bearer)).json()._id, person.id)
  assert.equal((await nobody.get("/user", { "x-api-key": token })).json()._id, person.id)
  const used = async () => (await as(person).get("/tokens")).json().data[0].lastUsedFrom
  while ((await used()) === null);
  assert.equal(await used(), "127.0.0.1")
  assert.equal((await as(person).get("/tokens")).json().data[0].token, undefined)
  assert.equal((await as(person).put(`/token/${_id}`, { name: "New" })).json().data.name, "New")
  const other = await aUser(sql, { org, role: "planner" })
  assert.equal((await as(other).delete(`/token/${_id}`)).statusCode, 404)
  assert.equal((await as(person).delete(`/token/${_id}`)).json().data.revoked, true)
  assert.equal((await nobody.get("/user", bearer)).statusCode, 401)
  assert.deepEqual((await as(person).get("/tokens")).json().data, [])
})

test("ten tokens an account, however fast they are asked for, and none that has expired already", async (t) => {
  const { as, org } = await testOrganization(t)
  const past = await as(org.owner).post("/token", { name: "Past", expires_at: "2020-01-01 00:00:00" })
  assert.equal(past.json().failedCode, "auth-008")
  const replies = await Promise.all(
    Array.from({ length: 14 }, (_, index) =>
      as(org.owner).post("/token", { name: `T${index}`, expires_at: inAYear }),
    ),
  )
  const refused = replies.filter((reply) => reply.statusCode !== 200)
  assert.equal(refused.length, 4)
  assert.equal(refused[0]?.json().failedCode, "auth-040")
})

test("a scoped token does what it names as far as its owner may, and makes no wider one", async (t) => {
  const { sql, as, nobody, org } = await testOrganization(t)
  const wide = await as(org.owner).post("/token", {
    name: "No",
    expires_at: inAYear,
    scopes: ["security/otp-email"],
  })
  assert.equal(wide.json().failedCode, "auth-017")
  const made = await as(org.owner).post("/token", {
    name: "Narrow",
    expires_at: inAYear,
    scopes: ["view/hub", "token/manage-token", "invite", "view/user", "view/role", "edit/organization"],
  })
  const bearer = { authorization: `Bearer ${made.json().data.token}` }
  assert.equal((await nobody.get("/hubs", bearer)).statusCode, 200)
  assert.equal((await nobody.get("/flows", bearer)).statusCode, 403)
  const wider = await nobody.post("/token", { name: "W", expires_at: inAYear, scopes: ["view/task"] }, bearer)
  assert.equal(wider.json().failedCode, "auth-017")
  const same = await nobody.post("/token", { name: "S", expires_at: inAYear }, bearer)
  await nobody.expect(403).get("/flows", { authorization: `Bearer ${same.json().data.token}` })
  const [owner] = await sql<
    { id: string }[]
  >`select id from roles where organization_id = ${org.id} and name = 'owner'`
  const promoted = await nobody.post(
    "/user/invite",
    { email: ["x@couriers.example"], roleId: owner?.id },
    bearer,
  )
  assert.equal(promoted.json().failedCode, "user-039")
  await nobody.expect(403).delete(`/organization/${org.id}`, { password: "any" }, bearer)
})

test("a token dies with its owner's membership", async (t) => {
  const { sql, as, nobody, org } = await testOrganization(t)
  const person = await aUser(sql, { org, role: "planner" })
  const { token } = (await as(person).post("/token", { name: "T", expires_at: inAYear })).json().data
  const call = async () => (await nobody.get("/user", { authorization: `Bearer ${token}` })).statusCode
  assert.equal(await call(), 200)
  await as(org.owner).patch(`/user/${person.id}`, { status: "disabled" })
  assert.equal(await call(), 401)
  await as(org.owner).patch(`/user/${person.id}`, { status: "active" })
  assert.equal(await call(), 401, "it does not come back")
})

test("a scoped token neither changes its owner nor reads what no scope of it names", async (t) => {
  const { sql, as, nobody, org } = await testOrganization(t)
  const { token } = await aToken(sql, { person: org.owner, scopes: ["view/task"] })
  const bearer = { authorization: `Bearer ${token}` }
  assert.equal((await nobody.get("/tasks", bearer)).statusCode, 200)
  const renamed = await nobody.patch("/user", { name: "Somebody else" }, bearer)
  assert.deepEqual([renamed.statusCode, renamed.json().failedCode], [403, "user-035"])
  for (const path of [
    "/device-keys",
    "/positions",
    "/location-histories",
    "/org-data",
    "/auth/my-organizations",
  ])
    assert.equal((await nobody.get(path, bearer)).statusCode, 403, path)
  assert.equal((await nobody.post("/location-history", { lat: 1, lon: 2 }, bearer)).statusCode, 403)
  assert.equal((await as(org.owner).get("/user")).json().name, "Owner")
  const { token: tracking } = await aToken(sql, { person: org.owner, scopes: ["view/tracking"] })
  assert.equal((await nobody.get("/positions", { authorization: `Bearer ${tracking}` })).statusCode, 200)
})

test("a route for everybody who is signed in must say whether scoped tokens may call it", () => {
  const route = { method: "GET", url: "/api/v3/anything", handler: () => undefined }
  assert.throws(() => requireDeclaration({ ...route, config: { signedIn: true } }), /scopedToken/)
  requireDeclaration({ ...route, config: { signedIn: true, scopedToken: "refused" } })
})
