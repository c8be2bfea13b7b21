import { type LinkGroup, linkGroups, linksOf } from "../problem/links.ts"
import type { Plan, PlannedRoute, PlanProblem, Visit } from "../problem/problem.ts"
import { at, vehicleSuits } from "../problem/problem.ts"
import {
  applyChange,
  type Change,
  effortOf,
  type Help,
  insertions,
  onlyObstacle,
  withVisit,
} from "./changes.ts"
import { checkLinks } from "./check-links.ts"
import { evaluateRoute, type Violation } from "./evaluator.ts"
import type { RouteTimetable } from "./timetable.ts"
import { timetable } from "./timetable.ts"

/** Visits that wait for others or begin together: all of them have to find a place at once, some only after a change. */

/** Visits that are placed together; more would take too long to try. */
const maxMembers = 5
/** Drafts without a change that are followed. */
const maxDrafts = 3
/** More metres than a plan has, so that they count less than any change. */
const metersOfEffort = 1e9

/** Some of the visits have a place, after one change at most. */
type Draft = {
  readonly problem: PlanProblem
  readonly routes: ReadonlyMap<number, PlannedRoute>
  /** Vehicles whose routes hold the visits placed so far. */
  readonly used: ReadonlySet<number>
  readonly change?: Change
  readonly effort: number
  /** Of routes that broke rules before: how many. */
  readonly broken?: ReadonlyMap<number, number>
  /** Vehicles that get nothing. */
  readonly closed?: ReadonlySet<number>
}

/** One change of each kind, with the routes of all visits that are linked with this one and left out. */
export function helpForLinked(problem: PlanProblem, plan: Plan, visit: number): Help[] {
  const dropped = new Set(plan.dropped)
  const group = linkGroups(problem.visits)?.find(({ members }) => members.includes(visit))
  const members = group?.members.filter((i) => dropped.has(i)) ?? []
  if (members.length === 0 || members.length > maxMembers) return []
  const routes = new Map(plan.routes.map((route) => [route.vehicle, route]))
  const used = plan.routes
    .filter(({ trips }) => trips.flat().some((i) => group?.members.includes(i)))
    .map(({ vehicle }) => vehicle)
  const empty: Draft = { problem, routes, used: new Set(used), effort: 0 }
  const found = placeAll(empty, members, true).flatMap((draft) => helpOf(draft) ?? [])
  return [...found, ...members.flatMap((second) => withOtherGap(empty, members, second) ?? [])]
}

/**
 * The routes that change when all visits of a group that are left out are put where they add least; undefined where some find no
 * place, or only one that breaks another rule.
 * @param closed vehicles that get nothing
 */
export function placeLinked(
  problem: PlanProblem,
  plan: Plan,
  { members }: LinkGroup,
  closed: ReadonlySet<number>,
): PlannedRoute[] | undefined {
  const dropped = new Set(plan.dropped)
  const missing = members.filter((i) => dropped.has(i))
  if (missing.length > maxMembers) return undefined
  const before = timetable(problem, plan)
  const used = before.filter(({ stops }) => stops.some(({ visit }) => members.includes(visit)))
  const [draft] = placeAll(
    {
      problem,
      routes: new Map(plan.routes.map((route) => [route.vehicle, route])),
      used: new Set(used.map(({ vehicle }) => vehicle)),
      effort: 0,
      broken: new Map(before.map((table) => [table.vehicle, evaluateRoute(problem, table).length])),
      closed,
    },
    missing,
    false,
  )
  return draft && [...draft.used].flatMap((vehicle) => draft.routes.get(vehicle) ?? [])
}

function helpOf({ change, routes, used }: Draft): Help | undefined {
  return change && { change, routes: [...used].flatMap((vehicle) => routes.get(vehicle) ?? []) }
}

/** The best ways to place all visits, one without a change and one for each kind of change. */
function placeAll(empty: Draft, members: readonly number[], allowsChange: boolean): Draft[] {
  let drafts = [empty]
  members.forEach((member, m) => {
    const missing = new Set(members.slice(m + 1).map((i) => at(empty.problem.visits, i).id))
    const placed = members.slice(0, m)
    const kept = new Map<string, Draft[]>()
    for (const draft of drafts) {
      for (const next of placements(draft, { member, placed, missing }, allowsChange)) {
        const kind = next.change?.kind ?? ""
        const ofKind = [...(kept.get(kind) ?? []), next].sort((a, b) => a.effort - b.effort)
        kept.set(kind, ofKind.slice(0, kind === "" ? maxDrafts : 1))
      }
    }
    drafts = [...kept.values()].flat()
  })
  return drafts
}

/** Every place of one more visit that breaks nothing, or one rule that the only change removes. */
function* placements(
  draft: Draft,
  { member, placed, missing }: { member: number; placed: readonly number[]; missing: ReadonlySet<string> },
  allowsChange: boolean,
): Generator<Draft> {
  const open = withoutLinksTo(draft.problem, missing)
  const mayChange = allowsChange && draft.change === undefined
  for (const [k, vehicle] of open.vehicles.entries()) {
    if (draft.closed?.has(k) || (!mayChange && !vehicleSuits(vehicle, at(open.visits, member)))) continue
    const old = draft.routes.get(k) ?? { vehicle: k, trips: [] }
    for (const route of insertions(old, [member])) {
      const next = { ...draft, routes: withRoute(draft, route), used: new Set([...draft.used, k]) }
      const violations = violationsOf(open, next)
      if (violations.length <= brokenBefore(next))
        yield { ...next, effort: draft.effort + addedTo(open, old, route) + lateness(violations) }
      const change = mayChange ? onlyObstacle(open, violations, [...placed, member]) : undefined
      if (change && violationsOf(applyChange(open, change), next).length === 0) yield withChange(next, change)
    }
  }
  if (!mayChange) return
  for (let like = 0; like < open.vehicles.length; like++) {
    const change: Change = { kind: "vehicle", like }
    const k = open.vehicles.length
    const routes = withRoute(draft, { vehicle: k, trips: [[member]] })
    const next = { ...draft, routes, used: new Set([...draft.used, k]) }
    if (violationsOf(applyChange(open, change), next).length === 0) yield withChange(next, change)
  }
}

function brokenBefore({ broken, used }: Draft): number {
  return [...used].reduce((sum, vehicle) => sum + (broken?.get(vehicle) ?? 0), 0)
}

/** As an effort like that of metres: a minute counts as much as a kilometre. */
function lateness(violations: readonly Violation[]): number {
  const seconds = violations.reduce((sum, { excess = 0 }) => sum + excess, 0)
  return ((seconds / 60) * 1000) / metersOfEffort
}

function withRoute({ routes }: Draft, route: PlannedRoute): ReadonlyMap<number, PlannedRoute> {
  return new Map(routes).set(route.vehicle, route)
}

function withChange(draft: Draft, change: Change): Draft {
  return {
    ...draft,
    problem: applyChange(draft.problem, change),
    change,
    effort: effortOf(draft.problem, change),
  }
}

/** Metres that the visit adds to the route, as a tiny effort: it decides between places without a change. */
function addedTo({ distances, locationCount, visits, vehicles }: PlanProblem, ...routes: PlannedRoute[]) {
  const [before = 0, after = 0] = routes.map(({ vehicle, trips }) => {
    const { startLocation, endLocation } = at(vehicles, vehicle)
    return trips.reduce((sum, trip) => {
      const places = [startLocation, ...trip.map((i) => at(visits, i).location), endLocation ?? -1]
      return places.reduce(
        (whole, to, p) =>
          p === 0 || to < 0 ? whole : whole + (distances[(places[p - 1] ?? 0) * locationCount + to] ?? 0),
        sum,
      )
    }, 0)
  })
  return (after - before) / metersOfEffort
}

/** What the routes of the visits break, and the links between them. */
function violationsOf(problem: PlanProblem, { routes, used }: Draft): Violation[] {
  const tables = tablesOf(problem, routes, used)
  const violations = tables.flatMap((table) => evaluateRoute(problem, table))
  if (violations.length > 0) return violations
  const stopOf = new Map(
    tables.flatMap(({ vehicle, stops }) => stops.map((stop) => [stop.visit, { stop, vehicle }] as const)),
  )
  const own = linksOf(problem.visits).filter(({ first, second }) => stopOf.has(first) && stopOf.has(second))
  if (own.length > 0)
    checkLinks(problem, stopOf, (violation) => {
      if (violation.excess !== undefined || violation.message.includes("same vehicle"))
        violations.push(violation)
    })
  return violations
}

function tablesOf(problem: PlanProblem, routes: Draft["routes"], used: Draft["used"]): RouteTimetable[] {
  return timetable(problem, { routes: [...used].flatMap((k) => routes.get(k) ?? []), dropped: [] })
}

function withoutLinksTo(problem: PlanProblem, missing: ReadonlySet<string>): PlanProblem {
  if (missing.size === 0) return problem
  const visits = problem.visits.map((visit): Visit => {
    const { after, togetherWith } = visit
    if (!after?.some(({ visitId }) => missing.has(visitId)) && !togetherWith?.some((id) => missing.has(id)))
      return visit
    return {
      ...visit,
      ...(after ? { after: after.filter(({ visitId }) => !missing.has(visitId)) } : {}),
      ...(togetherWith ? { togetherWith: togetherWith.filter((id) => !missing.has(id)) } : {}),
    }
  })
  return { ...problem, visits }
}

/** Less, or more, time between a visit and those before it, where that alone makes room. */
function withOtherGap(empty: Draft, members: readonly number[], second: number): Help | undefined {
  const { problem } = empty
  const { after = [] } = at(problem.visits, second)
  if (after.length === 0) return undefined
  const anyTime = after.map(({ visitId }) => ({ visitId, minSeconds: 0 }))
  const open = withVisit(problem, second, (visit) => ({ ...visit, after: anyTime }))
  const [draft] = placeAll({ ...empty, problem: open }, members, false)
  if (!draft) return undefined
  const stopOf = new Map(
    tablesOf(open, draft.routes, draft.used).flatMap(({ stops }) => stops.map((stop) => [stop.visit, stop])),
  )
  const start = stopOf.get(second)?.serviceStart ?? 0
  const wrong = linksOf(problem.visits).flatMap(({ first, second: other, gap }) => {
    const before = stopOf.get(first)
    if (other !== second || gap === undefined || before === undefined) return []
    const waited = start - before.serviceEnd
    return [gap.min - waited, waited - gap.max]
  })
  // The visit before may begin later, so that less may be enough.
  let most = Math.ceil(Math.max(0, ...wrong) / 60)
  const isEnough = (minutes: number) =>
    violationsOf(applyChange(problem, { kind: "gap", visit: second, minutes }), draft).length === 0
  if (most === 0 || !isEnough(most)) return undefined
  for (let least = 0; most - least > 1; ) {
    const middle = Math.floor((least + most) / 2)
    if (isEnough(middle)) most = middle
    else least = middle
  }
  return helpOf({ ...draft, change: { kind: "gap", visit: second, minutes: most } })
}
