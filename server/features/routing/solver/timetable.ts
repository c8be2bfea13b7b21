import type { Plan, PlannedRoute, PlanProblem, TimeSpan, Vehicle, Visit } from "./problem.ts"

/** One stay at a place. Times in seconds of the problem's clock. */
export type Stop = {
  readonly kind: "start" | "visit" | "reload" | "end"
  /** Index of the visit, -1 at a hub. */
  readonly visit: number
  /** 0-based trip; a reload belongs to the trip that it begins. */
  readonly trip: number
  readonly location: number
  readonly arrival: number
  readonly serviceStart: number
  readonly serviceEnd: number
  /** When it leaves; later than the end of service to keep out of a restricted leg, or to start later. */
  readonly departure: number
  /** Of the leg to here: length, time on the road, and time rested in breaks meanwhile. */
  readonly distance: number
  readonly travelSeconds: number
  readonly restSeconds: number
}

export type RouteTimetable = {
  readonly vehicle: number
  readonly stops: readonly Stop[]
  readonly distance: number
}

/**
 * Seconds within which two times count as the same. The search adds the same numbers in another order, and
 * the last bit must not push a visit behind a break.
 */
const slack = 1e-6

/**
 * When every vehicle of a plan is where: each visit as early as the order allows, the start delayed so that
 * the first visit is reached when it opens (or, under a longest duration, so that nothing later moves).
 *
 * It keeps the order it is given and never drops a visit: an order that cannot be kept in time comes out
 * late, for the evaluator to name. Linear in the number of visits, so it also answers moves by hand.
 */
export function timetable(problem: PlanProblem, plan: Plan): RouteTimetable[] {
  return plan.routes.map((route) => routeTimetable(problem, route))
}

export function routeTimetable(problem: PlanProblem, route: PlannedRoute): RouteTimetable {
  const vehicle = at(problem.vehicles, route.vehicle)
  const stops: Stop[] = []
  const trips = route.trips.map((trip) => [...trip])
  trips.forEach((trip, t) => {
    const before = stops.at(-1)
    const release = trip.reduce(
      (latest, i) => Math.max(latest, at(problem.visits, i).releaseTime ?? latest),
      Number.NEGATIVE_INFINITY,
    )
    if (before === undefined) {
      const ready = Math.max(vehicle.shift[0], release)
      stops.push(hubStop("start", t, vehicle.startLocation, vehicle.shift[0], ready, noLeg))
    } else {
      const leg = travel(problem, vehicle, before, vehicle.startLocation)
      relieve(stops, leg.leave)
      stops.push(
        hubStop("reload", t, vehicle.startLocation, leg.arrival, Math.max(leg.arrival, release), leg),
      )
    }
    for (const i of trip) {
      const visit = at(problem.visits, i)
      const leg = travel(problem, vehicle, at(stops, stops.length - 1), visit.location)
      relieve(stops, leg.leave)
      const serviceStart = earliestService(vehicle, visit, leg.arrival)
      const serviceEnd = serviceStart + visit.serviceSeconds
      stops.push({
        kind: "visit",
        visit: i,
        trip: t,
        location: visit.location,
        arrival: leg.arrival,
        serviceStart,
        serviceEnd,
        departure: serviceEnd,
        distance: leg.distance,
        travelSeconds: leg.travelSeconds,
        restSeconds: leg.restSeconds,
      })
    }
  })
  const last = stops.at(-1)
  if (last !== undefined && vehicle.endLocation !== null) {
    const leg = travel(problem, vehicle, last, vehicle.endLocation)
    relieve(stops, leg.leave)
    stops.push(hubStop("end", trips.length - 1, vehicle.endLocation, leg.arrival, leg.arrival, leg))
  }
  const settled =
    vehicle.maxDuration === undefined
      ? delayStart(problem, vehicle, stops)
      : delayAll(problem, vehicle, stops)
  return {
    vehicle: route.vehicle,
    stops: settled,
    distance: settled.reduce((sum, stop) => sum + stop.distance, 0),
  }
}

type Leg = {
  readonly leave: number
  readonly arrival: number
  readonly distance: number
  readonly travelSeconds: number
  readonly restSeconds: number
}

const noLeg: Leg = { leave: 0, arrival: 0, distance: 0, travelSeconds: 0, restSeconds: 0 }

function hubStop(
  kind: "start" | "reload" | "end",
  trip: number,
  location: number,
  arrival: number,
  departure: number,
  leg: Leg,
): Stop {
  const { distance, travelSeconds, restSeconds } = leg
  return {
    kind,
    visit: -1,
    trip,
    location,
    arrival,
    serviceStart: arrival,
    serviceEnd: arrival,
    departure,
    distance,
    travelSeconds,
    restSeconds,
  }
}

/** The last stop leaves later than it could. */
function relieve(stops: Stop[], leave: number): void {
  const last = stops.pop()
  if (last) stops.push({ ...last, departure: leave })
}

function travel(problem: PlanProblem, vehicle: Vehicle, from: Stop, to: number): Leg {
  const cell = from.location * problem.locationCount + to
  const distance = problem.distances[cell] ?? Number.NaN
  const travelSeconds = (problem.durations[cell] ?? Number.NaN) * vehicle.durationFactor
  let leave = from.departure
  let arrival = roadEnd(vehicle.breaks, leave, travelSeconds)
  if (vehicle.restricted === true && travelSeconds > 0 && problem.restrictedLegs?.legs[cell] === 1) {
    for (const [start, end] of problem.restrictedLegs.spans) {
      if (leave < end - slack && arrival > start + slack) {
        leave = end
        arrival = roadEnd(vehicle.breaks, leave, travelSeconds)
      }
    }
  }
  return { leave, arrival, distance, travelSeconds, restSeconds: rested(vehicle.breaks, leave, arrival) }
}

/** End of `work` seconds on the road, resting in every break. */
function roadEnd(breaks: readonly TimeSpan[], leave: number, work: number): number {
  if (work === 0) return leave
  let end = leave + work
  for (const [from, to] of breaks) {
    if (to <= leave || from >= end - slack) continue
    end += to - Math.max(from, leave)
  }
  return end
}

function rested(breaks: readonly TimeSpan[], leave: number, arrival: number): number {
  return breaks.reduce(
    (sum, [from, to]) => sum + Math.max(0, Math.min(to, arrival) - Math.max(from, leave)),
    0,
  )
}

/** Earliest start of service in a window and beside all breaks; on arrival when there is none left. */
function earliestService(vehicle: Vehicle, visit: Visit, arrival: number): number {
  const windows =
    visit.windows.length > 0 ? visit.windows : [[Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]]
  for (const [open = 0, close = 0] of windows) {
    let start = Math.max(arrival, open)
    for (const [from, to] of vehicle.breaks) {
      if (start < to - slack && start + visit.serviceSeconds > from + slack) start = to
    }
    if (start <= close + slack) return start
  }
  return arrival
}

/** Leaves the hub as late as reaches the first visit at the start of its service. */
function delayStart(problem: PlanProblem, vehicle: Vehicle, stops: readonly Stop[]): Stop[] {
  const [start, first] = stops
  if (start === undefined || first === undefined || first.kind !== "visit") return [...stops]
  return [
    ...withDeparture(
      problem,
      vehicle,
      start,
      first,
      latestLeave(problem, vehicle, start, first, first.serviceStart),
    ),
    ...stops.slice(2),
  ]
}

/** From the end backwards: every service as late as delays nothing after it, so the day is as short as it gets. */
function delayAll(problem: PlanProblem, vehicle: Vehicle, stops: readonly Stop[]): Stop[] {
  const result = [...stops]
  for (let s = stops.length - 2; s >= 0; s--) {
    const stop = at(result, s)
    const next = at(result, s + 1)
    const bound =
      next.kind === "visit" ? next.serviceStart : next.kind === "end" ? next.arrival : next.departure
    const leave = latestLeave(problem, vehicle, stop, next, bound)
    let moved: Stop = stop
    if (stop.kind === "visit") {
      const visit = at(problem.visits, stop.visit)
      const serviceStart = latestService(
        vehicle,
        visit,
        Math.min(leave, vehicle.shift[1]) - visit.serviceSeconds,
        stop.serviceStart,
      )
      moved = { ...stop, serviceStart, serviceEnd: serviceStart + visit.serviceSeconds }
    }
    const [left, reached] = withDeparture(problem, vehicle, moved, next, Math.max(leave, moved.serviceEnd))
    result[s] = left
    result[s + 1] = reached
  }
  return result
}

function latestService(vehicle: Vehicle, visit: Visit, bound: number, earliest: number): number {
  const windows =
    visit.windows.length > 0 ? visit.windows : [[Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]]
  for (const [open = 0, close = 0] of [...windows].reverse()) {
    let start = Math.min(bound, close)
    for (const [from, to] of [...vehicle.breaks].reverse()) {
      if (start < to - slack && start + visit.serviceSeconds > from + slack)
        start = from - visit.serviceSeconds
    }
    if (start >= open - slack && start >= earliest) return start
  }
  return earliest
}

/** Latest time to leave `from` and be at `to` by `bound`, no earlier than it leaves now. */
function latestLeave(problem: PlanProblem, vehicle: Vehicle, from: Stop, to: Stop, bound: number): number {
  if (to.travelSeconds === 0) return Math.max(bound, from.departure)
  const cell = from.location * problem.locationCount + to.location
  const isRestricted = vehicle.restricted === true && problem.restrictedLegs?.legs[cell] === 1
  let leave = roadStart(vehicle.breaks, bound, to.travelSeconds)
  for (const [start, end] of isRestricted ? [...(problem.restrictedLegs?.spans ?? [])].reverse() : []) {
    if (leave < end - slack && roadEnd(vehicle.breaks, leave, to.travelSeconds) > start + slack) {
      leave = roadStart(vehicle.breaks, start, to.travelSeconds)
    }
  }
  return Math.max(leave, from.departure)
}

/** Latest start of `work` seconds on the road that end by `bound`. */
function roadStart(breaks: readonly TimeSpan[], bound: number, work: number): number {
  let leave = bound - work
  for (const [from, to] of [...breaks].reverse()) {
    if (to > leave + slack && from < bound - slack) leave -= Math.min(to, bound) - from
  }
  return leave
}

function withDeparture(
  problem: PlanProblem,
  vehicle: Vehicle,
  from: Stop,
  to: Stop,
  leave: number,
): [Stop, Stop] {
  const { arrival, distance, travelSeconds, restSeconds } = travel(
    problem,
    vehicle,
    { ...from, departure: leave },
    to.location,
  )
  const isHub = to.kind !== "visit"
  const left = { ...from, departure: leave }
  const reached = { ...to, arrival, distance, travelSeconds, restSeconds }
  return [left, isHub ? { ...reached, serviceStart: arrival, serviceEnd: arrival } : reached]
}

function at<T>(list: readonly T[], index: number): T {
  const item = list[index]
  if (item === undefined) throw new RangeError(`plan names entry ${index}, which the problem does not have`)
  return item
}
