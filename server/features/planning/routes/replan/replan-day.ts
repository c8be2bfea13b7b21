import type { Violation } from "../../../../../packages/route-optimizer/evaluate/evaluator.ts"
import { placeLinked } from "../../../../../packages/route-optimizer/evaluate/help-linked.ts"
import type { RouteTimetable } from "../../../../../packages/route-optimizer/evaluate/timetable.ts"
import { routeTimetable, timetable } from "../../../../../packages/route-optimizer/evaluate/timetable.ts"
import { reviewPlan } from "../../../../../packages/route-optimizer/plan-routes.ts"
import { type LinkGroup, linkGroups, linksOf } from "../../../../../packages/route-optimizer/problem/links.ts"
import type { Plan, PlanProblem } from "../../../../../packages/route-optimizer/problem/problem.ts"
import { replan } from "../../../../../packages/route-optimizer/replan.ts"
import { promisedWindows } from "../../../../../packages/route-optimizer/search/shorten.ts"

/** A running day from now on, and what has to be planned again. Visits and vehicles by their index in the problem. */
export interface DayRequest {
  problem: PlanProblem
  /** Of each vehicle, the visits to come. */
  planned: readonly (readonly number[])[]
  /** Vehicles that take part no longer. */
  out: ReadonlySet<number>
  /** Vehicles whose shift ends earlier than planned. */
  early: ReadonlySet<number>
  /** Vehicles that take nothing and give nothing. */
  frozen: ReadonlySet<number>
  /** Visits that stay on their vehicle. */
  kept: ReadonlySet<number>
  fresh: readonly number[]
  /** Without a vehicle before. */
  dropped: readonly number[]
  /** Whether a vehicle is late: everything that this makes late may move. */
  isDelayed: boolean
}

export interface ReplannedDay {
  timetables: readonly RouteTimetable[]
  dropped: readonly number[]
  /** Visits that begin after their window. */
  late: readonly number[]
  /** Of each vehicle, without the changes and with them. */
  before: readonly DrivenRoute[]
  after: readonly DrivenRoute[]
}

interface DrivenRoute {
  visits: readonly number[]
  /** Metres */
  distance: number
  /** On the road. */
  seconds: number
}

/** Most planned visits on another vehicle afterwards, for each new one. */
const movedPerVisit = 2

/** Plans a running day again. Up to a second for 1,000 visits, so it belongs in a thread. */
export function replanDay(request: DayRequest): ReplannedDay {
  const { problem, planned, out, early, fresh, dropped, kept, isDelayed } = request
  const overflow = planned.flatMap((route, vehicle) =>
    early.has(vehicle) ? takeWhatDoesNotFit(problem, vehicle, route) : [],
  )
  const leftBehind = planned.filter((_, vehicle) => out.has(vehicle)).flat()
  const routes = planned.map((route, vehicle) =>
    out.has(vehicle) ? [] : route.filter((visit) => !overflow.includes(visit)),
  )
  const linked = new Set(linksOf(problem.visits).flatMap(({ first, second }) => [first, second]))
  const isAlone = (visit: number) => !linked.has(visit)
  const all = [...leftBehind, ...overflow, ...fresh, ...dropped]
  const waiting = all.filter(isAlone)
  const cause = fresh.length + leftBehind.length + overflow.length
  const planWith = (frozen: ReadonlySet<number>) => {
    const replanned = replan(
      { problem, routes, waiting, waitedBefore: new Set(dropped), kept, frozen },
      isDelayed ? {} : { maxMovedInAll: movedPerVisit * Math.max(1, cause) },
    )
    const left = [...replanned.dropped, ...all.filter((visit) => !isAlone(visit))]
    return { replanned, left, ...reviewPlan(problem, planOf(replanned.routes, left)) }
  }
  const frozen = new Set([...out, ...request.frozen])
  const found = planWith(frozen)
  const brokenLinks = (violations: readonly Violation[]) =>
    violations.filter(({ kind, excess }) => kind === "link" && excess !== undefined).length
  const isTorn =
    linked.size > 0 &&
    brokenLinks(found.evaluation.violations) >
      brokenLinks(reviewPlan(problem, planOf(routes, all)).evaluation.violations)
  const withLinks = routes.flatMap((route, vehicle) =>
    route.some((visit) => linked.has(visit)) ? vehicle : [],
  )
  const { replanned, left } = isTorn ? planWith(new Set([...frozen, ...withLinks])) : found
  const plan = withLinkedVisits(problem, planOf(replanned.routes, left), frozen, new Set(dropped))
  const { timetables, evaluation } = reviewPlan(problem, plan)
  const after = new Map(plan.routes.map(({ vehicle, trips }) => [vehicle, trips.flat()]))
  return {
    timetables,
    dropped: plan.dropped,
    late: evaluation.violations.flatMap(({ kind, visit }) =>
      kind === "timeWindow" && visit !== undefined ? visit : [],
    ),
    before: planned.map((route, vehicle) => driven(problem, vehicle, route)),
    after: planned.map((_, vehicle) => driven(problem, vehicle, after.get(vehicle) ?? [])),
  }
}

/** Visits that were left out before are tried that long, after all others. */
const placingMilliseconds = 250

/** Places visits that wait for each other or begin together: all of a group or none, and nothing else changes its place. */
function withLinkedVisits(
  problem: PlanProblem,
  plan: Plan,
  frozen: ReadonlySet<number>,
  waitedBefore: ReadonlySet<number>,
): Plan {
  const begun = performance.now()
  const left = new Set(plan.dropped)
  const isOld = ({ members }: LinkGroup) => members.every((i) => !left.has(i) || waitedBefore.has(i))
  const groups = (linkGroups(problem.visits) ?? []).filter(({ members }) => members.some((i) => left.has(i)))
  let routes = plan.routes
  for (const group of groups.toSorted((one, other) => Number(isOld(one)) - Number(isOld(other)))) {
    if (isOld(group) && performance.now() - begun > placingMilliseconds) break
    const placed = new Set(routes.flatMap(({ trips }) => trips.flat()))
    // Others of the group may be on vehicles that keep their route.
    if (!group.members.every((i) => left.has(i) || placed.has(i))) continue
    const changed = placeLinked(
      keepingPromises(problem, routes),
      { routes, dropped: [...left] },
      group,
      frozen,
    )
    if (!changed) continue
    const vehicles = new Set(changed.map(({ vehicle }) => vehicle))
    routes = [...routes.filter(({ vehicle }) => !vehicles.has(vehicle)), ...changed]
    for (const i of group.members) left.delete(i)
  }
  return { routes, dropped: [...left] }
}

/** Visits that were promised for a time have a window around it. */
function keepingPromises(problem: PlanProblem, routes: Plan["routes"]): PlanProblem {
  const stops = timetable(problem, { routes, dropped: [] }).flatMap((table) => table.stops)
  const begins = new Map(stops.map(({ visit, serviceStart }) => [visit, serviceStart]))
  const visits = problem.visits.map((visit, i) => {
    const begin = begins.get(i)
    return begin === undefined ? visit : { ...visit, windows: promisedWindows(visit, begin) }
  })
  return { ...problem, visits }
}

function planOf(routes: readonly (readonly number[])[], dropped: readonly number[]): Plan {
  return {
    routes: routes.flatMap((route, vehicle) => (route.length > 0 ? { vehicle, trips: [route] } : [])),
    dropped,
  }
}

/** From the end, what keeps a vehicle that has to be back early from being so. */
function takeWhatDoesNotFit(problem: PlanProblem, vehicle: number, route: readonly number[]): number[] {
  const end = problem.vehicles[vehicle]?.shift[1] ?? 0
  let fitting = [...route]
  const finish = () => routeTimetable(problem, { vehicle, trips: [fitting] }).stops.at(-1)?.serviceEnd ?? 0
  while (fitting.length > 0 && finish() > end) fitting = fitting.slice(0, -1)
  return route.slice(fitting.length)
}

function driven(problem: PlanProblem, vehicle: number, visits: readonly number[]): DrivenRoute {
  if (visits.length === 0) return { visits, distance: 0, seconds: 0 }
  const { distance, stops } = routeTimetable(problem, { vehicle, trips: [visits] })
  return { visits, distance, seconds: stops.reduce((sum, { travelSeconds }) => sum + travelSeconds, 0) }
}
