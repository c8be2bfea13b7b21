import assert from "node:assert/strict"
import { test } from "node:test"
import { aUser } from "#samples/builders.ts"
import { toT3 } from "#shared/wire-time.ts"
import { testOrganization } from "#testing/test-app.ts"
import { geofenceJobs } from "../geofences/index.ts"
import { locationJobs } from "./jobs.ts"

const daysAgo = (days: number) => toT3({ epochMilliseconds: Date.now() - days * 86_400_000 })
const job = (name: string) => {
  const found = [...locationJobs, ...geofenceJobs].find((each) => each.name === name)
  if (!found) throw new Error(`no job ${name}`)
  return found
}

test("an organization that keeps less reads less at once, and the rest is deleted in the background", async (t) => {
  const { sql, as, jobContext, org } = await testOrganization(t)
  const planner = await aUser(sql, { org, role: "planner" })
  const { email } = org.owner
  for (const days of [1, 20, 40])
    await as(org.owner).post("/location-history", { email, lat: 1, lon: 2, createdTime: daysAgo(days) })
  assert.equal((await as(planner).put("/location-settings", { retentionDays: 30 })).statusCode, 403)
  assert.equal((await as(org.owner).put("/location-settings", { retentionDays: 366 })).statusCode, 400)
  const set = await as(org.owner).put("/location-settings", { retentionDays: 30 })
  assert.deepEqual(set.json().data, { retentionDays: 30, onlyDuringSessions: false })
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
  const { sql, as, clock, jobContext, org } = await testOrganization(t)
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
  await as(org.owner).expect(201).post("/location-history", { email, lat: 3, lon: 4 })
})

test("hours of many points are thinned for the map, and made again when points come late or go", async (t) => {
  const { sql, as, jobContext, org } = await testOrganization(t)
  const { email, id } = org.owner
  const begin = Math.floor(Date.now() / 3_600_000) * 3_600_000 - 6 * 3_600_000
  const at = (seconds: number) => toT3({ epochMilliseconds: begin + seconds * 1000 })
  const point = (step: number, lat: number) => ({ email, lat, lon: 5, speed: 30, createdTime: at(step * 10) })
  // Three hours north, a point every ten seconds, with a jump; the third of them ends while its next is running.
  const sent = Array.from({ length: 1080 }, (_, step) =>
    point(step, step === 500 ? 40 : 52 + Math.round((step * 75 + Math.sin(step / 9) * 400) * 9) / 1e6),
  )
  for (const part of [sent.slice(0, 540), sent.slice(540)])
    await as(org.owner).post("/location-history/bulk", { location_histories: part })
  const read = async (zoom: number) => {
    const span = `timeFrom=${encodeURIComponent(at(-10))}&timeTo=${encodeURIComponent(at(20_000))}`
    const { data } = (await as(org.owner).get(`/track/${id}?${span}&zoom=${zoom}`)).json()
    const { totalDistance, totalDuration, pointCount, flaggedCount, flagged, vertices } = data
    return {
      totalDistance,
      totalDuration,
      pointCount,
      flaggedCount,
      flagged,
      ends: [vertices[0], vertices.at(-1)],
    }
  }
  const hours = async () => (await sql`select hour from location_outlines order by hour`).length
  const simplify = async () => {
    await job("geofences.follow").handle(jobContext(), {})
    await job("location.outline-hours").handle(jobContext(), {})
  }
  const before = await read(12)
  assert.deepEqual([before.pointCount, before.flaggedCount], [1080, 1])
  await simplify()
  assert.equal(await hours(), 3)
  assert.deepEqual(await read(12), before)
  assert.deepEqual(await read(18), before)
  // A point that comes late counts at once, and so does one that goes.
  const late = (await as(org.owner).post("/location-history", point(540.5, 52.3642))).json().location_history
  const withLate = await read(12)
  assert.equal(withLate.pointCount, 1081)
  await simplify()
  await simplify()
  assert.deepEqual(await read(12), withLate)
  await as(org.owner).delete(`/location-history/${late._id}`)
  assert.deepEqual(await read(12), before)
  await job("geofences.follow").handle(jobContext(), {})
  assert.deepEqual(await read(12), before)
})

test("a month that ended is written in the order of its key, beside readers of before and points that arrive", async (t) => {
  const { sql, as, jobContext, org } = await testOrganization(t)
  const { email } = org.owner
  const other = (await aUser(sql, { org, role: "field user" })).email
  const begin = Date.now() - 40 * 86_400_000
  const createdTime = (minute: number) => toT3({ epochMilliseconds: begin + minute * 60_000 })
  const entry = (minute: number) => ({
    email: minute % 2 ? email : other,
    lat: minute / 10,
    lon: 2,
    createdTime: createdTime(minute),
  })
  const bulk = (from: number, to: number) =>
    as(org.owner).post("/location-history/bulk", {
      location_histories: Array.from({ length: to - from }, (_, index) => entry(from + index)),
    })
  const [first] = (await bulk(0, 200)).json().location_histories
  const [month] = await sql<{ name: string; organization: number }[]>`
    select c.relname as name, o.number as organization from location_points p join pg_class c on c.oid = p.tableoid
    join organizations o on o.number = p.organization_number where o.id = ${org.id} limit 1`
  const name = month?.name ?? ""
  const organization = month?.organization ?? 0
  // As after an analysis of a month that is worth it.
  await sql`update pg_class set reltuples = 200000 where relname = ${name}`

  const reader = await sql.reserve()
  await reader`begin isolation level repeatable read`
  await reader`select 1 from organizations`
  let isDone = false
  const ordering = job("location.order-months")
    .handle(jobContext(), {})
    .finally(() => (isDone = true))
  // Points arrive while the month is copied and while it waits for the reader; one changes, one goes.
  await bulk(200, 260)
  while ((await sql`select to_regclass(${`location_work.${name}`}) as draft`)[0]?.draft === null)
    await bulk(200, 260)
  assert.equal((await bulk(260, 300)).json().success, 40)
  assert.equal((await as(org.owner).patch(`/location-history/${first._id}`, { lat: 55 })).statusCode, 200)
  assert.equal(isDone, false, "it waits for who would not see the copy")
  const [seen] =
    await reader`select count(*) from location_points where organization_number = ${organization}`
  assert.equal(seen?.count, 200)
  await reader`commit`
  reader.release()
  await ordering

  const rows = await sql<{ person: number; minute: number }[]>`
    select person_number as person, round(lat * 10)::int as minute from location_points
    where organization_number = ${organization} order by ctid`
  assert.equal(rows.length, 300)
  assert.equal(new Set(rows.map((row) => row.minute)).size, 300)
  const inOrder = rows.slice(0, 199).filter((row, index) => row.person >= (rows[index - 1]?.person ?? 0))
  assert.ok(inOrder.length >= 198, "those of one person lie together")
  assert.equal((await as(org.owner).get(`/location-history/${first._id}`)).json().location_history.lat, 55)
  assert.equal((await bulk(299, 301)).json().success, 2)
  const [left] = await sql`
    select obj_description(${name}::regclass) as mark, to_regclass(${`location_work.${name}`}) as draft,
      (select count(*) from location_work.changed_points) as noted, (select count(*) from location_points where organization_number = ${organization}) as points`
  assert.deepEqual({ ...left }, { mark: "in the order of its key", draft: null, noted: 0, points: 301 })
  await sql`update pg_class set reltuples = 200000 where relname = ${name}`
  const before = await sql`select ${name}::regclass::oid as id`
  await job("location.order-months").handle(jobContext(), {})
  assert.deepEqual(await sql`select ${name}::regclass::oid as id`, before, "once is enough")
})
