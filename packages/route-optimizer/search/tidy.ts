import { joined } from "../problem/days.ts"
import type { PlanProblem, TimeSpan } from "../problem/problem.ts"

/**
 * Brings time windows and breaks into the order that the search takes for granted: ascending and apart.
 *
 * Windows that end before they begin allow nothing and go, as long as another one is left; a visit with no
 * other keeps it, and is dropped for it. Such a break stays, to be refused.
 */
export function tidyTimes(problem: PlanProblem): PlanProblem {
  return {
    ...problem,
    visits: problem.visits.map((visit) => ({ ...visit, windows: tidyWindows(visit.windows) })),
    vehicles: problem.vehicles.map((vehicle) => {
      const isSound = vehicle.breaks.every(([from, to]) => from <= to)
      return isSound ? { ...vehicle, breaks: joined(vehicle.breaks) } : vehicle
    }),
  }
}

function tidyWindows(windows: readonly TimeSpan[]): readonly TimeSpan[] {
  const possible = windows.filter(([from, to]) => from <= to).toSorted((a, b) => a[0] - b[0])
  if (possible.length === 0) return windows.slice(0, 1)
  const result: TimeSpan[] = []
  for (const [from, to] of possible) {
    const last = result.at(-1)
    if (last && from <= last[1]) result[result.length - 1] = [last[0], Math.max(last[1], to)]
    else result.push([from, to])
  }
  return result
}
