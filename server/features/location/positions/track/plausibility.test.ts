import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { destination, distanceMeters, type LngLat } from "#packages/geodesy/geodesy.ts"
import { legDistances, trackTotals } from "./distance.ts"
import {
  groundTravel,
  judgeTrack,
  type PlausibilityLimits,
  type VerdictName,
  verdicts,
} from "./plausibility.ts"
import { type TrackPoint, toTrack } from "./track.ts"

const depot: LngLat = [4.9, 52.37]
const second = 1000

/** A ride due east at `speed` metres per second, one point a second. */
function ride(count: number, { from = depot, startAt = 0, speed = 10 } = {}): TrackPoint[] {
  return Array.from({ length: count }, (_, i) => ({
    recordedAt: startAt + i * second,
    position: destination(from, 90, i * speed),
    accuracyMeters: 5,
  }))
}

function names(points: readonly TrackPoint[]): VerdictName[] {
  const byNumber = Object.keys(verdicts) as VerdictName[]
  return [...judgeTrack(toTrack(points))].map((verdict) => byNumber[verdict] ?? "jump")
}

test("an ordinary ride counts in full", () => {
  const points = ride(60)
  assert.ok(names(points).every((name) => name === "plausible"))
  const totals = trackTotals(toTrack(points))
  assert.ok(Math.abs(totals.distanceMeters - 590) < 0.01)
  assert.equal(totals.durationSeconds, 59)
})

test("a stale fix between good ones is flagged and leaves the distance alone", () => {
  const points = ride(60)
  const stale = { recordedAt: 30.4 * second, position: destination(depot, 200, 2700), accuracyMeters: 9 }
  const judged = names([...points, stale])
  assert.equal(judged.filter((name) => name === "jump").length, 1)
  assert.equal(judged[31], "jump")
  assert.ok(Math.abs(trackTotals(toTrack([...points, stale])).distanceMeters - 590) < 0.01)
})

test("a bad first fix does not condemn the ride that follows", () => {
  const yesterday = { recordedAt: -2 * second, position: destination(depot, 10, 80_000), accuracyMeters: 20 }
  const judged = names([yesterday, ...ride(60)])
  assert.deepEqual(judged.slice(0, 3), ["jump", "plausible", "plausible"])
  assert.ok(Math.abs(trackTotals(toTrack([yesterday, ...ride(60)])).distanceMeters - 590) < 0.01)
})

test("a real relocation goes on from the new place, and the impossible leg does not count", () => {
  const elsewhere = destination(depot, 45, 400_000)
  const points = [...ride(60), ...ride(60, { from: elsewhere, startAt: 70 * second })]
  const judged = names(points)
  assert.equal(judged[60], "restart")
  assert.ok(judged.every((name) => name === "plausible" || name === "restart"))
  assert.ok(Math.abs(trackTotals(toTrack(points)).distanceMeters - 1180) < 0.01)
})

test("a fix that the device itself calls wide is left out", () => {
  const points = ride(10)
  points[5] = { recordedAt: 5 * second, position: destination(depot, 0, 900), accuracyMeters: 1500 }
  assert.equal(names(points)[5], "inaccurate")
  assert.ok(Math.abs(trackTotals(toTrack(points)).distanceMeters - 90) < 0.01)
})

test("network fixes between the GPS fixes of a parked van do not make it travel", () => {
  const points: TrackPoint[] = []
  for (let i = 0; i < 120; i++) {
    points.push({ recordedAt: i * second, position: depot, accuracyMeters: 8 })
    const network = destination(depot, (i * 40) % 360, 60)
    points.push({ recordedAt: i * second + 600, position: network, accuracyMeters: 38 })
  }
  assert.equal(names(points)[1], "inaccurate")
  assert.equal(trackTotals(toTrack(points)).distanceMeters, 0)
})

test("where GPS has gone, network fixes count after some seconds", () => {
  const points: TrackPoint[] = [{ recordedAt: 0, position: depot, accuracyMeters: 5 }]
  for (let i = 1; i <= 10; i++) {
    points.push({
      recordedAt: i * 10 * second,
      position: destination(depot, 90, i * 100),
      accuracyMeters: 40,
    })
  }
  assert.deepEqual(names(points).slice(0, 4), ["plausible", "inaccurate", "plausible", "plausible"])
  assert.ok(Math.abs(trackTotals(toTrack(points)).distanceMeters - 1000) < 0.01)
})

test("a stopped clock travels nowhere", () => {
  const points = ride(50).map((point) => ({ ...point, recordedAt: 1000 }))
  assert.deepEqual(names(points).slice(0, 3), ["plausible", "repeat", "repeat"])
  assert.deepEqual(trackTotals(toTrack(points)), {
    distanceMeters: 0,
    durationSeconds: 0,
    travelledCount: 1,
    pointCount: 50,
  })
})

test("the order of arrival does not change the result", () => {
  const jump = { recordedAt: 12.5 * second, position: destination(depot, 0, 5000), accuracyMeters: 10 }
  const [sameInstant] = ride(1, { from: destination(depot, 0, 20) })
  const points = [...ride(40), jump, ...(sameInstant ? [{ ...sameInstant, accuracyMeters: 12 }] : [])]
  const expected = trackTotals(toTrack(points))
  fc.assert(
    fc.property(fc.shuffledSubarray(points, { minLength: points.length }), (shuffled) => {
      assert.deepEqual(trackTotals(toTrack(shuffled)), expected)
    }),
  )
})

test("legs sum up to the total, which is never more than the sum over all points", () => {
  const somePoints = fc.array(
    fc.record({
      recordedAt: fc.integer({ min: 0, max: 600_000 }),
      position: fc.tuple(
        fc.double({ min: 4.8, max: 5, noNaN: true }),
        fc.double({ min: 52.3, max: 52.4, noNaN: true }),
      ),
      accuracyMeters: fc.option(fc.double({ min: 0, max: 400, noNaN: true }), { nil: undefined }),
    }),
    { maxLength: 60, size: "max" },
  )
  fc.assert(
    fc.property(somePoints, (points) => {
      const track = toTrack(points)
      const total = trackTotals(track).distanceMeters
      assert.ok(Math.abs(legDistances(track).reduce((sum, leg) => sum + leg, 0) - total) < 1e-6)
      const sorted = [...points].sort((a, b) => a.recordedAt - b.recordedAt)
      let everything = 0
      for (const [i, point] of sorted.entries()) {
        const before = sorted[i - 1]
        if (before) everything += distanceMeters(before.position, point.position)
      }
      assert.ok(total <= everything + 1e-6)
    }),
  )
})

test("an empty track and a single point have no length", () => {
  assert.equal(trackTotals(toTrack([])).distanceMeters, 0)
  assert.deepEqual(trackTotals(toTrack(ride(1))), {
    distanceMeters: 0,
    durationSeconds: 0,
    travelledCount: 1,
    pointCount: 1,
  })
})

const limits: PlausibilityLimits = {
  maxSpeedMetersPerSecond: 10,
  maxAccuracyMeters: 100,
  coarseFactor: 2,
  fadeMetersPerSecond: 1,
  assumedAccuracyMeters: 30,
  confirmPoints: 3,
  confirmSeconds: 10,
}
const at = (seconds: number, meters: number, accuracyMeters?: number): TrackPoint => ({
  recordedAt: seconds * second,
  position: destination(depot, 90, meters),
  accuracyMeters,
})
/** The verdicts by their first letters: a run that goes on is `r`, a jump `j`, an inaccurate point `i`. */
const lettersOf = (points: readonly TrackPoint[], rules = limits) => {
  const byNumber = Object.keys(verdicts) as VerdictName[]
  return [...judgeTrack(toTrack(points), rules)].map((verdict) => byNumber[verdict]?.[0]).join("")
}

test("the limits hold up to their very value", () => {
  // Accuracy.
  assert.equal(lettersOf([at(0, 0, 100), at(1, 0, 100.1)]), "pi")
  assert.equal(lettersOf([at(0, 0)], { ...limits, maxAccuracyMeters: 30 }), "p")
  assert.equal(lettersOf([at(0, 0)], { ...limits, maxAccuracyMeters: 29 }), "i")
  // Speed, with what both points may be wrong by; under a second counts as one.
  assert.equal(lettersOf([at(0, 0, 4), at(5, 59.9, 6)]), "pp")
  assert.equal(lettersOf([at(0, 0, 4), at(5, 60.1, 6)]), "pj")
  assert.equal(lettersOf([at(0, 0, 4), at(0.5, 19.9, 6)]), "pp")
  assert.equal(lettersOf([at(0, 0, 4), at(0.5, 20.1, 6)]), "pj")
  assert.equal(lettersOf([at(0, 0), at(5, 109.9)]), "pp")
  assert.equal(lettersOf([at(0, 0), at(5, 110.1)]), "pj")
  // Coarser than what is known, which fades.
  assert.equal(lettersOf([at(0, 0, 5), at(10, 0, 30)]), "pp")
  assert.equal(lettersOf([at(0, 0, 5), at(10, 0, 30.1)]), "pi")
  assert.equal(lettersOf([at(0, 0), at(10, 0, 99)]), "pp")
  // By default 70 m/s on the ground, and fixes up to 250 m.
  assert.equal(lettersOf([at(0, 0, 0), at(10, 699, 0)], groundTravel), "pp")
  assert.equal(lettersOf([at(0, 0, 0), at(10, 701, 0)], groundTravel), "pj")
  assert.equal(lettersOf([at(0, 0, 250), at(1, 0, 251)], groundTravel), "pi")
  assert.equal(lettersOf([at(0, 0), at(10, 759)], groundTravel), "pp")
  assert.equal(lettersOf([at(0, 0), at(10, 761)], groundTravel), "pj")
  assert.equal(lettersOf([at(0, 0, 5), at(10, 0, 30)], groundTravel), "pp")
  assert.equal(lettersOf([at(0, 0, 5), at(10, 0, 31)], groundTravel), "pi")
})

test("another place is accepted after three points that agree over ten seconds, and not before", () => {
  const ours = [at(0, 0, 5), at(5, 0, 5), at(10, 0, 5)]
  const there = (...seconds: number[]) => seconds.map((moment) => at(moment, 90_000, 5))
  // The first run is known: the track goes on elsewhere.
  assert.equal(lettersOf([...ours, ...there(20, 25, 30)]), "ppprpp")
  assert.equal(lettersOf([...ours, ...there(20, 25, 29.9)]), "pppjjj")
  assert.equal(lettersOf([...ours, ...there(20, 30)]), "pppjj")
  assert.equal(lettersOf([...ours, ...there(20, 25, 30)], groundTravel), "ppprpp")
  assert.equal(lettersOf([...ours, ...there(20, 25, 29.9)], groundTravel), "pppjjj")
  assert.equal(lettersOf([...ours, ...there(20, 30)], groundTravel), "pppjj")
  // The first run was never known: it is the jump.
  assert.equal(lettersOf([at(0, 0, 5), at(5, 0, 5), at(9.9, 0, 5), ...there(20, 25, 30)]), "jjjppp")
  assert.equal(lettersOf([at(0, 0, 5), at(10, 0, 5), ...there(20, 25, 30)]), "jjppp")
  // A point of the known place ends the rival; two rivals do not confirm each other.
  assert.equal(lettersOf([...ours, ...there(20, 25), at(27, 0, 5), ...there(30, 31)]), "pppjjpjj")
  const mixed = [20, 22, 24, 26, 28, 30, 32].map((moment, i) => at(moment, i % 2 ? 90_000 : 180_000, 5))
  assert.equal(lettersOf([...ours, ...mixed]), `ppp${"j".repeat(7)}`)
  // After it was accepted, the new place is the known one.
  const back = [40, 45, 50].map((moment) => at(moment, 0, 5))
  assert.equal(lettersOf([...ours, ...there(20, 25, 30), ...back]), "ppprpprpp")
})
