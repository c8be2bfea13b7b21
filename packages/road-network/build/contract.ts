import { type Hierarchy, plain, type UpwardArcs } from "../hierarchy.ts"
import { maxCost } from "../weights.ts"
import { type ArcPool, createArcPool } from "./arc-pool.ts"
import { createWitnessSearch } from "./witness.ts"

/** A graph to be contracted: cheapest arcs, with what they stand for. */
export interface PlainGraph {
  count: number
  tail: Uint32Array
  head: Uint32Array
  /** Milliseconds; above `maxCost` the arc is closed. */
  cost: Float64Array
  /** Centimetres. */
  length: Uint32Array
  directed: Uint32Array
}

interface Contraction {
  pool: ArcPool
  isContracted: Uint8Array
  depth: Uint32Array
  witness: ReturnType<typeof createWitnessSearch>
}

/**
 * Contraction hierarchy (Geisberger et al. 2008). Returns the arcs by rank, and the rank of each state. With
 * `isOrdered`, the states are numbered in the order of their ranks already, which skips the search for an order.
 */
export function contract(graph: PlainGraph, isOrdered = false): { hierarchy: Hierarchy; rank: Uint32Array } {
  const contraction: Contraction = {
    pool: createArcPool(graph),
    isContracted: new Uint8Array(graph.count),
    depth: new Uint32Array(graph.count),
    witness: createWitnessSearch(graph.count),
  }
  const rank = new Uint32Array(graph.count)
  if (isOrdered)
    for (let state = 0; state < graph.count; state++) {
      contractState(contraction, state, true)
      rank[state] = state
    }
  else contractInGoodOrder(contraction, graph.count, rank)
  return { hierarchy: arcsByRank(contraction.pool, rank), rank }
}

/** States that add few shortcuts go first. Priorities are corrected when a state comes up. */
function contractInGoodOrder(contraction: Contraction, count: number, rank: Uint32Array): void {
  const queue = createPriorityQueue(count)
  for (let state = 0; state < count; state++) queue.set(state, contractState(contraction, state, false))
  for (let next = 0; next < count; next++) {
    for (;;) {
      const state = queue.first()
      const priority = contractState(contraction, state, false)
      if (priority <= queue.second()) break
      queue.set(state, priority)
    }
    const state = queue.first()
    queue.remove()
    rank[state] = next
    contractState(contraction, state, true)
  }
}

/** Adds the shortcuts over a state, or only counts them. Returns the state's priority. */
function contractState(contraction: Contraction, state: number, isFinal: boolean): number {
  const { pool, witness, depth, isContracted } = contraction
  let added = 0
  let addedHops = 0
  let removed = 0
  let removedHops = 0
  let maxCostOut = 0
  for (let out = pool.firstOut[state] as number; out !== -1; out = pool.nextOut[out] as number) {
    removed++
    removedHops += pool.hops[out] as number
    maxCostOut = Math.max(maxCostOut, pool.cost[out] as number)
  }
  for (let into = pool.firstIn[state] as number; into !== -1; into = pool.nextIn[into] as number) {
    removed++
    removedHops += pool.hops[into] as number
    if (pool.firstOut[state] === -1) continue
    const from = pool.tail[into] as number
    const costIn = pool.cost[into] as number
    witness.run(pool, from, { avoided: state, maxCost: costIn + maxCostOut, maxSettled: isFinal ? 120 : 40 })
    for (let out = pool.firstOut[state] as number; out !== -1; out = pool.nextOut[out] as number) {
      const to = pool.head[out] as number
      const cost = costIn + (pool.cost[out] as number)
      if (to === from || cost > maxCost || witness.costOf(to) <= cost) continue
      added++
      addedHops += (pool.hops[into] as number) + (pool.hops[out] as number)
      if (isFinal) pool.addShortcut(from, to, into, out)
    }
  }
  if (isFinal) {
    isContracted[state] = 1
    for (let out = pool.firstOut[state] as number; out !== -1; out = pool.nextOut[out] as number)
      raiseDepth(depth, pool.head[out] as number, state)
    for (let into = pool.firstIn[state] as number; into !== -1; into = pool.nextIn[into] as number)
      raiseDepth(depth, pool.tail[into] as number, state)
    pool.detach(state)
  }
  return removed === 0
    ? (depth[state] as number)
    : (depth[state] as number) + (2 * added) / removed + (2 * addedHops) / removedHops
}

function raiseDepth(depth: Uint32Array, neighbour: number, state: number): void {
  depth[neighbour] = Math.max(depth[neighbour] as number, (depth[state] as number) + 1)
}

/** A binary heap of all states. */
function createPriorityQueue(count: number) {
  const heap = new Uint32Array(count)
  const place = new Int32Array(count).fill(-1)
  const priority = new Float64Array(count)
  let size = 0
  const priorityAt = (at: number) => priority[heap[at] as number] as number
  const put = (at: number, state: number) => {
    heap[at] = state
    place[state] = at
  }
  const sift = (start: number, state: number) => {
    let at = start
    const own = priority[state] as number
    while (at > 0 && priorityAt((at - 1) >> 1) > own) {
      put(at, heap[(at - 1) >> 1] as number)
      at = (at - 1) >> 1
    }
    for (;;) {
      let child = 2 * at + 1
      if (child >= size) break
      if (child + 1 < size && priorityAt(child + 1) < priorityAt(child)) child++
      if (priorityAt(child) >= own) break
      put(at, heap[child] as number)
      at = child
    }
    put(at, state)
  }
  return {
    set(state: number, value: number): void {
      priority[state] = value
      const known = place[state] as number
      sift(known === -1 ? size++ : known, state)
    },
    first: (): number => heap[0] as number,
    /** The priority of the next one after the first. */
    second: (): number =>
      Math.min(
        size > 1 ? priorityAt(1) : Number.POSITIVE_INFINITY,
        size > 2 ? priorityAt(2) : Number.POSITIVE_INFINITY,
      ),
    remove(): void {
      place[heap[0] as number] = -1
      const last = heap[--size] as number
      if (size > 0) sift(0, last)
    },
  }
}

function arcsByRank(pool: ArcPool, rank: Uint32Array): Hierarchy {
  const isUp = (arc: number) =>
    (rank[pool.tail[arc] as number] as number) < (rank[pool.head[arc] as number] as number)
  const count = rank.length
  const position = new Uint32Array(pool.count())
  const order = { outOf: emptyArcs(count), into: emptyArcs(count) }
  for (const side of ["outOf", "into"] as const) {
    const { first } = order[side]
    const key = (arc: number) => rank[(side === "outOf" ? pool.tail : pool.head)[arc] as number] as number
    const belongs = (arc: number) => pool.isReplaced[arc] === 0 && isUp(arc) === (side === "outOf")
    for (let arc = 0; arc < position.length; arc++)
      if (belongs(arc)) first[key(arc) + 1] = (first[key(arc) + 1] as number) + 1
    for (let r = 0; r < count; r++) first[r + 1] = (first[r + 1] as number) + (first[r] as number)
    const next = first.slice()
    for (let arc = 0; arc < position.length; arc++) {
      if (!belongs(arc)) continue
      position[arc] = next[key(arc)] as number
      next[key(arc)] = (position[arc] as number) + 1
    }
  }
  for (const side of ["outOf", "into"] as const) {
    const total = order[side].first[count] as number
    const arcs: UpwardArcs = { ...emptyArcs(0), first: order[side].first }
    for (const name of ["other", "cost", "length", "partA", "partB"] as const)
      arcs[name] = new Uint32Array(total)
    order[side] = arcs
  }
  for (let arc = 0; arc < position.length; arc++) {
    if (pool.isReplaced[arc] === 1) continue
    const arcs = isUp(arc) ? order.outOf : order.into
    const at = position[arc] as number
    arcs.other[at] = rank[(isUp(arc) ? pool.head : pool.tail)[arc] as number] as number
    arcs.cost[at] = pool.cost[arc] as number
    arcs.length[at] = pool.length[arc] as number
    const isShortcut = (pool.partB[arc] as number) !== plain
    arcs.partA[at] = isShortcut
      ? (position[pool.partA[arc] as number] as number)
      : (pool.partA[arc] as number)
    arcs.partB[at] = isShortcut ? (position[pool.partB[arc] as number] as number) : plain
  }
  return order
}

function emptyArcs(count: number): UpwardArcs {
  const none = new Uint32Array()
  return {
    first: new Uint32Array(count + 1),
    other: none,
    cost: none,
    length: none,
    partA: none,
    partB: none,
  }
}
