import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { aRequest } from "./device-request.fixture.ts"
import { ownTracksResponse, parseOwnTracks, trackerIds } from "./owntracks.ts"

test("a location of the iOS app becomes a position", () => {
  const headers = { "x-limit-u": "nadia", "x-limit-d": "phone" }
  const body = {
    _type: "location",
    acc: 65,
    alt: 13,
    batt: 54,
    bs: 2,
    cog: 270,
    conn: "m",
    created_at: 1_741_073_999,
    inregions: ["Depot", "City"],
    lat: 48.858_33,
    lon: 2.295_13,
    motionactivities: ["automotive"],
    p: 101.3,
    t: "u",
    tid: "NA",
    topic: "owntracks/nadia/phone",
    tst: 1_741_073_990,
    vac: 10,
    vel: 54,
  }
  assert.deepEqual(parseOwnTracks(aRequest({ headers, body })), {
    deviceId: "nadia/phone",
    positions: [
      {
        recordedAt: new Date(1_741_073_990_000),
        position: [2.295_13, 48.858_33],
        speedMetersPerSecond: 15,
        accuracyMeters: 65,
        altitudeMeters: 13,
        bearingDegrees: 270,
        batteryPercent: 54,
        charging: true,
        activity: "automotive",
        extras: {
          trigger: "u",
          connection: "m",
          regions: ["Depot", "City"],
          pressureKilopascals: 101.3,
          verticalAccuracyMeters: 10,
        },
      },
    ],
    refusals: [],
  })
})

test("the smallest location has place, time and tracker", () => {
  const report = parseOwnTracks(
    aRequest({ body: '{"lon":2.29513,"lat":48.85833,"_type":"location","tst":1497476456,"tid":"JJ"}' }),
  )
  assert.equal(report.deviceId, "JJ")
  assert.deepEqual(report.positions, [
    { recordedAt: new Date(1_497_476_456_000), position: [2.295_13, 48.858_33], extras: {} },
  ])
})

test("entering a region is a position with its event; entering a beacon is none", () => {
  const transition = {
    _type: "transition",
    wtst: 1_425_042_603,
    lat: 12.34,
    lon: 44.5,
    tst: 1_427_634_603,
    acc: 130,
    tid: "JP",
    event: "enter",
    desc: "Depot",
    t: "c",
  }
  const [position] = parseOwnTracks(aRequest({ body: transition })).positions
  assert.deepEqual(position?.extras, { trigger: "c", event: "enter", region: "Depot" })
  const { lat: _lat, lon: _lon, ...beacon } = transition
  assert.deepEqual(parseOwnTracks(aRequest({ body: beacon })), {
    deviceId: "JP",
    positions: [],
    refusals: [],
  })
})

for (const kind of [
  "lwt",
  "waypoint",
  "waypoints",
  "card",
  "cmd",
  "steps",
  "status",
  "beacon",
  "dump",
  "configuration",
]) {
  test(`a message of type ${kind} is taken and leads to nothing`, () => {
    const report = parseOwnTracks(aRequest({ body: { _type: kind, lat: 1, lon: 2, tst: 1 } }))
    assert.deepEqual(report, { positions: [], refusals: [] })
  })
}

test("an empty post is taken and leads to nothing", () => {
  assert.deepEqual(parseOwnTracks(aRequest({ query: "?u=nadia&d=phone" })), {
    deviceId: "nadia/phone",
    positions: [],
    refusals: [],
  })
})

test("what cannot be a position is refused with its reason", () => {
  const reason = (body: object | string) => parseOwnTracks(aRequest({ body })).refusals[0]?.reason
  assert.equal(reason({ _type: "encrypted", data: "q83v" }), "encrypted")
  assert.equal(reason({ _type: "location", lat: 48, lon: 2 }), "time-missing")
  assert.equal(reason({ _type: "location", lat: 48, tst: 1 }), "coordinates-missing")
  assert.equal(reason({ _type: "location", lat: 98, lon: 2, tst: 1 }), "coordinates-invalid")
  assert.equal(reason({ _type: "location", lat: 0, lon: 0, tst: 1 }), "no-fix")
  assert.equal(reason({ _type: "teleport" }), "not-readable")
  assert.equal(reason({ lat: 1, lon: 2, tst: 1 }), "not-readable")
  assert.equal(reason("[]"), "not-readable")
  assert.equal(reason("lat=1"), "not-readable")
})

test("a speed of minus one is unknown", () => {
  const [position] = parseOwnTracks(
    aRequest({ body: { _type: "location", lat: 1, lon: 2, tst: 1, vel: -1, cog: -1 } }),
  ).positions
  assert.ok(position && !("speedMetersPerSecond" in position) && !("bearingDegrees" in position))
})

test("the response shows each colleague with a card and a location", () => {
  const response = ownTracksResponse([
    {
      id: "a1b2",
      name: "Nadia Okoye",
      trackerId: "NO",
      recordedAt: new Date(1_741_073_990_400),
      position: [4.9, 52.37],
      speedMetersPerSecond: 5,
      accuracyMeters: 7.6,
    },
  ])
  assert.deepEqual(JSON.parse(JSON.stringify(response)), [
    { _type: "card", topic: "owntracks/fieldway/a1b2", tid: "NO", name: "Nadia Okoye" },
    {
      _type: "location",
      topic: "owntracks/fieldway/a1b2",
      tid: "NO",
      lat: 52.37,
      lon: 4.9,
      tst: 1_741_073_990,
      acc: 8,
      vel: 18,
    },
  ])
  assert.deepEqual(ownTracksResponse([]), [])
})

test("tracker ids are initials where they are free, and never shared", () => {
  const ids = trackerIds([
    { id: "1", name: "Nadia Okoye" },
    { id: "2", name: "Nils van Oort" },
    { id: "3", name: "Élodie" },
    { id: "4", name: "李" },
    { id: "5", name: "" },
  ])
  assert.deepEqual([...ids.values()], ["NO", "00", "ÉL", "01", "02"])
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme" }), { maxLength: 50 }), (names) => {
      const given = trackerIds(names.map((name, id) => ({ id: String(id), name })))
      assert.equal(new Set(given.values()).size, names.length)
    }),
  )
  const crowd = trackerIds(Array.from({ length: 2000 }, (_, id) => ({ id: String(id), name: "Al Bo" })))
  assert.equal(new Set(crowd.values()).size, 2000)
})
