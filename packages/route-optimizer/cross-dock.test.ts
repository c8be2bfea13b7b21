import assert from "node:assert/strict"
import { test } from "node:test"
import type { CrossDockRequest } from "./cross-dock.ts"
import { planCrossDock } from "./cross-dock.ts"
import { aProblem, aVehicle, aVisit, hour, type Position } from "./problem/example-problems.ts"

// The main hub at 0, sub-hubs 30 km east and west of it, visits around all three.
const positions: Position[] = [
  [0, 0],
  [30_000, 0],
  [-30_000, 0],
  [31_000, 500],
  [32_000, -500],
  [-31_000, 500],
  [-32_000, -500],
  [500, 500],
]

function request(type: "all" | "drop", limit?: number): CrossDockRequest {
  const problem = aProblem(positions, {
    visits: [3, 4, 5, 6, 7].map((location) =>
      aVisit({ location, demand: [2], tags: type === "drop" && location < 7 ? ["small street"] : [] }),
    ),
    vehicles: [
      aVehicle({ id: "truck", capacity: [10] }),
      aVehicle({ id: "east", startLocation: 1, endLocation: 1, capacity: [6], tags: ["small street"] }),
      aVehicle({ id: "west", startLocation: 2, endLocation: 2, capacity: [6], tags: ["small street"] }),
    ],
  })
  return {
    type,
    problem,
    points: positions.map(([x, y]) => ({ x, y })),
    autoSplit: "none",
    autoMerge: false,
    clustering: "none",
    dayStart: "last visit",
    subHubs: [
      { id: "east", location: 1 },
      { id: "west", location: 2 },
    ],
    subHubOf: [-1, 0, 1],
    servesSubHubs: [true, false, false],
    handoverSeconds: 600,
    ...(limit === undefined ? {} : { subHubDistanceLimit: limit }),
  }
}

const options = { seed: 1, budget: { rounds: 2000 } }

test("everything goes over sub-hubs, whose vehicles leave after the handover", () => {
  const { first, second, handovers, dropped } = planCrossDock(request("all"), options)
  assert.deepEqual(dropped, [])
  assert.deepEqual(handovers.flatMap(({ visits }) => visits).sort(), [0, 1, 2, 3, 4])
  const arrivals = new Map<number, number>()
  for (const stop of first?.timetables.flatMap(({ stops }) => stops) ?? []) {
    const handover = handovers.find(({ id }) => id === first?.problem.visits[stop.visit]?.id)
    if (handover) arrivals.set(handover.subHub, stop.serviceEnd)
  }
  assert.equal(arrivals.size, 2)
  for (const { vehicle, stops } of second?.timetables ?? []) {
    const subHub = second?.problem.vehicles[vehicle]?.id === "east" ? 0 : 1
    assert.ok((stops[0]?.departure ?? 0) >= (arrivals.get(subHub) ?? Number.POSITIVE_INFINITY))
  }
})

test("only what the main hub cannot serve itself goes over a sub-hub", () => {
  const { first, second, handovers, dropped } = planCrossDock(request("drop"), options)
  assert.deepEqual(dropped, [])
  assert.deepEqual(handovers.flatMap(({ visits }) => visits).sort(), [0, 1, 2, 3])
  assert.ok(first?.timetables[0]?.stops.some(({ visit }) => first.requestVisits[visit] === 4))
  assert.equal(second?.evaluation.dropped, 0)
})

test("the distance limit binds the vehicles of sub-hubs alone", () => {
  const { first, second, dropped } = planCrossDock(request("all", 5000), options)
  assert.deepEqual(dropped, [4])
  assert.ok((first?.evaluation.distance ?? 0) > 5000)
  for (const { distance } of second?.timetables ?? []) assert.ok(distance <= 5000)
})

test("goods that reach a sub-hub too late for its shift leave their visits dropped", () => {
  const late = request("all")
  const vehicles = late.problem.vehicles.map((vehicle) =>
    vehicle.id === "truck" ? vehicle : { ...vehicle, shift: [8 * hour, 8.5 * hour] as const },
  )
  const { dropped } = planCrossDock({ ...late, problem: { ...late.problem, vehicles } }, options)
  assert.ok(dropped.length >= 4)
})
