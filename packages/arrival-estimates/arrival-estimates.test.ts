import assert from "node:assert/strict"
import { test } from "node:test"
import {
  durationFactor,
  emptyModel,
  estimateArrivals,
  learnCalibration,
  learnDurations,
  windowOf,
} from "./index.ts"

const stop = { travelSeconds: 600, serviceSeconds: 300, serviceSpread: 100 }
const base = { now: 0, breaks: [], travelSpread: 0.2 }
const arrivals = (situation: Parameters<typeof estimateArrivals>[0]) =>
  estimateArrivals(situation).map(({ arrival }) => Math.round(arrival))

test("travel, minutes on site, breaks, the start of work and opening times move arrivals", () => {
  assert.deepEqual(arrivals({ ...base, stops: [stop, stop] }), [600, 1500])
  assert.deepEqual(arrivals({ ...base, stops: [stop, stop], breaks: [[700, 1000]] }), [600, 1800])
  assert.deepEqual(arrivals({ ...base, startsAt: 5000, stops: [stop] }), [5600])
  assert.deepEqual(arrivals({ ...base, stops: [{ ...stop, opens: 9000 }, stop] }), [9000, 9900])
  // On site for 200 of 300 seconds; and for longer than usual, when a fifth of the visit still is left.
  assert.deepEqual(arrivals({ ...base, now: 200, stops: [{ ...stop, arrivedAt: 0 }, stop] }), [0, 900])
  assert.deepEqual(arrivals({ ...base, now: 900, stops: [{ ...stop, arrivedAt: 0 }, stop] }), [0, 1560])
})

test("uncertainty grows with the stops, and waiting for an opening time absorbs it", () => {
  const deviations = (opens?: number) =>
    estimateArrivals({ ...base, stops: [stop, { ...stop, ...(opens ? { opens } : {}) }, stop] }).map(
      ({ deviation }) => deviation,
    )
  const [first = 0, second = 0, third = 0] = deviations()
  assert(first < second && second < third)
  assert((deviations(9000)[2] ?? 0) < second)
})

test("a worker with few visits counts as nearly average, one with many as they are", () => {
  const visits = (worker: string, count: number, actual: number) =>
    Array.from({ length: count }, () => ({ kind: "a", worker, hour: 9, expected: 100, actual }))
  const model = learnDurations([...visits("new", 1, 300), ...visits("known", 400, 100)], emptyModel(0.5))
  const factorOf = (worker: string) => durationFactor(model, { kind: "a", worker, hour: 9 })
  assert(factorOf("new") < 1.3 && factorOf("new") > 1)
  assert(Math.abs(factorOf("known") - 1) < 0.03)
  // Somebody who finished a visit the next morning teaches nothing.
  assert.equal(learnDurations(visits("asleep", 1, 90_000), emptyModel(0.5)).count, 0)
})

test("calibrated windows hold nine of ten arrivals", () => {
  const errors = Array.from({ length: 1000 }, (_, index) => (index - 499.5) / 250)
  const calibration = learnCalibration(errors.map((error) => ({ error, stopsBefore: 0, horizon: 600 })))
  const estimate = { arrival: 1000, deviation: 100, stopsBefore: 0 }
  const { earliest, latest } = windowOf(calibration, estimate, { now: 0 })
  const inside = errors.filter((error) => 1000 + error * 100 >= earliest && 1000 + error * 100 <= latest)
  assert(inside.length >= 895 && inside.length <= 910)
  assert.equal(windowOf(calibration, estimate, { now: 990 }).earliest, 990)
})
