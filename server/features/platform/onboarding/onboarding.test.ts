import assert from "node:assert/strict"
import { test } from "node:test"
import { anOrganization, aUser, type Organization } from "#samples/builders.ts"
import { newestMail } from "#testing/read-mail.ts"
import { runJobs } from "#testing/run-jobs.ts"
import { type Reply, type TestApp, testApp, testOrganization } from "#testing/test-app.ts"

const password = "Harbour-27"
const bearer = (reply: Reply) => ({ authorization: `Bearer ${reply.json().token}` })

const mailTo = ({ sql }: TestApp, email: string) => newestMail(sql, email)

const codeIn = (text = "") => /[0-9a-f]{32}/.exec(text)?.[0] ?? "no code"

const account = (email: string, activationCode: string) => ({
  name: "Known Name",
  phoneNumber: "+62 81234567",
  numberOfUsers: "11-40",
  industry: "Logistics",
  position: "Dispatcher",
  email,
  activationCode,
  companyName: "Harbour Couriers",
  country: "idn",
  timeZone: "Asia/Jakarta",
  hub: { name: "North", displayName: "North hub", address: "Quay 1", lat: "-6.2", lng: 106.8 },
  flows: ["Delivery", "Pickup"],
})

async function anInstallation(server: TestApp): Promise<Organization> {
  const rows = await server.sql`select 1 from organizations limit 1`
  return rows.length > 0 ? ({} as Organization) : anOrganization(server.sql)
}

test("registering, confirming and setting up leads into a working organization of one's own", async (t) => {
  const server = await testApp(t)
  const { sql, nobody } = server
  await anInstallation(server)
  const email = "registrant@couriers.example"
  const german = { "accept-language": "gsw, de-CH;q=0.9, en;q=0.5" }
  await nobody.expect(200).post("/register", { email, password, name: "Registrant" }, german)
  assert.equal((await nobody.post("/login", { email, password })).json().failedCode, "user-043")
  const mail = await mailTo(server, email)
  assert.equal(mail?.kind, "verify")
  assert.match(mail?.text ?? "", /bestätigen Sie Ihre E-Mail-Adresse/)
  const wrong = await nobody.put("/account", account(email, "0".repeat(32)))
  assert.equal(wrong.json().failedCode, "user-043")
  const ready = await nobody.expect(200).put("/account", account(email, codeIn(mail?.text)))
  const { data, isHubSet } = ready.json()
  assert.equal(isHubSet, true)
  assert.equal(data.status, "active")
  assert.equal(data.role.name, "owner")
  assert.equal(data.organization.status, "verified")
  assert.equal(data.organization.user.companyName, "Harbour Couriers")
  assert.equal(data.organization.user.numberOfUsers, "11-40")
  assert.equal(data.organization.user.flows.length, 2)
  assert.equal(data.organization.user.hub.lat, "-6.2")
  assert.deepEqual([data.organization.language, data.organization.timeZone], ["id", "Asia/Jakarta"])
  const roles = await sql<
    { name: string }[]
  >`select name from roles where organization_id = ${data.organizationId} order by name`
  assert.deepEqual(
    roles.map(({ name }) => name),
    ["admin", "field user", "owner", "planner"],
  )
  const flows = (await nobody.get("/flows", bearer(ready))).json().flows.data
  assert.deepEqual(flows.map((flow: { name: string }) => flow.name).sort(), ["Delivery", "Pickup"])
  assert.equal((await nobody.get("/hubs", bearer(ready))).json().data[0].name, "North")
  const twice = await nobody.put("/account", account(email, codeIn(mail?.text)))
  assert.equal(twice.json().failedCode, "user-044")
  assert.equal((await nobody.post("/login", { email, password })).statusCode, 200)
})

test("reverify and forgot-password return the same for every e-mail and mail only the accounts concerned", async (t) => {
  const server = await testApp(t)
  const { nobody, sql } = server
  await anInstallation(server)
  await nobody.post("/register", { email: "waiting@couriers.example", password, name: "Waiting" })
  const org = await anOrganization(sql, { password })
  const known = org.owner.email
  for (const path of ["/reverify", "/user/forgot-password"]) {
    const replies = await Promise.all(
      ["waiting@couriers.example", known, "unknown@couriers.example"].map((email) =>
        nobody.post(path, { email }),
      ),
    )
    assert.deepEqual(
      replies.map((reply) => reply.body),
      replies.map(() => replies[0]?.body),
    )
    assert.equal(replies[0]?.statusCode, 200)
  }
  await runJobs(server)
  const kinds = async (email: string) =>
    (
      await sql<
        { kind: string }[]
      >`select kind from mails where recipient = ${email} order by created_time, id`
    ).map(({ kind }) => kind)
  assert.deepEqual((await kinds("waiting@couriers.example")).sort(), ["reset", "verify", "verify"])
  assert.deepEqual(await kinds(known), ["reset"])
  assert.deepEqual(await kinds("unknown@couriers.example"), [])
})

test("a reset link works once, within the hour, for its own account, and ends all sessions", async (t) => {
  const server = await testApp(t)
  const { sql, nobody } = server
  const org = await anOrganization(sql, { password })
  const other = await anOrganization(sql, { password })
  const { email } = org.owner
  const session = await nobody.post("/login", { email, password })
  await nobody.post("/user/forgot-password", { email: email.toUpperCase() })
  await runJobs(server)
  const token = codeIn((await mailTo(server, email))?.text)
  const reset = (body: Record<string, string>) => nobody.post("/user/reset-password", body)
  const stolen = await reset({ email: other.owner.email, token, password: "Other-1234" })
  assert.equal(stolen.json().failedCode, "user-041")
  const weak = await reset({ email, token, password: "aaaaaaaa" })
  assert.equal(weak.json().failedCode, "user-005")
  const same = await reset({ email, token, password })
  assert.equal(same.json().failedCode, "user-005")
  const both = await Promise.all([
    reset({ email, token, password: "Lantern-81" }),
    reset({ email, token, password: "Lantern-82" }),
  ])
  assert.deepEqual(both.map((reply) => reply.statusCode).sort(), [200, 400])
  assert.equal((await nobody.get("/user", bearer(session))).statusCode, 401)
  assert.equal((await nobody.post("/login", { email, password })).statusCode, 401)
  await nobody.post("/user/forgot-password", { email })
  await runJobs(server)
  const second = codeIn((await mailTo(server, email))?.text)
  await sql`update account_codes set expires_at = now() - interval '1 second' where account_id = ${org.owner.accountId}`
  const late = await reset({ email, token: second, password: "Lantern-83" })
  assert.equal(late.json().failedCode, "user-041")
})

test("nobody's mailbox is flooded: three reset links an hour", async (t) => {
  const server = await testApp(t)
  const org = await anOrganization(server.sql, { password })
  for (let count = 0; count < 5; count++)
    await server.nobody.post("/user/forgot-password", { email: org.owner.email })
  await runJobs(server)
  const mails = await server.sql`select 1 from mails where recipient = ${org.owner.email}`
  assert.equal(mails.length, 3)
})

test("changing the password takes effect in all organizations and ends the other sessions", async (t) => {
  const { sql, nobody } = await testApp(t)
  const one = await anOrganization(sql)
  const two = await anOrganization(sql)
  const here = await aUser(sql, { org: one, role: "planner", password })
  const there = await aUser(sql, { org: two, role: "planner", email: here.email })
  const [first, second] = [
    await nobody.post("/login", { email: here.email, password }),
    await nobody.post("/login", { email: here.email, password }),
  ]
  const elsewhere = await nobody
    .expect(200)
    .post("/auth/switch-organization", { organizationId: two.id }, bearer(second))
  const change = (body: Record<string, string>) => nobody.put("/user/change-password", body, bearer(first))
  const wrong = await change({ currentPassword: "Nope-1234", password: "Lantern-81" })
  assert.equal(wrong.statusCode, 400)
  const changed = await change({ currentPassword: password, password: "Lantern-81" })
  assert.equal(changed.statusCode, 200)
  assert.equal(changed.json().property.email, here.email)
  assert.equal((await nobody.get("/user", bearer(first))).statusCode, 200)
  assert.equal((await nobody.get("/user", bearer(elsewhere))).statusCode, 401)
  assert.equal((await nobody.post("/login", { email: there.email, password })).statusCode, 401)
  await nobody.expect(200).post("/login", { email: there.email, password: "Lantern-81" })
})

test("a policy rejects recent passwords, throttles changes and mails people before their password expires", async (t) => {
  const server = await testOrganization(t)
  const { sql, nobody, as, org } = server
  const person = await aUser(sql, { org, permissions: [], password })
  const policy = await as(org.owner).expect(200).post("/password-policies", {
    name: "Strict",
    minimumLength: 10,
    complexity: 4,
    expiration: 30,
    expirationNotificationDays: 5,
    minimumDuration: 1,
    accountLockout: 5,
    accountLockoutDuration: -1,
    passwordHistory: 3,
  })
  await sql`update roles set password_policy_id = ${policy.json().data._id} where id = ${person.roleId}`
  const session = bearer(await nobody.post("/login", { email: person.email, password }))
  const change = (currentPassword: string, options: string) =>
    nobody.put("/user/change-password", { currentPassword, password: options }, session)
  const age = async (days: number) => {
    await sql`update accounts set password_changed_time = now() - make_interval(days => ${days}) where id = ${person.accountId}`
    await sql`update users set updated_time = now() where id = ${person.id}`
  }
  assert.match((await change(password, "Lantern-82")).json().message, /recently/)
  await age(2)
  assert.match((await change(password, "Short-1")).json().message, /8 char|10 char|fewer/)
  assert.match((await change(password, "lantern-8282")).json().message, /lower case, upper case/)
  assert.equal((await change(password, "Lantern-8282")).statusCode, 200)
  await age(2)
  assert.match((await change("Lantern-8282", "Lantern-8282")).json().message, /used before/)
  assert.match((await change("Lantern-8282", password)).json().message, /used before/)
  await age(26)
  const { announceExpiry } = await import("./jobs.ts")
  await announceExpiry.handle(server.jobContext(), {})
  await announceExpiry.handle(server.jobContext(), {})
  const mails = await sql<
    { text: string }[]
  >`select text from mails where recipient = ${person.email} and kind = 'passwordExpires'`
  assert.equal(mails.length, 1)
  assert.match(mails[0]?.text ?? "", /expires in 4 days/)
  assert.equal((await nobody.get("/user", session)).json().passwordExpired, false)
  await age(31)
  assert.equal((await nobody.get("/user", session)).json().passwordExpired, true)
})

test("texts that open an account are shown to owners only, and only without a mail server", async (t) => {
  const server = await testApp(t)
  const { sql, as, nobody } = server
  const org = await anOrganization(sql, { password })
  const admin = await aUser(sql, { org, role: "admin" })
  const planner = await aUser(sql, { org, role: "planner" })
  await nobody.post("/user/forgot-password", { email: org.owner.email })
  await runJobs(server)
  const seen = (await as(org.owner).get("/outbox")).json().data.data
  assert.match(seen[0].text, /reset-password/)
  assert.match(seen[0].html, /<a href=/)
  const byAdmin = (await as(admin).get("/outbox")).json().data.data
  assert.equal(byAdmin[0].subject, seen[0].subject)
  assert.equal(byAdmin[0].text, null)
  assert.equal((await as(planner).get("/outbox")).statusCode, 403)
})

test("the reset link of a guest never lies in the outbox of the organization that they visit", async (t) => {
  const server = await testApp(t)
  const { sql, as, nobody } = server
  const host = await anOrganization(sql)
  const home = await anOrganization(sql)
  const person = await aUser(sql, { org: home, role: "planner", password })
  const guest = await aUser(sql, { org: host, role: "planner", email: person.email })
  await as(home.owner).delete(`/member/${person.id}`)
  await nobody.post("/user/forgot-password", { email: guest.email })
  await runJobs(server)
  const mails = (await as(host.owner).get("/outbox")).json().data.data
  assert.equal(mails.length, 1)
  assert.equal(mails[0].text, null)
})
