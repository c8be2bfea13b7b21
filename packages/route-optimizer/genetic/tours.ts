import type { Random } from "../problem/random.ts"
import type { Capacitated } from "./capacitated.ts"

/**
 * The routes of one plan while it is improved, as linked lists. Nodes: the visits, then of each route r its start
 * (visitCount + 2 r) and its end behind it. A route may carry too much, at a price.
 */
export type Tours = {
  readonly problem: Capacitated
  readonly next: Int32Array
  readonly prev: Int32Array
  readonly route: Int32Array
  readonly position: Int32Array
  /** From the node before. */
  readonly leg: Float64Array
  /** Up to and with the node: the load, and what the way costs more when it is driven back. */
  readonly loadUpTo: Float64Array
  readonly backUpTo: Float64Array
  readonly load: Float64Array
  readonly excess: Float64Array
  readonly size: Int32Array
  /** Numbers of the last change of a route, and of those at the last look at a visit and at a route. */
  readonly changedAt: Int32Array
  readonly visitSeenAt: Int32Array
  readonly routeSeenAt: Int32Array
  /** Bits of the parents that have the route as it is: no move between two routes of one parent lowers the cost. */
  readonly parents: Uint8Array
  changes: number
  /** Of a unit of load too much. */
  excessPrice: number
}

export const startOf = ({ problem }: Tours, r: number): number => problem.visitCount + 2 * r

export function createTours(problem: Capacitated): Tours {
  const { visitCount, routeCount } = problem
  const nodes = visitCount + 2 * routeCount
  return {
    problem,
    next: new Int32Array(nodes),
    prev: new Int32Array(nodes),
    route: new Int32Array(nodes),
    position: new Int32Array(nodes),
    leg: new Float64Array(nodes),
    loadUpTo: new Float64Array(nodes),
    backUpTo: new Float64Array(nodes),
    load: new Float64Array(routeCount),
    excess: new Float64Array(routeCount),
    size: new Int32Array(routeCount),
    changedAt: new Int32Array(routeCount),
    visitSeenAt: new Int32Array(visitCount),
    routeSeenAt: new Int32Array(routeCount),
    parents: new Uint8Array(routeCount),
    changes: 0,
    excessPrice: 0,
  }
}

export function legOf({ distance, visitCount }: Capacitated, from: number, to: number): number {
  return distance[Math.min(from, visitCount) * (visitCount + 1) + Math.min(to, visitCount)] as number
}

export function loadTours(tours: Tours, routes: readonly (readonly number[])[]): void {
  tours.changes = 0
  tours.visitSeenAt.fill(-1)
  tours.routeSeenAt.fill(-1)
  for (let r = 0; r < tours.problem.routeCount; r++) {
    let node = startOf(tours, r)
    for (const i of routes[r] ?? []) {
      join(tours, node, i)
      node = i
    }
    join(tours, node, startOf(tours, r) + 1)
    measureTour(tours, r)
  }
}

export function join({ next, prev }: Tours, from: number, to: number): void {
  next[from] = to
  prev[to] = from
}

/** Loads and ways of a route whose links changed. */
export function measureTour(tours: Tours, r: number): void {
  const { problem, next, route, position, leg, loadUpTo, backUpTo } = tours
  const { visitCount, demand, isSymmetric } = problem
  const start = startOf(tours, r)
  let [load, back, size] = [0, 0, 0]
  route[start] = r
  position[start] = 0
  loadUpTo[start] = 0
  backUpTo[start] = 0
  let node = start
  for (;;) {
    const i = next[node] as number
    const way = legOf(problem, node, i)
    leg[i] = way
    if (!isSymmetric) back += legOf(problem, i, node) - way
    if (i < visitCount) load += demand[i] as number
    size++
    route[i] = r
    position[i] = size
    loadUpTo[i] = load
    backUpTo[i] = back
    if (i >= visitCount) break
    node = i
  }
  tours.size[r] = size - 1
  tours.load[r] = load
  tours.excess[r] = priceOf(tours, load)
  tours.changedAt[r] = tours.changes
  tours.parents[r] = 0
}

/** What a load costs beyond the capacity. */
export function priceOf({ problem, excessPrice }: Tours, load: number): number {
  return Math.max(0, load - problem.capacity) * excessPrice
}

/** The routes with visits, in the order of their directions from the hub. */
export function readTours(tours: Tours): number[][] {
  const { problem, next } = tours
  const { visitCount, x, y } = problem
  const found: { angle: number; visits: number[] }[] = []
  for (let r = 0; r < problem.routeCount; r++) {
    if (tours.size[r] === 0) continue
    const visits: number[] = []
    let [sumX, sumY] = [0, 0]
    for (let i = next[startOf(tours, r)] as number; i < visitCount; i = next[i] as number) {
      visits.push(i)
      sumX += x[i] as number
      sumY += y[i] as number
    }
    found.push({ angle: Math.atan2(sumY, sumX), visits })
  }
  return found.sort((a, b) => a.angle - b.angle).map(({ visits }) => visits)
}

export function shuffle(
  values: Int32Array | Uint16Array,
  random: Random,
  from = 0,
  to = values.length,
): void {
  for (let i = to - 1; i > from; i--) {
    const j = from + random.below(i - from + 1)
    const moved = values[i] as number
    values[i] = values[j] as number
    values[j] = moved
  }
}
