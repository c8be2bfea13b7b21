import assert from "node:assert/strict"
import { test } from "node:test"
import type { AreaShape } from "./area.ts"
import { areaProblem, withoutRepeats } from "./area-problem.ts"
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
    [500_000, true],
    [500_001, false],
  ] as const)
    assert.equal(isFine(circle(meters)), fine, String(meters))
  const line: LngLat[] = [
    [0, 0],
    [1, 0],
  ]
  for (const [meters, fine] of [
    [1, true],
    [0.99, false],
    [100_000, true],
    [100_001, false],
  ] as const)
    assert.equal(isFine(corridor(line, meters)), fine, String(meters))
  const zigzag = (count: number) => Array.from({ length: count }, (_, at): LngLat => [at / 1000, at % 2])
  assert.ok(isFine(corridor(zigzag(1000))))
  assert.ok(!isFine(corridor(zigzag(1001))))
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

test("a reason names the limit", () => {
  assert.match(areaProblem(circle(500_001)) ?? "", /radius must be from 1 to 500000 metres/)
  assert.match(
    areaProblem(
      corridor([
        [0, 0],
        [18, 0],
      ]),
    ) ?? "",
    /longer than 2000 km/,
  )
  const many = Array.from({ length: 1001 }, (): LngLat => [0, 0])
  assert.match(areaProblem(corridor(many)) ?? "", /more than 1000 positions/)
  // Two million metres, and the next longitude beyond them.
  const east = (longitude: number): LngLat[] => [
    [0, 0],
    [longitude, 0],
  ]
  assert.ok(isFine(corridor(east(17.986_432_118_374_61))))
  assert.ok(isFine(corridor(east(17.986_432_118_374_612))))
  assert.ok(!isFine(corridor(east(17.986_432_118_4))))
})

/** Of `lng lat, lng lat`. */
const ringOf = (text: string) =>
  text.split(", ").map((corner): LngLat => {
    const [lng = 0, lat = 0] = corner.split(" ").map(Number)
    return [lng, lat]
  })

/** A ring as it is, turned and mirrored, begun at each of its corners, in either direction. */
function sameShapes(ring: readonly LngLat[]): LngLat[][] {
  const shapes: LngLat[][] = []
  for (const mirrored of [1, -1])
    for (const [a, b, c, d] of [
      [1, 0, 0, 1],
      [0, -1, 1, 0],
      [-1, 0, 0, -1],
      [0, 1, -1, 0],
    ] as const)
      for (let start = 0; start < ring.length; start++) {
        const turned = [...ring.slice(start), ...ring.slice(0, start)].map(
          ([x, y]): LngLat => [mirrored * (a * x + b * y), c * x + d * y],
        )
        shapes.push(turned, turned.toReversed())
      }
  return shapes
}

test("whether edges cross does not depend on where a ring begins, its direction or its place", () => {
  const fine = [
    "0 0, 4 0, 4 4, 0 4",
    // Teeth on one line, apart from each other, also on a diagonal.
    "0 0, 1 0, 1 1, 2 1, 2 0, 3 0, 3 3, 0 3",
    "0 0, 1 1, 2 1, 2 2, 3 3, 0 9",
    // Parts of each edge lie beside, above and below others.
    "0 0, 9 0, 9 9, 5 1, 4 8, 0 9",
    "0 0, 4 0, 4 4, 2 0.1, 0 4",
    // One edge would meet another if it went on.
    "0 0, 4 4, 9 3.9, 3.9 9",
  ]
  const crossing = [
    "0 0, 4 4, 4 0, 0 4",
    "0 0, 5 5, 9 0, 9 9, 0 4, 3 1, 4 0",
    // Teeth that overlap, and such that only touch.
    "0 0, 2 0, 2 1, 1 1, 1 0, 3 0, 3 3, 0 3",
    "0 0, 2 0, 2 1, 3 1, 2 0, 4 0, 4 3, 0 3",
    // A corner on another edge, and one on the edge before.
    "0 0, 4 0, 4 4, 2 0, 0 4",
    "0 0, 4 4, 4 0, 2 2, 0 4",
    "0 0, 4 0, 2 0, 2 3",
  ]
  for (const [rings, expected] of [
    [fine, true],
    [crossing, false],
  ] as const)
    for (const ring of rings.map(ringOf))
      for (const shape of sameShapes(ring)) assert.equal(isFine(polygon(...shape)), expected, shape.join(" "))
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
