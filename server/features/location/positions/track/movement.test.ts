import assert from "node:assert/strict"
import { test } from "node:test"
import { destination, type LngLat } from "#packages/geodesy/geodesy.ts"
import { idleMetersPerSecond, movementState, type SeenPoint, silentAfterSeconds } from "./movement.ts"

const depot: LngLat = [4.9, 52.37]
const rules = { movingMetersPerSecond: idleMetersPerSecond, silentAfterSeconds: 360 }
const seen = (seconds: number, meters: number, more: Partial<SeenPoint> = {}): SeenPoint => ({
  recordedAt: seconds * 1000,
  position: destination(depot, 90, meters),
  ...more,
})
const state = (latest: SeenPoint | undefined, previous: SeenPoint | undefined, seconds: number) =>
  movementState(latest, previous, seconds * 1000, rules)

test("people are moving, still, silent or never seen", () => {
  assert.equal(state(undefined, undefined, 0), "never-seen")
  assert.equal(state(seen(100, 0, { speedMetersPerSecond: 8 }), undefined, 110), "moving")
  assert.equal(state(seen(100, 0, { speedMetersPerSecond: 0.5 }), seen(90, 900), 110), "still")
  assert.equal(state(seen(100, 0, { speedMetersPerSecond: 8 }), undefined, 461), "silent")
  assert.equal(state(seen(100, 0), undefined, 110), "still")
})

test("without a reported speed the distance between two points decides, beyond their error", () => {
  assert.equal(state(seen(100, 300), seen(60, 0), 110), "moving")
  assert.equal(state(seen(100, 30, { accuracyMeters: 25 }), seen(60, 0), 110), "still")
  assert.equal(state(seen(5000, 9000), seen(60, 0), 5010), "still")
})

test("a clock ahead of ours is not silence", () => {
  assert.equal(state(seen(4000, 0), undefined, 110), "still")
})

test("silence starts after two intervals of the profile", () => {
  assert.equal(silentAfterSeconds(3), 360)
  assert.equal(silentAfterSeconds(10), 1200)
  assert.equal(silentAfterSeconds(0.1), 120)
  assert.equal(silentAfterSeconds(null), 360)
})

test("each limit holds up to its very value", () => {
  assert.equal(Math.round(idleMetersPerSecond * 3600), 3000)
  assert.equal(state(seen(100, 0, { speedMetersPerSecond: idleMetersPerSecond }), undefined, 110), "moving")
  assert.equal(state(seen(100, 0), undefined, 460), "still")
  assert.equal(state(seen(100, 50), seen(60, 0), 110), "moving")
  assert.equal(state(seen(100, 50), seen(100, 0), 110), "still")
  assert.equal(state(seen(461, 9000), seen(100, 0), 470), "still")
  assert.equal(state(seen(460, 9000), seen(100, 0), 470), "moving")
  assert.equal(state(seen(100, 60), seen(60, 0, { accuracyMeters: 25 }), 110), "moving")
  assert.equal(state(seen(100, 55), seen(60, 0, { accuracyMeters: 25 }), 110), "still")
  const always = { ...rules, movingMetersPerSecond: 0 }
  assert.equal(movementState(seen(100, 0), seen(60, 0), 110_000, always), "moving")
})
