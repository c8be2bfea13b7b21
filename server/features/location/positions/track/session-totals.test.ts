import assert from "node:assert/strict"
import { test } from "node:test"
import { destination, type LngLat } from "#packages/geodesy/geodesy.ts"
import { type SentPoint, sessionTotals, travelledTotals } from "./session-totals.ts"

const depot: LngLat = [4.9, 52.37]
const minute = 60_000
const start = { at: 0, position: depot }
const finish = { at: 60 * minute, position: destination(depot, 90, 8000) }
/** One point a minute along the track from start to finish. */
const along = Array.from({ length: 59 }, (_, i) => ({
  recordedAt: (i + 1) * minute,
  position: destination(depot, 90, ((i + 1) * 8000) / 60),
}))

test("a session without points takes the beeline and the tracked time", () => {
  assert.deepEqual(sessionTotals(start, finish, []), {
    trackedMinutes: 60,
    totalDistanceKilometers: 8,
    totalDurationMinutes: 60,
  })
})

test("a session counts from its own beginning, and its beeline however quick", () => {
  const later = { at: start.at + 500 * minute, position: start.position }
  const soon = { at: later.at + 2 * minute, position: finish.position }
  assert.deepEqual(sessionTotals(later, soon, []), {
    trackedMinutes: 2,
    totalDistanceKilometers: 8,
    totalDurationMinutes: 2,
  })
})

test("what the device measured is summed up as it was sent", () => {
  const points = along.map((point) => ({ ...point, sentDistanceKilometers: 0.4, sentDurationMinutes: 1 }))
  assert.deepEqual(sessionTotals(start, finish, points), {
    trackedMinutes: 60,
    totalDistanceKilometers: 23.6,
    totalDurationMinutes: 59,
  })
})

test("bare positions are measured from the start over the points to the finish", () => {
  assert.deepEqual(sessionTotals(start, finish, along), {
    trackedMinutes: 60,
    totalDistanceKilometers: 8,
    totalDurationMinutes: 60,
  })
})

test("points outside the session and jumps inside it do not count", () => {
  const strays: SentPoint[] = [
    { recordedAt: -minute, position: destination(depot, 0, 3000), sentDistanceKilometers: 3 },
    { recordedAt: 61 * minute, position: destination(depot, 0, 3000), sentDistanceKilometers: 3 },
    { recordedAt: 30 * minute + 500, position: destination(depot, 0, 50_000) },
  ]
  assert.equal(sessionTotals(start, finish, [...strays, ...along]).totalDistanceKilometers, 8)
})

test("points that arrive late and out of order give the same totals", () => {
  assert.deepEqual(sessionTotals(start, finish, along.toReversed()), sessionTotals(start, finish, along))
})

test("the tracked time is rounded to whole minutes", () => {
  assert.equal(sessionTotals(start, { ...finish, at: 29_000 }, []).trackedMinutes, 0)
  assert.equal(sessionTotals(start, { ...finish, at: 31_000 }, []).trackedMinutes, 1)
})

test("the summary counts kilometres over everything and minutes within sessions", () => {
  const sessions = [
    { startedAt: 0, finishedAt: 10 * minute },
    { startedAt: 20 * minute, finishedAt: 30 * minute },
    { startedAt: 50 * minute },
  ]
  const totals = travelledTotals(along, sessions)
  assert.equal(totals.distanceKilometers, 7.733)
  assert.equal(totals.durationMinutes, 9 + 10 + 9)
  assert.deepEqual(travelledTotals([], []), { distanceKilometers: 0, durationMinutes: 0 })
})

test("without any session the summary takes the minutes that were sent", () => {
  const points = along.map((point) => ({ ...point, sentDurationMinutes: 2 }))
  assert.equal(travelledTotals(points, []).durationMinutes, 118)
})

test("points of the very start and finish belong to the session", () => {
  const sent = { position: depot, sentDistanceKilometers: 1, sentDurationMinutes: 2 }
  const points = [0, 60].map((minutes) => ({ recordedAt: minutes * minute, ...sent }))
  assert.deepEqual(sessionTotals(start, finish, points), {
    trackedMinutes: 60,
    totalDistanceKilometers: 2,
    totalDurationMinutes: 4,
  })
  assert.equal(travelledTotals(along, [{ startedAt: minute, finishedAt: 3 * minute }]).durationMinutes, 2)
})

test("of a mixture each point counts as it was sent, or else by its leg and its time", () => {
  const points: SentPoint[] = [
    { recordedAt: 10 * minute, position: destination(depot, 90, 1000) },
    { recordedAt: 30 * minute, position: destination(depot, 90, 3000), sentDistanceKilometers: 5 },
    { recordedAt: 40 * minute, position: destination(depot, 90, 3500), sentDurationMinutes: 1 },
  ]
  const totals = sessionTotals(start, finish, points)
  assert.deepEqual([totals.totalDistanceKilometers, totals.totalDurationMinutes], [6.5, 31])
  const bare = points.slice(0, 1)
  assert.equal(sessionTotals(start, finish, bare).totalDistanceKilometers, 8)
  assert.equal(sessionTotals(start, finish, bare).totalDurationMinutes, 60)
  assert.equal(travelledTotals(points, []).durationMinutes, 1)
})
