import assert from "node:assert/strict"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { test } from "node:test"
import { aHub, aTask, aUser } from "#samples/builders.ts"
import { toT3 } from "#shared/wire-time.ts"
import { testOrganization } from "#testing/test-app.ts"
import { recalculateDistance } from "./summary/recalculate.ts"

const secondsAgo = (seconds: number) => toT3({ epochMilliseconds: Date.now() - seconds * 1000 })

/** A drive to the north at 20 m/s, a point every ten seconds, with one jump to another continent. */
const drive = (email: string) =>
  Array.from({ length: 60 }, (_, index) => ({
    email,
    lat: index === 30 ? -33 : 52 + (index * 200) / 111_195,
    lon: 5,
    speed: 72,
    createdTime: secondsAgo(3600 - index * 10),
  }))

test("a track is simplified, its jump is flagged and not travelled, and looking at it is written down", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const driver = await aUser(sql, { org, role: "field user", hubs: [hub], name: "Dee & Co" })
  const stranger = await aUser(sql, { org, permissions: ["view/tracking"], hubs: [await aHub(sql, { org })] })
  await as(driver).post("/location-history/bulk", { location_histories: drive(driver.email) })
  const span = `timeFrom=${encodeURIComponent(secondsAgo(7200))}&timeTo=${encodeURIComponent(secondsAgo(0))}`
  const read = await as(org.owner).get(`/track/${driver.id}?${span}&zoom=12`)
  const { data } = read.json()
  assert.deepEqual([data.pointCount, data.flaggedCount, data.flagged[0].reason], [60, 1, "jump"])
  assert.ok(Math.abs(data.totalDistance - 11.8) < 0.02, `${data.totalDistance} km`)
  assert.ok(data.vertices.length >= 2 && data.vertices.length < 10)
  assert.equal((await as(stranger).get(`/track/${driver.id}?${span}`)).statusCode, 404)
  assert.equal((await as(driver).get(`/track/${driver.id}?${span}`)).statusCode, 200)
  await as(org.owner).get(`/track/${driver.id}?${span}`)
  const reported = await sql`
    select actor_email, target_id from audit_log where organization_id = ${org.id} and action = 'location.read'`
  assert.deepEqual([...reported], [{ actorEmail: org.owner.email, targetId: driver.id }])
  const gpx = await as(driver).get(`/track/${driver.id}/download?format=gpx&${span}`)
  assert.match(String(gpx.headers["content-disposition"]), /^attachment; filename=".*\.gpx"$/)
  assert.equal(gpx.body.split("<trkpt ").length - 1, 60)
  assert.match(gpx.body, /Dee &amp; Co/)
  const geojson = (await as(driver).get(`/track/${driver.id}/download?format=geojson&${span}`)).json()
  assert.equal(geojson.features[0].geometry.coordinates.length, 60)

  // What one person's day leaves as, comes back as another's.
  const twin = await aUser(sql, { org, role: "field user", hubs: [hub] })
  const kml = await as(driver).get(`/track/${driver.id}/download?format=kml&${span}`)
  for (const [format, stored] of [
    ["kml", 60],
    ["gpx", 60],
    ["geojson", 60],
  ] as const) {
    const person = await aUser(sql, { org, role: "field user", hubs: [hub] })
    const content = { kml: kml.body, gpx: gpx.body, geojson: JSON.stringify(geojson) }[format]
    const send = () =>
      as(org.owner).upload(`/track/${person.id}/import`, { file: { filename: `day.${format}`, content } })
    const { data } = (await send()).json()
    assert.deepEqual([data.tracks, data.positions, data.stored, data.refused], [1, 60, stored, []], format)
    assert.equal((await send()).json().data.known, 60)
    const again = (await as(org.owner).get(`/track/${person.id}?${span}`)).json().data
    assert.deepEqual([again.pointCount, again.flaggedCount], [60, 1], format)
  }
  const old = '<trkpt lat="1" lon="1"><time>1999-01-01T00:00:00Z</time></trkpt><trkpt lat="99" lon="1"/>'
  const file = { filename: "old.gpx", content: `<gpx><trk>${old}</trk></gpx>` }
  const { data: none } = (await as(org.owner).upload(`/track/${twin.id}/import`, { file })).json()
  assert.deepEqual([none.positions, none.stored, none.refused.length], [2, 0, 2])
  const bomb = { filename: "a.gpx", content: '<!DOCTYPE a [<!ENTITY b "c">]><gpx/>' }
  const refused = await as(org.owner).upload(`/track/${twin.id}/import`, { file: bomb })
  assert.equal(`${refused.statusCode} ${refused.json().failedCode}`, "422 lochi-047")
  assert.equal((await as(stranger).upload(`/track/${twin.id}/import`, { file })).statusCode, 403)
})

test("several days are read and downloaded whole, however many points they have", async (t) => {
  const { as, org } = await testOrganization(t)
  const { email, id } = org.owner
  const count = 5_010
  const day = (back: number) => Temporal.Now.plainDateISO("UTC").subtract({ days: back }).toString()
  // Three of each instant, of which the end of a part meets one.
  const points = Array.from({ length: count }, (_, index) => ({
    email,
    lat: 52 + index * 1e-4,
    lon: 5,
    createdTime: toT3(
      Temporal.Instant.from(`${day(3)}T20:00:00Z`).add({ seconds: 10 * Math.floor(index / 3) }),
    ),
  }))
  for (let from = 0; from < count; from += 1000)
    await as(org.owner).post("/location-history/bulk", {
      location_histories: points.slice(from, from + 1000),
    })
  const days = `date=${day(3)}&until=${day(2)}`
  assert.equal((await as(org.owner).get(`/track/${id}?${days}`)).json().data.pointCount, count)
  const first = (await as(org.owner).get(`/track/${id}?date=${day(3)}`)).json().data.pointCount
  assert.ok(first > 0 && first < count)
  const turned = await as(org.owner).get(`/track/${id}?date=${day(2)}&until=${day(3)}`)
  assert.equal(turned.json().failedCode, "lochi-008")
  const gpx = await as(org.owner).get(`/track/${id}/download?format=gpx&${days}`)
  const lats = [...gpx.body.matchAll(/<trkpt lat="([\d.]+)"/g)].map((match) => match[1])
  assert.equal(new Set(lats).size, count)
})

test("the tracking page's numbers add up tasks, distances and sources of a hub", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const [busy, idle] = [
    await aUser(sql, { org, role: "field user", hubs: [hub] }),
    await aUser(sql, { org, role: "field user", hubs: [hub] }),
  ]
  await aTask(sql, { org, hub, assignee: [busy] })
  await aTask(sql, { org, hub, assignee: [busy], status: "DONE" })
  await as(busy).post("/location-history/bulk", { location_histories: drive(busy.email) })
  await as(busy).post("/location-history", {
    lat: 1,
    lon: 2,
    createdFrom: "beacon",
    createdTime: secondsAgo(90_000),
  })
  await as(idle).post("/location-history/bulk", { location_histories: drive(idle.email) })
  const from = encodeURIComponent(secondsAgo(7200))
  const to = encodeURIComponent(secondsAgo(-10))
  const { counting, ...totals } = (
    await as(org.owner).get(`/tasks/tracking?hubId=${hub.id}&timeFrom=${from}&timeTo=${to}`)
  ).json()
  assert.deepEqual(
    [totals.doneTotal, totals.ongoingTotal, totals.taskTotal, totals.createdFrom],
    [1, 1, 2, ["mileAppField"]],
  )
  assert.ok(Math.abs(totals.totalDistance - 11.8) < 0.02)
  assert.deepEqual(counting[idle.email], { doneTask: 0, ongoingTask: 0, distance: 0, duration: 0 })
  assert.equal(counting[busy.email].distance, totals.totalDistance)
  const missing = await as(org.owner).get(`/tasks/tracking?hubId=${hub.id}&timeFrom=${from}`)
  assert.deepEqual([missing.statusCode, missing.json().failedCode], [400, "task-032"])
  assert.equal((await as(busy).get(`/tasks/tracking?hubId=${hub.id}`)).statusCode, 403)
})

test("weeks of more points than are read at once are as long as they were, on the map and in the page's numbers", {
  skip: !process.env.FIELDWAY_LONG,
}, async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const driver = await aUser(sql, { org, role: "field user", hubs: [hub] })
  await aTask(sql, { org, hub, assignee: [driver] })
  const count = 100_000
  // A newest position and a partition by a post, the rest in the shape in which posts leave it: to the north and back.
  await as(driver).post("/location-history", { lat: 52, lon: 5, createdTime: secondsAgo(60) })
  await as(driver).post("/location-history", { lat: 52, lon: 5, createdTime: secondsAgo(35 * 86_400) })
  await sql`
    insert into location_points (recorded_at, received_at, lat, lng, organization_number, person_number, fingerprint, duration)
    select now() - interval '34 days' + step * interval '29 seconds', now(),
      52 + 1e-3 * case when step % 1000 < 500 then step % 500 else 500 - step % 500 end, 5, o.number, u.number, step, 0.5
    from generate_series(1, ${count}::int) as step, organizations o join users u on u.organization_id = o.id
    where o.id = ${org.id} and u.id = ${driver.id}`
  const span = `timeFrom=${encodeURIComponent(secondsAgo(40 * 86_400))}&timeTo=${encodeURIComponent(secondsAgo(0))}`
  const { data } = (await as(org.owner).get(`/track/${driver.id}?${span}`)).json()
  assert.equal(data.pointCount, count + 2)
  // Every leg is a thousandth of a degree, there and back.
  const kilometers = (count * 111.195) / 1000
  assert.ok(Math.abs(data.totalDistance / kilometers - 1) < 0.01, `${data.totalDistance} of ${kilometers} km`)
  const summed = (await as(org.owner).get(`/tasks/tracking?hubId=${hub.id}&${span}`)).json().counting[
    driver.email
  ]
  assert.deepEqual([summed.distance, summed.duration], [data.totalDistance, count / 2])
})

test("a finished session is measured along roads by the engine, and by great circles without one", async (t) => {
  const { sql, as, app, jobContext, org } = await testOrganization(t)
  const driver = await aUser(sql, { org, role: "field user" })
  const start = { lat: 52, lon: 5, startTime: secondsAgo(3700) }
  const { _id } = (await as(driver).post("/location-history", start)).json().location_history
  const ask = (background: boolean) =>
    as(driver).post("/location-history/recalculate-distance", { locationHistoryId: _id, background })
  assert.equal((await ask(false)).json().failedCode, "lochi-032")
  await as(driver).post("/location-history", { lat: 52.05, lon: 5, createdTime: secondsAgo(3000) })
  await as(driver).post("/location-history", { lat: 52.1, lon: 5, finishTime: secondsAgo(2000) })
  const plain = (await ask(false)).json().data
  assert.match(plain.result[0].message, /Great-circle/)
  assert.deepEqual(
    [
      plain.locationHistory.finish.isRecalculate,
      plain.locationHistory.finish.totalDistance,
      plain.payload.coordinates.length,
    ],
    [1, 11.119, 2],
  )
  const engine = createServer((request, reply) => {
    const count = (request.url ?? "").split(";").length
    const legs = Array.from({ length: count - 1 }, () => ({ distance: 7000, duration: 600 }))
    reply.end(JSON.stringify({ code: "Ok", routes: [{ legs }] }))
  }).listen(0, "127.0.0.1")
  t.after(() => engine.close())
  await new Promise((resolve) => engine.once("listening", resolve))
  const address = `http://127.0.0.1:${(engine.address() as AddressInfo).port}`
  const payload = { organizationId: org.id, locationHistoryId: _id, writer: driver.email }
  assert.deepEqual((await ask(true)).json().data.result, [])
  const context = { ...jobContext(), config: { ...app.settings, routingUrl: address } }
  await recalculateDistance.handle(context, payload)
  await recalculateDistance.handle(context, payload)
  const after = (await as(driver).get(`/location-history/${_id}`)).json().location_history
  assert.deepEqual([after.finish.totalDistance, after.finish.totalDuration], [14, 20])
})
