import { joined } from "../problem/days.ts"
import { linksOf } from "../problem/links.ts"
import type { FlexibleBreak, Plan, PlannedRoute, PlanProblem, TimeSpan, Vehicle } from "../problem/problem.ts"
import { at } from "../problem/problem.ts"
import { evaluateRoute, secondsLate } from "./evaluator.ts"
import { routeTimetable } from "./timetable.ts"

/**
 * Breaks of so many minutes within a span. The search knows fixed breaks only, so this layer chooses their times: before the
 * search in the middle of their span, afterwards where they cost the route least.
 */

export function hasFlexibleBreaks({ vehicles }: PlanProblem): boolean {
  return vehicles.some(({ flexibleBreaks = [] }) => flexibleBreaks.length > 0)
}

/**
 * The problem with the flexible breaks of each route where it keeps most rules and ends earliest, and those of vehicles without
 * work in the middle of their span. `known` are pauses that the vehicles have already: they stay where `keeps` says so and the
 * route keeps all rules. Indices do not change.
 */
export function placeBreaks(
  problem: PlanProblem,
  plan: Plan,
  { known = (k) => at(problem.vehicles, k).breaks, keeps = false }: Partial<Known> = {},
): PlanProblem {
  if (!hasFlexibleBreaks(problem)) return problem
  const linked = new Set(linksOf(problem.visits).flatMap(({ first, second }) => [first, second]))
  const routes = new Map(plan.routes.map((route) => [route.vehicle, route]))
  return {
    ...problem,
    vehicles: problem.vehicles.map((vehicle, k) => {
      const route = routes.get(k)
      const now = (vehicle.flexibleBreaks ?? []).map((wanted) => pauseOf(wanted, known(k)))
      if (!route || now.length === 0) return withBreaks(vehicle, now)
      // Times of linked visits depend on other routes, so a break beside them stays.
      const isBound = route.trips.some((trip) => trip.some((visit) => linked.has(visit)))
      return isBound ? withBreaks(vehicle, now) : breaksForRoute(problem, route, now, keeps)
    }),
  }
}

interface Known {
  readonly known: (vehicle: number) => readonly TimeSpan[]
  readonly keeps: boolean
}

/** The vehicle of a route with its flexible breaks where they cost the route least. */
export function breaksForRoute(
  problem: PlanProblem,
  route: PlannedRoute,
  known: readonly TimeSpan[] = [],
  keeps = false,
): Vehicle {
  const vehicle = at(problem.vehicles, route.vehicle)
  const flexible = vehicle.flexibleBreaks ?? []
  if (flexible.length === 0) return vehicle
  let spans = flexible.map((wanted, index) => known[index] ?? pauseOf(wanted, vehicle.breaks))
  let best = rate(problem, route, withBreaks(vehicle, spans))
  if (keeps && best.wrongs === 0) return withBreaks(vehicle, spans)
  for (const [index, wanted] of flexible.entries()) {
    const without = withBreaks(vehicle, spans.toSpliced(index, 1))
    for (const start of starts(problem, route, without, wanted)) {
      const tried = spans.with(index, [start, start + wanted.seconds])
      const rated = rate(problem, route, withBreaks(vehicle, tried))
      if (!isBetter(rated, best)) continue
      best = rated
      spans = tried
    }
  }
  return withBreaks(vehicle, spans)
}

/** The problem with one other vehicle, for a single route. */
export function replaceVehicle(problem: PlanProblem, index: number, vehicle: Vehicle): PlanProblem {
  return { ...problem, vehicles: problem.vehicles.with(index, vehicle) }
}

/** Where the pause of a flexible break is among the pauses of its vehicle, or else in the middle of its span. */
export function pauseOf(
  { within: [from, to], seconds }: FlexibleBreak,
  breaks: readonly TimeSpan[],
): TimeSpan {
  const pause = breaks.find(([start, end]) => Math.min(end, to) - Math.max(start, from) >= seconds)
  const start = pause ? Math.max(pause[0], from) : from + Math.floor((to - from - seconds) / 2)
  return [start, start + seconds]
}

function withBreaks(vehicle: Vehicle, spans: readonly TimeSpan[]): Vehicle {
  if (vehicle.flexibleBreaks === undefined) return vehicle
  const fixedBreaks = vehicle.fixedBreaks ?? vehicle.breaks
  return { ...vehicle, fixedBreaks, breaks: joined([...fixedBreaks, ...spans]) }
}

/** Starts within the span: its ends, and those where the route would pause anyway, on arrival and after a visit. */
function starts(
  problem: PlanProblem,
  route: PlannedRoute,
  without: Vehicle,
  { within: [from, to], seconds }: FlexibleBreak,
): number[] {
  const { stops } = routeTimetable(replaceVehicle(problem, route.vehicle, without), route)
  const times = stops.flatMap(({ arrival, serviceStart, serviceEnd }) => [
    Math.ceil(arrival),
    Math.ceil(serviceEnd),
    Math.floor(serviceStart) - seconds,
  ])
  const last = to - seconds
  return [...new Set([from, last, ...times.filter((time) => time > from && time < last)])]
}

interface Rating {
  readonly wrongs: number
  readonly late: number
  readonly end: number
}

function rate(problem: PlanProblem, route: PlannedRoute, vehicle: Vehicle): Rating {
  const tried = replaceVehicle(problem, route.vehicle, vehicle)
  const table = routeTimetable(tried, route)
  const late = table.stops.reduce(
    (sum, { visit, serviceStart }) => sum + secondsLate(problem.visits[visit], serviceStart),
    0,
  )
  return {
    wrongs: evaluateRoute(tried, table).length,
    late,
    end: table.stops.at(-1)?.serviceEnd ?? 0,
  }
}

function isBetter(one: Rating, other: Rating): boolean {
  if (one.wrongs !== other.wrongs) return one.wrongs < other.wrongs
  if (one.late !== other.late) return one.late < other.late
  return one.end < other.end
}
