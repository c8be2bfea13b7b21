import assert from "node:assert/strict"
import { test } from "node:test"
import { inTransaction } from "#core/database/database.ts"
import {
  aFlow,
  aHub,
  anOrganization,
  aPasswordPolicy,
  aTask,
  aTeam,
  aToken,
  aUser,
  type Organization,
} from "#samples/builders.ts"
import { pathValues } from "#samples/path-values.ts"
import { runJobs } from "#testing/run-jobs.ts"
import { type TestApp, testApp, testOrganization } from "#testing/test-app.ts"

import { jobs } from "../../../jobs.ts"

const password = "Harbour-27"

/** How many rows of an organization there are in each table that keys them by its id or its number. */
async function rowsOf(
  { sql }: TestApp,
  org: { id: string; number: number },
): Promise<Record<string, number>> {
  const tables = await sql<{ name: string; key: string }[]>`
    select c.relname as name, a.attname as key from pg_class c
    join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
    join pg_attribute a on a.attrelid = c.oid and a.attname in ('organization_id', 'organization_number') and not a.attisdropped
    where c.relkind in ('r', 'p') and not c.relispartition`
  const counts: Record<string, number> = {}
  for (const { name, key } of tables) {
    const value = key === "organization_id" ? org.id : org.number
    const rows = await sql<
      { count: number }[]
    >`select count(*) as count from ${sql(name)} where ${sql(key)} = ${value}`
    if (rows[0]?.count) counts[name] = rows[0].count
  }
  return counts
}

test("deleting an organization leaves no row and no file of it, and touches no other", async (t) => {
  const server = await testApp(t)
  const { sql, as, app, nobody } = server
  const org = await anOrganization(sql, { password })
  const other = await anOrganization(sql)
  const [row] = await sql<{ number: number }[]>`select number from organizations where id = ${org.id}`
  const doomed = { id: org.id, number: row?.number ?? 0 }
  await fill(server, org)
  const colleague = await aUser(sql, { org, role: "owner", password: "Lantern-81" })
  const both = await aUser(sql, { org: other, role: "planner", email: colleague.email })
  assert.equal((await as(colleague).get("/user")).statusCode, 200)
  assert.equal((await as(both).get("/user")).statusCode, 200)
  const wrong = await as(org.owner).delete(`/organization/${org.id}`, { password: "nope" })
  assert.equal(wrong.json().failedCode, "org-038")
  const admin = await aUser(sql, { org, role: "admin", password })
  const byAdmin = await as(admin).delete(`/organization/${org.id}`, { password })
  assert.equal(byAdmin.json().failedCode, "user-039")
  assert.equal((await as(org.owner).delete(`/organization/${other.id}`, { password })).statusCode, 404)
  assert.ok(Object.keys(await rowsOf(server, doomed)).length > 15)
  const off = await aUser(sql, { org, role: "planner", status: "disabled" })
  const invited = await aUser(sql, { org, role: "planner", status: "pending" })

  await as(org.owner).expect(200).delete(`/organization/${org.id}`, { password })
  assert.equal((await as(colleague).get("/user")).statusCode, 401)
  const reported = await sql<{ recipient: string }[]>`
    select recipient from mails where kind = 'organizationDeleted' and text like ${`%${org.name}%`}`
  const wanted = [org.owner, colleague, admin, off, invited].map(({ email }) => email)
  assert.deepEqual(new Set(wanted).difference(new Set(reported.map(({ recipient }) => recipient))).size, 0)
  await runJobs(server)
  // Positions are keyed by a number and may be many: they go in the background.
  await jobs.find((job) => job.name === "location.delete-unkept")?.handle(server.jobContext(), {})
  assert.deepEqual(await rowsOf(server, doomed), {})
  assert.deepEqual(await Array.fromAsync(app.objects.list(org.id)), [])
  assert.equal((await nobody.post("/login", { email: org.owner.email, password })).statusCode, 401)
  assert.equal((await sql`select 1 from accounts where id = ${org.owner.accountId}`).length, 0)
  assert.equal((await as(both).get("/user")).statusCode, 200)
})

/** Something of everything that the tests can make. */
async function fill(server: TestApp, org: Organization): Promise<void> {
  const { sql, as, app } = server
  const hub = await aHub(sql, { org })
  await aTask(sql, { org, hub, flow: await aFlow(sql, { org }) })
  await aTeam(sql, { org, hub })
  await aToken(sql, { person: org.owner })
  await aPasswordPolicy(sql, { org })
  for (const [name, make] of Object.entries(pathValues)) if (!name.includes("#")) await make(sql, org)
  await as(org.owner).post("/org-data", { name: "settings", data: { a: 1 } })
  await as(org.owner).post("/privacy-policy", { organizationId: org.id, description: "We keep little" })
  await app.objects.put(`${org.id}/2031/01/01/1_photo.png`, Buffer.from("photo"))
}

test("settings are changed one by one; other organizations are refused", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const other = await anOrganization(sql)
  const member = await aUser(sql, { org, role: "planner" })
  const put = (body: unknown, id: string = org.id) => as(org.owner).put(`/organization/${id}`, body)
  const changed = await put({
    currency: "idr",
    timeZone: "asia/jakarta",
    language: "id",
    companyName: "New Name",
  })
  assert.equal(changed.statusCode, 200, changed.body)
  const { data } = changed.json()
  assert.deepEqual([data.currency, data.timeZone, data.user.companyName], ["IDR", "Asia/Jakarta", "New Name"])
  assert.equal((await as(member).get("/user")).json().language, "id")
  const files = await put({
    configuration: { filesServerProvider: "awsS3", filesAccessPermission: "public" },
  })
  assert.equal(files.json().data.configuration.filesAccessPermission, "public")
  for (const bad of [{}, { currency: "XXXX" }, { timeZone: "Mars" }, { country: "N" }, { language: "xx" }])
    assert.equal((await put(bad)).statusCode, 400, JSON.stringify(bad))
  assert.equal((await put({ language: "en" }, other.id)).json().failedCode, "org-035")
  assert.equal((await as(org.owner).get(`/organization/${org.id}`)).json().data.language, "id")
})

test("the country of an organization and of its hubs has its calling code and language", async (t) => {
  const { as, org } = await testOrganization(t)
  const { data } = (await as(org.owner).put(`/organization/${org.id}`, { country: "NLD" })).json()
  assert.deepEqual(data.country, {
    code: "NLD",
    alpha2Code: "NL",
    name: "Netherlands",
    phoneCode: "+31",
    language: "nl",
    languageName: "Nederlands",
    isActive: true,
    enableLanguage: true,
  })
  const hub = { name: "Quay", address: "Quay 1", lat: 1, lng: 2, countryCode: "AUS" }
  const made = (await as(org.owner).expect(200).post("/hub", hub)).json().data
  assert.deepEqual([made.country.phoneCode, made.country.enableLanguage], ["+61", false])
  const unknown = await as(org.owner).put(`/organization/${org.id}`, { country: "ZZZ" })
  assert.deepEqual(unknown.json().data.country, { code: "ZZZ", name: "ZZZ" })
})

test("hubs are limited to countries only where the organization asks for it", async (t) => {
  const { as, org } = await testOrganization(t)
  const hub = { address: "Quay 1", lat: 1, lng: 2 }
  assert.equal((await as(org.owner).post("/hub", { ...hub, name: "Anywhere" })).statusCode, 200)
  await as(org.owner).put(`/organization/${org.id}`, { configuration: { hubCountries: ["IDN", "SGP"] } })
  const abroad = await as(org.owner).post("/hub", { ...hub, name: "Abroad", countryCode: "NLD" })
  assert.equal(abroad.json().failedCode, "hub-038")
  await as(org.owner)
    .expect(200)
    .post("/hub", { ...hub, name: "Home", countryCode: "sgp" })
})

test("settings can be changed while rows of the organization are being written", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  await inTransaction(sql, async (tx) => {
    await tx`select 1 from organizations where id = ${org.id} for key share`
    const reply = await as(org.owner).put(`/organization/${org.id}`, { language: "en" })
    assert.equal(reply.statusCode, 200, reply.body)
  })
})
