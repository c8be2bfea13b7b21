import type { Random } from "../problem/random.ts"
import type { Capacitated } from "./capacitated.ts"
import { moveBeside } from "./moves.ts"
import { createSwapScratch, type SwapScratch, swapBetween } from "./swap-star.ts"
import { createTours, loadTours, readTours, shuffle, startOf, type Tours } from "./tours.ts"

/**
 * Descent to a plan that no move of the neighbourhoods improves: T. Vidal, "Hybrid genetic search for the CVRP: Open-source
 * implementation and SWAP* neighborhood", Computers & Operations Research 140 (2022).
 */
export type LocalSearch = {
  readonly tours: Tours
  readonly random: Random
  readonly visits: Int32Array
  readonly routes: Int32Array
  readonly near: Uint16Array
  readonly swap: SwapScratch
  /** Routes that pass near the one at hand. */
  readonly beside: Int32Array
}

/** Neighbours of each visit on its route, the number of visits for the hub. */
export type Parent = { readonly next: Uint16Array; readonly prev: Uint16Array }

export function createLocalSearch(problem: Capacitated, random: Random): LocalSearch {
  return {
    tours: createTours(problem),
    random,
    visits: Int32Array.from({ length: problem.visitCount }, (_, i) => i),
    routes: Int32Array.from({ length: problem.routeCount }, (_, r) => r),
    near: problem.near.slice(),
    swap: createSwapScratch(problem),
    beside: new Int32Array(problem.routeCount),
  }
}

/** Improves the routes as far as the moves do; `excessPrice` is that of a unit of load too much. */
export function improve(
  search: LocalSearch,
  routes: readonly (readonly number[])[],
  excessPrice: number,
  parents: readonly Parent[] = [],
): number[][] {
  const { tours, random, visits } = search
  const { visitCount, nearStart } = tours.problem
  tours.excessPrice = excessPrice
  loadTours(tours, routes)
  parents.forEach((parent, at) => {
    routes.forEach((route, r) => {
      if (hasRoute(parent, route)) tours.parents[r] = (tours.parents[r] as number) | (1 << at)
    })
  })
  shuffle(visits, random)
  shuffle(search.routes, random)
  for (let i = 0; i < visitCount; i++) {
    if (random.below(20) === 0)
      shuffle(search.near, random, nearStart[i] as number, nearStart[i + 1] as number)
  }
  search.swap.seenAt.fill(-1)
  // Moves into an empty route come in the second pass only, so as not to open too many.
  for (let pass = 0; ; pass++) {
    const before = tours.changes
    for (let v = 0; v < visitCount; v++) lookAround(search, visits[v] as number, pass)
    swapRoutes(search, pass)
    if (pass > 0 && tours.changes === before) return readTours(tours)
  }
}

/** Whether the route is one of the parent's. */
function hasRoute({ next, prev }: Parent, route: readonly number[]): boolean {
  let before = next.length
  for (const i of route) {
    if (prev[i] !== before) return false
    before = i
  }
  return before < next.length && next[before] === next.length
}

function lookAround({ tours, near }: LocalSearch, u: number, pass: number): void {
  const { problem, route, prev, changedAt, parents } = tours
  const { visitCount, nearStart } = problem
  const seenAt = tours.visitSeenAt[u] as number
  tours.visitSeenAt[u] = tours.changes
  const limit = nearStart[u + 1] as number
  for (let at = nearStart[u] as number; at < limit; at++) {
    const v = near[at] as number
    const r = route[u] as number
    const s = route[v] as number
    if (pass > 0 && Math.max(changedAt[r] as number, changedAt[s] as number) <= seenAt) continue
    if (((parents[r] as number) & (parents[s] as number)) !== 0) continue
    if (moveBeside(tours, u, v)) continue
    const before = prev[v] as number
    if (before >= visitCount) moveBeside(tours, u, before)
  }
  if (pass === 0) return
  for (let r = 0; r < problem.routeCount; r++) {
    if (tours.size[r] !== 0) continue
    moveBeside(tours, u, startOf(tours, r))
    return
  }
}

function swapRoutes({ tours, routes, swap, beside }: LocalSearch, pass: number): void {
  const { problem, next, route, changedAt, parents } = tours
  const { visitCount, closest, closestCount } = problem
  for (let at = 0; at < routes.length; at++) {
    const r = routes[at] as number
    if (tours.size[r] === 0) continue
    const seenAt = tours.routeSeenAt[r] as number
    tours.routeSeenAt[r] = tours.changes
    beside.fill(0)
    for (let i = next[startOf(tours, r)] as number; i < visitCount; i = next[i] as number) {
      for (let k = i * closestCount; k < (i + 1) * closestCount; k++)
        beside[route[closest[k] as number] as number] = 1
    }
    for (let other = 0; other < routes.length; other++) {
      const s = routes[other] as number
      if (s === r || beside[s] === 0 || tours.size[s] === 0) continue
      const changed = Math.max(changedAt[r] as number, changedAt[s] as number)
      if (((parents[r] as number) & (parents[s] as number)) !== 0) continue
      if (pass === 0 || changed > seenAt) swapBetween(tours, swap, r, s)
    }
  }
}
