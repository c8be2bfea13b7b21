import { plain } from "../hierarchy.ts"
import { maxCost } from "../weights.ts"
import type { PlainGraph } from "./contract.ts"

/** The arcs of a graph while it is contracted, linked by state. Contracted states are unlinked. */
export interface ArcPool {
  tail: Uint32Array
  head: Uint32Array
  cost: Float64Array
  length: Uint32Array
  /** How many plain arcs it stands for. */
  hops: Uint32Array
  partA: Uint32Array
  partB: Uint32Array
  /** 1 for arcs that a cheaper one between the same states has replaced. */
  isReplaced: Uint8Array
  firstOut: Int32Array
  firstIn: Int32Array
  nextOut: Int32Array
  nextIn: Int32Array
  count(): number
  addShortcut(from: number, to: number, into: number, out: number): void
  /** Takes a state out of the lists of its neighbours. */
  detach(state: number): void
}

export function createArcPool(graph: PlainGraph): ArcPool {
  const capacity = Math.max(1024, Math.ceil(graph.tail.length * 2.5))
  let count = 0
  const pool: ArcPool = {
    tail: new Uint32Array(capacity),
    head: new Uint32Array(capacity),
    cost: new Float64Array(capacity),
    length: new Uint32Array(capacity),
    hops: new Uint32Array(capacity),
    partA: new Uint32Array(capacity),
    partB: new Uint32Array(capacity),
    isReplaced: new Uint8Array(capacity),
    nextOut: new Int32Array(capacity),
    nextIn: new Int32Array(capacity),
    firstOut: new Int32Array(graph.count).fill(-1),
    firstIn: new Int32Array(graph.count).fill(-1),
    count: () => count,
    addShortcut(from, to, into, out) {
      add(from, to, {
        cost: (pool.cost[into] as number) + (pool.cost[out] as number),
        length: (pool.length[into] as number) + (pool.length[out] as number),
        hops: (pool.hops[into] as number) + (pool.hops[out] as number),
        partA: into,
        partB: out,
      })
    },
    detach(state) {
      for (let arc = pool.firstOut[state] as number; arc !== -1; arc = pool.nextOut[arc] as number)
        unlink(pool.firstIn, pool.nextIn, pool.head[arc] as number, arc)
      for (let arc = pool.firstIn[state] as number; arc !== -1; arc = pool.nextIn[arc] as number)
        unlink(pool.firstOut, pool.nextOut, pool.tail[arc] as number, arc)
    },
  }

  function add(
    from: number,
    to: number,
    arc: { cost: number; length: number; hops: number; partA: number; partB: number },
  ): void {
    for (let other = pool.firstOut[from] as number; other !== -1; other = pool.nextOut[other] as number) {
      if (pool.head[other] !== to) continue
      if ((pool.cost[other] as number) <= arc.cost) return
      unlink(pool.firstOut, pool.nextOut, from, other)
      unlink(pool.firstIn, pool.nextIn, to, other)
      pool.isReplaced[other] = 1
      break
    }
    if (count === pool.tail.length) enlarge(pool)
    const at = count++
    pool.tail[at] = from
    pool.head[at] = to
    pool.cost[at] = arc.cost
    pool.length[at] = arc.length
    pool.hops[at] = arc.hops
    pool.partA[at] = arc.partA
    pool.partB[at] = arc.partB
    pool.nextOut[at] = pool.firstOut[from] as number
    pool.firstOut[from] = at
    pool.nextIn[at] = pool.firstIn[to] as number
    pool.firstIn[to] = at
  }

  for (let i = 0; i < graph.tail.length; i++) {
    const [from, to, cost] = [graph.tail[i] as number, graph.head[i] as number, graph.cost[i] as number]
    if (from === to || !(cost <= maxCost)) continue
    const partA = graph.directed[i] as number
    add(from, to, { cost, length: graph.length[i] as number, hops: 1, partA, partB: plain })
  }
  return pool
}

function unlink(first: Int32Array, next: Int32Array, state: number, arc: number): void {
  if (first[state] === arc) {
    first[state] = next[arc] as number
    return
  }
  for (let at = first[state] as number; at !== -1; at = next[at] as number)
    if (next[at] === arc) {
      next[at] = next[arc] as number
      return
    }
}

function enlarge(pool: ArcPool): void {
  const size = Math.ceil(pool.tail.length * 1.5)
  for (const name of ["tail", "head", "length", "hops", "partA", "partB"] as const) {
    const larger = new Uint32Array(size)
    larger.set(pool[name])
    pool[name] = larger
  }
  for (const name of ["nextOut", "nextIn"] as const) {
    const larger = new Int32Array(size)
    larger.set(pool[name])
    pool[name] = larger
  }
  const cost = new Float64Array(size)
  cost.set(pool.cost)
  pool.cost = cost
  const isReplaced = new Uint8Array(size)
  isReplaced.set(pool.isReplaced)
  pool.isReplaced = isReplaced
}
