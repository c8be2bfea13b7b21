import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
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

test("distances and bearings are those of GeographicLib's tests, but for the ellipsoid", () => {
  // Of the test cases of GeographicLib (geodtest): latitude, longitude, azimuth, latitude, longitude, metres on WGS 84.
  for (const [fromLat, fromLng, azimuth, toLat, toLng, meters] of [
    [35.607_77, -139.448_15, 111.098_75, -11.174_91, -69.959_21, 8_935_244.56],
    [55.524_54, 106.050_87, 22.020_06, 77.031_96, 197.182_34, 4_105_086.17],
    [-21.978_56, 142.590_65, -32.444_57, 41.841_38, 98.566_35, 8_394_328.89],
    [-66.990_28, 112.2363, 173.734_91, -12.706_31, 285.903_44, 11_150_344.23],
    [-17.427_61, 173.342_68, -159.033_56, -15.847_84, 5.935_57, 16_076_603.16],
  ] as const) {
    const [from, to]: LngLat[] = [
      [fromLng, fromLat],
      [wrapLongitude(toLng), toLat],
    ]
    assert.ok(from && to)
    near(distanceMeters(from, to), meters, 0.0056 * meters)
    near(wrapLongitude(bearingDegrees(from, to) - azimuth), 0, 0.5)
  }
})

test("a bearing is the angle between the way to the pole and the way to the position", () => {
  const vectorOf = ([lng, lat]: LngLat) => {
    const [x, y] = [(lng * Math.PI) / 180, (lat * Math.PI) / 180]
    return [Math.cos(y) * Math.cos(x), Math.cos(y) * Math.sin(x), Math.sin(y)]
  }
  const dot = (a: number[], b: number[]) => a.reduce((sum, value, axis) => sum + value * (b[axis] ?? 0), 0)
  fc.assert(
    fc.property(inhabited, inhabited, (from, to) => {
      const [lng, lat] = from
      const east = vectorOf([lng + 90, 0])
      const north = lat > 0 ? vectorOf([lng - 180, 90 - lat]) : vectorOf([lng, 90 + lat])
      const target = vectorOf(to)
      const [x, y] = [dot(target, east), dot(target, north)]
      if (Math.hypot(x, y) < 1e-3) return
      const turned = bearingDegrees(from, to) - (Math.atan2(x, y) * 180) / Math.PI
      near(wrapLongitude(turned), 0, 1e-6)
    }),
  )
})

test("the way to a pole ends there, however it is rounded", () => {
  // Found by search: the sine of the latitude is rounded to more than 1.
  for (const [latitude, meters] of [
    [39.61, 5_603_112.353_619_315],
    [83.01, 777_252.537_245_465],
  ] as const) {
    assert.equal(destination([12, latitude], 0, meters)[1], 90)
    assert.equal(destination([12, -latitude], 180, meters)[1], -90)
  }
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

test("no box with the same positions is narrower", () => {
  const places = fc.tuple(fc.integer({ min: -180, max: 180 }), fc.integer({ min: -90, max: 90 }))
  const turnEast = (from: number, to: number) => (to - from + 360) % 360
  fc.assert(
    fc.property(fc.array(places, { minLength: 1, maxLength: 6 }), (positions) => {
      const longitudes = positions.map(([lng]) => lng)
      const latitudes = positions.map(([, lat]) => lat)
      const widths = longitudes.map((west) => Math.max(...longitudes.map((lng) => turnEast(west, lng))))
      const box = boundingBox(positions)
      assert.ok(box)
      assert.deepEqual([box.south, box.north], [Math.min(...latitudes), Math.max(...latitudes)])
      // -180 and 180 are one meridian: a box that holds it may name it either way.
      if (longitudes.some((lng) => Math.abs(lng) === 180)) return
      assert.equal(turnEast(box.west, box.east), Math.min(...widths))
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

test("boxes and wrapped longitudes are exact at their edges", () => {
  assert.equal(wrapLongitude(180), 180)
  assert.equal(wrapLongitude(-180), -180)
  assert.equal(wrapLongitude(190), -170)
  assert.equal(wrapLongitude(-190), 170)
  assert.equal(wrapLongitude(540), -180)
  assert.equal(wrapLongitude(725), 5)
  assert.equal(boundingBox([]), undefined)
  assert.deepEqual(boundingBox([[5, 6]]), { west: 5, south: 6, east: 5, north: 6 })
  assert.deepEqual(
    boundingBox([
      [170, -10],
      [-175, 4],
      [179, 1],
    ]),
    { west: 170, south: -10, east: -175, north: 4 },
  )
  // The wider of two gaps is left out, even if it is hardly wider.
  const west = boundingBox([
    [-90.4, 0],
    [90, 0],
  ])
  assert.deepEqual(west, { west: 90, south: 0, east: -90.4, north: 0 })
  // Two gaps of the same width: the one over the antimeridian is left out.
  assert.deepEqual(
    boundingBox([
      [-90, 0],
      [90, 0],
    ]),
    { west: -90, south: 0, east: 90, north: 0 },
  )
  const box = { west: 170, south: -10, east: -175, north: 4 }
  for (const inside of [
    [170, -10],
    [-175, 4],
    [180, 0],
    [-180, 0],
  ] as LngLat[])
    assert.ok(boxHolds(box, inside))
  for (const outside of [
    [169.9, 0],
    [-174.9, 0],
    [0, 0],
    [175, -10.1],
    [175, 4.1],
  ] as LngLat[])
    assert.ok(!boxHolds(box, outside), String(outside))
  const line = { west: 5, south: -10, east: 5, north: 4 }
  assert.ok(boxHolds(line, [5, 0]) && !boxHolds(line, [4.9, 0]) && !boxHolds(line, [5.1, 0]))
  const plain = { west: 1, south: 2, east: 3, north: 4 }
  for (const inside of [
    [1, 2],
    [3, 4],
  ] as LngLat[])
    assert.ok(boxHolds(plain, inside))
  for (const outside of [
    [0.9, 3],
    [3.1, 3],
    [2, 1.9],
    [2, 4.1],
  ] as LngLat[])
    assert.ok(!boxHolds(plain, outside))
  assert.ok(isNullIsland([0, 0]) && !isNullIsland([0, 1]) && !isNullIsland([1, 0]))
})

test("a box around a circle touches it, and holds every longitude only where it holds a pole", () => {
  const degree = (Math.PI / 180) * earthRadiusMeters
  const small = boxAround([20, 0], degree)
  for (const [side, expected] of Object.entries({ west: 19, south: -1, east: 21, north: 1 }))
    near(small[side as keyof typeof small], expected, 1e-9)
  const high = boxAround([20, 88], degree)
  assert.ok(high.north < 90 && high.west > -180 && high.east - high.west > 2 && high.east - high.west < 180)
  assert.deepEqual(boxAround([20, 89.5], degree), { west: -180, south: 88.5, east: 180, north: 90 })
  assert.deepEqual(boxAround([20, -89.5], degree), { west: -180, south: -90, east: 180, north: -88.5 })
  const eighth = (Math.PI / 4) * earthRadiusMeters
  assert.deepEqual(boxAround([20, 45], eighth), { west: -180, south: 0, east: 180, north: 90 })
  assert.deepEqual(boxAround([20, -45], eighth), { west: -180, south: -90, east: 180, north: 0 })
  near(midpoint([0, 0], [90, 0])[0], 45, 1e-9)
})
