import assert from "node:assert/strict"
import { test } from "node:test"
import { areaOf } from "../../src/features/location/tracking/live/area.ts"

test("the area of a map holds what is in view, in steps that grow with what is shown", () => {
  const near = { west: 4.861, south: 52.341, east: 4.94, north: 52.39 }
  const { box, zoom } = areaOf(near, 12.4)
  assert.ok(
    box.west <= near.west && box.south <= near.south && box.east >= near.east && box.north >= near.north,
  )
  assert.ok(box.east - box.west < 0.14)
  assert.equal(zoom, 12)
  const moved = areaOf({ ...near, west: near.west + 0.001, east: near.east + 0.001 }, 12.2)
  assert.equal(moved.bbox, areaOf(near, 12.4).bbox)
})

test("the area of a map crosses the antimeridian, and is the whole earth where the map repeats it", () => {
  const { box } = areaOf({ west: 178, south: -20, east: 184, north: -15 }, 6)
  assert.deepEqual([box.west, box.east], [177.1875, -175.78125])
  assert.equal(areaOf({ west: -400, south: -95, east: 250, north: 89 }, 0.2).bbox, "-180,-90,180,90")
})
