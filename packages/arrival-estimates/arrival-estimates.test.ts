import assert from "node:assert/strict"
import { test } from "node:test"
import {
  durationFactor,
  emptyModel,
  estimateArrivals,
  learnCalibration,
  learnDurations,
  uncalibrated,
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

const near = (found: readonly number[], expected: readonly number[], tolerance = 0.02) =>
  assert.ok(
    found.length === expected.length &&
      found.every((value, place) => Math.abs(value - (expected[place] ?? Number.NaN)) <= tolerance),
    `${found} instead of ${expected}`,
  )
const deviationsOf = (situation: Parameters<typeof estimateArrivals>[0]) =>
  estimateArrivals(situation).map(({ deviation }) => deviation)

test("breaks that touch travel or a visit, and breaks before the beginning, delay by what of them remains", () => {
  const cases: [[number, number][], number[]][] = [
    [[[600, 900]], [600, 1800]],
    [[[-100, 0]], [600, 1500]],
    [[[-100, 200]], [800, 1700]],
    [
      [
        [100, 200],
        [300, 400],
      ],
      [800, 1700],
    ],
    [[[1500, 1600]], [600, 1500]],
  ]
  for (const [breaks, expected] of cases)
    assert.deepEqual(arrivals({ ...base, breaks, stops: [stop, stop] }), expected, JSON.stringify(breaks))
})

test("a worker on site who came before the opening time is there for as long as a visit takes from then on", () => {
  for (const now of [100, 700])
    assert.deepEqual(
      arrivals({ ...base, now, stops: [{ ...stop, arrivedAt: 0, opens: 500 }, stop] }),
      [0, 1400],
    )
  // Only the first stop can have been reached.
  assert.deepEqual(arrivals({ ...base, stops: [stop, { ...stop, arrivedAt: 0 }] }), [600, 1500])
  assert.deepEqual(arrivals({ ...base, now: 1000, startsAt: 0, stops: [stop] }), [1600])
})

test("the deviation has the position, each leg, each visit, and an error that a whole day shares", () => {
  const first = 45 ** 2 + 120 ** 2
  near(deviationsOf({ ...base, stops: [stop, stop] }), [
    Math.sqrt(first + 36 ** 2),
    Math.sqrt(first + 100 ** 2 + 120 ** 2 + 90 ** 2),
  ])
  near(deviationsOf({ ...base, now: 200, stops: [{ ...stop, arrivedAt: 0 }, stop] }), [
    0,
    Math.sqrt(45 ** 2 + 100 ** 2 + 120 ** 2 + 42 ** 2),
  ])
  assert.deepEqual(
    estimateArrivals({ ...base, stops: [stop, stop] }).map(({ stopsBefore }) => stopsBefore),
    [0, 1],
  )
})

test("waiting moves the mean and narrows the deviation as the later of a normal and a fixed time does", () => {
  const spread = Math.sqrt(45 ** 2 + 120 ** 2 + 36 ** 2)
  // By the normal distribution's table: opening at the expected arrival, one deviation before it, and one after it.
  for (const [offset, mean, deviation] of [
    [0, 0.398942, 0.583819],
    [-1, 0.083316, 0.866653],
    [1, 1.083316, 45 / spread],
  ] as const) {
    const opens = 600 + offset * spread
    const [estimate] = estimateArrivals({ ...base, stops: [{ ...stop, opens }] })
    near([estimate?.arrival ?? 0, estimate?.deviation ?? 0], [600 + mean * spread, deviation * spread])
  }
  near(deviationsOf({ ...base, stops: [{ ...stop, opens: 9000 }] }), [45])
  near(deviationsOf({ ...base, stops: [{ ...stop, opens: -9000 }] }), [spread])
  // What follows has the narrowed share of the error of the day.
  const shared = 600 * (45 / spread) + 900
  near(deviationsOf({ ...base, stops: [{ ...stop, opens: 9000 }, stop] }).slice(1), [
    Math.sqrt((45 ** 2 + 120 ** 2) * (45 / spread) ** 2 + 100 ** 2 + 120 ** 2 + (shared * 0.06) ** 2),
  ])
})

test("one visit moves each factor by its weight against what the level above expects", () => {
  const visit = { kind: "a", worker: "w", hour: 9, expected: 100, actual: 300 }
  const prior = { ...emptyModel(0.5), overall: 2 }
  const model = learnDurations([visit], prior)
  const overall = (300 + 10 * 200) / (100 + 10 * 100)
  const moved = (expected: number, weight: number) => (300 + weight * expected) / (expected * (1 + weight))
  const kind = moved(100 * overall, 8)
  const worker = moved(100 * overall * kind, 15)
  const hour = moved(100 * overall * kind * worker, 25)
  near(
    [model.overall, model.kinds.a, model.workers.w, model.hours[9]].map(Number),
    [overall, kind, worker, hour],
    1e-9,
  )
  const error = 300 / (100 * overall * kind * worker * hour) - 1
  near([model.spread], [Math.sqrt((error ** 2 + 10 * 0.5 ** 2) / 11)], 1e-9)
  near([durationFactor(model, visit)], [overall * kind * worker * hour], 1e-9)
  near([durationFactor(model, { kind: "constructor", worker: "toString", hour: 8 })], [overall], 1e-9)
  assert.equal(model.count, 1)
})

test("visits count by their seconds, and without a plausible one nothing is learned", () => {
  const visit = { kind: "a", worker: "w", hour: 9, expected: 100, actual: 300 }
  const prior = emptyModel(0.5)
  assert.equal(prior.count, 0)
  near([learnDurations([visit, { ...visit, expected: 300 }], prior).overall], [2600 / 2400], 1e-9)
  assert.equal(learnDurations([{ ...visit, actual: 0 }], prior), prior)
})

test("durations are plausible from a twentieth to eight times what was expected", () => {
  const learned = (expected: number, actual: number) =>
    learnDurations([{ kind: "a", worker: "w", hour: 9, expected, actual }], emptyModel(0.5)).count
  assert.deepEqual(
    [
      learned(100, 5),
      learned(100, 4.9),
      learned(100, 800),
      learned(100, 801),
      learned(0, 0),
      learned(-1, -1),
      learned(1, 1),
    ],
    [1, 0, 1, 0, 0, 0, 1],
  )
})

test("quantiles belong to the group of the stops before and the time until then, or to all while it is small", () => {
  const samples = (count: number, stopsBefore: number, horizon: number, sign = 1) =>
    Array.from({ length: count }, (_, index) => ({
      error: sign * (((index * 37) % count) + 1),
      stopsBefore,
      horizon,
    }))
  assert.equal(learnCalibration(samples(59, 0, 600)), uncalibrated)
  assert.equal(uncalibrated.count, 0)
  assert.deepEqual(learnCalibration(samples(98, 0, 600)).groups.all, [4, 50, 95])
  assert.deepEqual(learnCalibration(samples(100, 0, 600)).groups, { all: [5, 51, 96], "0-0": [5, 51, 96] })
  const groupOf = (stopsBefore: number, horizon: number) =>
    Object.keys(learnCalibration(samples(60, stopsBefore, horizon)).groups).filter((key) => key !== "all")
  const stops = [0, 1, 2, 3, 4, 6, 7, 12, 13].map((count) => groupOf(count, 0).join())
  assert.deepEqual(stops, ["0-0", "1-0", "2-0", "2-0", "3-0", "3-0", "4-0", "4-0", "more-0"])
  const horizons = [600, 601, 1800, 1801, 5400, 5401, 14_400, 14_401].map((time) => groupOf(0, time).join())
  assert.deepEqual(horizons, ["0-0", "0-1", "0-1", "0-2", "0-2", "0-3", "0-3", "0-more"])
  const mixed = learnCalibration([...samples(60, 0, 600), ...samples(59, 13, 600, -1)])
  assert.deepEqual([Object.keys(mixed.groups), mixed.count], [["all", "0-0"], 119])
})

test("a window uses its group's quantiles and begins neither in the past nor before the opening time", () => {
  const estimate = { arrival: 1000, deviation: 100, stopsBefore: 0 }
  const window = (groups: Record<string, [number, number, number]>, more: { now: number; opens?: number }) =>
    Object.values(windowOf({ groups, count: 0 }, estimate, more))
  near(window({}, { now: 0 }), [1000, 835.5, 1164.5])
  near(window({ all: [-1, 0.5, 2] }, { now: 0 }), [1050, 900, 1200])
  near(window({ all: [-9, 9, 9], "0-0": [-1, 0.5, 2] }, { now: 400 }), [1050, 900, 1200])
  near(window({ all: [-1, 0.5, 2], "0-0": [-9, 9, 9] }, { now: 399 }), [1050, 900, 1200])
  near(window({}, { now: 0, opens: 950 }), [1000, 950, 1164.5])
  near(window({}, { now: 980, opens: 900 }), [1000, 980, 1164.5])
  near(window({}, { now: 0, opens: 1100 }), [1100, 1100, 1164.5])
  near(window({ all: [1, 2, 1.5] }, { now: 0 }), [1200, 1100, 1200])
  near(window({ all: [3, 2, 4] }, { now: 0 }), [1200, 1200, 1400])
})
