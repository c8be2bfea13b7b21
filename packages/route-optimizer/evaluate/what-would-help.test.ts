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
  return { reason: dropReason(problem, 0, plan), help: whatWouldHelp(problem, plan, 0)[0]?.change }
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

test("a visit dropped only because of the other visits says whether they take its room or its time", () => {
  const leftOut = (visit: Partial<Visit>, vehicle: Partial<Vehicle>) => {
    const visits = [aVisit({ location: 1, ...visit }), aVisit({ id: "second", location: 1, ...visit })]
    const problem = aProblem(line, { visits, vehicles: [aVehicle({ capacity: [5], ...vehicle })] })
    const { plan } = solve(problem, { seed: 1, budget: { rounds: 10 } })
    const [left = -1] = plan.dropped
    const help = whatWouldHelp(problem, plan, left).map(({ change }) => change.kind)
    return [dropReason(problem, left, plan), ...help]
  }
  assert.deepEqual(leftOut({ demand: [5] }, {}), ["capacity", "capacity", "vehicle"])
  const oneTrip = { shift: [8 * hour, 9.5 * hour], maxTrips: 2 } as const
  assert.deepEqual(leftOut({ demand: [5] }, oneTrip)[0], "capacity", "its second trip would be too long")
  const nine = { demand: [1], windows: [[9 * hour, 9 * hour]], serviceSeconds: hour } as const
  assert.deepEqual(leftOut(nine, {})[0], "other")
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
    { numRuns: process.env.FIELDWAY_LONG === "1" ? 20_000 : 100 },
  )
})

test("visits that depend on each other are taken in together after one change", () => {
  const after = (minMinutes: number, maxMinutes: number) => ({
    after: [{ visitId: "first", minSeconds: minMinutes * 60, maxSeconds: maxMinutes * 60 }],
  })
  const helps = (visits: Partial<Visit>[], vehicles: Partial<Vehicle>[], left = [0, 1]) => {
    const problem = aProblem(line, {
      visits: visits.map((visit, i) => aVisit({ id: i === 0 ? "first" : `${i}`, location: 1, ...visit })),
      vehicles: vehicles.map((vehicle, k) => aVehicle({ id: `van ${k}`, ...vehicle })),
    })
    const plan = { routes: [], dropped: left }
    return whatWouldHelp(problem, plan, left.at(-1) ?? 0).map((help) => {
      const made = withHelp(problem, plan, help)
      assert.deepEqual(evaluate(made.problem, made.plan, timetable(made.problem, made.plan)).violations, [])
      return help.change
    })
  }
  // A morning and an afternoon, at most an hour apart.
  const hours = [{ windows: [[9 * hour, 10 * hour]] }, { windows: [[13 * hour, 14 * hour]] }] as const
  const apart = [hours[0], { ...hours[1], ...after(0, 60) }]
  assert.deepEqual(helps(apart, [{}]), [
    { kind: "window", visit: 0, minutes: 120 },
    { kind: "gap", visit: 1, minutes: 120 },
  ])
  // Two people for a visit, and one van.
  const two = [{}, { togetherWith: ["first"] }]
  assert.deepEqual(helps(two, [{}]), [{ kind: "vehicle", like: 0 }])
  assert.deepEqual(helps([{}, { ...two[1], tags: ["cold"] }], [{ tags: ["cold"] }, { isOff: true }]), [
    { kind: "dayOff", vehicle: 1 },
    { kind: "vehicle", like: 0 },
  ])
  assert.deepEqual(helps([{}, { ...after(0, 60), tags: ["cold"] }], [{}])[0], {
    kind: "tag",
    vehicle: 0,
    tag: "cold",
  })
})
