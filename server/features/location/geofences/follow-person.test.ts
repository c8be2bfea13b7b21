import assert from "node:assert/strict"
import { test } from "node:test"
import { hubRadiusMeters, taskRadiusMeters } from "#packages/geodesy/fence-radius.ts"
import { aHub, anOrganization, aTask, aUser } from "#samples/builders.ts"
import { toT3 } from "#shared/wire-time.ts"
import { runJobs } from "#testing/run-jobs.ts"
import { testOrganization } from "#testing/test-app.ts"
import { geofenceJobs } from "./jobs.ts"
import { lookAround } from "./look-around.ts"

const minutesAgo = (minutes: number) => toT3({ epochMilliseconds: Date.now() - minutes * 60_000 })

test("arrivals and departures at hubs and tasks follow the points, also those that come late", async (t) => {
  const { sql, as, jobContext, org } = await testOrganization(t)
  const hub = await aHub(sql, { org, lat: 52, lng: 5 })
  const driver = await aUser(sql, { org, role: "field user", hubs: [hub] })
  const task = await aTask(sql, { org, hub, assignee: [driver] })
  await sql`update tasks set lat = 52.05, lng = 5 where id = ${task.id}`
  const send = (points: readonly (readonly [minutes: number, lat: number])[]) =>
    as(driver).post("/location-history/bulk", {
      location_histories: points.map(([minutes, lat]) => ({
        email: driver.email,
        lat,
        lon: 5,
        createdTime: minutesAgo(minutes),
      })),
    })
  const follow = async () => {
    for (const job of geofenceJobs) await job.handle(jobContext(), {})
  }
  const visits = async () =>
    (await as(org.owner).get(`/location-visits?userId=${driver.id}`))
      .json()
      .data.map(
        (visit: { placeType: string; leftTime: string | null }) =>
          `${visit.placeType} ${visit.leftTime ? "left" : "there"}`,
      )
      .reverse()
  // Half of it: at the hub, then far away.
  await send([
    [60, 52],
    [58, 52.0001],
    [56, 52],
    [40, 52.02],
    [38, 52.03],
  ])
  await follow()
  await follow()
  assert.deepEqual(await visits(), ["hub left"])
  // The other half arrives later, and between: at the task and gone again, then back at the hub.
  await send([
    [30, 52.05],
    [28, 52.05],
    [26, 52.05],
    [20, 52.03],
    [18, 52.02],
    [10, 52],
    [8, 52],
  ])
  await follow()
  assert.deepEqual(await visits(), ["hub left", "task left", "hub there"])
  const events = await sql<{ type: string }[]>`
    select type from live_events where organization_id = ${org.id} and type like 'place.%' order by xid, id`
  assert.equal(events.filter(({ type }) => type === "place.arrived").length, 3)
  assert.equal(events.filter(({ type }) => type === "place.left").length, 2)
  // Where that was, by name and place; a place that is not the caller's to see has neither.
  const placesFor = async (user: typeof driver) =>
    (await as(user).get("/location-visits"))
      .json()
      .data.slice(0, 2)
      .map(({ placeName, lat, lon, radiusMeters }: Record<string, unknown>) => [
        placeName,
        lat,
        lon,
        radiusMeters,
      ])
  await sql`update hubs set name = 'North depot' where id = ${hub.id}`
  await sql`update tasks set title = 'Boiler' where id = ${task.id}`
  const depot = ["North depot", 52, 5, hubRadiusMeters]
  const boiler = ["Boiler", 52.05, 5, taskRadiusMeters]
  assert.deepEqual(await placesFor(org.owner), [depot, boiler])
  assert.deepEqual(await placesFor(driver), [depot, boiler])
  const planner = await aUser(sql, { org, role: "planner", hubs: [hub] })
  assert.deepEqual(await placesFor(planner), [depot, boiler])
  const elsewhere = await aHub(sql, { org })
  await sql`update tasks set hub_id = ${elsewhere.id} where id = ${task.id}`
  assert.deepEqual(await placesFor(planner), [depot, [null, null, null, taskRadiusMeters]])
  await sql`delete from tasks where id = ${task.id}`
  assert.deepEqual((await placesFor(org.owner))[1], [null, null, null, taskRadiusMeters])
  assert.deepEqual(await placesFor((await anOrganization(sql)).owner), [])
})

test("an arrival and a departure are known as soon as their points are", async (t) => {
  const { sql, as, jobContext, org } = await testOrganization(t)
  const hub = await aHub(sql, { org, lat: 47, lng: 8 })
  const driver = await aUser(sql, { org, role: "field user", hubs: [hub] })
  const visitsAfter = async (points: readonly (readonly [minutes: number, lat: number])[]) => {
    for (const [minutes, lat] of points)
      await as(driver).post("/location-history", { lat, lon: 8, createdTime: minutesAgo(minutes) })
    await lookAround.handle(jobContext(), {})
    const rows = await sql<{ leftAt: unknown }[]>`
      select left_at from location_visits where organization_id = ${org.id} and user_id = ${driver.id}`
    return rows.map(({ leftAt }) => (leftAt ? "left" : "there"))
  }
  assert.deepEqual(await visitsAfter([[6, 47.05]]), [])
  assert.deepEqual(await visitsAfter([[4, 47.0005]]), [])
  assert.deepEqual(await visitsAfter([[3, 47.0004]]), ["there"])
  const away = [
    [2, 47.004],
    [1, 47.01],
  ] as const
  assert.deepEqual(await visitsAfter(away), ["left"])
  const asked = await sql`select 1 from graphile_worker.jobs where key = 'geofences.look-around'`
  assert.equal(asked.length, 1)
})

test("points of somebody who was removed while driving are not followed", async (t) => {
  const { sql, as, jobContext, org } = await testOrganization(t)
  const driver = await aUser(sql, { org, role: "field user" })
  const yard = { name: "Yard", geometry: { type: "Point", coordinates: [8, 47] }, radiusMeters: 100 }
  await as(org.owner).expect(201).post("/geofence", yard)
  for (const minutes of [4, 3])
    await as(driver).post("/location-history", { lat: 47, lon: 8, createdTime: minutesAgo(minutes) })
  await as(org.owner).expect(200).delete(`/user/${driver.id}`)
  const errors: unknown[] = []
  const context = jobContext()
  const log = { ...context.log, error: (...error: unknown[]) => void errors.push(error) }
  for (const job of geofenceJobs) await job.handle({ ...context, log }, {})
  const waiting = await sql`
    select from person_positions where organization_id = ${org.id} and pending_from is not null`
  assert.deepEqual([errors, waiting.length], [[], 0])
})

test("late points change the totals of the session that they fall into", async (t) => {
  const { sql, as, jobContext, org } = await testOrganization(t)
  const driver = await aUser(sql, { org, role: "field user" })
  const send = (body: object) => as(driver).post("/location-history", body)
  const { _id } = (await send({ lat: 52, lon: 5, startTime: minutesAgo(60) })).json().location_history
  await send({ lat: 52, lon: 5, finishTime: minutesAgo(10) })
  const distance = async () =>
    (await as(driver).get(`/location-history/${_id}`)).json().location_history.finish.totalDistance
  assert.equal(await distance(), 0)
  await send({ lat: 52.1, lon: 5, createdTime: minutesAgo(30) })
  for (const job of geofenceJobs) await job.handle(jobContext(), {})
  assert.equal(await distance(), 22.239)
})

test("somebody at work who sends no positions is listed, and published as an event once", async (t) => {
  const { sql, as, jobContext, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const [silent, heard, never, beginning] = [
    await aUser(sql, { org, role: "field user" }),
    await aUser(sql, { org, role: "field user" }),
    await aUser(sql, { org, role: "field user" }),
    await aUser(sql, { org, role: "field user" }),
  ]
  await aTask(sql, { org, hub, assignee: [never] })
  // Somebody who just received work has not had time to send a position.
  await aTask(sql, {
    org,
    hub,
    assignee: [beginning],
    startTime: Temporal.Now.instant().subtract({ minutes: 1 }),
  })
  await as(silent).post("/location-history", { lat: 1, lon: 2, startTime: minutesAgo(30) })
  await as(heard).post("/location-history", { lat: 1, lon: 2, startTime: minutesAgo(30) })
  await as(heard).post("/location-history", { lat: 1, lon: 2 })
  const listed = async () =>
    (await as(org.owner).get("/silent-people"))
      .json()
      .data.map((person: { email: string }) => person.email)
      .sort()
  assert.deepEqual(await listed(), [silent.email, never.email].sort())
  const run = async () => {
    for (const job of geofenceJobs) await job.handle(jobContext(), {})
    const rows = await sql<{ type: string }[]>`
      select type from live_events where organization_id = ${org.id} and type like 'person.%' order by xid, id`
    return rows.map(({ type }) => type)
  }
  await run()
  assert.deepEqual(await run(), ["person.silent", "person.silent"])
  await as(silent).post("/location-history", { lat: 1, lon: 2 })
  assert.deepEqual(await run(), ["person.silent", "person.silent", "person.heard"])
})

test("a stop has its arrival and departure from whatever follows its worker, unless the worker said it", async (t) => {
  const server = await testOrganization(t)
  const { sql, as, jobContext, org } = server
  const hub = await aHub(sql, { org, lat: 52, lng: 5 })
  const driver = await aUser(sql, { org, role: "field user", hubs: [hub] })
  const [stop, tomorrow] = [
    await aTask(sql, { org, hub, assignee: [driver] }),
    await aTask(sql, { org, hub, assignee: [driver] }),
  ]
  await sql`update tasks set lat = 52.05, lng = 5 where organization_id = ${org.id}`
  await sql`
    update tasks set start_time = now() + interval '1 day', end_time = now() + interval '25 hours' where id = ${tomorrow.id}`
  // A tracker in the van: nobody's phone says anything.
  const track = async (points: readonly (readonly [minutes: number, lat: number])[]) => {
    const location_histories = points.map(([minutes, lat]) => ({
      ...{ email: driver.email, lat, lon: 5, createdTime: minutesAgo(minutes), createdFrom: "Teltonika" },
    }))
    await as(org.owner).post("/location-history/bulk", { location_histories })
    await lookAround.handle(jobContext(), {})
    await runJobs(server)
  }
  const read = async ({ id }: { id: string }) => (await as(org.owner).get(`/task/${id}`)).json().task
  await track([
    [14, 52.03],
    [12, 52.05],
    [10, 52.0501],
    [8, 52.05],
  ])
  const { arrivedTime, leftTime } = await read(stop)
  const minutesSince = (time: string) => Math.round((Date.now() - Date.parse(time)) / 60_000)
  assert.deepEqual([minutesSince(arrivedTime), leftTime], [12, undefined])
  assert.equal((await read(tomorrow)).arrivedTime, undefined)
  await as(driver).patch(`/task/${stop.id}`, { status: "DONE" })
  await sql`
    update tasks set done_time = now() - interval '6 minutes', lat = 52.05, lng = 5 where id = ${stop.id}`
  await track([
    [4, 52.06],
    [2, 52.07],
  ])
  const finished = await read(stop)
  assert.deepEqual([finished.status, minutesSince(finished.leftTime)], ["DONE", 4])
  assert.equal(finished.arrivedTime, arrivedTime)
})
