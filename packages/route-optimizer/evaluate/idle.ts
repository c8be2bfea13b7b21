import type { Plan, PlanProblem } from "../problem/problem.ts"
import { pairsOf, vehicleSuits } from "../problem/problem.ts"
import { evaluateRoute } from "./evaluator.ts"
import { breaksForRoute, replaceVehicle } from "./flexible-breaks.ts"
import { routeTimetable } from "./timetable.ts"

/**
 * Why a vehicle has no work: `tags`: it suits no visit; `dayOff`: it does not work; `limits`: its hours, loads or limits allow none of those that it
 * suits; `notNeeded`: the other vehicles serve them at less cost.
 */
export type IdleVehicle = {
  readonly owner: string
  readonly reason: "tags" | "dayOff" | "limits" | "notNeeded"
}

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
  if (days.every((vehicle) => problem.vehicles[vehicle]?.isOff === true)) return "dayOff"
  let suitsOne = false
  for (const vehicle of days) {
    const details = problem.vehicles[vehicle]
    for (const [i, visit] of problem.visits.entries()) {
      if (!details || !vehicleSuits(details, visit)) continue
      suitsOne = true
      const pickup = pickupOf.get(i)
      const trip = pickup === undefined ? [i] : [pickup, i]
      const route = { vehicle, trips: [trip] }
      const free = replaceVehicle(problem, vehicle, breaksForRoute(problem, route))
      if (evaluateRoute(free, routeTimetable(free, route)).length === 0) return "notNeeded"
    }
  }
  return suitsOne ? "limits" : "tags"
}
