import type { PlanRequest } from "./plan-routes.ts"
import { aProblem, type Position } from "./problem/example-problems.ts"
import type { PlanProblem } from "./problem/problem.ts"

/** Enough rounds for a small plan, the same each time. */
export const rounds = { seed: 1, budget: { rounds: 3000 } }

export function request(problem: PlanProblem, rest: Partial<PlanRequest> = {}): PlanRequest {
  const points = Array.from({ length: problem.locationCount }, (_, i) => ({
    x: problem.distances[i] ?? 0,
    y: 0,
  }))
  return {
    problem,
    points,
    autoSplit: "none",
    autoMerge: false,
    clustering: "none",
    dayStart: "last visit",
    ...rest,
  }
}

export function plane(
  positions: readonly Position[],
  rest: Parameters<typeof aProblem>[1],
  options: Partial<PlanRequest> = {},
) {
  const points = positions.map(([x, y]) => ({ x, y }))
  return request(aProblem(positions, rest), { points, ...options })
}
