import assert from "node:assert/strict"
import { test } from "node:test"
import { toT3 } from "#shared/wire-time.ts"
import { anOrganization, aUser } from "#testing/builders.ts"
import { testApp } from "#testing/test-app.ts"
import { locationJobs } from "./jobs.ts"

const daysAgo = (days: number) => toT3({ epochMilliseconds: Date.now() - days * 86_400_000 })
const job = (name: string) => {
  const found = locationJobs.find((each) => each.name === name)
  if (!found) throw new Error(`no job ${name}`)
  return found
}

test("an organization that keeps less reads less at once, and the rest is deleted in the background", async (t) => {
  const { sql, as, jobContext } = await testApp(t)
  const org = await anOrganization(sql)
  const planner = await aUser(sql, { org, role: "planner" })
  const { email } = org.owner
  for (const days of [1, 20, 40])
    await as(org.owner).post("/location-history", { email, lat: 1, lon: 2, createdTime: daysAgo(days) })
  assert.equal((await as(planner).put("/location-settings", { retentionDays: 30 })).statusCode, 403)
  assert.equal((await as(org.owner).put("/location-settings", { retentionDays: 366 })).statusCode, 400)
  const set = await as(org.owner).put("/location-settings", { retentionDays: 30 })
  assert.deepEqual(set.json().data, { retentionDays: 30 })
  const rows = async () => (await as(org.owner).get("/location-histories")).json().tasks.data.length
  assert.equal(await rows(), 2)
  for (let run = 0; run < 2; run++) {
    await job("location.delete-unkept").handle(jobContext(), {})
    await job("location.fold-counts").handle(jobContext(), {})
  }
  await as(org.owner).put("/location-settings", { retentionDays: 365 })
  assert.equal(await rows(), 2)
  assert.equal((await as(org.owner).get("/location-histories")).json().tasks.total, 2)
})

test("months that are past keeping are dropped whole, and months to come are prepared", async (t) => {
  const { sql, as, clock, jobContext } = await testApp(t)
  const org = await anOrganization(sql)
  const { email } = org.owner
  await as(org.owner).post("/location-history", { email, lat: 1, lon: 2, createdTime: daysAgo(100) })
  await as(org.owner).post("/location-history", { email, lat: 1, lon: 2 })
  const partitions = async () =>
    (
      await sql<{ name: string }[]>`
      select relname as name from pg_class where relkind = 'r' and relname ~ '^location_points_[0-9]{6}$' order by 1`
    ).map((row) => row.name)
  const before = await partitions()
  clock.move({ hours: 24 * 300 })
  t.after(() => clock.move({ hours: -24 * 300 }))
  for (let run = 0; run < 2; run++) {
    await job("location.drop-old-partitions").handle(jobContext(), {})
    await job("location.prepare-partitions").handle(jobContext(), {})
  }
  const after = await partitions()
  assert.ok(
    after.every((name) => name > (before[8] ?? "")),
    "old months are gone",
  )
  assert.ok((after.at(-1) ?? "") > (before.at(-1) ?? ""), "new months are there")
  const listed = (await as(org.owner).get("/location-histories")).json().tasks
  assert.deepEqual([listed.total, listed.data.length], [1, 1])
  // A month that nobody prepared is made by its first point.
  await sql.unsafe(`drop table ${after.at(-4)}`)
  const sent = await as(org.owner).post("/location-history", { email, lat: 3, lon: 4 })
  assert.equal(sent.statusCode, 201)
})
