import { linksOf } from "../problem/links.ts"
import type { Plan, PlannedRoute, PlanProblem } from "../problem/problem.ts"
import { pairsOf } from "../problem/problem.ts"
import { applyChange, effortOf, type Help, insertions, onlyObstacle, withVisit } from "./changes.ts"
import { evaluate, evaluateRoute } from "./evaluator.ts"
import { helpForLinked } from "./help-linked.ts"
import { hasWay } from "./reasons.ts"
import { routeTimetable, timetable } from "./timetable.ts"

/**
 * The smallest single change of each kind that lets the plan take the dropped visit, smallest first.
 *
 * Tries every position of every route, lets it come out late or overloaded, and keeps those that break one
 * rule only. Kinds are ranked by effort. About a tenth of a second for a plan of 1,000 visits.
 */
export function whatWouldHelp(problem: PlanProblem, plan: Plan, visit: number): Help[] {
  const linked = new Set(linksOf(problem.visits).flatMap(({ first, second }) => [first, second]))
  const best = new Map<string, { help: Help; effort: number }>()
  const offer = (help: Help) => {
    const effort = effortOf(problem, help.change)
    const known = best.get(help.change.kind)
    if (known !== undefined && effort >= known.effort) return
    // A route that delays a linked visit can delay other routes, which its own timetable does not show.
    const touchesLinks = help.routes.some(({ trips }) => trips.flat().some((i) => linked.has(i)))
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
  if (linked.has(visit)) {
    for (const help of helpForLinked(problem, plan, visit)) offer(help)
    return smallestFirst(best)
  }
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
          const change = onlyObstacle(one, evaluateRoute(one, routeTimetable(one, grown)), members)
          if (change) offer({ change, routes: [grown] })
        }
      }
    }
  }
  if (!members.some((member) => isPinned(problem, member))) {
    problem.vehicles.forEach((_, like) => {
      const route = { vehicle: like, trips: [members] }
      const violations = evaluateRoute(problem, routeTimetable(problem, route))
      const routes = [{ vehicle: problem.vehicles.length, trips: [members] }]
      if (violations.length === 0) offer({ change: { kind: "vehicle", like }, routes })
    })
  }
  return smallestFirst(best)
}

function smallestFirst(found: ReadonlyMap<string, { help: Help; effort: number }>): Help[] {
  return [...found.values()].sort((a, b) => a.effort - b.effort).map(({ help }) => help)
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

/** The plan with the help's change and routes. */
export function withHelp(
  problem: PlanProblem,
  plan: Plan,
  { change, routes }: Help,
): { problem: PlanProblem; plan: Plan } {
  const changed = new Set(routes.map(({ vehicle }) => vehicle))
  const served = new Set(routes.flatMap(({ trips }) => trips.flat()))
  return {
    problem: applyChange(problem, change),
    plan: {
      routes: [...plan.routes.filter(({ vehicle }) => !changed.has(vehicle)), ...routes],
      dropped: plan.dropped.filter((i) => !served.has(i)),
    },
  }
}

/** Whether the whole plan keeps every rule with the help. */
function isKeptBy(problem: PlanProblem, plan: Plan, help: Help): boolean {
  const after = withHelp(problem, plan, help)
  return evaluate(after.problem, after.plan, timetable(after.problem, after.plan)).violations.length === 0
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
