import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { aProblem, aVehicle, aVisit, hour, type Position } from "../problem/example-problems.ts"
import type { PlanProblem, Vehicle, Visit } from "../problem/problem.ts"
import { randomProblem } from "../problem/random-problems.ts"
import { evaluateRoute } from "./evaluator.ts"
import { routeTimetable, timetable } from "./timetable.ts"

const line: Position[] = [
  [0, 0],
  [36_000, 0],
  [72_000, 0],
]

/** An hour between neighbours on the line. */
function times(
  visits: Partial<Visit>[],
  vehicle: Partial<Vehicle>,
  rest: Partial<PlanProblem> = {},
  trips = [[0, 1]],
) {
  const problem = aProblem(line, {
    visits: visits.map((visit, i) => aVisit({ location: i + 1, ...visit })),
    vehicles: [aVehicle({ shift: [8 * hour, 20 * hour], ...vehicle })],
    ...rest,
  })
  const [table] = timetable(problem, { routes: [{ vehicle: 0, trips }], dropped: [] })
  return (table?.stops ?? []).map((stop) => [
    stop.kind,
    stop.arrival / hour,
    stop.serviceStart / hour,
    stop.departure / hour,
    stop.restSeconds / hour,
  ])
}

test("the start is delayed so that the first visit is reached when it opens; later stops wait on arrival", () => {
  const windows = [{ windows: [[10 * hour, 11 * hour]] }, { windows: [[12 * hour, 13 * hour]] }] as const
  assert.deepEqual(times([...windows], {}), [
    ["start", 8, 8, 9, 0],
    ["visit", 10, 10, 10, 0],
    ["visit", 11, 12, 12, 0],
    ["end", 14, 14, 14, 0],
  ])
})

test("travel rests in a break, and no service overlaps one", () => {
  const breaks = [
    [9.5 * hour, 10 * hour],
    [11.5 * hour, 12 * hour],
  ] as const
  assert.deepEqual(times([{ serviceSeconds: hour }, {}], { breaks }), [
    ["start", 8, 8, 8.5, 0],
    ["visit", 9.5, 10, 11, 0],
    ["visit", 12.5, 12.5, 12.5, 0.5],
    ["end", 14.5, 14.5, 14.5, 0],
  ])
})

test("a leg takes as long as the hours that it falls into, beside breaks", () => {
  const slowness = Array.from({ length: 24 }, (_, h) => (h === 9 ? 2 : 1))
  assert.deepEqual(times([{}, {}], {}, { slowness }), [
    ["start", 8, 8, 8, 0],
    ["visit", 9, 9, 9, 0],
    ["visit", 10.5, 10.5, 10.5, 0],
    ["end", 12.5, 12.5, 12.5, 0],
  ])
  const [, , second] = times([{}, {}], { breaks: [[9.5 * hour, 10 * hour]] }, { slowness })
  assert.deepEqual(second, ["visit", 10.75, 10.75, 10.75, 0.5])
  // Started later, to be there when it opens.
  const [start] = times([{ windows: [[10 * hour, 11 * hour]] }], {}, { slowness }, [[0]])
  assert.deepEqual(start?.[3], 8.5)
})

test("an open route ends at its last visit", () => {
  assert.equal(times([{}, {}], { endLocation: null }).at(-1)?.[0], "visit")
})

test("a second trip reloads at the hub and waits there for its goods", () => {
  assert.deepEqual(times([{}, { releaseTime: 12 * hour }], { maxTrips: 2 }, {}, [[0], [1]]), [
    ["start", 8, 8, 8, 0],
    ["visit", 9, 9, 9, 0],
    ["reload", 10, 10, 12, 0],
    ["visit", 14, 14, 14, 0],
    ["end", 16, 16, 16, 0],
  ])
})

test("a restricted leg is not driven in its span", () => {
  const legs = Uint8Array.from([0, 1, 0, 1, 0, 0, 0, 0, 0])
  const restrictedLegs = { legs, spans: [[8.5 * hour, 9.5 * hour]] } as const
  assert.deepEqual(times([{}, {}], { restricted: true }, { restrictedLegs })[1], [
    "visit",
    10.5,
    10.5,
    10.5,
    0,
  ])
  assert.deepEqual(times([{}, {}], { restricted: false }, { restrictedLegs })[1], ["visit", 9, 9, 9, 0])
})

test("under a longest duration every wait that can be avoided is avoided", () => {
  const stops = times([{}, { windows: [[14 * hour, 15 * hour]] }], { maxDuration: 5 * hour })
  assert.deepEqual(stops, [
    ["start", 8, 8, 12, 0],
    ["visit", 13, 13, 13, 0],
    ["visit", 14, 14, 14, 0],
    ["end", 16, 16, 16, 0],
  ])
})

test("under a longest duration a day starts later when the windows of later hours make it shorter", () => {
  const early = { windows: [[9 * hour, 9 * hour] as const, [13 * hour, 15 * hour] as const] }
  const stops = times([early, { windows: [[14 * hour, 15 * hour]] }], { maxDuration: 5 * hour })
  assert.deepEqual(stops, [
    ["start", 8, 8, 12, 0],
    ["visit", 13, 13, 13, 0],
    ["visit", 14, 14, 14, 0],
    ["end", 16, 16, 16, 0],
  ])
  const both = [early, { windows: [[10 * hour, 10 * hour] as const, [14 * hour, 15 * hour] as const] }]
  assert.equal(times(both, { maxDuration: 5 * hour })[0]?.[3], 8)
})

test("a later start between two windows, of which only the first can be reached, is no shorter day", () => {
  const early = { location: 0, windows: [[8 * hour, 9 * hour] as const, [18 * hour, 19 * hour] as const] }
  const next = { location: 0, windows: [[10 * hour, 11 * hour] as const] }
  const breaks = [[10 * hour, 19.5 * hour] as const]
  const stops = times([early, next], { maxDuration: 0, breaks, endLocation: null })
  assert.deepEqual(
    stops.map(([, , start]) => start),
    [8, 9, 10],
  )
})

test("no start of a day makes it shorter than the one under a longest duration", () => {
  const timed = new Set(["timeWindow", "shift", "break", "restricted", "release", "arithmetic"])
  /** From leaving the hub to the end, or Infinity when a rule is broken. */
  const lengthOf = (problem: PlanProblem, change: Partial<Vehicle>) => {
    const [vehicle = aVehicle()] = problem.vehicles
    const changed = { ...problem, vehicles: [{ ...vehicle, ...change }] }
    const trips = [problem.visits.map((_, i) => i)]
    const table = routeTimetable(changed, { vehicle: 0, trips })
    const broken = evaluateRoute(changed, table).some(({ kind }) => timed.has(kind))
    const length = (table.stops.at(-1)?.serviceEnd ?? 0) - (table.stops[0]?.departure ?? 0)
    return broken ? Number.POSITIVE_INFINITY : length
  }
  fc.assert(
    fc.property(
      randomProblem,
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.nat(100)),
      (drawn, count, shares) => {
        const problem = { ...drawn, visits: drawn.visits.slice(0, count) }
        const [from, to] = problem.vehicles[0]?.shift ?? [0, 0]
        const shortest = lengthOf(problem, { maxDuration: 0 })
        for (const share of [0, ...shares]) {
          const start = from + ((to - from) * share) / 100
          const length = lengthOf(problem, { shift: [start, to], maxDuration: Number.POSITIVE_INFINITY })
          assert.ok(length >= shortest - 1e-3, `${length} from ${start}, ${shortest} at best`)
        }
      },
    ),
    { numRuns: process.env.FIELDWAY_LONG === "1" ? 5000 : 300 },
  )
})
