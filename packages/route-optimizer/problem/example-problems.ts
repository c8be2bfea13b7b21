import type { PlanProblem, TimeSpan, Vehicle, Visit } from "./problem.ts"

/** Builders for tests and examples: a plane with one unit per metre, and vehicles of 36 km/h. */

export const hour = 3600

export type Position = readonly [x: number, y: number]

export function aVisit(visit: Partial<Visit> & { location: number }): Visit {
  return { id: `visit ${visit.location}`, serviceSeconds: 0, windows: [], demand: [], tags: [], ...visit }
}

/** Starts and ends at location 0, from 8:00 to 17:00. */
export function aVehicle(vehicle: Partial<Vehicle> = {}): Vehicle {
  const shift: TimeSpan = [8 * hour, 17 * hour]
  return {
    id: "van",
    startLocation: 0,
    endLocation: 0,
    shift,
    breaks: [],
    capacity: [],
    minimumLoad: [],
    tags: [],
    fixedCost: 0,
    distanceCost: 1,
    durationFactor: 0.1,
    maxTrips: 1,
    ...vehicle,
  }
}

/** Straight-line distances between positions, rounded to metres. */
export function aProblem(
  positions: readonly Position[],
  rest: Partial<PlanProblem> & Pick<PlanProblem, "visits" | "vehicles">,
): PlanProblem {
  const distances = Float64Array.from(
    positions.flatMap(([x, y]) => positions.map(([u, v]) => Math.round(Math.hypot(x - u, y - v)))),
  )
  const dimensions = Math.max(0, ...rest.visits.map((visit) => visit.demand.length))
  return {
    locationCount: positions.length,
    distances,
    durations: distances,
    dimensions,
    objective: { kind: "lexicographic" },
    ...rest,
  }
}

/**
 * 60 visits around a hub in clusters and strays, demands 1 to 9, vehicles of 30: the project's own instance.
 * Drawn from a fixed sequence, so it is the same everywhere.
 */
export function aDayOfSixty(): PlanProblem {
  let seed = 7
  const draw = (bound: number) => {
    seed = (seed * 48271) % 2147483647
    return seed % bound
  }
  const centers = Array.from({ length: 5 }, (): Position => [draw(20_000), draw(20_000)])
  const positions: Position[] = [[10_000, 10_000]]
  for (let i = 0; i < 60; i++) {
    const [x, y] = centers[i % 5] ?? [0, 0]
    positions.push(i % 3 === 0 ? [draw(20_000), draw(20_000)] : [x + draw(3_000), y + draw(3_000)])
  }
  const visits = positions
    .slice(1)
    .map((_, i) => aVisit({ location: i + 1, demand: [1 + draw(9)], serviceSeconds: 300 }))
  const vehicles = Array.from({ length: 20 }, (_, k) => aVehicle({ id: `van ${k + 1}`, capacity: [30] }))
  return aProblem(positions, { visits, vehicles })
}
