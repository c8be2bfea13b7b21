import { sumOfLoads } from "../loads.ts"
import { linksOf } from "../problem/links.ts"
import type { Plan, PlanProblem, TimeSpan, Visit } from "../problem/problem.ts"
import { pairsOf, vehicleSuits } from "../problem/problem.ts"

/** A smaller problem to search, and the way back to plans of the problem that it came from. */
export type Merged = { readonly problem: PlanProblem; readonly unfold: (plan: Plan) => Plan }

/**
 * Makes one visit of all visits of a place: same vehicle, one right after the other.
 *
 * Soft, as the rule is: visits stay apart when no vehicle carries their sum or their windows leave no common
 * start. Grouped visits and visits with different pins or preferred days stay apart as well.
 */
export function mergeVisits(problem: PlanProblem): Merged {
  const bundles: number[][] = []
  const paired = new Set([
    ...pairsOf(problem.visits).flatMap(({ pickup, delivery }) => [pickup, delivery]),
    ...linksOf(problem.visits).flatMap(({ first, second }) => [first, second]),
  ])
  const open = new Map<string, number[][]>()
  problem.visits.forEach((visit, i) => {
    if (visit.group !== undefined || paired.has(i)) {
      bundles.push([i])
      return
    }
    const key = `${visit.location}/${visit.vehicleId ?? ""}/${visit.preferredDays?.join() ?? ""}`
    const here = open.get(key) ?? []
    open.set(key, here)
    const fitting = here.find((bundle) => canJoin(problem, [...bundle, i]))
    if (fitting) fitting.push(i)
    else {
      const bundle = [i]
      here.push(bundle)
      bundles.push(bundle)
    }
  })
  const visits = bundles.map((bundle) => combined(pick(problem, bundle)))
  const areas = problem.shape?.areas
  const shape =
    problem.shape && areas
      ? { ...problem.shape, areas: bundles.map(([i = -1]) => areas[i] ?? -1) }
      : problem.shape
  return {
    problem: { ...problem, visits, ...(shape ? { shape } : {}) },
    unfold: (plan) => ({
      routes: plan.routes.map(({ vehicle, trips }) => ({
        vehicle,
        trips: trips.map((trip) => trip.flatMap((b) => bundles[b] ?? [])),
      })),
      dropped: plan.dropped.flatMap((b) => bundles[b] ?? []),
    }),
  }
}

function canJoin(problem: PlanProblem, bundle: readonly number[]): boolean {
  const visit = combined(pick(problem, bundle))
  if (visit.windows.some(([from, to]) => from > to)) return false
  return problem.vehicles.some(
    (vehicle) =>
      vehicleSuits(vehicle, visit) &&
      visit.demand.every((amount, c) => amount <= (vehicle.capacity[c] ?? amount)),
  )
}

function pick(problem: PlanProblem, bundle: readonly number[]): Visit[] {
  return bundle.flatMap((i) => problem.visits[i] ?? [])
}

function combined(visits: readonly Visit[]): Visit {
  const [first] = visits
  if (first === undefined) throw new RangeError("a bundle has at least one visit")
  if (visits.length === 1) return first
  let service = 0
  let windows: readonly TimeSpan[] = []
  for (const visit of visits) {
    // The later services of the bundle start when those before them have ended.
    const shifted = visit.windows.map(([from, to]): TimeSpan => [from - service, to - service])
    windows = service === 0 && windows.length === 0 ? shifted : common(windows, shifted)
    service += visit.serviceSeconds
  }
  const releases = visits.flatMap((visit) => visit.releaseTime ?? [])
  return {
    ...first,
    serviceSeconds: service,
    windows,
    demand: first.demand.map((_, c) => sumOfLoads(visits.map((visit) => visit.demand[c] ?? 0))),
    tags: [...new Set(visits.flatMap((visit) => visit.tags))],
    dropCost: visits.reduce((sum, visit) => sum + (visit.dropCost ?? 1), 0),
    ...(releases.length > 0 ? { releaseTime: Math.max(...releases) } : {}),
  }
}

/** No windows means any time; windows without a common time are one that ends before it begins. */
function common(a: readonly TimeSpan[], b: readonly TimeSpan[]): readonly TimeSpan[] {
  if (a.length === 0) return b
  if (b.length === 0) return a
  const spans: TimeSpan[] = []
  for (const [from, to] of a) {
    for (const [start, end] of b) {
      if (Math.max(from, start) <= Math.min(to, end)) spans.push([Math.max(from, start), Math.min(to, end)])
    }
  }
  return spans.length > 0 ? spans : [[1, 0]]
}
