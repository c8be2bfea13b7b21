import { unpreferredDaysOf } from "../evaluate/check-links.ts"
import { evaluate, evaluateRoute } from "../evaluate/evaluator.ts"
import { routeTimetable, timetable } from "../evaluate/timetable.ts"
import { compile } from "../problem/compile.ts"
import { daySeconds } from "../problem/days.ts"
import { linksOf } from "../problem/links.ts"
import type { Plan, PlannedRoute, PlanProblem, TimeSpan, Visit } from "../problem/problem.ts"
import { at } from "../problem/problem.ts"
import type { Solved, SolveOptions } from "../solve.ts"
import { partOf } from "./part-of.ts"

/**
 * Days on which visits should be served, rather than have to be. The search knows windows only, so this layer first limits
 * the visits to their days, and then searches again without that limit for those that were left out, or whose day costs more
 * than it is worth.
 */

/** Searches with all limits, without some, and with those that the best plan keeps. */
const turns = 3

type Search = (problem: PlanProblem, options: SolveOptions) => Solved & { problem: PlanProblem }

export function hasPreferredDays({ visits }: PlanProblem): boolean {
  return visits.some(({ preferredDays }) => preferredDays !== undefined)
}

/** Searches for the plan that is cheapest with what visits on other days count. */
export function searchByDays(
  problem: PlanProblem,
  search: Search,
  options: SolveOptions,
): ReturnType<Search> {
  const limits = limitedWindows(problem)
  const weight = compile(problem).unpreferredWeight
  let limited = [...limits.keys()]
  let best: { found: ReturnType<Search>; cost: number; kept: readonly Visit[] } | undefined
  let rounds = 0
  for (let turn = 0; turn < turns; turn++) {
    const start = best ? { start: best.found.plan } : {}
    const found = search(withWindows(problem, limits, limited), { ...partOf(options, turn, turns), ...start })
    rounds += found.rounds
    const open = { ...problem, vehicles: found.problem.vehicles }
    const settled = keepPreferredDays(open, found.plan)
    const unpreferred = unpreferredDaysOf(settled.visits, timetable(settled, found.plan))
    const cost = found.cost + unpreferred.length * weight
    if (best === undefined || cost < best.cost)
      best = { found: { ...found, problem: open }, cost, kept: settled.visits }
    const { kept } = best
    limited =
      turn === 0
        ? worthKeeping(problem, found.plan, limits, weight)
        : [...limits.keys()].filter((i) => kept[i] !== problem.visits[i])
  }
  if (!best) throw new RangeError("there is no turn")
  return { ...best.found, rounds }
}

/**
 * The problem with the windows of each visit limited to its preferred days, where its route can keep them and breaks no more
 * rules: such a visit waits for its day, however early it is reached.
 */
export function keepPreferredDays(problem: PlanProblem, plan: Plan): PlanProblem {
  if (!hasPreferredDays(problem)) return problem
  const limits = limitedWindows(problem)
  const isLinked = linksOf(problem.visits).length > 0
  const wrongs = (tried: PlanProblem, route: PlannedRoute) =>
    isLinked
      ? evaluate(tried, plan, timetable(tried, plan)).violations.length
      : evaluateRoute(tried, routeTimetable(tried, route)).length
  let kept = problem
  for (const route of plan.routes) {
    const own = route.trips.flat().filter((i) => limits.has(i))
    if (own.length === 0) continue
    const before = wrongs(kept, route)
    const keep = (visits: readonly number[]) => {
      const tried = withWindows(kept, limits, visits)
      const isKept = wrongs(tried, route) <= before
      if (isKept) kept = tried
      return isKept
    }
    if (!keep(own)) for (const i of own) keep([i])
  }
  return kept
}

/** The windows of each visit on its preferred days. A visit without any is not limited. */
function limitedWindows({ visits }: PlanProblem): Map<number, readonly TimeSpan[]> {
  return new Map(
    visits.flatMap(({ preferredDays, windows }, i): [number, readonly TimeSpan[]][] => {
      const days = (preferredDays ?? [])
        .toSorted((a, b) => a - b)
        .map((day): TimeSpan => [day * daySeconds, (day + 1) * daySeconds - 1])
      const spans = windows.length === 0 ? days : days.flatMap((day) => common(windows, day))
      return spans.length > 0 ? [[i, spans]] : []
    }),
  )
}

function common(windows: readonly TimeSpan[], [start, end]: TimeSpan): TimeSpan[] {
  return windows.flatMap(([from, to]): TimeSpan[] =>
    from <= end && to >= start ? [[Math.max(from, start), Math.min(to, end)]] : [],
  )
}

function withWindows(
  problem: PlanProblem,
  windows: ReadonlyMap<number, readonly TimeSpan[]>,
  limited: readonly number[],
): PlanProblem {
  if (limited.length === 0) return problem
  const visits: Visit[] = [...problem.visits]
  for (const i of limited) visits[i] = { ...at(problem.visits, i), windows: windows.get(i) ?? [] }
  return { ...problem, visits }
}

/**
 * The visits that stay limited: none, where others were left out, which may need their place; else those that are served and
 * would not save more than the weight elsewhere, by the ways alone.
 */
function worthKeeping(
  problem: PlanProblem,
  { routes, dropped }: Plan,
  limits: ReadonlyMap<number, unknown>,
  weight: number,
): number[] {
  if (dropped.some((i) => !limits.has(i))) return []
  const isDropped = new Set(dropped)
  const legs = legsOf(problem, routes)
  const way = (from: number | null, to: number | null) =>
    from === null || to === null ? 0 : (problem.distances[from * problem.locationCount + to] ?? 0)
  const detour = ({ from, to, unit }: (typeof legs)[number], place: number) =>
    (way(from, place) + way(place, to) - way(from, to)) * unit
  return [...limits.keys()].filter((i) => {
    if (isDropped.has(i)) return false
    const { location } = at(problem.visits, i)
    const own = legs.filter((leg) => leg.visits.includes(i))
    const [first, last] = [own[0], own.at(-1)]
    if (!first || !last || first.isLone) return false
    const saved = detour({ ...first, to: last.to }, location)
    const least = Math.min(
      ...legs.filter((leg) => !leg.visits.includes(i)).map((leg) => detour(leg, location)),
    )
    return saved - least <= weight
  })
}

/** Every leg of the routes, with the visits at its ends and what a unit of distance costs there. */
function legsOf(problem: PlanProblem, routes: readonly PlannedRoute[]) {
  return routes.flatMap(({ vehicle: k, trips }) => {
    const vehicle = at(problem.vehicles, k)
    const isLone = trips.flat().length === 1
    return trips.flatMap((trip) =>
      [...trip, -1].map((visit, place) => {
        const before = trip[place - 1] ?? -1
        const placeOf = (i: number, hub: number | null) => (i < 0 ? hub : at(problem.visits, i).location)
        return {
          visits: [before, visit],
          from: placeOf(before, vehicle.startLocation),
          to: placeOf(visit, vehicle.endLocation),
          unit: vehicle.distanceCost,
          isLone,
        }
      }),
    )
  })
}
