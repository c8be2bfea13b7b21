import assert from "node:assert/strict"
import { test } from "node:test"
import type { RoadSupply } from "../../../location/roads/index.ts"
import { findTravel } from "./travel.ts"
import { distanceMatrix, secondsPerMeter } from "./travel-matrix.ts"

test("distances are the great circle times the detour, in whole metres and both ways alike", () => {
  const [jakarta, bandung, again] = [
    [106.8272, -6.1754],
    [107.6098, -6.9175],
    [106.8272, -6.1754],
  ] as const
  const matrix = distanceMatrix([jakarta, bandung, again], 1.2)
  assert.deepEqual([matrix[0], matrix[2], matrix[4]], [0, 0, 0])
  assert.equal(matrix[1], matrix[3])
  assert.ok(Math.abs((matrix[1] ?? 0) - 1.2 * 119_500) < 600)
})

test("12,500 metres at 25 km/h take half an hour", () => {
  assert.equal(Math.round(12_500 * secondsPerMeter(25) * 1e6) / 1e6, 1800)
})

test("a plan is not lost when the road network is too busy to respond: it uses great-circle distances and says so", async () => {
  const busy = () => Promise.reject(new DOMException("too late", "TimeoutError"))
  const roads = { maps: { coveringMost: busy } } as unknown as RoadSupply
  const settings = { autoSpeed: true, avoidToll: false, defaultSpeed: 25 }
  const travel = await findTravel(
    [
      [4, 52],
      [4.1, 52],
    ],
    settings,
    roads,
    AbortSignal.timeout(1000),
  )
  assert.deepEqual(travel, {
    hasOwnTimes: false,
    warnings: ["Great-circle distances: the road network did not respond in time"],
  })
})
