import { type Leg, maxStarts, slack, travel } from "../problem/leg-times.ts"
import { type Link, linksOf } from "../problem/links.ts"
import type { Plan, PlannedRoute, PlanProblem, Vehicle, Visit } from "../problem/problem.ts"
import { at } from "../problem/problem.ts"
import { delayAll, delayStart, roomToDelay } from "../search/delay-stops.ts"

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
 * When every vehicle of a plan is where: each visit as early as the order allows, the start delayed so that
 * the first visit is reached when it opens (or, under a longest duration, so that nothing later moves; a day
 * that is still too long starts as much later as makes it short enough).
 *
 * It keeps the order it is given and never drops a visit: an order that cannot be kept in time comes out
 * late, for the evaluator to name. Linear in the number of visits, so it also serves manual moves.
 * @param bounds starts of service that are no earlier, by visit
 */
export function timetable(
  problem: PlanProblem,
  plan: Plan,
  bounds?: ReadonlyMap<number, number>,
): RouteTimetable[] {
  const links = linksOf(problem.visits)
  return links.length > 0
    ? linkedTimetable(problem, plan, links, bounds)
    : plan.routes.map((route) => routeTimetable(problem, route, bounds))
}

/** Rounds in which starts move later; more would mean that links and windows contradict each other. */
const maxLinkRounds = 200

/** The earliest times that keep all links: starts that are too early for a link move later until none is. */
function linkedTimetable(
  problem: PlanProblem,
  plan: Plan,
  links: readonly Link[],
  given?: ReadonlyMap<number, number>,
): RouteTimetable[] {
  const bounds = new Map(given)
  let tables: RouteTimetable[] = []
  for (let round = 0; round < maxLinkRounds; round++) {
    tables = plan.routes.map((route) => routeTimetable(problem, route, bounds))
    const stops = new Map(tables.flatMap((table) => table.stops.map((stop) => [stop.visit, stop] as const)))
    let hasMoved = false
    const raise = (visit: number, time: number, stop: Stop) => {
      if (stop.serviceStart >= time - slack) return
      bounds.set(visit, time)
      hasMoved = true
    }
    for (const { first, second, gap } of links) {
      const [before, after] = [stops.get(first), stops.get(second)]
      if (!before || !after) continue
      const service = before.serviceEnd - before.serviceStart
      raise(second, gap ? before.serviceEnd + gap.min : before.serviceStart, after)
      raise(first, after.serviceStart - (gap ? service + gap.max : 0), before)
    }
    if (!hasMoved) break
  }
  return tables
}

/** @param bounds starts of service that are no earlier, by visit */
export function routeTimetable(
  problem: PlanProblem,
  route: PlannedRoute,
  bounds?: ReadonlyMap<number, number>,
): RouteTimetable {
  const vehicle = at(problem.vehicles, route.vehicle)
  const stops =
    vehicle.maxDuration === undefined
      ? delayStart(problem, vehicle, earliestStops(problem, vehicle, route, vehicle.shift[0], bounds))
      : stopsOfShortDay(problem, vehicle, route, vehicle.maxDuration)
  return {
    vehicle: route.vehicle,
    stops,
    distance: stops.reduce((sum, stop) => sum + stop.distance, 0),
  }
}

/** The first day that is short enough, else the shortest: with several windows a later start may be shorter. */
function stopsOfShortDay(
  problem: PlanProblem,
  vehicle: Vehicle,
  route: PlannedRoute,
  longest: number,
): readonly Stop[] {
  let shortest: readonly Stop[] = []
  let least = Number.POSITIVE_INFINITY
  let leave = vehicle.shift[0]
  for (let tried = 0; tried < maxStarts; tried++) {
    const earliest = earliestStops(problem, vehicle, route, leave)
    const punctual = delayAll(problem, vehicle, earliest, true)
    const stops = durationOf(punctual) <= longest ? punctual : delayAll(problem, vehicle, earliest, false)
    // An order that cannot be kept at all comes out as early as it gets.
    if (!isInTime(problem, vehicle, stops)) return shortest.length > 0 ? shortest : stops
    const start = stops[0]?.departure ?? leave
    const duration = durationOf(stops)
    if (duration < least) {
      least = duration
      shortest = stops
    }
    const room = roomToDelay(problem, vehicle, stops)
    if (least <= longest || room === Number.POSITIVE_INFINITY) return shortest
    leave = start + room + 2 * slack
  }
  return shortest
}

function durationOf(stops: readonly Stop[]): number {
  return (stops.at(-1)?.serviceEnd ?? 0) - (stops[0]?.departure ?? 0)
}

function isInTime(problem: PlanProblem, vehicle: Vehicle, stops: readonly Stop[]): boolean {
  const [, shiftEnd] = vehicle.shift
  return stops.every((stop) => {
    if (stop.kind === "end" && vehicle.returnsAfterShift === true) return true
    if (stop.serviceEnd > shiftEnd + slack) return false
    if (stop.kind !== "visit") return true
    const isPaused = vehicle.breaks.some(
      ([from, to]) => stop.serviceStart < to - slack && stop.serviceEnd > from + slack,
    )
    if (isPaused) return false
    const { windows } = at(problem.visits, stop.visit)
    const { serviceStart } = stop
    return (
      windows.length === 0 ||
      windows.some(([open, close]) => serviceStart >= open - slack && serviceStart <= close + slack)
    )
  })
}

/** Every stop as early as leaving the hub at `leave` or later allows. */
function earliestStops(
  problem: PlanProblem,
  vehicle: Vehicle,
  route: PlannedRoute,
  leave: number,
  bounds?: ReadonlyMap<number, number>,
): Stop[] {
  const stops: Stop[] = []
  route.trips.forEach((trip, t) => {
    const before = stops.at(-1)
    const release = trip.reduce(
      (latest, i) => Math.max(latest, at(problem.visits, i).releaseTime ?? latest),
      Number.NEGATIVE_INFINITY,
    )
    if (before === undefined) {
      const ready = Math.max(leave, release)
      stops.push(hubStop("start", t, vehicle.startLocation, vehicle.shift[0], ready, noLeg))
    } else {
      const leg = travel(problem, vehicle, before, vehicle.startLocation)
      relieve(stops, leg.leave)
      stops.push(
        hubStop("reload", t, vehicle.startLocation, leg.arrival, Math.max(leg.arrival, release), leg),
      )
    }
    for (const i of trip) stops.push(visitStop(problem, vehicle, stops, i, t, bounds?.get(i)))
  })
  const last = stops.at(-1)
  if (last !== undefined && vehicle.endLocation !== null) {
    const leg = travel(problem, vehicle, last, vehicle.endLocation)
    relieve(stops, leg.leave)
    stops.push(hubStop("end", route.trips.length - 1, vehicle.endLocation, leg.arrival, leg.arrival, leg))
  }
  return stops
}

function visitStop(
  problem: PlanProblem,
  vehicle: Vehicle,
  stops: Stop[],
  i: number,
  trip: number,
  bound = Number.NEGATIVE_INFINITY,
): Stop {
  const visit = at(problem.visits, i)
  const leg = travel(problem, vehicle, at(stops, stops.length - 1), visit.location)
  relieve(stops, leg.leave)
  const serviceStart = earliestService(vehicle, visit, Math.max(leg.arrival, bound))
  const serviceEnd = serviceStart + visit.serviceSeconds
  return {
    kind: "visit",
    visit: i,
    trip,
    location: visit.location,
    arrival: leg.arrival,
    serviceStart,
    serviceEnd,
    departure: serviceEnd,
    distance: leg.distance,
    travelSeconds: leg.travelSeconds,
    restSeconds: leg.restSeconds,
  }
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
