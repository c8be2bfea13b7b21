import type { Capacitated } from "./capacitated.ts"
import { join, legOf, measureTour, priceOf, startOf, type Tours } from "./tours.ts"

/** The three cheapest places of each visit in each route, as long as the route stays as it is. */
export type SwapScratch = {
  /** route * visitCount + visit: the change of routes at which they were looked for. */
  readonly seenAt: Int32Array
  /** Three each: what it costs to be there, and the node before. */
  readonly costs: Float64Array
  readonly after: Int32Array
  /** Of a visit: what leaving its route saves, as a negative cost. */
  readonly leaving: Float64Array
  /** The best exchange so far; -1 where no visit moves. */
  readonly best: { cost: number; u: number; afterU: number; v: number; afterV: number }
  /** Where `cheapestWithout` found its place. */
  foundAfter: number
}

export function createSwapScratch({ visitCount, routeCount }: Capacitated): SwapScratch {
  const size = visitCount * routeCount
  return {
    seenAt: new Int32Array(size),
    costs: new Float64Array(3 * size),
    after: new Int32Array(3 * size),
    leaving: new Float64Array(visitCount),
    best: { cost: 0, u: -1, afterU: -1, v: -1, afterV: -1 },
    foundAfter: -1,
  }
}

/** Exchanges a visit of each of two routes, or moves one, where each finds its best place in the other one (SWAP*). */
export function swapBetween(tours: Tours, scratch: SwapScratch, r: number, s: number): void {
  const { next, load, excess, problem } = tours
  const { visitCount, demand } = problem
  const { best } = scratch
  lookForPlaces(tours, scratch, r, s)
  lookForPlaces(tours, scratch, s, r)
  best.cost = -problem.tolerance
  best.u = -1
  best.v = -1
  const loadR = load[r] as number
  const loadS = load[s] as number
  const saved = (excess[r] as number) + (excess[s] as number)
  for (let u = next[startOf(tours, r)] as number; u < visitCount; u = next[u] as number) {
    const demandU = demand[u] as number
    const leavingU = scratch.leaving[u] as number
    for (let v = next[startOf(tours, s)] as number; v < visitCount; v = next[v] as number) {
      const less = demandU - (demand[v] as number)
      const known =
        priceOf(tours, loadR - less) +
        priceOf(tours, loadS + less) -
        saved +
        leavingU +
        (scratch.leaving[v] as number)
      if (known > best.cost) continue
      const toS = known + cheapestWithout(tours, scratch, s, u, v)
      if (toS >= best.cost) continue
      const afterU = scratch.foundAfter
      const cost = toS + cheapestWithout(tours, scratch, r, v, u)
      if (cost >= best.cost) continue
      Object.assign(best, { cost, u, afterU, v, afterV: scratch.foundAfter })
    }
  }
  relocateOne(tours, scratch, r, s, saved, true)
  relocateOne(tours, scratch, s, r, saved, false)
  if (best.u === -1 && best.v === -1) return
  if (best.u !== -1) take(tours, best.u)
  if (best.v !== -1) take(tours, best.v)
  if (best.u !== -1) put(tours, best.u, best.afterU)
  if (best.v !== -1) put(tours, best.v, best.afterV)
  tours.changes++
  measureTour(tours, r)
  measureTour(tours, s)
}

function relocateOne(
  tours: Tours,
  scratch: SwapScratch,
  from: number,
  to: number,
  saved: number,
  isFirst: boolean,
): void {
  const { next, load, problem } = tours
  const { best } = scratch
  const { visitCount, demand } = problem
  for (let u = next[startOf(tours, from)] as number; u < visitCount; u = next[u] as number) {
    const at = 3 * (to * visitCount + u)
    const moved = demand[u] as number
    const longer = (scratch.leaving[u] as number) + (scratch.costs[at] as number) - saved
    if (longer >= best.cost) continue
    const cost =
      longer + priceOf(tours, (load[from] as number) - moved) + priceOf(tours, (load[to] as number) + moved)
    if (cost >= best.cost) continue
    const after = scratch.after[at] as number
    Object.assign(
      best,
      isFirst
        ? { cost, u, afterU: after, v: -1, afterV: -1 }
        : { cost, u: -1, afterU: -1, v: u, afterV: after },
    )
  }
}

function take({ next, prev }: Tours, i: number): void {
  const before = prev[i] as number
  const behind = next[i] as number
  next[before] = behind
  prev[behind] = before
}

/** The node before may have left its place, which is then where its own follower is. */
function put(tours: Tours, i: number, after: number): void {
  const behind = tours.next[after] as number
  join(tours, after, i)
  join(tours, i, behind)
}

/** The cheapest place of u in route s without v, which leaves it. */
function cheapestWithout(tours: Tours, scratch: SwapScratch, s: number, u: number, v: number): number {
  const { problem, next, prev } = tours
  const base = 3 * (s * problem.visitCount + u)
  let cost = Number.POSITIVE_INFINITY
  for (let rank = 0; rank < 3; rank++) {
    const after = scratch.after[base + rank] as number
    if (after === -1) break
    if (after === v || next[after] === v) continue
    cost = scratch.costs[base + rank] as number
    scratch.foundAfter = after
    break
  }
  const before = prev[v] as number
  const behind = next[v] as number
  const instead = legOf(problem, before, u) + legOf(problem, u, behind) - legOf(problem, before, behind)
  if (instead >= cost) return cost
  scratch.foundAfter = before
  return instead
}

/** Of each visit of route r: what leaving saves, and its three cheapest places in s. */
function lookForPlaces(tours: Tours, scratch: SwapScratch, r: number, s: number): void {
  const { problem, next, prev, leg, changedAt } = tours
  const { visitCount } = problem
  const { seenAt, costs, after, leaving } = scratch
  for (let u = next[startOf(tours, r)] as number; u < visitCount; u = next[u] as number) {
    const before = prev[u] as number
    const behind = next[u] as number
    leaving[u] = legOf(problem, before, behind) - (leg[u] as number) - (leg[behind] as number)
    const row = s * visitCount + u
    if ((changedAt[s] as number) <= (seenAt[row] as number)) continue
    seenAt[row] = tours.changes
    const base = 3 * row
    costs[base] = costs[base + 1] = costs[base + 2] = Number.POSITIVE_INFINITY
    after[base] = after[base + 1] = after[base + 2] = -1
    let node = startOf(tours, s)
    for (;;) {
      const i = next[node] as number
      const cost = legOf(problem, node, u) + legOf(problem, u, i) - (leg[i] as number)
      if (cost < (costs[base + 2] as number)) {
        let rank = base + 2
        for (; rank > base && (costs[rank - 1] as number) > cost; rank--) {
          costs[rank] = costs[rank - 1] as number
          after[rank] = after[rank - 1] as number
        }
        costs[rank] = cost
        after[rank] = node
      }
      if (i >= visitCount) break
      node = i
    }
  }
}
