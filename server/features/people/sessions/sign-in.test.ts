import assert from "node:assert/strict"
import { test } from "node:test"
import { anOrganization, aUser, type Person } from "#samples/builders.ts"
import { type Calls, type Reply, type TestApp, testApp, testOrganization } from "#testing/test-app.ts"

const password = "Harbour-27"
const login = (calls: Calls, person: { email: string }, secret = password): Promise<Reply> =>
  calls.post("/login", { email: person.email, password: secret })

/** Sign-ins from an address of its own, as the throttle counts per address. */
function from(server: TestApp, address: string) {
  return (email: string, secret: string) =>
    server.app.inject({
      method: "POST",
      url: "/api/v3/login",
      payload: { email, password: secret },
      remoteAddress: address,
    })
}

const bearer = (reply: Reply) => ({ authorization: `Bearer ${reply.json().token}` })

test("signing in returns a token, the user with role and organization, and whether there is a hub", async (t) => {
  const { sql, nobody } = await testApp(t)
  const org = await anOrganization(sql, { password })
  const reply = await login(nobody, org.owner)
  assert.equal(reply.statusCode, 200)
  const { token, expires_in, data, isHubSet } = reply.json()
  assert.match(token, /^fw_/)
  assert.ok(expires_in > 365 * 86_400 - 10 && expires_in < 367 * 86_400)
  assert.equal(data.organization.user.companyName, org.name)
  assert.equal(data.role.name, "owner")
  assert.ok(data.role.permissions.length > 70)
  assert.equal(isHubSet, false)
  assert.equal((await nobody.get("/user", bearer(reply))).json().email, org.owner.email)
  assert.equal((await nobody.post("/logout", undefined, bearer(reply))).statusCode, 200)
  assert.equal((await nobody.get("/user", bearer(reply))).statusCode, 401)
})

test("an unknown e-mail, a wrong password, a locked and a disabled account are refused alike", async (t) => {
  const { sql, nobody, org } = await testOrganization(t)
  const person = await aUser(sql, { org, role: "planner", password })
  const disabled = await aUser(sql, { org, role: "planner", password, status: "disabled" })
  const locked = await aUser(sql, { org, role: "planner", password })
  await sql`update accounts set locked_until = now() + interval '5 minutes' where id = ${locked.accountId}`
  const replies = [
    await login(nobody, { email: "nobody-here@fieldway.test" }),
    await login(nobody, person, "wrong"),
    await login(nobody, locked),
    await login(nobody, disabled),
  ]
  for (const reply of replies) {
    assert.equal(reply.statusCode, 401)
    assert.deepEqual(reply.json(), replies[0]?.json())
  }
  assert.equal(replies[0]?.json().failedCode, "auth-034")
})

test("spellings of one e-mail are one account", async (t) => {
  const { sql, nobody } = await testApp(t)
  const org = await anOrganization(sql, { password })
  assert.equal((await login(nobody, { email: org.owner.email.toUpperCase() })).statusCode, 200)
  const [first = "", ...others] = org.owner.email
  // The wide form of the first letter, as some keyboards write it, looks the same and is no letter of an address.
  const wide = String.fromCharCode(first.charCodeAt(0) + 0xfee0) + others.join("")
  assert.equal((await login(nobody, { email: wide })).statusCode, 400)
  const register = (email: string) => nobody.post("/register", { email, password, name: "Twice" })
  assert.equal((await register(org.owner.email.toUpperCase())).json().failedCode, "user-037")
  assert.equal((await register(wide)).statusCode, 400)
  const [accounts] = await sql<
    { count: number }[]
  >`select count(*) as count from accounts where email = ${org.owner.email}`
  assert.equal(accounts?.count, 1)
})

test("an invited or unverified person gets the reason, but only after the right password", async (t) => {
  const { sql, nobody, org } = await testOrganization(t)
  for (const status of ["pending", "inactive"] as const) {
    const person = await aUser(sql, { org, role: "planner", password, status })
    const reply = await login(nobody, person)
    assert.equal(reply.statusCode, 400)
    assert.equal(reply.json().failedCode, "user-043")
    assert.equal((await login(nobody, person, "wrong")).json().failedCode, "auth-034")
  }
})

test("right passwords at once all get in", async (t) => {
  const server = await testApp(t)
  const org = await anOrganization(server.sql, { password })
  const replies = await Promise.all(
    Array.from({ length: 12 }, () => from(server, "198.51.100.20")(org.owner.email, password)),
  )
  assert.deepEqual(
    replies.map((reply) => reply.statusCode),
    replies.map(() => 200),
  )
})

test("with single login a new sign-in ends all earlier sessions, also of two at once", async (t) => {
  const server = await testOrganization(t)
  const { sql, nobody, org } = server
  const person = await aUser(sql, { org, permissions: ["single/login"], password })
  const enter = from(server, "198.51.100.50")
  const first = await enter(person.email, password)
  const both = await Promise.all([enter(person.email, password), enter(person.email, password)])
  const good = await Promise.all(
    [first, ...both].map(async (reply) => (await nobody.get("/user", bearer(reply))).statusCode),
  )
  assert.equal(good[0], 401)
  assert.deepEqual(good.slice(1).sort(), [200, 401])
})

test("disabling a person ends their sessions at once, enabling does not bring them back", async (t) => {
  const { sql, as, nobody, org } = await testOrganization(t)
  const person: Person = await aUser(sql, { org, role: "planner", password })
  const session = await login(nobody, person)
  const set = (status: string) => as(org.owner).patch(`/user/${person.id}`, { status })
  assert.equal((await set("disabled")).json().data.status, "disabled")
  assert.equal((await nobody.get("/user", bearer(session))).statusCode, 401)
  assert.equal((await login(nobody, person)).json().failedCode, "auth-034")
  assert.equal((await set("active")).statusCode, 200)
  assert.equal((await nobody.get("/user", bearer(session))).statusCode, 401)
  assert.equal((await login(nobody, person)).statusCode, 200)
})

test("tokens that are cut, foreign, endless or made up are refused", async (t) => {
  const { sql, nobody } = await testApp(t)
  const org = await anOrganization(sql, { password })
  const { token } = (await login(nobody, org.owner)).json()
  const other = await anOrganization(sql)
  const bad = [
    token.slice(0, -1),
    `${token}x`,
    token.replace(org.id, other.id),
    `fw_${org.id}_`,
    "",
    "null",
    `fw_${"x".repeat(1024 * 1024)}`,
    `${token}\u0000`,
  ]
  for (const text of bad) {
    const reply = await nobody.get("/user", { authorization: `Bearer ${text}` })
    assert.ok([401, 431].includes(reply.statusCode), `${text.slice(0, 40)}: ${reply.statusCode}`)
  }
  await sql`update access_tokens set expires_at = now() - interval '1 second' where organization_id = ${org.id}`
  assert.equal((await nobody.get("/user", { authorization: `Bearer ${token}` })).statusCode, 401)
})
