import { daySeconds } from "../problem/days.ts"
import type { PlannedRoute, PlanProblem, TimeSpan, Vehicle, Visit } from "../problem/problem.ts"
import type { Violation } from "./evaluator.ts"

/** One change that makes room for a dropped visit in the plan as it stands. Minutes are whole. */
export type Change =
  | { readonly kind: "window"; readonly visit: number; readonly minutes: number }
  | { readonly kind: "shift"; readonly vehicle: number; readonly minutes: number }
  | {
      readonly kind: "capacity"
      readonly vehicle: number
      readonly dimension: number
      readonly amount: number
    }
  | { readonly kind: "tag"; readonly vehicle: number; readonly tag: string }
  | { readonly kind: "distance"; readonly vehicle: number; readonly meters: number }
  /** A longer day, within the shift. */
  | { readonly kind: "duration"; readonly vehicle: number; readonly minutes: number }
  /** So much less, or more, time between the visit and those that it waits for. */
  | { readonly kind: "gap"; readonly visit: number; readonly minutes: number }
  /** The vehicle works although it has a day off. */
  | { readonly kind: "dayOff"; readonly vehicle: number }
  /** One more vehicle like this one. */
  | { readonly kind: "vehicle"; readonly like: number }

export type Help = {
  readonly change: Change
  /** The routes that serve the visit, and those linked with it, after the change; one more vehicle has the next index. */
  readonly routes: readonly PlannedRoute[]
}

/** The problem after the change. One more vehicle goes to the end. */
export function applyChange(problem: PlanProblem, change: Change): PlanProblem {
  switch (change.kind) {
    case "window":
      return withVisit(problem, change.visit, (visit) => ({
        ...visit,
        windows: widened(visit, change.minutes * 60),
      }))
    case "shift":
      return withVehicle(problem, change.vehicle, (vehicle) => ({
        ...vehicle,
        shift: [vehicle.shift[0], vehicle.shift[1] + change.minutes * 60],
      }))
    case "capacity":
      return withVehicle(problem, change.vehicle, (vehicle) => ({
        ...vehicle,
        capacity: vehicle.capacity.map((most, c) => (c === change.dimension ? most + change.amount : most)),
      }))
    case "tag":
      return withVehicle(problem, change.vehicle, (vehicle) => ({
        ...vehicle,
        tags: [...vehicle.tags, change.tag],
      }))
    case "distance":
      return withVehicle(problem, change.vehicle, (vehicle) => ({
        ...vehicle,
        maxDistance: (vehicle.maxDistance ?? 0) + change.meters,
      }))
    case "duration":
      return withVehicle(problem, change.vehicle, (vehicle) => ({
        ...vehicle,
        maxDuration: (vehicle.maxDuration ?? 0) + change.minutes * 60,
      }))
    case "gap":
      return withVisit(problem, change.visit, (visit) => ({
        ...visit,
        ...relaxed(visit, change.minutes * 60),
      }))
    case "dayOff":
      return withVehicle(problem, change.vehicle, ({ isOff: _, ...vehicle }) => vehicle)
    case "vehicle": {
      const like = problem.vehicles[change.like]
      if (like === undefined) throw new RangeError(`vehicle ${change.like} is not part of the problem`)
      const id = `${like.owner ?? like.id}+1`
      return {
        ...problem,
        vehicles: [...problem.vehicles, { ...like, id, owner: id }],
      }
    }
  }
}

/** Stops between the ends of a pair that are tried. */
const widestPair = 3

/** Every place of a visit, or of a pickup with its delivery soon after it. */
export function* insertions(
  route: PlannedRoute,
  [visit = -1, delivery]: readonly number[],
): Generator<PlannedRoute> {
  const trips = route.trips.length > 0 ? route.trips : [[]]
  for (const [t, trip] of trips.entries()) {
    for (let place = 0; place <= trip.length; place++) {
      const grown = trip.toSpliced(place, 0, visit)
      if (delivery === undefined) yield { vehicle: route.vehicle, trips: trips.with(t, grown) }
      for (let behind = place + 1; delivery !== undefined && behind <= place + 1 + widestPair; behind++) {
        if (behind > grown.length) break
        yield { vehicle: route.vehicle, trips: trips.with(t, grown.toSpliced(behind, 0, delivery)) }
      }
    }
  }
}

/** The change that removes all violations, when one is enough. */
export function onlyObstacle(
  problem: PlanProblem,
  violations: readonly Violation[],
  joining: readonly number[],
): Change | undefined {
  const [first] = violations
  const vehicle = first?.vehicle
  if (first === undefined || vehicle === undefined) return undefined
  if (violations.some((other) => other.kind !== first.kind || other.vehicle !== vehicle)) return undefined
  const excess = Math.max(...violations.map((violation) => violation.excess ?? Number.POSITIVE_INFINITY))
  switch (first.kind) {
    case "timeWindow":
      if (violations.length > 1 || first.visit === undefined || !joining.includes(first.visit))
        return undefined
      return { kind: "window", visit: first.visit, minutes: Math.ceil(excess / 60) }
    case "shift":
      return endsOnItsDay(problem.vehicles[vehicle], excess)
        ? { kind: "shift", vehicle, minutes: Math.ceil(excess / 60) }
        : undefined
    case "capacity": {
      const dimension = first.dimension ?? 0
      if (violations.some((other) => other.dimension !== dimension)) return undefined
      return { kind: "capacity", vehicle, dimension, amount: excess }
    }
    case "tags": {
      const tag = onlyMissingTag(problem.vehicles[vehicle], problem.visits[first.visit ?? -1])
      return violations.length === 1 && tag !== undefined ? { kind: "tag", vehicle, tag } : undefined
    }
    case "distance":
      return { kind: "distance", vehicle, meters: Math.ceil(excess) }
    case "duration":
      return { kind: "duration", vehicle, minutes: Math.ceil(excess / 60) }
    case "dayOff":
      return { kind: "dayOff", vehicle }
    default:
      return undefined
  }
}

/** A shift that was so much longer would end before the midnight that follows it now. */
function endsOnItsDay(vehicle: Vehicle | undefined, seconds: number): boolean {
  const end = vehicle?.shift[1] ?? Number.POSITIVE_INFINITY
  return end + seconds <= Math.ceil(end / daySeconds) * daySeconds
}

function onlyMissingTag(vehicle: Vehicle | undefined, visit: Visit | undefined): string | undefined {
  if (vehicle === undefined || visit === undefined || visit.vehicleId !== undefined) return undefined
  const missing = visit.tags.filter(
    (tag) => !vehicle.tags.includes(tag) && tag !== (vehicle.owner ?? vehicle.id),
  )
  return missing.length === 1 ? missing[0] : undefined
}

/** An hour of time, a tenth of a capacity and a tag weigh alike, and one more vehicle most. */
export function effortOf(problem: PlanProblem, change: Change): number {
  switch (change.kind) {
    case "window":
    case "shift":
    case "duration":
    case "gap":
      return change.minutes / 60
    case "capacity":
      return (
        (10 * change.amount) /
        Math.max(problem.vehicles[change.vehicle]?.capacity[change.dimension] ?? 0, 1e-9)
      )
    case "distance":
      return (10 * change.meters) / Math.max(problem.vehicles[change.vehicle]?.maxDistance ?? 0, 1)
    case "tag":
      return 1
    case "dayOff":
      return 8
    case "vehicle":
      return 1000
  }
}

function widened(visit: Visit, seconds: number): TimeSpan[] {
  const spans: [number, number][] = []
  for (const [from, to] of visit.windows) {
    const last = spans.at(-1)
    if (last && from - seconds <= last[1]) last[1] = Math.max(last[1], to + seconds)
    else spans.push([from - seconds, to + seconds])
  }
  return spans
}

function relaxed({ after = [] }: Visit, seconds: number): Pick<Visit, "after"> {
  return {
    after: after.map(({ visitId, minSeconds, maxSeconds }) => ({
      visitId,
      minSeconds: Math.max(0, minSeconds - seconds),
      ...(maxSeconds === undefined ? {} : { maxSeconds: maxSeconds + seconds }),
    })),
  }
}

export function withVisit(problem: PlanProblem, index: number, change: (visit: Visit) => Visit): PlanProblem {
  return { ...problem, visits: problem.visits.map((visit, i) => (i === index ? change(visit) : visit)) }
}

function withVehicle(
  problem: PlanProblem,
  index: number,
  change: (vehicle: Vehicle) => Vehicle,
): PlanProblem {
  return {
    ...problem,
    vehicles: problem.vehicles.map((vehicle, k) => (k === index ? change(vehicle) : vehicle)),
  }
}
