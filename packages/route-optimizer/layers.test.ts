import assert from "node:assert/strict"
import { test } from "node:test"
import { shapeOf } from "./problem/areas.ts"
import { dailyShifts, spreadOverDays } from "./problem/days.ts"
import { aProblem, aVehicle, aVisit, hour, type Position } from "./problem/example-problems.ts"
import { isRestrictedOn, restrictedLegs } from "./problem/odd-even.ts"
import { mergeVisits } from "./search/merge.ts"
import { splitVisits } from "./search/split.ts"

const square: Position[] = [
  [0, 0],
  [1000, 0],
  [1000, 1000],
  [0, 1000],
]

test("equal split makes the fewest equal parts, maximize fills the vehicle first", () => {
  const problem = aProblem(square, {
    visits: [aVisit({ location: 1, demand: [4800, 2] }), aVisit({ location: 2, demand: [100, 9] })],
    vehicles: [aVehicle({ capacity: [3000, 5] }), aVehicle({ id: "second", capacity: [3000, 5] })],
  })
  const demands = (mode: "none" | "equal" | "maximize") =>
    splitVisits(problem, mode).problem.visits.map((visit) => visit.demand)
  assert.deepEqual(demands("none"), [
    [4800, 2],
    [100, 9],
  ])
  assert.deepEqual(demands("equal"), [
    [2400, 1],
    [2400, 1],
    [100, 9],
  ])
  assert.deepEqual(demands("maximize"), [
    [3000, 1.25],
    [1800, 0.75],
    [100, 9],
  ])
  assert.deepEqual(splitVisits(problem, "equal").parts, [
    { parent: 0, number: 1, count: 2 },
    { parent: 0, number: 2, count: 2 },
    { parent: 1, number: 1, count: 1 },
  ])
})

test("only vehicles with the visit's tags decide whether it is split", () => {
  const problem = aProblem(square, {
    visits: [aVisit({ location: 1, demand: [10], tags: ["cold"] })],
    vehicles: [aVehicle({ capacity: [30] }), aVehicle({ id: "cold van", tags: ["cold"], capacity: [4] })],
  })
  assert.deepEqual(
    splitVisits(problem, "equal").problem.visits.map((visit) => visit.demand[0]),
    [3.4, 3.3, 3.3],
  )
})

test("visits of one place become one, as long as a vehicle carries them and a start suits all", () => {
  const problem = aProblem(square, {
    visits: [
      aVisit({ id: "a", location: 1, demand: [2], serviceSeconds: 600, windows: [[9 * hour, 10 * hour]] }),
      aVisit({ id: "b", location: 1, demand: [2], serviceSeconds: 300, windows: [[9 * hour, 9.5 * hour]] }),
      aVisit({ id: "c", location: 1, demand: [2], windows: [[15 * hour, 16 * hour]] }),
      aVisit({ id: "d", location: 1, demand: [7] }),
      aVisit({ id: "e", location: 2, demand: [1] }),
    ],
    vehicles: [aVehicle({ capacity: [8] })],
  })
  const merged = mergeVisits(problem)
  assert.deepEqual(
    merged.problem.visits.map(({ demand, serviceSeconds, windows }) => [demand[0], serviceSeconds, windows]),
    [
      [4, 900, [[9 * hour, 9.5 * hour - 600]]],
      [2, 0, [[15 * hour, 16 * hour]]],
      [7, 0, []],
      [1, 0, []],
    ],
  )
  const plan = merged.unfold({ routes: [{ vehicle: 0, trips: [[3, 0], [1]] }], dropped: [2] })
  assert.deepEqual(plan, { routes: [{ vehicle: 0, trips: [[4, 0, 1], [2]] }], dropped: [3] })
})

test("a shift beyond midnight is a night, beyond the next morning several days", () => {
  const hours = (from: number, to: number) =>
    dailyShifts([from * hour, to * hour]).map(([a, b]) => [a / hour, b / hour])
  assert.deepEqual(hours(8, 17), [[8, 17]])
  assert.deepEqual(hours(20, 4), [[20, 28]])
  assert.deepEqual(hours(20, 28), [[20, 28]])
  assert.deepEqual(hours(8, 41), [
    [8, 17],
    [32, 41],
  ])
  assert.deepEqual(hours(8, 65), [
    [8, 17],
    [32, 41],
    [56, 65],
  ])
  assert.deepEqual(hours(0, 24), [[0, 24]])
})

test("several days rest where the last visit was, or start at the hub again", () => {
  const problem = aProblem(square, {
    visits: [aVisit({ location: 1, windows: [[9 * hour, 10 * hour]] })],
    vehicles: [aVehicle({ shift: [8 * hour, 41 * hour], breaks: [[12 * hour, 13 * hour]] })],
  })
  const resting = spreadOverDays(problem, "last visit")
  assert.deepEqual(resting.vehicles[0]?.breaks, [
    [12 * hour, 13 * hour],
    [17 * hour, 32 * hour],
    [36 * hour, 37 * hour],
  ])
  assert.deepEqual(resting.visits[0]?.windows, [
    [9 * hour, 10 * hour],
    [33 * hour, 34 * hour],
  ])
  const returning = spreadOverDays(problem, "from hub").vehicles
  assert.deepEqual(
    returning.map(({ owner, shift, breaks, endLocation }) => [
      owner,
      shift[0] / hour,
      breaks.length,
      endLocation,
    ]),
    [
      ["van", 8, 1, null],
      ["van", 32, 1, 0],
    ],
  )
})

test("areas follow nearness, share visits evenly when balanced, and never overlap", () => {
  const positions = Array.from({ length: 41 }, (_, i): Position => [(i * 37) % 41, (i * 11) % 29])
  const problem = aProblem(positions, {
    visits: positions.slice(1).map((_, i) => aVisit({ location: i + 1, demand: [i < 5 ? 10 : 1] })),
    vehicles: [aVehicle()],
  })
  const points = positions.map(([x, y]) => ({ x, y }))
  assert.equal(shapeOf(problem, "none", points, 4), undefined)
  const areas = shapeOf(problem, "balanced", points, 4)?.areas ?? []
  assert.deepEqual(
    [0, 1, 2, 3].map((area) => areas.filter((other) => other === area).length),
    [10, 10, 10, 10],
  )
  const boxes = [0, 1, 2, 3].map((area) => {
    const own = problem.visits.flatMap((visit, i) =>
      areas[i] === area ? [points[visit.location] ?? { x: 0, y: 0 }] : [],
    )
    return { x: own.map(({ x }) => x), y: own.map(({ y }) => y) }
  })
  for (const [a, first] of boxes.entries()) {
    for (const second of boxes.slice(a + 1)) {
      const isApart =
        Math.max(...first.x) <= Math.min(...second.x) ||
        Math.max(...second.x) <= Math.min(...first.x) ||
        Math.max(...first.y) <= Math.min(...second.y) ||
        Math.max(...second.y) <= Math.min(...first.y)
      assert.ok(isApart)
    }
  }
})

test("plates of the other parity than the day keep out of the zone", () => {
  assert.equal(isRestrictedOn("odd", "2026-03-10"), true)
  assert.equal(isRestrictedOn("even", "2026-03-10"), false)
  assert.equal(isRestrictedOn("even", "2026-03-31"), true)
  assert.equal(isRestrictedOn(undefined, "2026-03-31"), false)
  const zone = [
    [
      { x: 400, y: -100 },
      { x: 600, y: -100 },
      { x: 600, y: 100 },
      { x: 400, y: 100 },
    ],
  ]
  const legs = restrictedLegs(
    square.map(([x, y]) => ({ x, y })),
    zone,
  )
  // Only the side from (0, 0) to (1000, 0) passes the zone.
  assert.deepEqual([...legs], [0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
})
