import { sumOfLoads } from "../loads.ts"
import { linksOf } from "../problem/links.ts"
import type { Plan, PlanProblem, Vehicle, Visit } from "../problem/problem.ts"
import { noWay, pairsOf, vehicleSuits } from "../problem/problem.ts"
import type { ViolationKind } from "./evaluator.ts"
import { evaluateRoute } from "./evaluator.ts"
import { breaksForRoute, replaceVehicle } from "./flexible-breaks.ts"
import { routeTimetable } from "./timetable.ts"

export type DropReason =
  | "tags"
  | "dayOff"
  | "noRoad"
  | "capacity"
  | "timeWindow"
  | "duration"
  | "distance"
  | "group"
  | "pair"
  | "link"
  | "other"

/**
 * Why a visit is not in the plan, by the first cause that no plan could avoid: no vehicle with its tags or
 * pin, or only with a day off, no way to it, more demand than any of them carries, windows or hours that none of them can
 * keep even with nothing else to do, a day or a way longer than each of them may have; then loads of the plan that leave no room
 * on any of them, the group, which is dropped whole, and the other end of a pickup and delivery pair. `other`: it would fit, but
 * not beside the rest.
 */
export function dropReason(problem: PlanProblem, index: number, plan: Plan): DropReason {
  const visit = problem.visits[index]
  if (visit === undefined) throw new RangeError(`visit ${index} is not part of the problem`)
  const suited = problem.vehicles.flatMap((vehicle, k) => (vehicleSuits(vehicle, visit) ? [k] : []))
  if (suited.length === 0)
    return problem.vehicles.some((vehicle) => vehicleSuits({ ...vehicle, isOff: false }, visit))
      ? "dayOff"
      : "tags"
  if (suited.every((k) => !hasWay(problem, k, visit))) return "noRoad"
  const pair = pairsOf(problem.visits).find((ends) => ends.pickup === index || ends.delivery === index)
  const goods = problem.visits[pair?.delivery ?? index] ?? visit
  const carrying = suited.filter((k) => hasRoom(problem.vehicles[k], goods))
  if (carrying.length === 0) return "capacity"
  if (pair) return pairReason(problem, carrying, index, pair)
  const obstacles = carrying.map((k) => aloneObstacles(problem, k, [index]))
  if (isNeverInTime(obstacles)) return "timeWindow"
  const limit = limitOfAll(obstacles)
  if (limit) return limit
  const serving = carrying.filter((_, at) => obstacles[at]?.length === 0)
  if (serving.length === 0) return "other"
  if (serving.every((k) => isFull(problem, plan, k, index))) return "capacity"
  if (linksOf(problem.visits).some(({ first, second }) => first === index || second === index)) return "link"
  if (visit.group === undefined) return "other"
  return problem.visits.filter((other) => other.group === visit.group).length > 1 ? "group" : "other"
}

/** The visit's own hours come first: `pair` when the visit could be served, but not its other end, or not both. */
function pairReason(
  problem: PlanProblem,
  carrying: readonly number[],
  index: number,
  { pickup, delivery }: { pickup: number; delivery: number },
): DropReason {
  const alone = carrying.map((k) => aloneObstacles(problem, k, [index]).filter((kind) => kind !== "pair"))
  if (isNeverInTime(alone)) return "timeWindow"
  const limit = limitOfAll(alone)
  if (limit) return limit
  const both = carrying.map((k) => aloneObstacles(problem, k, [pickup, delivery]))
  return both.every((kinds) => kinds.length > 0) ? "pair" : "other"
}

function isNeverInTime(obstacles: readonly (readonly ViolationKind[])[]): boolean {
  return obstacles.every((kinds) => kinds.some((kind) => timeKinds.includes(kind)))
}

/** The limit of each vehicle that the visit alone exceeds; where they differ, the day is named before the way. */
function limitOfAll(obstacles: readonly (readonly ViolationKind[])[]): "duration" | "distance" | undefined {
  if (obstacles.every((kinds) => kinds.includes("distance") && !kinds.includes("duration"))) return "distance"
  const exceeds = (kinds: readonly ViolationKind[]) =>
    kinds.includes("duration") || kinds.includes("distance")
  return obstacles.every(exceeds) ? "duration" : undefined
}

/** Whether a way leads from where the vehicle starts to the visit. */
export function hasWay(
  { vehicles, distances, locationCount }: PlanProblem,
  k: number,
  visit: Visit,
): boolean {
  const start = vehicles[k]?.startLocation ?? 0
  return (distances[start * locationCount + visit.location] ?? 0) < noWay
}

function hasRoom(vehicle: Vehicle | undefined, visit: Visit): boolean {
  return visit.demand.every((amount, c) => amount <= (vehicle?.capacity[c] ?? Number.POSITIVE_INFINITY))
}

/** Whether each trip leaves the hub with too much for the visit, and one more trip is not possible. */
function isFull(problem: PlanProblem, { routes }: Plan, k: number, index: number): boolean {
  const route = routes.find(({ vehicle }) => vehicle === k)
  const { demand = [] } = problem.visits[index] ?? {}
  const vehicle = problem.vehicles[k]
  if (!route || !vehicle) return false
  // What a delivery of a pair carries comes on board on the way.
  const loadsOf = (trip: readonly number[], c: number) =>
    trip.map((i) => (problem.visits[i]?.pickupId === undefined ? (problem.visits[i]?.demand[c] ?? 0) : 0))
  const hasRoomLeft = route.trips.some((trip) =>
    demand.every(
      (amount, c) =>
        sumOfLoads([...loadsOf(trip, c), amount]) <= (vehicle.capacity[c] ?? Number.POSITIVE_INFINITY),
    ),
  )
  if (hasRoomLeft) return false
  if (vehicle.endLocation === null || route.trips.length >= vehicle.maxTrips) return true
  const longer = { vehicle: k, trips: [...route.trips, [index]] }
  return evaluateRoute(problem, routeTimetable(problem, longer)).length > 0
}

const timeKinds: readonly ViolationKind[] = ["timeWindow", "shift", "break", "restricted"]

/** What keeps a vehicle from serving the visits with nothing else to do. */
function aloneObstacles(problem: PlanProblem, k: number, visits: readonly number[]): ViolationKind[] {
  const route = { vehicle: k, trips: [visits] }
  const free = replaceVehicle(problem, k, breaksForRoute(problem, route))
  return evaluateRoute(free, routeTimetable(free, route)).map(({ kind }) => kind)
}
