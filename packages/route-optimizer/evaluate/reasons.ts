import type { PlanProblem, Vehicle, Visit } from "../problem/problem.ts"
import { vehicleSuits } from "../problem/problem.ts"
import type { ViolationKind } from "./evaluator.ts"
import { evaluateRoute } from "./evaluator.ts"
import { routeTimetable } from "./timetable.ts"

export type DropReason = "tags" | "capacity" | "timeWindow" | "group" | "other"

/**
 * Why a visit is not in the plan, by the first cause that no plan could avoid: no vehicle with its tags or
 * pin, more demand than any of them carries, windows or hours that none of them can keep even with nothing
 * else to do; then the group, which is dropped whole.
 * `other`: it is too far or takes too long for every vehicle, or it would fit, but not beside the rest.
 */
export function dropReason(problem: PlanProblem, index: number): DropReason {
  const visit = problem.visits[index]
  if (visit === undefined) throw new RangeError(`visit ${index} is not part of the problem`)
  const suited = problem.vehicles.flatMap((vehicle, k) => (vehicleSuits(vehicle, visit) ? [k] : []))
  if (suited.length === 0) return "tags"
  const carrying = suited.filter((k) => hasRoom(problem.vehicles[k], visit))
  if (carrying.length === 0) return "capacity"
  const obstacles = carrying.map((k) => aloneObstacles(problem, k, index))
  if (obstacles.every((kinds) => kinds.some((kind) => timeKinds.includes(kind)))) return "timeWindow"
  if (obstacles.every((kinds) => kinds.length > 0)) return "other"
  if (visit.group === undefined) return "other"
  return problem.visits.filter((other) => other.group === visit.group).length > 1 ? "group" : "other"
}

function hasRoom(vehicle: Vehicle | undefined, visit: Visit): boolean {
  return visit.demand.every((amount, c) => amount <= (vehicle?.capacity[c] ?? Number.POSITIVE_INFINITY))
}

const timeKinds: readonly ViolationKind[] = ["timeWindow", "shift", "break", "restricted"]

/** What keeps a vehicle from serving the visit with nothing else to do. */
function aloneObstacles(problem: PlanProblem, k: number, index: number): ViolationKind[] {
  return evaluateRoute(problem, routeTimetable(problem, { vehicle: k, trips: [[index]] })).map(
    ({ kind }) => kind,
  )
}
