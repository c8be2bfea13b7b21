import type { PlanProblem } from "../problem/problem.ts"
import type { SolveOptions } from "../solve.ts"
import { solve } from "../solve.ts"

/**
 * The order in which one vehicle best visits all of its visits, windows kept where that is possible.
 *
 * A worker's list is not shortened: visits that the windows keep out lose theirs, then all do, and at last
 * the working time and the capacities give way as well.
 *
 * @param problem with exactly one vehicle
 * @returns indices of all visits, in order
 */
export function orderVisits(problem: PlanProblem, options: SolveOptions): number[] {
  const strict = solve(problem, options).plan
  if (strict.dropped.length === 0) return orderOf(strict.routes)
  const late = new Set(strict.dropped)
  const withoutSome = solve(
    withoutWindows(problem, (i) => late.has(i)),
    options,
  ).plan
  if (withoutSome.dropped.length === 0) return orderOf(withoutSome.routes)
  const endless = problem.vehicles.map((vehicle) => ({
    ...vehicle,
    shift: [vehicle.shift[0], Number.POSITIVE_INFINITY] as const,
    capacity: [],
    returnsAfterShift: true,
  }))
  const free = solve(
    withoutWindows({ ...problem, vehicles: endless }, () => true),
    options,
  ).plan
  return [...orderOf(free.routes), ...free.dropped]
}

function withoutWindows(problem: PlanProblem, loses: (visit: number) => boolean): PlanProblem {
  return {
    ...problem,
    visits: problem.visits.map((visit, i) => (loses(i) ? { ...visit, windows: [] } : visit)),
  }
}

function orderOf(routes: readonly { readonly trips: readonly (readonly number[])[] }[]): number[] {
  return routes.flatMap(({ trips }) => trips.flat())
}
