import assert from "node:assert/strict"
import { test } from "node:test"
import type { AreaShape } from "./area.ts"
import { areaLimits, areaProblem, withoutRepeats } from "./area-problem.ts"
import type { LngLat } from "./geodesy.ts"

const circle = (radiusMeters: number, center: LngLat = [4.9, 52.4]): AreaShape => ({
  kind: "circle",
  center,
  radiusMeters,
})
const corridor = (line: LngLat[], widthMeters = 100): AreaShape => ({ kind: "corridor", line, widthMeters })
const polygon = (...ring: LngLat[]): AreaShape => ({ kind: "polygon", rings: [ring] })
const isFine = (shape: AreaShape) => areaProblem(shape) === undefined

test("each limit of an area holds up to its very value", () => {
  for (const [meters, fine] of [
    [1, true],
    [0.99, false],
    [areaLimits.radiusMeters, true],
    [areaLimits.radiusMeters + 1, false],
  ] as const)
    assert.equal(isFine(circle(meters)), fine, String(meters))
  const line: LngLat[] = [
    [0, 0],
    [1, 0],
  ]
  for (const [meters, fine] of [
    [1, true],
    [0.99, false],
    [areaLimits.widthMeters, true],
    [areaLimits.widthMeters + 1, false],
  ] as const)
    assert.equal(isFine(corridor(line, meters)), fine, String(meters))
  const zigzag = (count: number) => Array.from({ length: count }, (_, at): LngLat => [at / 1000, at % 2])
  assert.ok(isFine(corridor(zigzag(areaLimits.positions))))
  assert.ok(!isFine(corridor(zigzag(areaLimits.positions + 1))))
  for (const corner of [
    [180, 90],
    [-180, -90],
    [0, 0],
  ] as const)
    assert.ok(isFine(circle(10, corner)))
  for (const nowhere of [
    [180.01, 0],
    [-180.01, 0],
    [0, 90.01],
    [0, -90.01],
    [Number.NaN, 0],
    [0, Number.NaN],
  ] as const)
    assert.ok(!isFine(circle(10, nowhere)), String(nowhere))
  // 2,000 km are 17.9864 degrees of the equator.
  assert.ok(
    isFine(
      corridor([
        [0, 0],
        [17.986, 0],
      ]),
    ),
  )
  assert.ok(
    !isFine(
      corridor([
        [0, 0],
        [17.987, 0],
      ]),
    ),
  )
  assert.ok(
    !isFine(
      corridor([
        [0, 0],
        [1, 0],
        [19, 0],
      ]),
    ),
  )
})

test("a corridor has two different positions, a polygon three, whatever is repeated", () => {
  assert.ok(!isFine(corridor([[1, 1]])))
  assert.ok(
    !isFine(
      corridor([
        [1, 1],
        [1, 1],
        [1, 1],
      ]),
    ),
  )
  assert.ok(
    isFine(
      corridor([
        [1, 1],
        [1, 1],
        [1, 2],
      ]),
    ),
  )
  assert.ok(!isFine({ kind: "polygon", rings: [] }))
  assert.ok(!isFine(polygon([0, 0], [1, 0], [0, 0], [1, 0])))
  assert.ok(isFine(polygon([0, 0], [1, 0], [1, 0], [0, 1], [0, 0])))
  assert.ok(
    !isFine({
      kind: "polygon",
      rings: [
        [
          [0, 0],
          [9, 0],
          [0, 9],
        ],
        [
          [1, 1],
          [2, 1],
        ],
      ],
    }),
  )
  assert.deepEqual(
    withoutRepeats([
      [0, 0],
      [0, 0],
      [1, 0],
      [0, 1],
      [0, 0],
      [0, 0],
    ]),
    [
      [0, 0],
      [1, 0],
      [0, 1],
    ],
  )
  assert.deepEqual(
    withoutRepeats([
      [0, 0],
      [0, 0],
    ]),
    [[0, 0]],
  )
})

test("edges that cross or lie on each other are refused, and those that only come near are not", () => {
  assert.ok(isFine(polygon([0, 0], [4, 0], [4, 4], [0, 4])))
  assert.ok(!isFine(polygon([0, 0], [4, 4], [4, 0], [0, 4])))
  // Over the antimeridian, either way around.
  assert.ok(isFine(polygon([178, 0], [-178, 0], [-178, 4], [178, 4])))
  assert.ok(!isFine(polygon([178, 0], [-178, 4], [-178, 0], [178, 4])))
  assert.ok(isFine(polygon([-178, 4], [-178, 0], [178, 0], [178, 4])))
  // Two teeth on one line; with a third corner between them they lie on each other.
  assert.ok(isFine(polygon([0, 0], [1, 0], [1, 1], [2, 1], [2, 0], [3, 0], [3, 3], [0, 3])))
  assert.ok(!isFine(polygon([0, 0], [2, 0], [2, 1], [1, 1], [1, 0], [3, 0], [3, 3], [0, 3])))
  // A corner on another edge, from above, from below and from either side.
  assert.ok(!isFine(polygon([0, 0], [4, 0], [4, 4], [2, 0], [0, 4])))
  assert.ok(!isFine(polygon([0, 4], [4, 4], [4, 0], [2, 4], [0, 0])))
  assert.ok(!isFine(polygon([0, 0], [0, 4], [4, 4], [0, 2], [4, 0])))
  assert.ok(isFine(polygon([0, 0], [4, 0], [4, 4], [2, 0.1], [0, 4])))
  assert.ok(isFine(polygon([0, 4], [4, 4], [4, 0], [2, 3.9], [0, 0])))
})
