import assert from "node:assert/strict"
import { test } from "node:test"
import { unwrapLine, unwrapRing } from "./antimeridian.ts"

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

test("a ring keeps its points where nothing jumps, and is closed along the pole that it goes around", () => {
  const square = [
    [10, 10],
    [20, 10],
    [20, 20],
    [10, 20],
    [10, 10],
  ]
  assert.deepEqual(unwrapRing(square), square)
  assert.deepEqual(
    unwrapRing([
      [170, 0],
      [-170, 0],
      [-170, 5],
      [170, 5],
      [170, 0],
    ]),
    [
      [170, 0],
      [190, 0],
      [190, 5],
      [170, 5],
      [170, 0],
    ],
  )
  assert.deepEqual(
    unwrapRing([
      [-100, 70],
      [20, 70],
      [140, 70],
      [-100, 70],
    ]),
    [
      [-100, 70],
      [20, 70],
      [140, 70],
      [260, 70],
      [260, 90],
      [-100, 90],
      [-100, 70],
    ],
  )
  assert.equal(
    unwrapRing([
      [190, 0],
      [200, 0],
    ])[0]?.[0],
    -170,
  )
  const south = unwrapRing([
    [-100, -70],
    [20, -70],
    [140, -70],
    [-100, -70],
  ])
  assert.deepEqual(south.slice(4, 6), [
    [260, -90],
    [-100, -90],
  ])
})

test("a line over the antimeridian goes on beyond 180 degrees and is not closed", () => {
  assert.deepEqual(
    unwrapLine([
      [179, -17],
      [-179, -17],
    ]),
    [
      [179, -17],
      [181, -17],
    ],
  )
  assert.deepEqual(
    unwrapLine([
      [-179, 5],
      [179, 6],
      [178, 6],
    ]),
    [
      [181, 5],
      [179, 6],
      [178, 6],
    ],
  )
  // Half the earth is no jump, and 180 degrees are -180.
  for (const [from, to, east] of [
    [-90, 90, 90],
    [-90, 90.5, -269.5],
    [180, 181, -179],
  ] as const)
    assert.equal(
      (unwrapLine([
        [from, 0],
        [to, 0],
      ])[1]?.[0] ?? 0) - (from === -90 && to > 90 ? 360 : 0),
      east,
    )
  assert.deepEqual(unwrapLine([[-541, 3]]), [[179, 3]])
  assert.deepEqual(unwrapRing([]), [])
})

test("a ring around a pole is closed along the one that most of it is near to", () => {
  const latitudes = [-1, 20, 20]
  const ring = latitudes.map((lat, index) => [-120 + index * 120, lat])
  assert.deepEqual(unwrapRing([...ring, ...ring.slice(0, 1)]).slice(4), [
    [240, 90],
    [-120, 90],
    [-120, -1],
  ])
})
