import assert from "node:assert/strict"
import { before, test } from "node:test"
import { json } from "#core/database/database.ts"
import { aHub, anOrganization, aUser } from "#samples/builders.ts"
import { aRoadMap, blockSide as step } from "#samples/road-map.ts"
import { toT3 } from "#shared/wire-time.ts"
import { type Calls, type TestApp, testApp } from "#testing/test-app.ts"
import type { StoredHistory } from "../../../../packages/road-network/index.ts"
import { mapStoreOf } from "../maps/index.ts"
import { locationJobs } from "../positions/index.ts"

let fieldway: TestApp
let caller: Calls
before(async () => {
  fieldway = await testApp()
  const org = await anOrganization(fieldway.sql)
  caller = fieldway.as(await aUser(fieldway.sql, { org, permissions: [] }))
  await install("one")
})

const install = (version: string) => aRoadMap(fieldway.sql, fieldway.app.objects, version)

const get = async (path: string) => {
  const reply = await caller.get(`/road/${path}`)
  return { status: reply.statusCode, ...reply.json() }
}

test("a route follows streets, with instructions and a line in each encoding", async () => {
  const path = "route/v1/driving/0.0002,0.0001;0.0019,0.0015"
  const found = await get(`${path}?steps=true&geometries=geojson&overview=full&annotations=true`)
  assert.deepEqual([found.status, found.code], [200, "Ok"], JSON.stringify(found))
  const [route] = found.routes
  assert.deepEqual(route.geometry.coordinates, [
    [0.0002, 0],
    [step, 0],
    [step, 0.0015],
  ])
  const names = route.legs[0].steps.map(
    ({ name, maneuver }: { name: string; maneuver: { type: string; modifier?: string } }) =>
      [name, maneuver.type, maneuver.modifier].join(" ").trim(),
  )
  assert.deepEqual(names, ["South Street depart", "East Street turn left", "East Street arrive"])
  assert.ok(Math.abs(route.distance - 366.9) < 1, `${route.distance}`)
  const sum = (values: number[]) => values.reduce((all, value) => all + value, 0)
  assert.ok(Math.abs(sum(route.legs[0].annotation.duration) - route.duration) < 0.5)
  assert.deepEqual(
    route.legs[0].annotation.nodes,
    [1, 2, 3],
    "before the start, on the way and after the end",
  )
  assert.deepEqual(route.legs[0].steps[1].intersections[0].lanes, [
    { indications: ["left"], valid: true },
    { indications: ["straight"], valid: false },
  ])
  const byLegs = (await get(`${path}?overview=by_legs&geometries=geojson`)).routes[0].geometry
  assert.deepEqual(byLegs, [route.geometry])
  const tolled = (await get("route/v1/driving/0,0.0015;0,0.0005?steps=true")).routes[0].legs[0].steps[0]
  assert.deepEqual(tolled.intersections[0].classes, ["toll"])
  assert.equal((await get(`${path}.json`)).routes[0].geometry, "?g@?gJkH?")
  assert.equal((await get(`${path}?overview=false`)).routes[0].geometry, undefined)
})

test("tables, tolls and what is out of reach", async () => {
  const places = "0,0.001;0.001,0;0.021,0"
  const table = await get(`table/v1/car/${places}?annotations=duration,distance`)
  assert.equal(table.code, "Ok", JSON.stringify(table))
  assert.equal(table.durations[0][0], 0)
  assert.ok(Math.abs(table.distances[0][1] - 222.4) < 1)
  assert.deepEqual([table.durations[0][2], table.distances[2][0]], [null, null], "the island is out of reach")
  const one = await get(`table/v1/car/${places}?sources=0&destinations=1`)
  assert.deepEqual([one.durations.length, one.durations[0].length, one.sources.length], [1, 1, 1])
  const toll = await get("route/v1/car/0,0.002;0.0001,0?exclude=toll")
  assert.equal(toll.code, "NoRoute", "the only street without toll leads the other way")
})

test("a table estimates what is out of reach only if asked to, and says which entries", async () => {
  const places = "0.001,0;0.02,0"
  const found = await get(
    `table/v1/car/${places}?annotations=duration,distance&fallback_speed=10&scale_factor=2&generate_hints=false`,
  )
  assert.deepEqual(found.fallback_speed_cells, [
    [0, 1],
    [1, 0],
  ])
  assert.ok(Math.abs(found.distances[0][1] - 2112.7) < 3, `${found.distances[0][1]}`)
  assert.ok(Math.abs(found.durations[0][1] - found.distances[0][1] / 5) < 0.1)
  assert.equal(found.durations[0][0], 0)
  assert.equal(found.sources[0].hint, undefined)
  assert.equal((await get(`table/v1/car/${places}`)).fallback_speed_cells, undefined)
})

test("places on the way: no turning back for vehicles, legs only where wanted, the side of the road", async () => {
  const path = "0.001,0;0.0018,0;0.0002,0"
  const legs = async (profile: string, options: string) => {
    const { routes } = await get(`route/v1/${profile}/${path}?overview=full&geometries=geojson&${options}`)
    return routes[0] as { distance: number; duration: number; legs: { distance: number; steps: object[] }[] }
  }
  const turning = await legs("car", "continue_straight=false")
  const onward = await legs("car", "steps=true")
  assert.ok(onward.distance > turning.distance + 30, "on to the next corner by default")
  assert.equal((await legs("car", "continue_straight=true")).distance, onward.distance)
  const onFoot = await legs("foot", "continue_straight=false")
  assert.equal((await legs("foot", "")).distance, onFoot.distance)
  const merged = await legs("car", "waypoints=0;2&steps=true")
  assert.equal(merged.legs.length, 1)
  assert.equal(merged.duration, onward.duration)
  assert.equal(merged.legs[0]?.steps.length, onward.legs.flatMap(({ steps }) => steps).length - 2)
  const track = "0.0003,0.00003;0.001,0.00002;0.0018,0.00001"
  const match = await get(`match/v1/car/${track}?waypoints=0;2`)
  assert.deepEqual(
    match.tracepoints.map(({ waypoint_index }: { waypoint_index: number | null }) => waypoint_index),
    [0, null, 1],
  )
  assert.equal(match.matchings[0].legs.length, 1)
  // North of the street is to the right of those who drive west.
  const reached = async (approach: string) =>
    (await get(`route/v1/car/0.0018,0;0.001,0.0001?approaches=;${approach}`)).routes[0].distance
  assert.ok((await reached("opposite")) > (await reached("curb")) + 100)
  assert.equal(await reached("unrestricted"), await reached("curb"))
})

test("nearest roads, tracks and areas within reach", async () => {
  const nearest = await get("nearest/v1/foot/0.0012,0.0001?number=2")
  assert.deepEqual(
    nearest.waypoints.map(({ name }: { name: string }) => name),
    ["South Street", "East Street"],
  )
  assert.deepEqual(nearest.waypoints[1].nodes, [2, 3])
  const match = await get(
    "match/v1/car/0.0003,0.00003;0.001,0.00002;0.0018,0.00001;0.00203,0.0005;0.002,0.0012",
  )
  assert.equal(match.code, "Ok", JSON.stringify(match))
  assert.equal(match.tracepoints.length, 5)
  const eastward = "match/v1/car/0.0003,0.00003;0.001,0.00002;0.0018,0.00001?bearings=90,30;90,30;90,30"
  assert.equal((await get(eastward)).code, "Ok")
  assert.equal((await get(eastward.replaceAll("90,", "0,"))).code, "NoMatch", "no road there leads north")
  assert.ok(Math.abs(match.matchings[0].distance - 322.5) < 3, `${match.matchings[0].distance}`)
  const area = await get("isochrone/v1/foot/0.001,0?contours_minutes=1,3")
  assert.deepEqual(
    area.features.map(({ geometry }: { geometry: { type: string } }) => geometry.type),
    ["MultiPolygon", "MultiPolygon"],
  )
})

test("what cannot be served has a code and a message", async () => {
  const expected: [string, string][] = [
    ["route/v1/car/0,0", "InvalidOptions"],
    ["route/v1/car/0,0;a,b", "InvalidQuery"],
    ["route/v1/car/0,0;0,91", "InvalidValue"],
    ["route/v1/plane/0,0;0,0.001", "InvalidValue"],
    ["route/v1/car/0,0;0,0.001?geometries=wkt", "InvalidQuery"],
    ["route/v1/car/0,0;0,0.001?radiuses=1", "InvalidOptions"],
    ["route/v1/car/0,0;0.0005,0.0005?radiuses=5;5", "NoSegment"],
    ["route/v1/car/0,0;50,50", "NoSegment"],
    ["route/v1/car/0,0;0.0205,0", "NoRoute"],
    ["table/v1/car/0,0;0,0.001?sources=5", "InvalidOptions"],
    ["table/v1/car/0,0;0,0.001?sources=x", "InvalidQuery"],
    ["nearest/v1/car/0,0?number=1000", "TooBig"],
    ["nearest/v1/car/0,0?number=0", "InvalidOptions"],
    ["nearest/v1/car/0,0;0,0.001", "InvalidOptions"],
    ["route/v1/car/0,0;0,0.001.flatbuffers", "NotImplemented"],
    ["route/v1/car/0,0;0,0.001?annotations=nodes,ids", "InvalidQuery"],
    ["route/v1/car/0,0;0,0.001?snapping=some", "InvalidQuery"],
    ["route/v1/car/0,0;0,0.001?approaches=left;", "InvalidQuery"],
    ["route/v1/car/0,0;0,0.001;0.001,0?waypoints=0;1", "InvalidValue"],
    ["route/v1/car/0,0;0,0.001?waypoints=0", "InvalidOptions"],
    ["table/v1/car/0,0;0,0.001?fallback_speed=0", "InvalidValue"],
    ["match/v1/car/0,0;0,0.001?timestamps=5;4", "InvalidValue"],
    ["isochrone/v1/car/0,0?contours_minutes=999", "InvalidQuery"],
  ]
  for (const [path, code] of expected) {
    const reply = await get(path)
    assert.deepEqual([reply.status, reply.code, typeof reply.message], [400, code, "string"], path)
  }
  assert.equal((await fieldway.nobody.get("/road/nearest/v1/car/0,0")).statusCode, 401)
})

test("a plan uses the roads, says so, and names what no road reaches", async () => {
  const org = await anOrganization(fieldway.sql)
  const hub = await aHub(fieldway.sql, { org, lat: 0, lng: 0 })
  const planner = fieldway.as(
    await aUser(fieldway.sql, {
      org,
      hubs: [hub],
      permissions: ["route-optimization", "view/result", "view/task"],
    }),
  )
  const visit = (id: string, coordinate: string) => ({ id, name: id, address: id, coordinate, visitTime: 1 })
  const reply = await planner.post("/routing", {
    hubId: hub.id,
    hubCoordinate: "0,0.0001",
    visits: [visit("near", "0.002,0.001"), visit("island", "0,0.021"), visit("elsewhere", "48.1,11.5")],
    vehicles: [{ id: "van", name: "van", speed: 20 }],
    configuration: { returnToHub: true, autoSpeed: true },
  })
  const result = reply.json().data
  assert.equal(reply.statusCode, 200, reply.body)
  assert.match(result.warnings.join(), /Road times, map of 2026-11-01/)
  assert.match(result.warnings.join(), /No road leads to 0,0.021; 48.1,11.5 from/)
  const dropped = result.result.dropped as { visitId: string; reasonCode: string; help?: unknown }[]
  assert.deepEqual(dropped.map(({ visitId, reasonCode, help }) => [visitId, reasonCode, help]).toSorted(), [
    ["elsewhere", "noRoad", undefined],
    ["island", "noRoad", undefined],
  ])
  const lines = (await planner.get(`/result/${result._id}/lines`)).json()
  assert.equal(lines.data[0].isRoad, true, JSON.stringify(lines))
  assert.ok(lines.data[0].coordinates.length > 4, "around the block")
  const places = [
    [0, 0.0001],
    [0.001, 0.002],
    [11.5, 48.1],
  ]
  const table = (await planner.expect(200).post("/dispatch/travel-times", { places })).json().data
  assert.deepEqual([table.isByRoad, table.outOfReach], [true, [[11.5, 48.1]]])
})

test("speeds of an organization's own drives correct its times, and nobody else's", async () => {
  const { sql, as, clock, jobContext } = fieldway
  const org = await anOrganization(sql, { timeZone: "UTC" })
  const owner = as(org.owner)
  // Around the block at half the usual speeds, from 8 to 11 in the morning of the day before yesterday.
  const start = clock.now().toZonedDateTimeISO("UTC").subtract({ days: 2 }).startOfDay().add({ hours: 8 })
  const corners: [number, number][] = [
    [0, 0],
    [step, 0],
    [step, step],
    [0, step],
  ]
  const sideSeconds = [40, 64, 64, 64]
  const lapSeconds = 232
  const points = Array.from({ length: 1080 }, (_, i) => {
    let rest = (i * 10) % lapSeconds
    let side = 0
    while (rest >= (sideSeconds[side] ?? lapSeconds)) rest -= sideSeconds[side++] ?? 0
    const share = rest / (sideSeconds[side] ?? 1)
    const [from, to] = [corners[side] ?? [0, 0], corners[(side + 1) % 4] ?? [0, 0]]
    const at = (axis: 0 | 1) => (from[axis] ?? 0) + ((to[axis] ?? 0) - (from[axis] ?? 0)) * share
    return {
      email: org.owner.email,
      lat: at(1),
      lon: at(0),
      createdTime: toT3(start.add({ seconds: i * 10 }).toInstant()),
    }
  })
  for (const part of [points.slice(0, 540), points.slice(540)])
    assert.equal((await owner.post("/location-history/bulk", { location_histories: part })).statusCode, 201)
  const learn = locationJobs.find(({ name }) => name === "roads.learn-speeds")
  for (let run = 0; run < 2; run++) await learn?.handle(jobContext(), { organizationId: org.id })
  const speeds = (await owner.get("/road-speeds")).json().data
  assert.equal(speeds.isEnough, true, JSON.stringify(speeds).slice(0, 300))
  const shares = Object.fromEntries(
    speeds.classes.map((own: { roadClass: string; shares: number[] }) => [
      own.roadClass,
      own.shares[(start.dayOfWeek - 1) * 24 + 9],
    ]),
  )
  for (const name of ["primary", "residential"]) {
    const share = Number(shares[name])
    assert.ok(share > 0.45 && share < 0.7, `${name}: ${share}`)
  }
  const seconds = async (calls: Calls, when: string) =>
    (await calls.get(`/road/route/v1/car/0.0001,0;0.0019,0.002?depart_at=${encodeURIComponent(when)}`)).json()
      .routes[0].duration
  const sameHour = start.add({ days: 7, hours: 1 }).toInstant().toString()
  const usual = await seconds(owner, "any")
  const ratio = (await seconds(owner, sameHour)) / usual
  assert.ok(ratio > 1.4 && ratio < 2.2, `${ratio}`)
  assert.equal(await seconds(caller, sameHour), usual, "another organization has the usual speeds")
  // A plan drives as long as the hour of each leg takes: the evening is known to be fast.
  const [known] = await sql<{ history: StoredHistory }[]>`
    select history from road_speeds where organization_id = ${org.id}`
  const evening = known?.history.map(([cell, took, , count]) => [cell + 10, took, took, count]) ?? []
  await sql`
    update road_speeds set history = ${json(sql, [...(known?.history ?? []), ...evening])}
    where organization_id = ${org.id}`
  await owner.expect(200).put("/road-speeds", { isUsed: true })
  const hub = await aHub(sql, { org, lat: 0, lng: 0.0001 })
  const drive = async (from: string, to: string) => {
    const visit = { id: "shop", name: "Shop", address: "Block", coordinate: "0.002,0.0019", visitTime: 1 }
    const { data } = (
      await owner.expect(200).post("/routing", {
        hubId: hub.id,
        routingDate: start.add({ days: 7 }).toPlainDate().toString(),
        visits: [{ ...visit, timeWindow: { startTime: from, endTime: to } }],
        vehicles: [{ id: "van", name: "van", workingTime: { startTime: "05:00", endTime: "20:00" } }],
        configuration: { autoSpeed: true },
      })
    ).json()
    const [hubNode, shop] = data.result.routing[0].trips
    const at = (clock: string) => Date.parse(`1970-01-01T${clock}Z`) / 1000
    return at(shop.eta) - at(hubNode.etd)
  }
  const [busy, quiet] = [await drive("09:20", "09:30"), await drive("19:20", "19:30")]
  assert.ok(busy > 1.15 * quiet, `${busy} s, and ${quiet} s in the evening`)
  assert.equal((await owner.put("/road-speeds", { isUsed: false })).json().data.isUsed, false)
  assert.equal(await seconds(owner, sameHour), usual)
})

test("a new version of the map replaces the roads", async () => {
  assert.equal((await get("route/v1/car/0,0.0001;0.001,0")).code, "Ok")
  await install("two")
  mapStoreOf({ sql: fieldway.sql, objects: fieldway.app.objects, config: fieldway.config }).invalidate()
  assert.equal((await get("route/v1/car/0,0.0001;0.001,0")).code, "Ok")
})
