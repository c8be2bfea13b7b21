import { costAlong } from "../weights.ts"
import { findPath, pathOver, type RoadPath } from "./path.ts"
import type { Router } from "./router.ts"
import { sourceSeeds, targetSeeds } from "./seeds.ts"
import type { Access } from "./snap.ts"

/** At most so much longer than the fastest, and at most so much of it shared. */
const maxStretch = 1.25
const maxShared = 0.75
const maxTried = 60

/**
 * The fastest way and up to `count` others that differ from it and from each other, each the fastest in all of its
 * parts (Abraham et al. 2013). The fastest is the first; none without a way.
 */
export function findAlternatives(
  router: Router,
  sources: readonly Access[],
  targets: readonly Access[],
  count: number,
): RoadPath[] {
  const best = findPath(router, sources, targets)
  if (!best || count === 0 || best.segments.length < 4) return best ? [best] : []
  const accepted = [best]
  for (const candidate of pathsOverOthers(router, sources, targets, best.cost)) {
    if (accepted.length > count) break
    if (turnsBack(candidate)) continue
    if (accepted.some((other) => sharedCost(router, candidate, other) > maxShared * best.cost)) continue
    if (isLocallyFastest(router, candidate, best)) accepted.push(candidate)
  }
  return accepted
}

function pathsOverOthers(
  router: Router,
  sources: readonly Access[],
  targets: readonly Access[],
  bestCost: number,
): RoadPath[] {
  const { graph, forward, backward } = router
  const [fromSeeds, toSeeds] = [sourceSeeds(graph, sources), targetSeeds(graph, targets)]
  const reached = forward.run(fromSeeds)
  backward.run(toSeeds)
  const meetings: { state: number; cost: number }[] = []
  for (let i = 0; i < reached.count; i++) {
    const state = reached.states[i] as number
    const cost = (reached.costs[i] as number) + backward.costOf(state)
    if (cost > bestCost && cost <= bestCost * maxStretch) meetings.push({ state, cost })
  }
  meetings.sort((a, b) => a.cost - b.cost)
  return meetings.slice(0, maxTried).flatMap(({ state }) => pathOver(router, state, fromSeeds, toSeeds) ?? [])
}

function turnsBack({ segments }: RoadPath): boolean {
  const seen = new Set(segments.map((directed) => directed >>> 1))
  return seen.size < segments.length
}

function sharedCost({ graph }: Router, path: RoadPath, other: RoadPath): number {
  const theirs = new Set(other.segments)
  return path.segments.reduce(
    (sum, directed) => (theirs.has(directed) ? sum + costAlong(graph.network, graph.weights, directed) : sum),
    0,
  )
}

/** The part that differs, with some of what surrounds it, is the fastest way between its ends. */
function isLocallyFastest(router: Router, path: RoadPath, best: RoadPath): boolean {
  const shared = new Set(best.segments)
  const first = path.segments.findIndex((directed) => !shared.has(directed))
  const last = path.segments.findLastIndex((directed) => !shared.has(directed))
  if (first === -1) return false
  const middle = (first + last) >> 1
  const reach = Math.max(2, Math.ceil((last - first) / 4))
  const from = Math.max(first, middle - reach)
  const to = Math.min(last, middle + reach)
  const ends = [path.segments[from], path.segments[to]].map((directed) => ({
    directed: directed as number,
    share: 0,
  }))
  const found = findPath(router, ends.slice(0, 1), ends.slice(1))
  return found !== undefined && String(found.segments) === String(path.segments.slice(from, to + 1))
}
