import { daySeconds } from "../../../../../packages/route-optimizer/problem/days.ts"
import type { PlanProblem, TimeSpan, Visit } from "../../../../../packages/route-optimizer/problem/problem.ts"
import type { VisitPart } from "../../../../../packages/route-optimizer/search/split.ts"
import { parseClock } from "../clock-time.ts"
import type { RouteNode } from "../result-schemas.ts"
import type { RunningRoute } from "./running-routes.ts"

/** The visits of a running plan that are not done, as the problem has them. */

/** Goods whose pickup is done are on board, like those from the hub. */
export function withoutPastPickups(visits: readonly Visit[]): Visit[] {
  const open = new Set(visits.map(({ id }) => id))
  return visits.map(({ pickupId, ...visit }) =>
    pickupId !== undefined && open.has(pickupId) ? { ...visit, pickupId } : visit,
  )
}

/** A visit that waits for one that is done begins so long after it. */
export function afterPastVisits(visits: readonly Visit[], running: readonly RunningRoute[]): Visit[] {
  const ends = new Map(
    running.flatMap(({ past }) => past.map(({ visitId, etd }) => [visitId, parseClock(etd ?? "")] as const)),
  )
  return visits.map((visit) => {
    const spans = (visit.after ?? []).flatMap(({ visitId, minSeconds, maxSeconds = forever }): TimeSpan[] => {
      const end = ends.get(visitId)
      return end === undefined ? [] : [[end + minSeconds, end + maxSeconds]]
    })
    if (spans.length === 0) return visit
    const [from, to] = [Math.max(...spans.map(([start]) => start)), Math.min(...spans.map(([, end]) => end))]
    const open: readonly TimeSpan[] = visit.windows.length > 0 ? visit.windows : [[from, to]]
    const windows = open
      .map(([opens, closes]): TimeSpan => [Math.max(opens, from), Math.min(closes, to)])
      .filter(([opens, closes]) => opens <= closes)
    return windows.length > 0 ? { ...visit, windows } : visit
  })
}

/** Later than any plan. */
const forever = 60 * daySeconds

/** Of a stop of a route, the visit of the problem: its own part of a visit for several people. */
export function partAt(
  indexOf: ReadonlyMap<string, number>,
  { visitId, splitNumber, workers }: RouteNode,
): number | undefined {
  const number = workers === undefined ? 1 : Number.parseInt(String(splitNumber ?? 1), 10)
  return indexOf.get(number > 1 ? `${visitId}#${number}` : visitId)
}

/** Of visits by their ids, the visits of the problem: one for each of their people. */
export function partsOf(
  { problem, parts }: { problem: PlanProblem; parts: readonly VisitPart[] },
  ids: ReadonlySet<string>,
): number[] {
  const parents = new Set(
    problem.visits.flatMap(({ id }, index) => (ids.has(id) ? (parts[index]?.parent ?? []) : [])),
  )
  return parts.flatMap(({ parent }, index) => (parents.has(parent) ? index : []))
}
