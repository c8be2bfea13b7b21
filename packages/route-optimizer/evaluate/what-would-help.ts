import { daySeconds } from "../problem/days.ts"
import { linksOf } from "../problem/links.ts"
import type { Plan, PlannedRoute, PlanProblem, TimeSpan, Vehicle, Visit } from "../problem/problem.ts"
import { pairsOf } from "../problem/problem.ts"
import { evaluate, evaluateRoute } from "./evaluator.ts"
import { hasWay } from "./reasons.ts"
import { routeTimetable, timetable } from "./timetable.ts"

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
  /** The vehicle works although it has a day off. */
  | { readonly kind: "dayOff"; readonly vehicle: number }
  /** One more vehicle like this one. */
  | { readonly kind: "vehicle"; readonly like: number }

export type Help = {
  readonly change: Change
  /** The route that serves the visit after the change; for another vehicle, its own. */
  readonly route: PlannedRoute
}

/**
 * The smallest single change of each kind that lets the plan take the dropped visit, smallest first.
 *
 * Tries every position of every route, lets it come out late or overloaded, and keeps those that break one
 * rule only. Kinds are ranked by effort: an hour of time, a tenth of a capacity and a tag weigh alike, and
 * one more vehicle most. About a tenth of a second for a plan of 1,000 visits.
 */
export function whatWouldHelp(problem: PlanProblem, plan: Plan, visit: number): Help[] {
  const linked = new Set(linksOf(problem.visits).flatMap(({ first, second }) => [first, second]))
  const best = new Map<string, { help: Help; effort: number }>()
  const offer = (help: Help) => {
    const effort = effortOf(problem, help.change)
    const known = best.get(help.change.kind)
    if (known !== undefined && effort >= known.effort) return
    // A route that delays a linked visit can delay other routes, which its own timetable does not show.
    const touchesLinks = help.route.trips.some((trip) => trip.some((i) => linked.has(i)))
    if (touchesLinks && !isKeptBy(problem, plan, help)) return
    best.set(help.change.kind, { help, effort })
  }
  const wanted = problem.visits[visit]
  if (wanted === undefined) throw new RangeError(`visit ${visit} is not part of the problem`)
  // No change builds a road.
  if (problem.vehicles.every((_, k) => !hasWay(problem, k, wanted))) return []
  const isGrouped = problem.visits.some(
    (other, i) => i !== visit && other.group !== undefined && other.group === wanted.group,
  )
  const members = companionsOf(problem, visit)
  // Where the times of other vehicles count, no change of one route is known to help.
  if (linked.has(visit)) return []
  // A visit of a group cannot come alone, so only a vehicle for the whole group could help.
  if (!isGrouped) {
    const routes = problem.vehicles.map(
      (_, vehicle): PlannedRoute =>
        plan.routes.find((route) => route.vehicle === vehicle) ?? { vehicle, trips: [] },
    )
    for (const route of routes) {
      const tried = [problem, ...withinShift(problem, route.vehicle, members)]
      for (const grown of insertions(route, members)) {
        for (const one of tried) {
          const change = onlyObstacle(one, grown, members)
          if (change) offer({ change, route: grown })
        }
      }
    }
  }
  if (!members.some((member) => isPinned(problem, member))) {
    problem.vehicles.forEach((_, like) => {
      const route = { vehicle: like, trips: [members] }
      const violations = evaluateRoute(problem, routeTimetable(problem, route))
      if (violations.length === 0) offer({ change: { kind: "vehicle", like }, route })
    })
  }
  return [...best.values()].sort((a, b) => a.effort - b.effort).map(({ help }) => help)
}

/**
 * The problem without the windows of these visits that open after the shift of the vehicle, if they have others: who comes late on
 * one day would otherwise wait for the next day's, and seem to need a longer shift.
 */
function withinShift(problem: PlanProblem, vehicle: number, visits: readonly number[]): PlanProblem[] {
  const end = problem.vehicles[vehicle]?.shift[1] ?? Number.POSITIVE_INFINITY
  const limited = visits.reduce((changed, i) => {
    const windows = problem.visits[i]?.windows ?? []
    const reached = windows.filter(([from]) => from <= end)
    const isLimited = reached.length > 0 && reached.length < windows.length
    return isLimited ? withVisit(changed, i, (visit) => ({ ...visit, windows: reached })) : changed
  }, problem)
  return limited === problem ? [] : [limited]
}

/** The problem after the change. One more vehicle goes to the end. */
function applyChange(problem: PlanProblem, change: Change): PlanProblem {
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

/** The plan with the help's change and route. */
export function withHelp(
  problem: PlanProblem,
  plan: Plan,
  { change, route }: Help,
): { problem: PlanProblem; plan: Plan } {
  const vehicle = change.kind === "vehicle" ? problem.vehicles.length : route.vehicle
  const served = new Set(route.trips.flat())
  return {
    problem: applyChange(problem, change),
    plan: {
      routes: [...plan.routes.filter((other) => other.vehicle !== vehicle), { vehicle, trips: route.trips }],
      dropped: plan.dropped.filter((i) => !served.has(i)),
    },
  }
}

/** Whether the whole plan keeps every rule with the help. */
function isKeptBy(problem: PlanProblem, plan: Plan, help: Help): boolean {
  const after = withHelp(problem, plan, help)
  return evaluate(after.problem, after.plan, timetable(after.problem, after.plan)).violations.length === 0
}

/** Stops between the ends of a pair that are tried. */
const widestPair = 3

/** Every place of a visit, or of a pickup with its delivery soon after it. */
function* insertions(
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

/** The change that removes every violation of the route, when one is enough. */
function onlyObstacle(
  problem: PlanProblem,
  route: PlannedRoute,
  joining: readonly number[],
): Change | undefined {
  const violations = evaluateRoute(problem, routeTimetable(problem, route))
  const [first] = violations
  if (first === undefined || violations.some((other) => other.kind !== first.kind)) return undefined
  const excess = Math.max(...violations.map((violation) => violation.excess ?? Number.POSITIVE_INFINITY))
  const { vehicle } = route
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

function effortOf(problem: PlanProblem, change: Change): number {
  switch (change.kind) {
    case "window":
    case "shift":
    case "duration":
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

/** Bound to one vehicle, by its pin or by a vehicle's id among its tags: no other vehicle could take it. */
function isPinned({ visits, vehicles }: PlanProblem, index: number): boolean {
  const visit = visits[index]
  const owners = new Set(vehicles.map((vehicle) => vehicle.owner ?? vehicle.id))
  return visit?.vehicleId !== undefined || visit?.tags.some((tag) => owners.has(tag)) === true
}

/** The visit with its group in the order of their priorities, or with the other end of its pair. */
function companionsOf({ visits }: PlanProblem, visit: number): number[] {
  const pair = pairsOf(visits).find(({ pickup, delivery }) => pickup === visit || delivery === visit)
  if (pair) return [pair.pickup, pair.delivery]
  const group = visits[visit]?.group
  const members = visits.flatMap((other, i) =>
    i === visit || (group !== undefined && other.group === group) ? [i] : [],
  )
  return members.sort((a, b) => (visits[a]?.priority ?? 0) - (visits[b]?.priority ?? 0))
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

function withVisit(problem: PlanProblem, index: number, change: (visit: Visit) => Visit): PlanProblem {
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
