import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { aProblem, aVehicle, aVisit, hour, type Position } from "../problem/example-problems.ts"
import { noWay, type Plan, type PlanProblem, type Vehicle, type Visit } from "../problem/problem.ts"
import { randomProblem } from "../problem/random-problems.ts"
import { solve } from "../solve.ts"
import { evaluate } from "./evaluator.ts"
import { dropReason } from "./reasons.ts"
import { timetable } from "./timetable.ts"
import { whatWouldHelp, withHelp } from "./what-would-help.ts"

const line: Position[] = [
  [0, 0],
  [18_000, 0],
]

/** One van, and one visit half an hour away that it cannot take. */
function dropped(visit: Partial<Visit>, vehicle: Partial<Vehicle> = {}, rest: Partial<PlanProblem> = {}) {
  const problem = aProblem(line, {
    visits: [aVisit({ location: 1, ...visit })],
    vehicles: [aVehicle(vehicle)],
    ...rest,
  })
  const plan: Plan = { routes: [], dropped: [0] }
  return { reason: dropReason(problem, 0), help: whatWouldHelp(problem, plan, 0)[0]?.change }
}

test("a dropped visit says why, and what would help", () => {
  assert.deepEqual(dropped({ tags: ["cold"] }), {
    reason: "tags",
    help: { kind: "tag", vehicle: 0, tag: "cold" },
  })
  assert.deepEqual(dropped({ demand: [12] }, { capacity: [9.5] }), {
    reason: "capacity",
    help: { kind: "capacity", vehicle: 0, dimension: 0, amount: 2.5 },
  })
  assert.deepEqual(dropped({ windows: [[7 * hour, 8.25 * hour]] }), {
    reason: "timeWindow",
    help: { kind: "window", visit: 0, minutes: 15 },
  })
  const noRoads = { distances: Float64Array.from([0, noWay, noWay, 0]) }
  assert.deepEqual(dropped({}, {}, { ...noRoads, durations: noRoads.distances }), {
    reason: "noRoad",
    help: undefined,
  })
  assert.deepEqual(dropped({}, { shift: [8 * hour, 8.75 * hour] }), {
    reason: "timeWindow",
    help: { kind: "shift", vehicle: 0, minutes: 15 },
  })
  const twoDays = [7, 31].map((from): [number, number] => [from * hour, (from + 1.25) * hour])
  assert.deepEqual(dropped({ windows: twoDays }), {
    reason: "timeWindow",
    help: { kind: "window", visit: 0, minutes: 15 },
  })
  const nextNight = { windows: [[28 * hour, 29 * hour]] } as const
  assert.deepEqual(dropped(nextNight, { shift: [8 * hour, 17 * hour] }).help, undefined)
  assert.deepEqual(dropped({}, { maxDuration: 0.75 * hour }), {
    reason: "duration",
    help: { kind: "duration", vehicle: 0, minutes: 15 },
  })
  assert.deepEqual(dropped({}, { maxDistance: 35_000 }), {
    reason: "distance",
    help: { kind: "distance", vehicle: 0, meters: 1000 },
  })
  assert.equal(dropped({}, { maxDistance: 35_000, maxDuration: 0.75 * hour }).reason, "duration")
})

test("a visit dropped only because of the other visits has that reason, and another vehicle is suggested", () => {
  const visits = [aVisit({ location: 1, demand: [5] }), aVisit({ id: "second", location: 1, demand: [5] })]
  const problem = aProblem(line, { visits, vehicles: [aVehicle({ capacity: [5] })] })
  const { plan } = solve(problem, { seed: 1, budget: { rounds: 10 } })
  const [left = -1] = plan.dropped
  assert.equal(dropReason(problem, left), "other")
  assert.deepEqual(
    whatWouldHelp(problem, plan, left).map(({ change }) => change.kind),
    ["capacity", "vehicle"],
  )
})

test("every change that is offered works when it is made", () => {
  fc.assert(
    fc.property(randomProblem, (problem) => {
      const { plan } = solve(problem, { seed: 1, budget: { rounds: 20 } })
      for (const visit of plan.dropped.slice(0, 3)) {
        for (const help of whatWouldHelp(problem, plan, visit)) {
          const after = withHelp(problem, plan, help)
          assert.deepEqual(
            evaluate(after.problem, after.plan, timetable(after.problem, after.plan)).violations,
            [],
          )
        }
      }
    }),
    { numRuns: process.env.FIELDWAY_LONG === "1" ? 5_000 : 100 },
  )
})
