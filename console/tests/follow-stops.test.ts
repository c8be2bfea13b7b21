import assert from "node:assert/strict"
import { test } from "node:test"
import { stopFollower } from "../src/features/field/stop/follow-stops.ts"

const door = { taskId: "door", at: [4.9, 52.37] as const }
const seconds = (count: number) => count * 1_000
const sighting = (metersNorth: number, at: number, accuracyMeters = 10) => ({
  ...{ at: [4.9, 52.37 + metersNorth / 111_195] as const, accuracyMeters, device: seconds(at) },
})
const open = { open: [door], finished: [] }
const finished = { open: [], finished: [door] }

test("somebody who stays half a minute at a stop has arrived when they came, also while the phone says nothing", () => {
  const follower = stopFollower()
  assert.deepEqual(follower.look(seconds(0), open, sighting(200, 0)).arrived, [])
  assert.deepEqual(follower.look(seconds(10), open, sighting(20, 10)).arrived, [])
  assert.deepEqual(follower.look(seconds(39), open).arrived, [])
  assert.deepEqual(follower.look(seconds(40), open).arrived, [{ taskId: "door", device: seconds(10) }])
})

test("driving by is no arrival, nor is a position that is less exact than the place", () => {
  const follower = stopFollower()
  follower.look(seconds(0), open, sighting(20, 0))
  follower.look(seconds(10), open, sighting(300, 10))
  assert.deepEqual(follower.look(seconds(60), open).arrived, [])
  follower.look(seconds(70), open, sighting(0, 70, 400))
  assert.deepEqual(follower.look(seconds(200), open).arrived, [])
})

test("who is away for half a minute has left when they went; a step outside is no departure", () => {
  const follower = stopFollower()
  follower.look(seconds(0), finished, sighting(0, 0))
  follower.look(seconds(10), finished, sighting(120, 10))
  follower.look(seconds(20), finished, sighting(60, 20))
  assert.deepEqual(follower.look(seconds(60), finished).left, [])
  follower.look(seconds(70), finished, sighting(150, 70))
  assert.deepEqual(follower.look(seconds(100), finished, sighting(600, 100)).left, [
    { taskId: "door", device: seconds(70) },
  ])
})

test("without a position nothing is known", () => {
  assert.deepEqual(stopFollower().look(0, { open: [door], finished: [door] }), { arrived: [], left: [] })
})
