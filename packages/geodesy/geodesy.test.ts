import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { unwrapRing } from "./antimeridian.ts"
import {
  bearingDegrees,
  boundingBox,
  boxAround,
  boxHolds,
  destination,
  distanceMeters,
  earthRadiusMeters,
  isNullIsland,
  type LngLat,
  midpoint,
  wrapLongitude,
} from "./geodesy.ts"

const position = fc.tuple(
  fc.double({ min: -180, max: 180, noNaN: true }),
  fc.double({ min: -90, max: 90, noNaN: true }),
)
/** Away from the poles, where a bearing and a longitude lose their meaning. */
const inhabited = fc.tuple(
  fc.double({ min: -180, max: 180, noNaN: true }),
  fc.double({ min: -80, max: 80, noNaN: true }),
)
const near = (actual: number, expected: number, tolerance: number) =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not within ${tolerance} of ${expected}`)

test("known distances come out in metres", () => {
  // A degree of a great circle is R times pi / 180.
  near(distanceMeters([0, 0], [0, 1]), 111_194.93, 0.01)
  near(distanceMeters([0, 0], [1, 0]), 111_194.93, 0.01)
  // Land's End to John o' Groats, a common textbook case on the sphere of 6371 km: 968.9 km.
  near(distanceMeters([-5.714_722, 50.066_389], [-3.07, 58.643_889]), 968_850, 60)
  near(distanceMeters([0, 90], [0, -90]), Math.PI * earthRadiusMeters, 0.001)
  near(distanceMeters([179.9999, 0], [-179.9999, 0]), 22.24, 0.01)
})

test("a distance is symmetric, never negative, and at most half the circumference", () => {
  fc.assert(
    fc.property(position, position, (from, to) => {
      const meters = distanceMeters(from, to)
      assert.ok(meters >= 0 && meters <= Math.PI * earthRadiusMeters + 1e-6)
      near(distanceMeters(to, from), meters, 1e-6)
    }),
  )
})

test("no detour is shorter than the direct way", () => {
  fc.assert(
    fc.property(position, position, position, (from, over, to) => {
      assert.ok(distanceMeters(from, to) <= distanceMeters(from, over) + distanceMeters(over, to) + 0.5)
    }),
  )
})

test("going a distance in a direction arrives at that distance in that direction", () => {
  fc.assert(
    fc.property(
      inhabited,
      fc.double({ min: 0, max: 359.9, noNaN: true }),
      fc.double({ min: 1, max: 500_000, noNaN: true }),
      (from, bearing, meters) => {
        const reached = destination(from, bearing, meters)
        assert.ok(Math.abs(reached[0]) <= 180 && Math.abs(reached[1]) <= 90)
        near(distanceMeters(from, reached), meters, 0.01)
        const turned = Math.abs(bearingDegrees(from, reached) - bearing)
        near(Math.min(turned, 360 - turned), 0, 0.01)
      },
    ),
  )
})

test("bearings name the compass", () => {
  near(bearingDegrees([5, 50], [5, 51]), 0, 1e-9)
  near(bearingDegrees([5, 0], [6, 0]), 90, 1e-9)
  near(bearingDegrees([5, 50], [5, 49]), 180, 1e-9)
  near(bearingDegrees([5, 0], [4, 0]), 270, 1e-9)
  assert.equal(bearingDegrees([5, 50], [5, 50]), 0)
})

test("the midpoint is equally far from both ends", () => {
  fc.assert(
    fc.property(inhabited, inhabited, (from, to) => {
      const middle = midpoint(from, to)
      near(distanceMeters(from, middle), distanceMeters(to, middle), 1)
      near(distanceMeters(from, middle), distanceMeters(from, to) / 2, 1)
    }),
  )
})

test("a bounding box holds all of its positions", () => {
  fc.assert(
    fc.property(fc.array(position, { minLength: 1, maxLength: 20 }), (positions) => {
      const box = boundingBox(positions)
      assert.ok(box)
      for (const each of positions) assert.ok(boxHolds(box, each))
    }),
  )
})

test("a bounding box over the antimeridian stays small", () => {
  assert.equal(boundingBox([]), undefined)
  const box = boundingBox([
    [178, -17],
    [-179, -16],
  ])
  assert.deepEqual(box, { west: 178, south: -17, east: -179, north: -16 })
  assert.ok(box && boxHolds(box, [180, -16.5]) && boxHolds(box, [-180, -16.5]) && !boxHolds(box, [0, -16.5]))
})

test("every position of a circle lies in the box around it", () => {
  fc.assert(
    fc.property(
      inhabited,
      fc.double({ min: 0, max: 359, noNaN: true }),
      fc.double({ min: 1, max: 200_000, noNaN: true }),
      (center, bearing, radius) => {
        const box = boxAround(center, radius)
        const rim: LngLat = destination(center, bearing, radius * 0.999_99)
        assert.ok(boxHolds(box, rim), JSON.stringify({ box, rim }))
      },
    ),
  )
})

test("longitudes wrap around the earth", () => {
  assert.equal(wrapLongitude(181), -179)
  assert.equal(wrapLongitude(-181), 179)
  assert.equal(wrapLongitude(180), 180)
  assert.equal(wrapLongitude(540), -180)
})

test("only exactly 0, 0 is null island", () => {
  assert.ok(isNullIsland([0, 0]))
  assert.ok(isNullIsland([-0, 0]))
  assert.ok(!isNullIsland([0, 0.000_001]))
})

test("rings go on beyond the antimeridian, and along a pole", () => {
  const across = [
    [179, -17],
    [-179, -17],
    [-179, -16],
    [179, -16],
    [179, -17],
  ]
  assert.deepEqual(unwrapRing(across), [
    [179, -17],
    [181, -17],
    [181, -16],
    [179, -16],
    [179, -17],
  ])
  const aroundPole = [
    [-90, -70],
    [0, -70],
    [90, -70],
    [180, -70],
    [-90, -70],
  ]
  assert.deepEqual(unwrapRing(aroundPole).slice(4), [
    [270, -70],
    [270, -90],
    [-90, -90],
    [-90, -70],
  ])
})
