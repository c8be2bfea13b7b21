import assert from "node:assert/strict"
import { test } from "node:test"
import { evaluateRoute } from "./evaluate/evaluator.ts"
import { routeTimetable } from "./evaluate/timetable.ts"
import { aProblem, aVehicle, aVisit, hour } from "./problem/example-problems.ts"
import { createRandom } from "./problem/random.ts"
import { replan } from "./replan.ts"
import type { RunningPlan } from "./running-day.ts"

/** Vehicles on their way in a square of 20 km, with stops in the order of their numbers. */
function aRunningDay(seed: number, vehicles: number, stops: number): RunningPlan {
  const { below } = createRandom(seed)
  const place = () => [below(20_000), below(20_000)] as const
  const positions = [place(), ...Array.from({ length: vehicles + vehicles * stops + 5 }, place)]
  const problem = aProblem(positions, {
    vehicles: Array.from({ length: vehicles }, (_, k) =>
      aVehicle({ id: `van ${k}`, startLocation: 1 + k, endLocation: 0, shift: [10 * hour, 20 * hour] }),
    ),
    visits: Array.from({ length: vehicles * stops + 5 }, (_, i) => {
      const opens = (10 + below(6)) * hour
      const windows = below(4) === 0 ? [[opens, opens + 2 * hour] as const] : []
      return aVisit({ location: 1 + vehicles + i, serviceSeconds: 300, demand: [], windows })
    }),
  })
  const routes = problem.vehicles.map((_, k) => Array.from({ length: stops }, (_, i) => k * stops + i))
  const waiting = Array.from({ length: 5 }, (_, i) => vehicles * stops + i)
  return { problem, routes, waiting, kept: new Set(routes.flatMap((route) => route.slice(0, 1))) }
}

test("every visit is planned once or dropped, kept ones stay, few others move, and no rule is newly broken", () => {
  for (let seed = 1; seed <= 6; seed++) {
    const running = aRunningDay(seed, 5, 6)
    const { problem, routes, waiting, kept } = running
    const after = replan(running, { clock: () => 0 })
    const all = [...after.routes.flat(), ...after.dropped].toSorted((one, other) => one - other)
    assert.deepEqual(
      all,
      problem.visits.map((_, i) => i),
    )
    for (const [vehicle, route] of routes.entries())
      for (const visit of route) if (kept.has(visit)) assert(after.routes[vehicle]?.includes(visit))
    const late = routes.flatMap((route, vehicle) => wrong(running, vehicle, route)).length
    assert(after.routes.flatMap((route, vehicle) => wrong(running, vehicle, route)).length <= late)
    assert(after.moved.length <= 2 * waiting.length + late)
    assert.deepEqual(replan(running, { clock: () => 0 }), after)
  }
})

function wrong({ problem }: RunningPlan, vehicle: number, route: readonly number[]) {
  return evaluateRoute(problem, routeTimetable(problem, { vehicle, trips: [route] }))
}

test("a new stop goes where it is least out of the way, and a full vehicle gives one away for it", () => {
  const positions = [
    [0, 0],
    [1000, 0],
    [-1000, 0],
    [1500, 0],
    [900, 100],
    [-900, 0],
  ] as const
  const visit = (location: number, tags: string[] = []) => aVisit({ location, demand: [1], tags })
  const vehicles = [aVehicle({ id: "east", capacity: [2] }), aVehicle({ id: "west", capacity: [2] })]
  const visits = [visit(1), visit(2), visit(3), visit(4), visit(5, ["east"])]
  const problem = aProblem(positions, { vehicles, visits })
  const near = { problem, routes: [[0], [1]], waiting: [2], kept: new Set<number>() }
  assert.deepEqual(
    replan(near).routes.map((route) => route.toSorted()),
    [[0, 2], [1]],
  )
  const full = { problem, routes: [[0, 2], [1]], waiting: [4], kept: new Set([0]) }
  const { routes, moved, dropped } = replan(full)
  assert.deepEqual(
    [routes.map((route) => route.toSorted()), moved, dropped],
    [
      [
        [0, 4],
        [1, 2],
      ],
      [2],
      [],
    ],
  )
  assert.deepEqual(replan({ ...full, kept: new Set([0, 2]) }).dropped, [4])
})

test("a pair goes to the only vehicle with room for it, however far that is, and to nobody where there is none", () => {
  const positions = Array.from({ length: 9 }, (_, i) => [i * 1000, 0] as const)
  const fleet = (last: number) =>
    [6, 5, 4, 3, 2, 1].map((place) =>
      aVehicle({ id: `van ${place}`, startLocation: place, capacity: [place === 1 ? last : 1] }),
    )
  const visits = [
    aVisit({ id: "pickup", location: 7, demand: [0] }),
    aVisit({ id: "delivery", location: 8, demand: [2], pickupId: "pickup" }),
  ]
  const after = (last: number) => {
    const problem = aProblem(positions, { vehicles: fleet(last), visits })
    return replan({ problem, routes: [[], [], [], [], [], []], waiting: [0, 1], kept: new Set() })
  }
  assert.deepEqual(after(2).routes[5], [0, 1])
  assert.deepEqual(after(1).dropped, [0, 1])
})

test("stops that a delay makes late go to a vehicle that is in time", () => {
  const positions = [
    [0, 0],
    [5000, 0],
    [5000, 100],
  ] as const
  const visits = [aVisit({ location: 1, windows: [[9 * hour, 10 * hour]] }), aVisit({ location: 2 })]
  const vehicles = [aVehicle({ id: "late", shift: [12 * hour, 17 * hour] }), aVehicle({ id: "free" })]
  const problem = aProblem(positions, { vehicles, visits })
  const after = replan({ problem, routes: [[0, 1], []], waiting: [], kept: new Set() })
  assert.deepEqual(after.routes, [[1], [0]])
})

test("stops of a running route come into a shorter order with a new one, and those without cause stay", () => {
  const positions = [0, 1000, 2000, 3000, 4000, 5000].map((x) => [x, 0] as const)
  const visits = positions.slice(1).map((_, i) => aVisit({ location: 1 + i }))
  const vehicles = [aVehicle({ id: "one", endLocation: null }), aVehicle({ id: "two" })]
  const problem = aProblem(positions, { vehicles, visits })
  const { routes, moved } = replan({ problem, routes: [[2, 0, 3, 1], []], waiting: [4], kept: new Set() })
  assert.deepEqual([routes, moved], [[[0, 1, 2, 3, 4], []], []])
})

test("what was promised keeps the order of a route where a shorter one would break it", () => {
  const positions = [0, 1000, 2000, 3000, 4000, 5000].map((x) => [x, 0] as const)
  const order = [2, 0, 3, 1]
  const promised = (visit: number) => {
    const turn = order.indexOf(visit)
    return turn === -1 ? {} : { promised: [(8 + turn) * hour, (8.75 + turn) * hour] as const }
  }
  const visits = positions
    .slice(1)
    .map((_, i) => aVisit({ location: 1 + i, serviceSeconds: hour, ...promised(i) }))
  const vehicles = [aVehicle({ id: "one", endLocation: null })]
  const problem = aProblem(positions, { vehicles, visits })
  const { routes } = replan({ problem, routes: [order], waiting: [4], kept: new Set() })
  assert.deepEqual(routes, [[...order, 4]])
})

test("when the time is over, new stops are placed, and nothing is searched", () => {
  const positions = [0, 1000, 2000, 3000, 4000, 5000, 6000].map((x) => [x, 0] as const)
  const visits = positions.slice(1).map((_, i) => aVisit({ location: 1 + i, demand: [1] }))
  const vehicles = [
    aVehicle({ id: "one", endLocation: null, capacity: [5] }),
    aVehicle({ id: "two", capacity: [0] }),
  ]
  const problem = aProblem(positions, { vehicles, visits })
  const running = { problem, routes: [[2, 0, 3, 1], []], waiting: [5, 4], kept: new Set<number>() }
  let time = 0
  const late = { clock: () => (time += 1000) }
  const after = replan({ ...running, waitedBefore: new Set([5]) }, late)
  assert.deepEqual([after.routes, after.dropped], [[[2, 0, 4, 3, 1], []], [5]])
})
