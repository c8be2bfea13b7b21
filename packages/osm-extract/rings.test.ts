import assert from "node:assert/strict"
import { test } from "node:test"
import { assembleArea, type Relation } from "./index.ts"
import { joinRings } from "./rings.ts"

/** Node 34 lies at x 3, y 4. */
const locate = (refs: readonly number[]) =>
  Int32Array.from(refs.flatMap((ref) => [Math.trunc(ref / 10), ref % 10]))

function area(ways: Record<number, readonly number[]>, members: readonly (readonly [number, string])[]) {
  const relation: Relation = {
    id: 1,
    tags: new Map([["type", "multipolygon"]]),
    members: members.map(([ref, role]) => ({ type: "way", ref, role })),
  }
  return assembleArea(relation, (id) => (ways[id] ? Float64Array.from(ways[id] ?? []) : undefined), locate)
}

test("a ring is joined from ways in any order and direction, with its hole", () => {
  const { polygons, brokenRings } = area({ 1: [11, 91], 2: [19, 99, 91], 3: [19, 11], 4: [33, 35, 55, 33] }, [
    [1, "outer"],
    [2, ""],
    [3, "outer"],
    [4, "inner"],
  ])
  assert.equal(brokenRings, 0)
  assert.deepEqual(
    polygons.map((rings) => rings.map((ring) => ring.length / 2)),
    [[5, 4]],
  )
})

test("a hole belongs to the smallest polygon around it", () => {
  const { polygons } = area({ 1: [11, 91, 99, 19, 11], 2: [33, 73, 77, 37, 33], 3: [44, 54, 55, 44] }, [
    [1, "outer"],
    [2, "outer"],
    [3, "inner"],
  ])
  assert.deepEqual(
    polygons.map((rings) => rings.length),
    [1, 2],
  )
})

test("missing ways, open rings and holes outside are counted, and the rest remains", () => {
  const { polygons, brokenRings } = area({ 1: [11, 31, 33, 11], 3: [51, 53], 4: [77, 78, 88, 77] }, [
    [1, "outer"],
    [2, "outer"],
    [3, "outer"],
    [4, "inner"],
  ])
  assert.deepEqual([polygons.length, brokenRings], [1, 3])
})

test("rings that touch in a node are separated", () => {
  const lines = [
    [1, 2, 3],
    [3, 4, 5],
    [5, 6, 3],
    [3, 7, 1],
  ].map((refs) => Float64Array.from(refs))
  const { rings, broken } = joinRings(lines)
  assert.equal(broken, 0)
  assert.deepEqual(
    rings.map((ring) => ring.length),
    [5, 5],
  )
})
