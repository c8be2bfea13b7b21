import assert from "node:assert/strict"
import { test } from "node:test"
import { anOrganization, aPasswordPolicy, aUser, type Person } from "#samples/builders.ts"
import { type Reply, type TestApp, testApp, testOrganization } from "#testing/test-app.ts"
import { networkOf } from "../accounts/index.ts"

const password = "Harbour-27"

/** Sign-ins from an address of its own; the console's carry the cookies of one browser. */
function from(server: TestApp, address: string, jar?: Map<string, string>) {
  return async (email: string, secret: string): Promise<Reply> => {
    const cookie = [...(jar ?? [])].map(([name, value]) => `${name}=${value}`).join("; ")
    const reply = await server.app.inject({
      method: "POST",
      url: "/api/v3/login",
      payload: { email, password: secret },
      remoteAddress: address,
      ...(jar ? { headers: { "x-fieldway-console": "1", "sec-fetch-site": "same-origin", cookie } } : {}),
    })
    for (const { name, value } of reply.cookies) jar?.set(name, value)
    return reply
  }
}

/** So many wrong passwords, one after the other. */
async function mistakes(enter: ReturnType<typeof from>, email: string, count: number): Promise<number[]> {
  const statuses: number[] = []
  for (let index = 0; index < count; index++) statuses.push((await enter(email, `wrong-${index}`)).statusCode)
  return statuses
}

test("an attacker who guesses passwords is locked out, not the person at a known browser or address", async (t) => {
  const server = await testApp(t)
  const org = await anOrganization(server.sql)
  const person = await aUser(server.sql, { org, role: "planner", password })
  const jar = new Map<string, string>()
  const console = from(server, "198.51.100.1", jar)
  const first = await console(person.email, password)
  const cookie = first.cookies.find(({ name }) => name.startsWith("fieldway_browser_"))
  assert.deepEqual([cookie?.httpOnly, cookie?.sameSite], [true, "Strict"])
  const client = from(server, "198.51.100.2")
  assert.equal((await client(person.email, password)).statusCode, 200)
  const strangers = [1, 2, 3, 4].map((place) => from(server, `203.0.113.${place}`))
  await Promise.all(strangers.map((stranger) => mistakes(stranger, person.email, 5)))
  assert.equal((await from(server, "203.0.113.99")(person.email, password)).statusCode, 401)
  assert.equal((await client(person.email, password)).statusCode, 200)
  assert.equal((await console(person.email, password)).statusCode, 200)
  // From elsewhere too, as a known browser moves with the person; and after mistakes of one's own, up to the limit.
  const moved = from(server, "203.0.113.99", jar)
  await mistakes(moved, person.email, 4)
  assert.equal((await moved(person.email, password)).statusCode, 200)
  await mistakes(moved, person.email, 5)
  assert.equal((await moved(person.email, password)).statusCode, 401)
  const [locked] = (await server.as(org.owner).get("/members/locked")).json().data
  assert.equal(locked.email, person.email)
})

test("one person's forty mistakes keep no colleague at the same address out", async (t) => {
  const server = await testApp(t)
  const org = await anOrganization(server.sql)
  const clumsy = await aUser(server.sql, { org, role: "planner", password })
  const colleague = await aUser(server.sql, { org, role: "planner", password })
  const office = from(server, "198.51.100.70")
  const statuses = await mistakes(office, clumsy.email, 20)
  assert.deepEqual(new Set(statuses), new Set([401]))
  await Promise.all(Array.from({ length: 20 }, (_, index) => office(clumsy.email, `more-${index}`)))
  assert.equal((await office(colleague.email, password)).statusCode, 200)
})

test("a browser is known for the account that signed in there, and no longer after a new password", async (t) => {
  const server = await testOrganization(t)
  const { sql, org } = server
  const [one, other] = [
    await aUser(sql, { org, role: "planner", password }),
    await aUser(sql, { org, role: "planner", password }),
  ]
  const jar = new Map<string, string>()
  const shared = from(server, "198.51.100.80", jar)
  await shared(one.email, password)
  await mistakes(from(server, "198.51.100.80"), other.email, 5)
  assert.equal((await shared(other.email, password)).statusCode, 401)
  assert.equal((await shared(one.email, password)).statusCode, 200)
  const given = { userId: one.id, password: "Lighthouse-93" }
  assert.equal((await server.as(org.owner).post("/member/reset-password", given)).statusCode, 200)
  await mistakes(from(server, "198.51.100.80"), one.email, 5)
  assert.equal((await shared(one.email, given.password)).statusCode, 401)
})

test("addresses of one IPv6 network are one place", () => {
  const cases: [string, string][] = [
    ["203.0.113.5", "203.0.113.5"],
    ["::ffff:203.0.113.5", "203.0.113.5"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ]
  for (const [address, network] of cases) assert.equal(networkOf(address), network)
})

test("five wrong passwords lock the account for the place that they came from until an administrator unlocks it", async (t) => {
  const server = await testOrganization(t)
  const { sql, as, org } = server
  const person = await aUser(sql, { org, role: "planner", password })
  const tryFrom = from(server, "198.51.100.10")
  for (let attempt = 0; attempt < 5; attempt++) await tryFrom(person.email, `wrong-${attempt}`)
  assert.equal((await tryFrom(person.email, password)).statusCode, 401)
  const [locked] = (await as(org.owner).get("/members/locked")).json().data
  assert.equal(locked.email, person.email)
  assert.equal(locked.attempt, "5")
  assert.ok(locked.ttl > 29 * 60 && locked.ttl <= 30 * 60)
  assert.ok((await as(org.owner).get(`/user/${person.id}`)).json().lockExpiry)
  await as(org.owner).expect(200).post("/member/unlock", { email: person.email })
  assert.equal((await tryFrom(person.email, password)).statusCode, 200)
  await as(org.owner).expect(400).post("/member/unlock", { email: person.email })
})

test("a hundred guesses at once, from a hundred addresses, are no more than twenty", async (t) => {
  const server = await testOrganization(t)
  const { sql, org } = server
  const person = await aUser(sql, { org, role: "planner", password })
  const guesses = Array.from({ length: 100 }, (_, index) =>
    from(server, `203.0.113.${index}`)(person.email, `guess-${index}`),
  )
  const statuses = (await Promise.all(guesses)).map((reply) => reply.statusCode)
  assert.ok(
    statuses.every((status) => status === 401 || status === 429),
    String(statuses),
  )
  const [account] = await sql<{ isLocked: boolean; failedAttempts: number }[]>`
    select locked_until > now() as is_locked, failed_attempts from accounts where id = ${person.accountId}`
  assert.deepEqual(account, { isLocked: true, failedAttempts: 20 })
})

test("an address with thirty wrong passwords within a minute has to wait, others do not", async (t) => {
  const server = await testApp(t)
  const org = await anOrganization(server.sql, { password })
  const tryFrom = from(server, "198.51.100.30")
  let isRefused = false
  // If a new minute begins meanwhile, the count restarts.
  for (let round = 0; round < 10 && !isRefused; round++) {
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) => tryFrom(`unknown-${round}-${index}@fieldway.test`, "wrong")),
    )
    isRefused = replies.some((reply) => reply.statusCode === 429)
  }
  assert.ok(isRefused)
  const refused = await tryFrom(org.owner.email, password)
  assert.equal(refused.statusCode, 429)
  assert.equal(refused.headers["retry-after"], "60")
  assert.equal((await from(server, "198.51.100.31")(org.owner.email, password)).statusCode, 200)
})

test("a storm of wrong passwords, from one address and from many, lets nobody in and keeps nobody out who works", {
  skip: process.env.FIELDWAY_LONG === undefined && "long round only",
}, async (t) => {
  const server = await testApp(t)
  const { sql, as } = server
  const [guesses, pauseMilliseconds] = [1_000, 60]
  const org = await anOrganization(sql)
  const targets: Person[] = []
  for (let count = 0; count < 100; count++) targets.push(await aUser(sql, { org, role: "planner", password }))
  const storm = async (addressOf: (index: number) => string) => {
    const replies: Promise<Reply>[] = []
    for (let index = 0; index < guesses; index++) {
      const target = targets[index % targets.length]
      replies.push(from(server, addressOf(index))(target?.email ?? "", `guess-${index}`))
      if (pauseMilliseconds > 0) await new Promise((resolve) => setTimeout(resolve, pauseMilliseconds))
      if (index % 10 === 0) assert.equal((await as(org.owner).get("/user")).statusCode, 200)
    }
    const statuses = new Set((await Promise.all(replies)).map((reply) => reply.statusCode))
    assert.deepEqual([...statuses.difference(new Set([401, 429, 503]))], [])
  }
  const failures = async () =>
    (
      await sql<{ attempts: number }[]>`
        select failed_attempts as attempts from accounts where id = any (${targets.map((person) => person.accountId)})`
    ).map(({ attempts }) => attempts)
  await storm(() => "198.51.100.60")
  const allowed = 30 * 3
  const counted = (await failures()).reduce((sum, attempts) => sum + attempts, 0)
  assert.ok(counted <= allowed + 10, `${counted} guesses of one address were looked at`)
  await storm((index) => `10.${index >> 8}.${index & 255}.1`)
  assert.ok(Math.max(...(await failures())) <= 20)
  const [person] = targets
  if (!person) throw new Error("there is a first one")
  await sql`update accounts set failed_attempts = 5, locked_until = now() + interval '1 hour' where id = ${person.accountId}`
  await as(org.owner).post("/member/unlock", { email: person.email })
  assert.equal((await from(server, "203.0.113.200")(person.email, password)).statusCode, 200)
})

test("the role's policy says how many wrong passwords lock", async (t) => {
  const server = await testOrganization(t)
  const { sql, org } = server
  const person = await aUser(sql, { org, permissions: [], password })
  const policy = await aPasswordPolicy(sql, { org, accountLockout: 2 })
  await sql`update roles set password_policy_id = ${policy.id} where id = ${person.roleId}`
  const tryFrom = from(server, "198.51.100.40")
  await tryFrom(person.email, "wrong-1")
  assert.equal((await tryFrom(person.email, password)).statusCode, 200)
  await tryFrom(person.email, "wrong-1")
  await tryFrom(person.email, "wrong-2")
  assert.equal((await tryFrom(person.email, password)).statusCode, 401)
})
