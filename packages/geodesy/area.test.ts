import assert from "node:assert/strict"
import { test } from "node:test"
import { type AreaShape, areaOf } from "./area.ts"
import { areaProblem } from "./area-problem.ts"
import { destination, type LngLat, wrapLongitude } from "./geodesy.ts"

const square: LngLat[] = [
  [4, 52],
  [5, 52],
  [5, 53],
  [4, 53],
]
const polygon = (...rings: LngLat[][]): AreaShape => ({ kind: "polygon", rings })
const at = (shape: AreaShape, position: LngLat) => Math.round(areaOf(shape).metersOutside(position))

test("metres outside of polygons, corridors and circles", () => {
  assert.equal(at(polygon(square), [4.5, 52.5]), 0)
  // Edges are great circles: half way, the southern one is north of both of its ends.
  assert.ok(at(polygon(square), [4.5, 52.001]) > 0)
  assert.equal(at(polygon(square), [5.001, 52.5]), 68)
  assert.equal(at(polygon(square), [9, 52.5]), Number.POSITIVE_INFINITY)
  const hole: LngLat[] = [
    [4.4, 52.4],
    [4.6, 52.4],
    [4.6, 52.6],
    [4.4, 52.6],
  ]
  assert.equal(at(polygon(square, hole), [4.41, 52.5]), 677)
  assert.equal(at(polygon(square, hole), [4.3, 52.5]), 0)
  const corridor: AreaShape = {
    kind: "corridor",
    line: [
      [4, 52],
      [4, 52.1],
      [4.1, 52.1],
    ],
    widthMeters: 200,
  }
  assert.equal(at(corridor, [4.001, 52.05]), 0)
  assert.equal(at(corridor, [4.002, 52.05]), 37)
  const circle: AreaShape = { kind: "circle", center: [4, 52], radiusMeters: 500 }
  assert.equal(at(circle, destination([4, 52], 77, 520)), 20)
})

test("areas lie anywhere, also on the antimeridian and around a pole", () => {
  for (const shift of [0, 90, 175.3, 175.5, 176, -179, -184]) {
    const move = ([lng, lat]: LngLat): LngLat => [wrapLongitude(lng + shift), lat]
    const moved = areaOf(polygon(square.map(move)))
    for (let index = 0; index < 400; index++) {
      const position: LngLat = [3.7 + (index % 20) * 0.08, 51.8 + Math.floor(index / 20) * 0.07]
      const there = moved.metersOutside(move(position))
      const here = areaOf(polygon(square)).metersOutside(position)
      assert.ok(there === here || Math.abs(there - here) < 0.01, `${shift} ${position}`)
      const inBox = move(position)[0]
      if (there === 0)
        assert.ok(
          [inBox, inBox + 360].some((lng) => lng >= moved.box.west - 1e-9 && lng <= moved.box.east + 1e-9),
        )
    }
  }
  const arctic = areaOf(polygon([0, 45, 90, 135, 180, -135, -90, -45].map((lng) => [lng, 80] as const)))
  assert.equal(arctic.metersOutside([12, 89]), 0)
  assert.equal(arctic.metersOutside([-170, 84]), 0)
  assert.ok(arctic.metersOutside([12, 79.95]) > 0)
  assert.deepEqual(arctic.box.north, 90)
})

test("what is no area is refused with a reason", () => {
  assert.equal(areaProblem(polygon(square)), undefined)
  assert.match(
    areaProblem(
      polygon([
        [4, 52],
        [5, 53],
        [5, 52],
        [4, 53],
      ]),
    ) ?? "",
    /cross/,
  )
  assert.match(
    areaProblem(
      polygon([
        [4, 52],
        [5, 53],
        [4, 52],
      ]),
    ) ?? "",
    /three/,
  )
  assert.match(
    areaProblem(
      polygon([
        [4, 52],
        [5, 53],
        [4, 91],
      ]),
    ) ?? "",
    /Latitudes|latitudes/,
  )
  assert.match(areaProblem({ kind: "circle", center: [4, 52], radiusMeters: 0 }) ?? "", /radius/)
  assert.match(
    areaProblem({
      kind: "corridor",
      line: [
        [4, 52],
        [4, 52],
      ],
      widthMeters: 9,
    }) ?? "",
    /two/,
  )
  const fiji: LngLat[] = [
    [179, -17],
    [-179, -17],
    [-179, -18],
    [179, -18],
  ]
  assert.equal(areaProblem(polygon(fiji)), undefined)
})

test("the box of a circle touches the circle on every side, and spans the earth where it holds a pole", () => {
  const degreesOf = (meters: number) => (meters / 6_371_000) * (180 / Math.PI)
  const bearings = Array.from({ length: 720 }, (_, step) => step / 2)
  for (const latitude of [-89.9, -80, -45, 0, 30, 60, 85, 89.9])
    for (const longitude of [-180, -179.9, 0, 4.9, 179.9])
      for (const radiusMeters of [100, 20_000, 500_000]) {
        const center: LngLat = [longitude, latitude]
        const { box } = areaOf({ kind: "circle", center, radiusMeters })
        const reach = degreesOf(radiusMeters)
        const detail = `${center} ${radiusMeters} ${JSON.stringify(box)}`
        if (Math.abs(latitude) + reach >= 90) {
          assert.deepEqual([box.west, box.east], [-180, 180], detail)
          const [south, north] = [Math.max(-90, latitude - reach), Math.min(90, latitude + reach)]
          assert.ok(Math.abs(box.south - south) < 1e-9 && Math.abs(box.north - north) < 1e-9, detail)
          continue
        }
        const edge = bearings.map((bearing) => destination(center, bearing, radiusMeters))
        const turns = edge.map(([lng]) => Math.abs(wrapLongitude(lng - longitude)))
        const half = (box.east - box.west) / 2
        assert.ok(Math.abs(half - Math.max(...turns)) < 1e-3 * half, detail)
        assert.ok(Math.abs(wrapLongitude(box.west + half - longitude)) < 1e-9, detail)
        assert.ok(box.west >= -180 && box.west <= 180, detail)
        assert.ok(
          Math.abs(box.north - latitude - reach) < 1e-9 && Math.abs(latitude - box.south - reach) < 1e-9,
          detail,
        )
      }
})
