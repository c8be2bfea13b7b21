import type { Plan, PlanProblem } from "../problem/problem.ts"
import { at } from "../problem/problem.ts"

/** The same problem with near visits beside each other, so that what the search reads together lies together in memory. */
export type OrderedProblem = {
  readonly problem: PlanProblem
  /** A plan of the given problem as one of the ordered one, and back. */
  readonly toOrdered: (plan: Plan) => Plan
  readonly toGiven: (plan: Plan) => Plan
}

export function inNearOrder(problem: PlanProblem): OrderedProblem {
  const order = nearestNext(problem)
  const places = new Int32Array(order.length)
  order.forEach((visit, place) => {
    places[visit] = place
  })
  const { visits, shape } = problem
  const areas = shape?.areas
  return {
    problem: {
      ...problem,
      visits: order.map((visit) => at(visits, visit)),
      ...(shape && areas ? { shape: { ...shape, areas: order.map((visit) => areas[visit] ?? -1) } } : {}),
    },
    toOrdered: (plan) => renamed(plan, (visit) => places[visit] ?? -1),
    toGiven: (plan) => renamed(plan, (place) => at(order, place)),
  }
}

/** From each visit to the nearest one that is left. */
function nearestNext({ visits, distances, locationCount }: PlanProblem): number[] {
  const left = visits.map((_, visit) => visit)
  const order: number[] = []
  let next = 0
  while (left.length > 0) {
    const visit = left[next] as number
    order.push(visit)
    left[next] = left.at(-1) as number
    left.pop()
    const row = (visits[visit]?.location ?? 0) * locationCount
    let nearest = Number.POSITIVE_INFINITY
    next = 0
    for (let l = 0; l < left.length; l++) {
      const distance = distances[row + (visits[left[l] as number]?.location ?? 0)] as number
      if (distance >= nearest) continue
      nearest = distance
      next = l
    }
  }
  return order
}

function renamed({ routes, dropped }: Plan, name: (visit: number) => number): Plan {
  return {
    routes: routes.map(({ vehicle, trips }) => ({ vehicle, trips: trips.map((trip) => trip.map(name)) })),
    dropped: dropped.map(name).toSorted((a, b) => a - b),
  }
}
