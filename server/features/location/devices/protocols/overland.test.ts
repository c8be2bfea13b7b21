import assert from "node:assert/strict"
import { test } from "node:test"
import { aRequest } from "./device-request.fixture.ts"
import { overlandMaxPositions, parseOverland } from "./overland.ts"

function feature(properties: object = {}, coordinates: unknown = [-122.030_581, 37.3318]) {
  return {
    type: "Feature",
    geometry: { type: "Point", coordinates },
    properties: { timestamp: "2015-10-01T08:00:00-0700", ...properties },
  }
}

test("a batch of the app becomes positions", () => {
  const body = {
    locations: [
      feature({
        altitude: 0,
        speed: 4,
        horizontal_accuracy: 30,
        vertical_accuracy: -1,
        course: 212,
        motion: ["driving", "stationary"],
        pauses: false,
        activity: "other_navigation",
        desired_accuracy: 100,
        deferred: 1000,
        significant_change: "disabled",
        locations_in_payload: 1,
        battery_state: "charging",
        battery_level: 0.89,
        device_id: "van-12",
        wifi: "",
      }),
    ],
  }
  assert.deepEqual(parseOverland(aRequest({ body })), {
    deviceId: "van-12",
    positions: [
      {
        recordedAt: new Date("2015-10-01T15:00:00.000Z"),
        position: [-122.030_581, 37.3318],
        speedMetersPerSecond: 4,
        accuracyMeters: 30,
        altitudeMeters: 0,
        bearingDegrees: 212,
        batteryPercent: 89,
        charging: true,
        activity: "driving,stationary",
        extras: {
          vertical_accuracy: -1,
          pauses: false,
          activity: "other_navigation",
          desired_accuracy: 100,
          deferred: 1000,
          significant_change: "disabled",
          locations_in_payload: 1,
        },
      },
    ],
    refusals: [],
  })
})

test("the current position that comes with a long queue is taken too", () => {
  const body = {
    locations: [feature()],
    current: feature({ timestamp: "2015-10-01T15:30:00Z" }),
    trip: { mode: "car" },
  }
  const report = parseOverland(aRequest({ body }))
  assert.deepEqual(
    report.positions.map((position) => position.recordedAt.toISOString()),
    ["2015-10-01T15:00:00.000Z", "2015-10-01T15:30:00.000Z"],
  )
})

test("of a batch with bad entries the good ones are taken and the bad ones named", () => {
  const body = {
    locations: [
      feature(),
      feature({ timestamp: undefined }),
      feature({}, [-122, 91]),
      feature({}, []),
      { type: "Feature", geometry: { type: "Polygon", coordinates: [] }, properties: {} },
      null,
      feature({}, [0, 0]),
      feature({ timestamp: "2015-10-01T15:00:01Z", battery_level: -1, battery_state: "unknown", speed: -1 }),
    ],
  }
  const report = parseOverland(aRequest({ body }))
  assert.deepEqual(report.refusals, [
    { index: 1, reason: "time-missing" },
    { index: 2, reason: "coordinates-invalid" },
    { index: 3, reason: "coordinates-missing" },
    { index: 4, reason: "not-a-position" },
    { index: 5, reason: "not-a-position" },
    { index: 6, reason: "no-fix" },
  ])
  assert.equal(report.positions.length, 2)
  assert.deepEqual(report.positions[1], {
    recordedAt: new Date("2015-10-01T15:00:01.000Z"),
    position: [-122.030_581, 37.3318],
    extras: {},
  })
})

test("an empty batch is a success, and a huge or foreign one is refused as a whole", () => {
  assert.deepEqual(parseOverland(aRequest({ body: { locations: [] } })), { positions: [], refusals: [] })
  for (const body of ["", "[]", "{}", '{"locations":{}}', "nonsense"]) {
    assert.equal(parseOverland(aRequest({ body })).refusals[0]?.reason, "not-readable")
  }
  const locations = Array.from({ length: overlandMaxPositions + 1 }, () => 0)
  assert.deepEqual(parseOverland(aRequest({ body: { locations } })).refusals, [
    { index: null, reason: "too-many" },
  ])
})
