import assert from "node:assert/strict"
import { test } from "node:test"
import { aProblem, aVehicle, aVisit, hour, type Position } from "../problem/example-problems.ts"
import type { Plan, PlanProblem, Vehicle, Visit } from "../problem/problem.ts"
import { evaluate } from "./evaluator.ts"
import { type Stop, timetable } from "./timetable.ts"

// One kilometre apart on a line; 100 seconds each.
const line: Position[] = [
  [0, 0],
  [1000, 0],
  [2000, 0],
  [3000, 0],
]
const inOrder: Plan = { routes: [{ vehicle: 0, trips: [[0, 1, 2]] }], dropped: [] }

function lineProblem(visit: Partial<Visit>, vehicle: Partial<Vehicle> = {}, rest: Partial<PlanProblem> = {}) {
  const visits = [1, 2, 3].map((location) => aVisit(location === 2 ? { location, ...visit } : { location }))
  return aProblem(line, { visits, vehicles: [aVehicle(vehicle), aVehicle({ id: "spare" })], ...rest })
}

function kinds(problem: PlanProblem, plan: Plan = inOrder): string[] {
  return evaluate(problem, plan, timetable(problem, plan)).violations.map(({ kind }) => kind)
}

const broken: [string, PlanProblem, string][] = [
  ["a missing tag", lineProblem({ tags: ["cold"] }), "tags"],
  ["a pin to another vehicle", lineProblem({ vehicleId: "spare" }), "tags"],
  ["too much load", lineProblem({ demand: [5] }, { capacity: [4] }, { dimensions: 1 }), "capacity"],
  ["a missed window", lineProblem({ windows: [[7 * hour, 8 * hour]] }), "timeWindow"],
  ["a late return", lineProblem({}, { shift: [8 * hour, 8 * hour + 599] }), "shift"],
  [
    "service after the shift",
    lineProblem({ serviceSeconds: 900 }, { shift: [8 * hour, 8 * hour + 600] }),
    "shift",
  ],
  ["a way that is too long", lineProblem({}, { maxDistance: 5999 }), "distance"],
  ["work on a day off", lineProblem({}, { isOff: true }), "dayOff"],
  [
    "a break that is not taken",
    lineProblem({}, { flexibleBreaks: [{ within: [11 * hour, 13 * hour], seconds: 1800 }] }),
    "break",
  ],
  ["a day that is too long", lineProblem({}, { maxDuration: 599 }), "duration"],
]
for (const [name, problem, kind] of broken) {
  test(`the evaluator names ${name}`, () => {
    assert.ok(kinds(problem).includes(kind), `${kinds(problem)} lacks ${kind}`)
  })
}

test("the evaluator names a leg that ignores a slow hour", () => {
  const problem = lineProblem({})
  const slow = { ...problem, slowness: Array.from({ length: 24 }, (_, h) => (h === 8 ? 1.5 : 1)) }
  assert.deepEqual(kinds(slow), [])
  const found = evaluate(slow, inOrder, timetable(problem, inOrder)).violations.map(({ kind }) => kind)
  assert.ok(found.includes("arithmetic"), found.join())
})

test("the evaluator finds nothing wrong with a plan that keeps every rule", () => {
  assert.deepEqual(kinds(lineProblem({ tags: ["van"], windows: [[9 * hour, 10 * hour]] })), [])
})

test("the evaluator names too many trips and a trip that leaves before its goods", () => {
  const plan = { routes: [{ vehicle: 0, trips: [[0], [1, 2]] }], dropped: [] }
  assert.deepEqual(kinds(lineProblem({}), plan), ["trips"])
  const problem = lineProblem({ releaseTime: 10 * hour }, { maxTrips: 2 })
  assert.deepEqual(kinds(problem, plan), [])
  const tables = timetable(lineProblem({}, { maxTrips: 2 }), plan)
  assert.deepEqual(
    evaluate(problem, plan, tables).violations.map(({ kind }) => kind),
    ["release"],
  )
})

test("the evaluator names torn groups, groups on two vehicles and groups out of order", () => {
  const group = (priorities: number[]) =>
    aProblem(line, {
      visits: [1, 2, 3].map((location, i) => aVisit({ location, group: "g", priority: priorities[i] ?? 0 })),
      vehicles: [aVehicle(), aVehicle({ id: "spare" })],
    })
  const torn = { routes: [{ vehicle: 0, trips: [[0, 1]] }], dropped: [2] }
  const spread = {
    routes: [
      { vehicle: 0, trips: [[0, 1]] },
      { vehicle: 1, trips: [[2]] },
    ],
    dropped: [],
  }
  assert.deepEqual(kinds(group([0, 0, 0]), torn), ["group"])
  assert.deepEqual(kinds(group([0, 0, 0]), spread), ["group"])
  assert.deepEqual(kinds(group([1, 0, 1])), ["order"])
  assert.deepEqual(kinds(group([0, 1, 1])), [])
})

test("a group may be left out whole, and visits without a priority come first", () => {
  const group = (priorities: (number | undefined)[], location?: number) =>
    aProblem(line, {
      visits: priorities.map((priority, i) =>
        aVisit({ location: location ?? i + 1, group: "g", ...(priority === undefined ? {} : { priority }) }),
      ),
      vehicles: [aVehicle()],
    })
  const none = { routes: [], dropped: [0, 1, 2] }
  const one = { routes: [{ vehicle: 0, trips: [[0]] }], dropped: [1, 2] }
  assert.deepEqual(kinds(group([0, 0, 0]), none), [])
  assert.deepEqual(kinds(group([0, 0, 0]), one), ["group"])
  assert.deepEqual(kinds(group([1, undefined, 1])), ["order"])
  assert.deepEqual(kinds(group([undefined, 0, 0])), [])
  assert.deepEqual(kinds(group([0, 0, 1], 1)), [], "one begins when the other ends")
})

test("a difference of exactly the tolerance is rounding", () => {
  const t = 0.001
  const stop = (
    kind: Stop["kind"],
    visit: number,
    arrival: number,
    serviceStart: number,
    departure: number,
  ) => ({
    ...{ kind, visit, arrival, serviceStart, departure, serviceEnd: serviceStart, trip: 0, location: 0 },
    ...{ distance: 0, travelSeconds: 0, restSeconds: 0 },
  })
  const late = { location: 0, windows: [[-5, 0]] as const }
  const problem = aProblem([[0, 0]], {
    visits: [aVisit({ id: "one", ...late }), aVisit({ id: "other", ...late })],
    vehicles: [
      aVehicle({
        ...{
          shift: [t, 0],
          maxDuration: 0,
          maxDistance: 0,
          flexibleBreaks: [{ within: [0, 0], seconds: t }],
        },
        breaks: [
          [-5, 2 * t],
          [t, 5],
        ],
      }),
    ],
  })
  const stops = [
    stop("start", -1, 0, 0, 0),
    stop("visit", 0, t, t, 0),
    stop("visit", 1, t, 2 * t, 2 * t),
    stop("end", -1, t, t, t),
  ]
  const table = { vehicle: 0, stops, distance: t }
  const { violations } = evaluate(problem, { routes: [{ vehicle: 0, trips: [[0, 1]] }], dropped: [] }, [
    table,
  ])
  // The second visit is two thousandths late, and ends one after the second break began.
  assert.deepEqual(
    violations.map(({ kind, visit }) => `${kind} ${visit}`),
    ["timeWindow 1", "shift 1"],
  )
})

test("the evaluator names wrong arithmetic: times, distances and sums", () => {
  const problem = lineProblem({})
  const [table] = timetable(problem, inOrder)
  assert.ok(table)
  const shifted = {
    ...table,
    stops: table.stops.map((stop, s) => (s === 2 ? { ...stop, arrival: stop.arrival - 60 } : stop)),
  }
  const shortened = {
    ...table,
    stops: table.stops.map((stop, s) => (s === 2 ? { ...stop, distance: 1 } : stop)),
  }
  for (const wrong of [shifted, shortened, { ...table, distance: 1 }]) {
    assert.ok(evaluate(problem, inOrder, [wrong]).violations.some(({ kind }) => kind === "arithmetic"))
  }
})

test("the evaluator names a visit that is planned twice, or not at all", () => {
  assert.deepEqual(kinds(lineProblem({}), { routes: [{ vehicle: 0, trips: [[0, 1]] }], dropped: [] }), [
    "structure",
  ])
  assert.deepEqual(kinds(lineProblem({}), { ...inOrder, dropped: [1] }), ["structure"])
})

test("a plan costs its distance, its vehicles once per owner, and what is dropped", () => {
  const problem = lineProblem({ dropCost: 50 }, { fixedCost: 7, distanceCost: 2 })
  const plan = { routes: [{ vehicle: 0, trips: [[0, 2]] }], dropped: [1] }
  const { cost, distance, dropped, vehicles } = evaluate(problem, plan, timetable(problem, plan))
  assert.deepEqual(
    { cost, distance, dropped, vehicles },
    { cost: 12_057, distance: 6000, dropped: 1, vehicles: 1 },
  )
})
