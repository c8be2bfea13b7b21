import assert from "node:assert/strict"
import { test } from "node:test"
import { locateWay, NodeLocations } from "./index.ts"

function fill(ids: readonly number[]): NodeLocations {
  const locations = new NodeLocations()
  for (const id of ids) locations.add(id, id * 2, id * 3)
  return locations
}

for (const [name, ids] of [
  ["sorted", Array.from({ length: 300_000 }, (_, index) => index * 3)],
  ["unsorted", Array.from({ length: 300_000 }, (_, index) => ((index * 7919) % 300_000) * 3)],
] as const)
  test(`finds every node of a ${name} file, and none that is missing`, () => {
    const locations = fill(ids)
    assert.equal(locations.count, 300_000)
    for (let id = 0; id < 900_000; id += 2_997) {
      const position = locations.find(id)
      assert.deepEqual([locations.lat(position), locations.lon(position)], [id * 2, id * 3])
      assert.equal(locations.find(id + 1), -1)
    }
    assert.equal(locations.find(-1), -1)
    assert.equal(locations.find(9e15), -1)
  })

test("the line of a way leaves out missing nodes", () => {
  const locations = fill([-2, 1, 5])
  assert.deepEqual(locateWay(Float64Array.of(5, 4, -2), locations), Int32Array.of(15, 10, -6, -4))
  assert.deepEqual(locateWay(Float64Array.of(8), locations), new Int32Array(0))
})

test("more nodes than allowed are rejected", () => {
  const locations = new NodeLocations(2)
  locations.add(1, 0, 0)
  locations.add(2, 0, 0)
  assert.throws(() => locations.add(3, 0, 0), /too large/)
})
