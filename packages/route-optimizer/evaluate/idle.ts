import type { Plan, PlanProblem } from "../problem/problem.ts"
import { pairsOf, vehicleSuits } from "../problem/problem.ts"
import { evaluateRoute } from "./evaluator.ts"
import { routeTimetable } from "./timetable.ts"

/**
 * Why a vehicle has no work: `tags`: it suits no visit; `limits`: its hours, loads or limits allow none of those that it
 * suits; `notNeeded`: the other vehicles serve them at less cost.
 */
export type IdleVehicle = { readonly owner: string; readonly reason: "tags" | "limits" | "notNeeded" }

/** Each vehicle without work once, however many days it could work. */
export function idleVehicles(problem: PlanProblem, plan: Plan): IdleVehicle[] {
  const ownerOf = (k: number) => problem.vehicles[k]?.owner ?? problem.vehicles[k]?.id ?? ""
  const working = new Set(plan.routes.map(({ vehicle }) => ownerOf(vehicle)))
  const indices = Map.groupBy(problem.vehicles.keys(), ownerOf)
  return [...indices].flatMap(([owner, days]) =>
    working.has(owner) ? [] : [{ owner, reason: reasonOf(problem, days) }],
  )
}

function reasonOf(problem: PlanProblem, days: readonly number[]): IdleVehicle["reason"] {
  const pickupOf = new Map(pairsOf(problem.visits).map(({ pickup, delivery }) => [delivery, pickup]))
  let suitsOne = false
  for (const vehicle of days) {
    const details = problem.vehicles[vehicle]
    for (const [i, visit] of problem.visits.entries()) {
      if (!details || !vehicleSuits(details, visit)) continue
      suitsOne = true
      const pickup = pickupOf.get(i)
      const trip = pickup === undefined ? [i] : [pickup, i]
      const table = routeTimetable(problem, { vehicle, trips: [trip] })
      if (evaluateRoute(problem, table).length === 0) return "notNeeded"
    }
  }
  return suitsOne ? "limits" : "tags"
}
