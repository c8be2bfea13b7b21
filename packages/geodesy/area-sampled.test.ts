import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { type AreaShape, areaOf } from "./area.ts"
import { bearingDegrees, destination, type LngLat, wrapLongitude } from "./geodesy.ts"

/*
 * Areas against points along their edges: slower and less exact than the formulas, and written without them.
 */

const earthRadius = 6_371_000
const radians = Math.PI / 180
type Vector = readonly [number, number, number]
const vectorOf = ([lng, lat]: LngLat): Vector => [
  Math.cos(lat * radians) * Math.cos(lng * radians),
  Math.cos(lat * radians) * Math.sin(lng * radians),
  Math.sin(lat * radians),
]
const positionOf = ([x, y, z]: Vector): LngLat => [
  Math.atan2(y, x) / radians,
  Math.atan2(z, Math.hypot(x, y)) / radians,
]
const metersBetween = (a: Vector, b: Vector) =>
  2 * earthRadius * Math.asin(Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) / 2)

/** A point of a great circle: `part` 0 is its start and 1 its end. */
function pointAt(from: Vector, to: Vector, part: number): Vector {
  const [x, y, z] = [0, 1, 2].map((axis) => (from[axis] ?? 0) * (1 - part) + (to[axis] ?? 0) * part) as [
    number,
    number,
    number,
  ]
  const length = Math.hypot(x, y, z)
  return [x / length, y / length, z / length]
}

/** Points along each edge, in order. */
function sampled(line: readonly LngLat[], count: number): LngLat[] {
  return line.slice(1).flatMap((to, index) => {
    const [start, end] = [vectorOf(line[index] ?? to), vectorOf(to)]
    return Array.from({ length: count + 1 }, (_, step) => positionOf(pointAt(start, end, step / count)))
  })
}

/** Metres to a line: each edge is searched for its nearest point, as the distance along it falls and then rises. */
function metersToLine(position: LngLat, line: readonly LngLat[]): number {
  const here = vectorOf(position)
  const [first] = line
  let least = first ? metersBetween(here, vectorOf(first)) : Number.POSITIVE_INFINITY
  for (const [index, to] of line.slice(1).entries()) {
    const [start, end] = [vectorOf(line[index] ?? to), vectorOf(to)]
    let [low, high] = [0, 1]
    const metersAt = (part: number) => metersBetween(here, pointAt(start, end, part))
    for (let step = 0; step < 60; step++) {
      const third = (high - low) / 3
      if (metersAt(low + third) < metersAt(high - third)) high -= third
      else low += third
    }
    least = Math.min(least, metersAt(low))
  }
  return least
}

/** How often points around a position, seen in their order, turn around it. */
function turnsAround(position: LngLat, ring: readonly LngLat[]): number {
  const bearings = ring.map((point) => bearingDegrees(position, point))
  const turns = bearings.map((bearing, index) => wrapLongitude(bearing - (bearings.at(index - 1) ?? bearing)))
  return Math.round(turns.reduce((sum, degrees) => sum + degrees, 0) / 360)
}

const number = (min: number, max: number) => fc.double({ min, max, noNaN: true })
const anywhere: fc.Arbitrary<LngLat> = fc.tuple(
  fc.oneof(number(-180, 180), number(179.9, 180), fc.constantFrom(-180, 180, 0)),
  number(-89.5, 89.5),
)
/** Where to go from a position: bearing and metres. */
const move = (metersMost: number) => fc.tuple(number(0, 359), number(1, metersMost))
const runs = { numRuns: 60 }

test("metres outside of a corridor are those to the nearest point of its line", () => {
  fc.assert(
    fc.property(
      anywhere,
      fc.array(move(60_000), { minLength: 1, maxLength: 3 }),
      fc.array(fc.tuple(number(0, 1), move(9_000)), { minLength: 3, maxLength: 3 }),
      fc.boolean(),
      (start, moves, places, isRepeated) => {
        const line = [start]
        for (const [bearing, meters] of moves) line.push(destination(line.at(-1) ?? start, bearing, meters))
        if (isRepeated) line.push(line.at(-1) ?? start)
        const area = areaOf({ kind: "corridor", line, widthMeters: 500 })
        const along = sampled(line, 10)
        for (const [part, [bearing, meters]] of places) {
          const near = along[Math.floor(part * (along.length - 1))] ?? start
          const position = destination(near, bearing, meters)
          const expected = Math.max(0, metersToLine(position, line) - 250)
          assert.ok(Math.abs(area.metersOutside(position) - expected) < 0.05, `${position} ${line.join(" ")}`)
        }
      },
    ),
    runs,
  )
})

/** Corners around a centre, some of them due north of it. */
const star = fc.tuple(
  anywhere,
  fc.array(number(20_000, 300_000), { minLength: 3, maxLength: 8 }),
  fc.constantFrom(0, 17),
)
const starOf = ([center, radii, turned]: [LngLat, number[], number]): LngLat[] =>
  radii.map((meters, index) => destination(center, turned + (index * 360) / radii.length, meters))

test("a position is inside a polygon when the polygon turns around it", () => {
  fc.assert(
    fc.property(star, fc.array(fc.tuple(number(0, 359), number(0, 1)), { maxLength: 4 }), (drawn, places) => {
      const ring = starOf(drawn)
      const [center] = drawn
      const area = areaOf({ kind: "polygon", rings: [ring] })
      const closed = [...ring, ...ring.slice(0, 1)]
      const around = sampled(closed, 12)
      // Also north and south of corners, where two edges meet on the meridian.
      const positions = [
        ...places.map(([bearing, part]) => destination(center, bearing, part * 300_000)),
        ...ring.flatMap(([lng, lat]): LngLat[] => [
          [lng, Math.min(89.9, lat + 0.05)],
          [lng, Math.max(-89.9, lat - 0.05)],
          [lng, center[1]],
        ]),
      ]
      for (const position of positions) {
        const meters = metersToLine(position, closed)
        if (meters < 1) continue
        const expected = turnsAround(position, around) === 0 ? meters : 0
        const outside = area.metersOutside(position)
        if (outside === Number.POSITIVE_INFINITY) assert.ok(expected > 10_000)
        else assert.ok(Math.abs(outside - expected) < 0.05, `${position}: ${outside}, not ${expected}`)
      }
    }),
    runs,
  )
})

test("a box holds every point of an area and no more than it must", () => {
  const isAtMost = (one: number, other: number, tolerance = 1e-9) => one <= other + tolerance
  fc.assert(
    fc.property(star, fc.constantFrom(0, 50_000, 400_000), (drawn, halfWidth) => {
      const ring = starOf(drawn)
      const shape: AreaShape =
        halfWidth === 0
          ? { kind: "polygon", rings: [ring] }
          : { kind: "corridor", line: ring, widthMeters: 2 * halfWidth }
      const { box } = areaOf(shape)
      const edge = sampled(halfWidth === 0 ? [...ring, ...ring.slice(0, 1)] : ring, 20)
      const points =
        halfWidth === 0
          ? edge
          : edge.flatMap((point) =>
              Array.from({ length: 24 }, (_, step) => destination(point, step * 15, halfWidth)),
            )
      const detail = JSON.stringify([box, ring])
      const isWhole = box.west === -180 && box.east === 180
      assert.ok(box.west >= -180 && box.west <= 180 && box.west <= box.east, detail)
      for (const [lng, lat] of points) {
        assert.ok(isAtMost(box.south, lat) && isAtMost(lat, box.north), detail)
        const east = [lng - 360, lng, lng + 360].some(
          (each) => isAtMost(box.west, each) && isAtMost(each, box.east),
        )
        assert.ok(isWhole || east, detail)
      }
      const latitudes = points.map(([, lat]) => lat)
      if (box.north < 90) assert.ok(isAtMost(box.north, Math.max(...latitudes), 0.02), detail)
      if (box.south > -90) assert.ok(isAtMost(Math.min(...latitudes), box.south, 0.02), detail)
      if (isWhole || halfWidth > 0) return
      const longitudes = points.map(([lng]) => wrapLongitude(lng - box.west)).filter((lng) => lng > -1e-9)
      assert.ok(isAtMost(box.east - box.west, Math.max(...longitudes), 0.5), detail)
    }),
    runs,
  )
})

const around = (latitude: number): LngLat[] =>
  Array.from({ length: 24 }, (_, step): LngLat => [-180 + step * 15, latitude])

test("a ring around the earth holds the pole that it is nearer to, and one around nothing holds none", () => {
  for (const [latitude, pole] of [
    [0.01, 90],
    [0, 90],
    [-0.01, -90],
    [60, 90],
    [-60, -90],
  ] as const) {
    const area = areaOf({ kind: "polygon", rings: [around(latitude)] })
    for (const lat of [-89, -70, 70, 89]) {
      const isHeld = lat > 0 === pole > 0
      assert.equal(area.metersOutside([33, lat]) === 0, isHeld, `${latitude} ${lat}`)
    }
    assert.deepEqual([area.box.west, area.box.east], [-180, 180])
    assert.equal(pole > 0 ? area.box.north : area.box.south, pole)
    assert.ok(Math.abs((pole > 0 ? area.box.south : area.box.north) - latitude) < 0.7)
  }
})

test("a corridor around the earth spans every longitude", () => {
  const line = around(60).slice(0, 23)
  const narrow = areaOf({ kind: "corridor", line, widthMeters: 1000 }).box
  assert.ok(Math.abs(narrow.east - narrow.west - 330) < 0.1)
  const { west, east, south, north } = areaOf({ kind: "corridor", line, widthMeters: 2_000_000 }).box
  assert.deepEqual([west, east], [-180, 180])
  assert.ok(south > 50 && south < 52 && north > 69 && north < 71)
})

test("metres are measured up to ten kilometres from the box of an area", () => {
  const degrees = (meters: number) => meters / earthRadius / radians
  const corridor = areaOf({
    kind: "corridor",
    line: [
      [0, 0],
      [1, 0],
    ],
    widthMeters: 2,
  })
  assert.ok(Math.abs(corridor.metersOutside([0.5, degrees(10_000.5)]) - 9_999.5) < 0.01)
  assert.equal(corridor.metersOutside([0.5, degrees(10_001.5)]), Number.POSITIVE_INFINITY)
  const circle = areaOf({ kind: "circle", center: [0, 0], radiusMeters: 5 })
  assert.ok(Math.abs(circle.metersOutside([0, degrees(20_005)]) - 20_000) < 0.01)
  assert.equal(circle.metersOutside([0, degrees(4.9)]), 0)
})

test("of several holes, the one around the position counts", () => {
  const square = (west: number, south: number, size: number): LngLat[] => [
    [west, south],
    [west + size, south],
    [west + size, south + size],
    [west, south + size],
  ]
  const rings = [square(0, 0, 1), square(0.1, 0.1, 0.1), square(0.7, 0.7, 0.2)]
  const area = areaOf({ kind: "polygon", rings })
  const middle: LngLat = [0.8, 0.75]
  assert.ok(Math.abs(area.metersOutside(middle) - metersToLine(middle, square(0.7, 0.7, 0.2))) < 0.01)
  assert.equal(area.metersOutside([0.15, 0.5]), 0)
  const { north, ...sides } = area.box
  assert.deepEqual(sides, { west: 0, south: 0, east: 1 })
  // A great circle between two positions of the same latitude goes beyond it.
  assert.ok(north > 1 && north < 1.0001)
})

test("a shape without positions is no area", () => {
  for (const shape of [
    { kind: "polygon", rings: [] },
    { kind: "polygon", rings: [[]] },
    { kind: "corridor", line: [], widthMeters: 5 },
  ] as const)
    assert.throws(() => areaOf(shape), RangeError)
})
