import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { aRequest, receivedAt } from "./device-request.fixture.ts"
import { osmAndMaxPositions, parseOsmAnd } from "./osmand.ts"

const json = { "content-type": "application/json; charset=utf-8" }
const reasons = (query: string) => parseOsmAnd(aRequest({ query })).refusals.map((refusal) => refusal.reason)

test("OsmAnd's query string becomes a position", () => {
  const report = parseOsmAnd(
    aRequest({
      query:
        "?id=902064&lat=42.06288&lon=-88.23412&timestamp=1442068686579&hdop=6.0&altitude=224.0&speed=0.0",
    }),
  )
  assert.deepEqual(report, {
    deviceId: "902064",
    positions: [
      {
        recordedAt: new Date(1_442_068_686_579),
        position: [-88.234_12, 42.062_88],
        speedMetersPerSecond: 0,
        altitudeMeters: 224,
        extras: { hdop: "6.0" },
      },
    ],
    refusals: [],
  })
})

test("Traccar Client before version 9 sends knots, battery and charging", () => {
  const [position] = parseOsmAnd(
    aRequest({
      query:
        "?id=861001&timestamp=1504763810&lat=40.7232948571&lon=-74.0061408571&speed=19.438&bearing=7.2" +
        "&altitude=12.5&accuracy=4.5&batt=87.0&charge=true&mock=true",
    }),
  ).positions
  assert.ok(position)
  assert.equal(position.recordedAt.toISOString(), "2017-09-07T05:56:50.000Z")
  assert.ok(Math.abs((position.speedMetersPerSecond ?? 0) - 10) < 0.001)
  assert.equal(position.bearingDegrees, 7.2)
  assert.equal(position.accuracyMeters, 4.5)
  assert.equal(position.batteryPercent, 87)
  assert.equal(position.charging, true)
  assert.equal(position.mock, true)
  assert.deepEqual(position.extras, {})
})

test("the address may say that speed is in metres per second", () => {
  const speed = (unit: string) =>
    parseOsmAnd(aRequest({ query: `?id=1&lat=1&lon=2&timestamp=1&speed=36&speedUnit=${unit}` })).positions[0]
      ?.speedMetersPerSecond
  assert.equal(speed("mps"), 36)
  assert.equal(speed("kmh"), 10)
  assert.ok(Math.abs((speed("kn") ?? 0) - 18.52) < 1e-9)
})

test("times come as seconds, milliseconds, ISO 8601 or plain UTC, or not at all", () => {
  const time = (timestamp: string) =>
    parseOsmAnd(aRequest({ query: `?id=1&lat=1&lon=2${timestamp}` })).positions[0]?.recordedAt.toISOString()
  assert.equal(time("&timestamp=1377177267"), "2013-08-22T13:14:27.000Z")
  assert.equal(time("&timestamp=1442068686579"), "2015-09-12T14:38:06.579Z")
  assert.equal(time("&timestamp=2016-01-27T18%3A55%3A47Z"), "2016-01-27T18:55:47.000Z")
  assert.equal(time("&timestamp=2016-01-27T18%3A55%3A47%2B0100"), "2016-01-27T17:55:47.000Z")
  assert.equal(time("&timestamp=2014-06-04+09%3A10%3A11"), "2014-06-04T09:10:11.000Z")
  assert.equal(time(""), receivedAt.toISOString())
})

test("GPSLogger's parameters are read, and the time with its offset", () => {
  const address =
    "?key=k&lat=60.0&lon=30.0&time=2016-01-27T20:55:47.000+02:00&acc=4.5&s=12.5&dir=90&alt=8&batt=77&sat=9&prov=gps"
  assert.deepEqual(parseOsmAnd(aRequest({ query: address })).positions, [
    {
      recordedAt: new Date("2016-01-27T18:55:47Z"),
      position: [30, 60],
      speedMetersPerSecond: 12.5,
      accuracyMeters: 4.5,
      altitudeMeters: 8,
      bearingDegrees: 90,
      batteryPercent: 77,
      extras: { sat: "9", prov: "gps" },
    },
  ])
  const body = { lat: 60, longitude: "30.0", timestamp: 1_377_177_267, spd: 2, ischarging: "true" }
  const [position] = parseOsmAnd(aRequest({ headers: json, body: JSON.stringify(body) })).positions
  assert.deepEqual(
    [position?.position, position?.speedMetersPerSecond, position?.charging],
    [[30, 60], 2, true],
  )
  assert.equal(position?.recordedAt.toISOString(), "2013-08-22T13:14:27.000Z")
})

test("a form in the body and the pair in one field are read too", () => {
  const form = parseOsmAnd(
    aRequest({ body: "deviceid=123456&lat=60.0&lon=30.0&heading=90&timestamp=1377177267" }),
  )
  assert.equal(form.deviceId, "123456")
  assert.deepEqual(form.positions[0]?.position, [30, 60])
  assert.equal(form.positions[0]?.bearingDegrees, 90)
  const pair = parseOsmAnd(aRequest({ query: "?id=123456&timestamp=1377177267&location=60.0,30.0" }))
  assert.deepEqual(pair.positions[0]?.position, [30, 60])
})

test("other parameters stay beside the position, few and short", () => {
  const many = Array.from({ length: 100 }, (_, i) => `&x${i}=${"y".repeat(1000)}`).join("")
  const report = parseOsmAnd(
    aRequest({ query: `?id=1&lat=1&lon=2&ignition=true&cell=257,2,16,1&cell=257,2,16,2&__proto__=z${many}` }),
  )
  const extras = report.positions[0]?.extras ?? {}
  assert.equal(extras.ignition, "true")
  assert.deepEqual(extras.cell, ["257,2,16,1", "257,2,16,2"])
  assert.equal(Object.keys(extras).length, 32)
  assert.equal(String(extras.x0).length, 256)
  assert.equal(Object.getPrototypeOf(extras), Object.prototype)
})

test("a position that is none is refused with its reason", () => {
  assert.deepEqual(reasons("?id=1&timestamp=1377177267&cell=257,02,16,2224"), ["coordinates-missing"])
  assert.deepEqual(reasons("?id=1&lat=91&lon=2"), ["coordinates-invalid"])
  assert.deepEqual(reasons("?id=1&lat=1e1&lon=2"), ["coordinates-invalid"])
  assert.deepEqual(reasons("?id=1&lat=NaN&lon=2"), ["coordinates-invalid"])
  assert.deepEqual(reasons("?id=1&lat=0.0&lon=0.0"), ["no-fix"])
  assert.deepEqual(reasons("?id=1&lat=1&lon=2&valid=false"), ["no-fix"])
  assert.deepEqual(reasons("?id=1&lat=1&lon=2&timestamp=yesterday"), ["time-invalid"])
  assert.deepEqual(reasons("?id=1&lat=1&lon=2&timestamp=-5"), ["time-invalid"])
  assert.deepEqual(reasons("?id=1&lat=1&lon=2&timestamp=2016-13-27T18%3A55%3A47Z"), ["time-invalid"])
})

test("Traccar Client from version 9 sends JSON", () => {
  const body =
    '{"location":{"event":"motionchange","is_moving":false,"uuid":"0e9a2473","timestamp":"2021-07-21T08:06:34.444Z",' +
    '"odometer":0,"coords":{"latitude":-6.1148096,"longitude":106.6837015,"accuracy":3.8,"speed":18.67,' +
    '"speed_accuracy":0.26,"heading":63,"heading_accuracy":0.28,"altitude":35.7,"altitude_accuracy":3.8},' +
    '"activity":{"type":"still","confidence":100},"battery":{"is_charging":false,"level":0.79},"extras":{"van":12}},' +
    '"device_id":"8737767034"}'
  assert.deepEqual(parseOsmAnd(aRequest({ headers: json, body })), {
    deviceId: "8737767034",
    positions: [
      {
        recordedAt: new Date("2021-07-21T08:06:34.444Z"),
        position: [106.683_701_5, -6.114_809_6],
        speedMetersPerSecond: 18.67,
        accuracyMeters: 3.8,
        altitudeMeters: 35.7,
        bearingDegrees: 63,
        batteryPercent: 79,
        charging: false,
        activity: "still",
        extras: { event: "motionchange", isMoving: false, odometer: 0, van: 12 },
      },
    ],
    refusals: [],
  })
})

test("minus one means unknown to Traccar Client", () => {
  const body =
    '{"location":{"extras":{},"mock":true,"coords":{"speed_accuracy":-1,"speed":-1,"longitude":-122.406417,"floor":null,' +
    '"latitude":37.785834000000001,"accuracy":5,"altitude":0,"heading":-1},"is_moving":false,"age":188,"odometer":0,' +
    '"battery":{"level":-1,"is_charging":false},"activity":{"type":"unknown","confidence":100},' +
    '"timestamp":"2025-05-09T04:11:30.579Z"},"device_id":"658765"}'
  const [position] = parseOsmAnd(aRequest({ headers: json, body })).positions
  assert.ok(position)
  assert.ok(!("speedMetersPerSecond" in position))
  assert.ok(!("bearingDegrees" in position))
  assert.ok(!("batteryPercent" in position))
  assert.ok(!("activity" in position))
  assert.equal(position.altitudeMeters, 0)
  assert.equal(position.mock, true)
})

test("a queue of locations is read in order, and the bad one among them is named", () => {
  const location = (latitude: unknown) => ({
    timestamp: "2027-03-04T07:39:00Z",
    coords: { latitude, longitude: 4.9 },
  })
  const report = parseOsmAnd(
    aRequest({
      headers: json,
      body: { location: [location(52), location(91), location(53), null], device_id: 7 },
    }),
  )
  assert.equal(report.deviceId, "7")
  assert.deepEqual(
    report.positions.map((position) => position.position[1]),
    [52, 53],
  )
  assert.deepEqual(report.refusals, [
    { index: 1, reason: "coordinates-invalid" },
    { index: 3, reason: "coordinates-missing" },
  ])
  const tooMany = Array.from({ length: osmAndMaxPositions + 1 }, () => 0)
  assert.equal(
    parseOsmAnd(aRequest({ headers: json, body: { location: tooMany } })).refusals[0]?.reason,
    "too-many",
  )
})

test("what is no request of this protocol is refused as a whole", () => {
  for (const body of ["{", "[]", "null", "12", new Uint8Array([0xff, 0xfe])]) {
    const report = parseOsmAnd(aRequest({ headers: json, body }))
    assert.deepEqual(report, { positions: [], refusals: [{ index: null, reason: "not-readable" }] })
  }
  assert.deepEqual(parseOsmAnd(aRequest({ body: new Uint8Array([0xff]) })).refusals, [
    { index: null, reason: "not-readable" },
  ])
})

test("whatever JSON arrives, the response is a report", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (location, coords) => {
      for (const body of [{ location }, { location: { coords, timestamp: location } }, location]) {
        const report = parseOsmAnd(aRequest({ headers: json, body: JSON.stringify(body) }))
        for (const { position } of report.positions) {
          assert.ok(Math.abs(position[0]) <= 180 && Math.abs(position[1]) <= 90)
        }
      }
    }),
  )
})
