import type { Plan, PlanProblem, Vehicle, Visit } from "../problem/problem.ts"
import { pairsOf } from "../problem/problem.ts"
import { checkLinks, unpreferredDaysOf, unpreferredVehiclesOf } from "./check-links.ts"
import { checkLoads } from "./check-loads.ts"
import { driven, sharedTime } from "./road-time.ts"
import type { RouteTimetable, Stop } from "./timetable.ts"

/**
 * Checks a plan and its timetable against the problem, from the problem's own words and with nothing of the
 * search: every stated time and distance is verified rather than computed again.
 */

export type ViolationKind =
  | "arithmetic"
  | "structure"
  | "tags"
  | "capacity"
  | "timeWindow"
  | "shift"
  | "break"
  | "dayOff"
  | "trips"
  | "release"
  | "duration"
  | "distance"
  | "group"
  | "order"
  | "pair"
  | "link"
  | "restricted"

export type Violation = {
  readonly kind: ViolationKind
  readonly vehicle?: number
  readonly visit?: number
  readonly dimension?: number
  /** How far beyond the limit: seconds, load units or distance. */
  readonly excess?: number
  readonly message: string
}

export type Evaluation = {
  readonly violations: readonly Violation[]
  readonly dropped: number
  readonly vehicles: number
  readonly distance: number
  /** What vehicles, distance, time, overtime, lateness and dropped visits cost. */
  readonly cost: number
  /** Visits that another vehicle than the preferred one serves; a preferred vehicle that the problem lacks is none. */
  readonly unpreferredVehicles: number
  /** Visits that begin on none of their preferred days. */
  readonly unpreferredDays: number
}

/** Slack for sums of doubles, in the problem's units: a millisecond, a millimetre. */
export const tolerance = 1e-3

export function evaluate(
  problem: PlanProblem,
  plan: Plan,
  timetables: readonly RouteTimetable[],
): Evaluation {
  const violations: Violation[] = []
  const say = (violation: Violation) => violations.push(violation)
  checkPartition(problem, plan, say)
  const stopOf = new Map<number, { stop: Stop; vehicle: number }>()
  let distance = 0
  let cost = 0
  const owners = new Map<string, number>()
  if (timetables.length !== plan.routes.length) {
    say({ kind: "structure", message: "a route has no timetable, or a timetable no route" })
  }
  for (const [r, table] of timetables.entries()) {
    const vehicle = problem.vehicles[table.vehicle]
    const route = plan.routes[r]
    if (vehicle === undefined || route === undefined || route.vehicle !== table.vehicle) {
      say({ kind: "structure", message: `timetable ${r} is not that of its route` })
      continue
    }
    const given = table.stops
      .filter((stop) => stop.kind === "visit")
      .map((stop) => `${stop.trip}:${stop.visit}`)
    const planned = route.trips.flatMap((trip, t) => trip.map((i) => `${t}:${i}`))
    if (given.join() !== planned.join())
      say({ kind: "structure", message: "a timetable differs from its route" })
    for (const violation of evaluateRoute(problem, table)) say(violation)
    for (const stop of table.stops)
      if (stop.kind === "visit") stopOf.set(stop.visit, { stop, vehicle: table.vehicle })
    const length = table.stops.reduce((sum, stop) => sum + stop.distance, 0)
    if (Math.abs(length - table.distance) > tolerance) {
      say({ kind: "arithmetic", vehicle: table.vehicle, message: "the legs do not add up to the distance" })
    }
    distance += length
    cost += length * vehicle.distanceCost + timeCost(problem, vehicle, table)
    owners.set(vehicle.owner ?? vehicle.id, vehicle.fixedCost)
  }
  checkGroups(problem, plan, stopOf, say)
  checkLinks(problem, stopOf, say)
  const dropped = new Set(plan.dropped)
  for (const { pickup, delivery } of pairsOf(problem.visits))
    if (dropped.has(pickup) !== dropped.has(delivery))
      say({ kind: "pair", visit: delivery, message: "only one end of a pickup and delivery pair is served" })
  for (const fixed of owners.values()) cost += fixed
  for (const i of plan.dropped) cost += problem.visits[i]?.dropCost ?? 0
  return {
    ...{ violations, dropped: plan.dropped.length, vehicles: owners.size, distance, cost },
    unpreferredVehicles: unpreferredVehiclesOf(problem, plan),
    unpreferredDays: unpreferredDaysOf(problem.visits, timetables).length,
  }
}

/** Everything that one vehicle's day can break; groups and the whole plan are looked at in `evaluate`. */
export function evaluateRoute(problem: PlanProblem, table: RouteTimetable): Violation[] {
  const vehicle = problem.vehicles[table.vehicle]
  if (vehicle === undefined) return [{ kind: "structure", message: "an unknown vehicle" }]
  const violations: Violation[] = []
  const context = {
    problem,
    vehicle,
    index: table.vehicle,
    say: (violation: Violation) => violations.push(violation),
  }
  checkShape(context, table)
  checkLegs(context, table)
  checkServices(context, table)
  checkLoads(context, table)
  checkFlexibleBreaks(context)
  checkLimits(context, table)
  return violations
}

export type Context = {
  readonly problem: PlanProblem
  readonly vehicle: Vehicle
  readonly index: number
  readonly say: (violation: Violation) => unknown
}

function checkPartition(problem: PlanProblem, plan: Plan, say: Context["say"]): void {
  const times = new Array<number>(problem.visits.length).fill(0)
  for (const i of [...plan.routes.flatMap((route) => route.trips.flat()), ...plan.dropped]) {
    times[i] = (times[i] ?? 0) + 1
  }
  times.forEach((count, visit) => {
    if (count !== 1) say({ kind: "structure", visit, message: `planned ${count} times` })
  })
  if (times.length > problem.visits.length) say({ kind: "structure", message: "an unknown visit is planned" })
  const vehicles = plan.routes.map((route) => route.vehicle)
  if (new Set(vehicles).size < vehicles.length)
    say({ kind: "structure", message: "a vehicle has two routes" })
}

function checkShape({ vehicle, index, say }: Context, { stops }: RouteTimetable): void {
  const [first] = stops
  const last = stops.at(-1)
  const wrong = (message: string) => say({ kind: "structure", vehicle: index, message })
  if (first?.kind !== "start" || first.location !== vehicle.startLocation) wrong("does not start at its hub")
  if (vehicle.endLocation === null ? last?.kind !== "visit" : last?.kind !== "end")
    wrong("ends in the wrong state")
  if (last?.kind === "end" && last.location !== vehicle.endLocation) wrong("ends at the wrong place")
  const reloads = stops.filter((stop) => stop.kind === "reload")
  if (reloads.some((stop) => stop.location !== vehicle.startLocation)) wrong("reloads away from its hub")
  if (reloads.length + 1 > vehicle.maxTrips) {
    say({
      kind: "trips",
      vehicle: index,
      excess: reloads.length + 1 - vehicle.maxTrips,
      message: "too many trips",
    })
  }
}

function checkLegs({ problem, vehicle, index, say }: Context, { stops }: RouteTimetable): void {
  stops.forEach((stop, s) => {
    const before = stops[s - 1]
    if (before === undefined) return
    const cell = before.location * problem.locationCount + stop.location
    const seconds = (problem.durations[cell] ?? Number.NaN) * vehicle.durationFactor
    const rest = seconds === 0 ? 0 : sharedTime(vehicle, before.departure, stop.arrival)
    const { slowness } = problem
    const done = slowness ? driven(slowness, vehicle, before.departure, stop.arrival) : stop.travelSeconds
    const wrong = (message: string) => say({ kind: "arithmetic", vehicle: index, visit: stop.visit, message })
    if (stop.distance !== problem.distances[cell]) wrong("the distance of a leg is not that of the matrix")
    if (!close(done, seconds)) wrong("the travel time of a leg is not that of the matrix")
    if (!close(stop.restSeconds, rest)) wrong("the rest on a leg is not the breaks within it")
    if (!close(before.departure + (slowness ? stop.travelSeconds : seconds) + rest, stop.arrival))
      wrong("arrival is not departure, travel and rest")
    if (vehicle.restricted !== true || seconds === 0 || problem.restrictedLegs?.legs[cell] !== 1) return
    for (const [from, to] of problem.restrictedLegs.spans) {
      if (before.departure < to - tolerance && stop.arrival > from + tolerance) {
        say({
          kind: "restricted",
          vehicle: index,
          visit: stop.visit,
          message: "drives a restricted leg in its span",
        })
      }
    }
  })
}

function checkServices({ problem, vehicle, index, say }: Context, { stops }: RouteTimetable): void {
  for (const stop of stops) {
    const wrong = (message: string) => say({ kind: "arithmetic", vehicle: index, visit: stop.visit, message })
    if (stop.serviceStart < stop.arrival - tolerance) wrong("service before arrival")
    if (stop.departure < stop.serviceEnd - tolerance) wrong("departure before the end of service")
    const visit = problem.visits[stop.visit]
    if (stop.kind !== "visit" || visit === undefined) continue
    if (!close(stop.serviceEnd - stop.serviceStart, visit.serviceSeconds))
      wrong("the service time has the wrong length")
    if (stop.location !== visit.location) wrong("the visit is at the wrong place")
    const tags = visit.tags.filter((tag) => !carries(vehicle, tag))
    const isPinned = visit.vehicleId !== undefined && !carries({ ...vehicle, tags: [] }, visit.vehicleId)
    if (tags.length > 0 || isPinned) {
      say({
        kind: "tags",
        vehicle: index,
        visit: stop.visit,
        message: "the vehicle lacks a tag or is not the requested one",
      })
    }
    const lateness = windowExcess(visit, stop.serviceStart)
    if (lateness > tolerance) {
      say({
        kind: "timeWindow",
        vehicle: index,
        visit: stop.visit,
        excess: lateness,
        message: "outside its windows",
      })
    }
    if (
      vehicle.breaks.some(
        ([from, to]) => stop.serviceStart < to - tolerance && stop.serviceEnd > from + tolerance,
      )
    ) {
      say({ kind: "break", vehicle: index, visit: stop.visit, message: "service during a break" })
    }
    const overtime = stop.serviceEnd - vehicle.shift[1]
    if (overtime > tolerance) {
      say({
        kind: "shift",
        vehicle: index,
        visit: stop.visit,
        excess: overtime,
        message: "service after the shift",
      })
    }
  }
}

/** A pause of the stated length lies within each of its spans. Services and legs are checked against all pauses anyway. */
function checkFlexibleBreaks({ vehicle, index, say }: Context): void {
  for (const { within, seconds } of vehicle.flexibleBreaks ?? []) {
    const isTaken = vehicle.breaks.some(
      ([from, to]) => Math.min(to, within[1]) - Math.max(from, within[0]) >= seconds - tolerance,
    )
    if (!isTaken)
      say({ kind: "break", vehicle: index, message: "has no break of its length within its span" })
  }
}

function checkLimits({ vehicle, index, say }: Context, { stops, distance }: RouteTimetable): void {
  if (vehicle.isOff === true && stops.some(({ kind }) => kind === "visit"))
    say({ kind: "dayOff", vehicle: index, message: "works on a day off" })
  const first = stops[0]
  const last = stops.at(-1)
  if (first === undefined || last === undefined) return
  if (first.departure < vehicle.shift[0] - tolerance) {
    say({ kind: "shift", vehicle: index, message: "leaves before the shift" })
  }
  const overtime = last.arrival - vehicle.shift[1]
  if (last.kind === "end" && vehicle.returnsAfterShift !== true && overtime > tolerance) {
    say({ kind: "shift", vehicle: index, excess: overtime, message: "returns after the shift" })
  }
  const end = last.kind === "end" ? last.arrival : last.serviceEnd
  const tooLong = end - first.departure - (vehicle.maxDuration ?? Number.POSITIVE_INFINITY)
  if (tooLong > tolerance)
    say({ kind: "duration", vehicle: index, excess: tooLong, message: "takes too long" })
  const tooFar = distance - (vehicle.maxDistance ?? Number.POSITIVE_INFINITY)
  if (tooFar > tolerance) say({ kind: "distance", vehicle: index, excess: tooFar, message: "drives too far" })
}

function checkGroups(
  problem: PlanProblem,
  plan: Plan,
  stopOf: ReadonlyMap<number, { stop: Stop; vehicle: number }>,
  say: Context["say"],
): void {
  const groups = new Map<string, number[]>()
  problem.visits.forEach((visit, i) => {
    if (visit.group !== undefined) groups.set(visit.group, [...(groups.get(visit.group) ?? []), i])
  })
  const dropped = new Set(plan.dropped)
  for (const [name, members] of groups) {
    const served = members.filter((i) => !dropped.has(i))
    if (served.length > 0 && served.length < members.length)
      say({ kind: "group", message: `group ${name} is incomplete` })
    const owners = new Set(
      served.map((i) => {
        const vehicle = problem.vehicles[stopOf.get(i)?.vehicle ?? -1]
        return vehicle?.owner ?? vehicle?.id
      }),
    )
    if (owners.size > 1) say({ kind: "group", message: `group ${name} is on several vehicles` })
    for (const i of served) {
      for (const j of served) {
        const earlier = stopOf.get(i)?.stop
        const later = stopOf.get(j)?.stop
        const isOrdered = (problem.visits[i]?.priority ?? 0) < (problem.visits[j]?.priority ?? 0)
        if (!isOrdered || earlier === undefined || later === undefined) continue
        if (earlier.serviceEnd > later.serviceStart + tolerance) {
          say({ kind: "order", visit: j, message: `group ${name} is out of order` })
        }
      }
    }
  }
}

/** Time from leaving to the end, overtime, and service that begins in the late part of its window. */
function timeCost({ visits }: PlanProblem, vehicle: Vehicle, { stops }: RouteTimetable): number {
  const [first, last] = [stops[0], stops.at(-1)]
  if (first === undefined || last === undefined) return 0
  const over = last.serviceEnd - (vehicle.shift[1] - (vehicle.overtime?.seconds ?? 0))
  let cost = (last.serviceEnd - first.departure) * (vehicle.secondCost ?? 0)
  cost += Math.max(0, over) * (vehicle.overtime?.costPerSecond ?? 0)
  for (const { visit, serviceStart } of stops)
    cost += secondsLate(visits[visit], serviceStart) * (visits[visit]?.lateness?.costPerSecond ?? 0)
  return cost
}

/** Seconds after the punctual part of the window in which service begins. */
export function secondsLate(visit: Visit | undefined, serviceStart: number): number {
  const window = visit?.windows.find(([, close]) => serviceStart <= close + tolerance)
  return window ? Math.max(0, serviceStart - (window[1] - (visit?.lateness?.seconds ?? 0))) : 0
}

function carries(vehicle: Vehicle, tag: string): boolean {
  return vehicle.tags.includes(tag) || tag === (vehicle.owner ?? vehicle.id)
}

function windowExcess(visit: Visit, start: number): number {
  if (visit.windows.length === 0) return 0
  return Math.min(...visit.windows.map(([open, end]) => Math.max(open - start, start - end, 0)))
}

function close(a: number, b: number): boolean {
  return Math.abs(a - b) <= tolerance
}
