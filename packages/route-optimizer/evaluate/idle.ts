import type { Plan, PlanProblem } from "../problem/problem.ts"
import { pairsOf, vehicleSuits } from "../problem/problem.ts"
import { evaluateRoute, secondsLate, tolerance } from "./evaluator.ts"
import { breaksForRoute, replaceVehicle } from "./flexible-breaks.ts"
import { type RouteTimetable, routeTimetable } from "./timetable.ts"

/**
 * Why a vehicle has no work: `tags`: it suits no visit; `dayOff`: it does not work; `limits`: its hours, loads or limits allow none of those that it
 * suits; `late`: it could serve visits in time that others serve late, which costs less than using it; `notNeeded`: the other
 * vehicles serve them at less cost.
 */
export type IdleVehicle = {
  readonly owner: string
  readonly reason: "tags" | "dayOff" | "limits" | "late" | "notNeeded"
}

/** Each vehicle without work once, however many days it could work. */
export function idleVehicles(
  problem: PlanProblem,
  plan: Plan,
  timetables: readonly RouteTimetable[],
): IdleVehicle[] {
  const ownerOf = (k: number) => problem.vehicles[k]?.owner ?? problem.vehicles[k]?.id ?? ""
  const working = new Set(plan.routes.map(({ vehicle }) => ownerOf(vehicle)))
  const indices = Map.groupBy(problem.vehicles.keys(), ownerOf)
  const late = lateVisits(problem, timetables)
  return [...indices].flatMap(([owner, days]) =>
    working.has(owner) ? [] : [{ owner, reason: reasonOf(problem, days, late) }],
  )
}

/** Visits that begin after the punctual part of their window. */
function lateVisits(problem: PlanProblem, timetables: readonly RouteTimetable[]): ReadonlySet<number> {
  return new Set(
    timetables.flatMap(({ stops }) =>
      stops.flatMap(({ visit, serviceStart }) =>
        secondsLate(problem.visits[visit], serviceStart) > tolerance ? visit : [],
      ),
    ),
  )
}

function reasonOf(
  problem: PlanProblem,
  days: readonly number[],
  late: ReadonlySet<number>,
): IdleVehicle["reason"] {
  const pickupOf = new Map(pairsOf(problem.visits).map(({ pickup, delivery }) => [delivery, pickup]))
  if (days.every((vehicle) => problem.vehicles[vehicle]?.isOff === true)) return "dayOff"
  let [suitsOne, servesOne] = [false, false]
  for (const vehicle of days) {
    const details = problem.vehicles[vehicle]
    for (const [i, visit] of problem.visits.entries()) {
      if (!details || !vehicleSuits(details, visit)) continue
      suitsOne = true
      // One visit that it can serve is enough; only those that are late say more.
      if (servesOne && !late.has(i)) continue
      const pickup = pickupOf.get(i)
      const route = { vehicle, trips: [pickup === undefined ? [i] : [pickup, i]] }
      const free = replaceVehicle(problem, vehicle, breaksForRoute(problem, route))
      const table = routeTimetable(free, route)
      if (evaluateRoute(free, table).length > 0) continue
      servesOne = true
      if (late.has(i) && lateVisits(free, [table]).size === 0) return "late"
    }
  }
  if (servesOne) return "notNeeded"
  return suitsOne ? "limits" : "tags"
}
