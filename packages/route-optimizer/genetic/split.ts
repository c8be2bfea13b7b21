import type { Capacitated } from "./capacitated.ts"

/**
 * Routes may be filled up to this, in capacities, when that pays at the price of the excess. With few vehicles it is so much
 * that there is always a way to use no more of them.
 */
const maxLoad = 1.5
const maxLoadWithFew = 3

export type SplitScratch = {
  readonly costs: Float64Array
  readonly from: Int32Array
}

export function createSplitScratch({ visitCount, routeCount }: Capacitated): SplitScratch {
  const size = (visitCount + 1) * (routeCount + 1)
  return { costs: new Float64Array(size), from: new Int32Array(size) }
}

/** Cuts a sequence of all visits into the routes that cost least in this order. */
export function split(
  problem: Capacitated,
  scratch: SplitScratch,
  order: Int32Array,
  excessPrice: number,
): number[][] {
  const { visitCount: n, routeCount } = problem
  const { costs, from } = scratch
  costs.fill(Number.POSITIVE_INFINITY, 0, n + 1)
  costs[0] = 0
  extend(problem, scratch, order, excessPrice, maxLoad, 0, 0)
  const free = routesBack(order, n, (end) => from[end] as number)
  if (free.length <= routeCount) return free
  // Few vehicles: the same with the number of routes as a second index.
  costs.fill(Number.POSITIVE_INFINITY)
  costs[0] = 0
  for (let r = 1; r <= routeCount; r++)
    extend(problem, scratch, order, excessPrice, maxLoadWithFew, (r - 1) * (n + 1), r * (n + 1))
  let fewest = routeCount
  for (let r = 1; r < routeCount; r++) {
    if ((costs[r * (n + 1) + n] as number) < (costs[fewest * (n + 1) + n] as number)) fewest = r
  }
  return routesBack(order, n, (end) => from[fewest-- * (n + 1) + end] as number)
}

/** One more route behind each beginning of the order that `base` has the cost of. */
function extend(
  problem: Capacitated,
  { costs, from }: SplitScratch,
  order: Int32Array,
  excessPrice: number,
  most: number,
  base: number,
  target: number,
): void {
  const { visitCount: n, distance, demand, capacity } = problem
  const width = n + 1
  for (let start = 0; start < n; start++) {
    const before = costs[base + start] as number
    if (before === Number.POSITIVE_INFINITY) continue
    let load = 0
    let way = 0
    for (let end = start; end < n; end++) {
      const i = order[end] as number
      load += demand[i] as number
      if (end > start && load > most * capacity) break
      way += distance[(end === start ? n : (order[end - 1] as number)) * width + i] as number
      const cost =
        before + way + (distance[i * width + n] as number) + Math.max(0, load - capacity) * excessPrice
      if (cost >= (costs[target + end + 1] as number)) continue
      costs[target + end + 1] = cost
      from[target + end + 1] = start
    }
  }
}

function routesBack(order: Int32Array, n: number, from: (end: number) => number): number[][] {
  const routes: number[][] = []
  for (let end = n; end > 0; ) {
    const start = from(end)
    routes.push(Array.from(order.subarray(start, end)))
    end = start
  }
  return routes.reverse()
}
