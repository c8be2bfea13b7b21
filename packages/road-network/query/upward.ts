import type { UpwardArcs } from "../hierarchy.ts"

/** Where a search begins: a state with what it costs to get there. */
export interface Seed {
  state: number
  /** Milliseconds. */
  cost: number
  /** Centimetres. */
  length: number
}

/** The states that a search reached, in the order in which it settled them. */
export interface Reached {
  count: number
  states: Uint32Array
  costs: Float64Array
  lengths: Float64Array
}

export interface UpwardSearch {
  /** Searches from some states to all of higher rank. What it returns is valid until the next search. */
  run(seeds: readonly Seed[]): Reached
  /** Of a state that the last search reached: the arcs from its seed, and which seed it was. */
  pathTo(state: number): { arcs: number[]; seed: number }
  /** Infinite for a state that the last search has not reached. */
  costOf(state: number): number
  lengthOf(state: number): number
}

/**
 * Dijkstra's algorithm over arcs to higher ranks. States that are reached more cheaply from above are not followed
 * ("stall on demand"): no shortest path goes over them.
 */
export function createUpwardSearch(count: number, arcs: UpwardArcs, opposite: UpwardArcs): UpwardSearch {
  const { first, other, cost: arcCost, length: arcLength } = arcs
  const cost = new Float64Array(count)
  const length = new Float64Array(count)
  const parent = new Int32Array(count)
  const stamp = new Uint32Array(count)
  const below = new Uint32Array(count)
  const heap = createHeap()
  const reached: Reached = {
    count: 0,
    states: new Uint32Array(1024),
    costs: new Float64Array(1024),
    lengths: new Float64Array(1024),
  }
  let now = 0

  function isStalled(state: number, own: number): boolean {
    const end = opposite.first[state + 1] as number
    for (let arc = opposite.first[state] as number; arc < end; arc++) {
      const higher = opposite.other[arc] as number
      if (stamp[higher] === now && (cost[higher] as number) + (opposite.cost[arc] as number) < own)
        return true
    }
    return false
  }

  function keep(state: number): void {
    if (reached.count === reached.states.length) enlarge(reached)
    reached.states[reached.count] = state
    reached.costs[reached.count] = cost[state] as number
    reached.lengths[reached.count] = length[state] as number
    reached.count++
  }

  function relax(state: number): void {
    const end = first[state + 1] as number
    const own = cost[state] as number
    for (let arc = first[state] as number; arc < end; arc++) {
      const next = other[arc] as number
      const value = own + (arcCost[arc] as number)
      if (stamp[next] === now && (cost[next] as number) <= value) continue
      stamp[next] = now
      cost[next] = value
      length[next] = (length[state] as number) + (arcLength[arc] as number)
      parent[next] = arc
      below[next] = state
      heap.push(next, value)
    }
  }

  return {
    run(seeds) {
      now++
      if (now === 0xffff_ffff) {
        stamp.fill(0)
        now = 1
      }
      reached.count = 0
      heap.clear()
      for (const [index, seed] of seeds.entries()) {
        if (stamp[seed.state] === now && (cost[seed.state] as number) <= seed.cost) continue
        stamp[seed.state] = now
        cost[seed.state] = seed.cost
        length[seed.state] = seed.length
        parent[seed.state] = -1 - index
        heap.push(seed.state, seed.cost)
      }
      while (heap.size() > 0) {
        const value = heap.firstCost()
        const state = heap.pop()
        if (value > (cost[state] as number)) continue
        if (isStalled(state, value)) continue
        keep(state)
        relax(state)
      }
      return reached
    },
    pathTo(state) {
      const path: number[] = []
      let at = state
      while ((parent[at] as number) >= 0) {
        path.push(parent[at] as number)
        at = below[at] as number
      }
      return { arcs: path.reverse(), seed: -1 - (parent[at] as number) }
    },
    lengthOf: (state) => length[state] as number,
    costOf: (state) => (stamp[state] === now ? (cost[state] as number) : Number.POSITIVE_INFINITY),
  }
}

function enlarge(reached: Reached): void {
  const size = reached.states.length * 2
  const states = new Uint32Array(size)
  states.set(reached.states)
  reached.states = states
  for (const name of ["costs", "lengths"] as const) {
    const larger = new Float64Array(size)
    larger.set(reached[name])
    reached[name] = larger
  }
}

/** A binary heap of states by cost. A state may be in it several times. */
function createHeap() {
  let states = new Uint32Array(1024)
  let costs = new Float64Array(1024)
  let size = 0
  return {
    size: () => size,
    clear(): void {
      size = 0
    },
    firstCost: (): number => costs[0] as number,
    push(state: number, cost: number): void {
      if (size === states.length) {
        const moreStates = new Uint32Array(size * 2)
        moreStates.set(states)
        states = moreStates
        const moreCosts = new Float64Array(size * 2)
        moreCosts.set(costs)
        costs = moreCosts
      }
      let at = size++
      while (at > 0) {
        const above = (at - 1) >> 1
        if ((costs[above] as number) <= cost) break
        costs[at] = costs[above] as number
        states[at] = states[above] as number
        at = above
      }
      costs[at] = cost
      states[at] = state
    },
    pop(): number {
      const top = states[0] as number
      const last = --size
      if (last === 0) return top
      const cost = costs[last] as number
      let at = 0
      for (;;) {
        let child = 2 * at + 1
        if (child >= last) break
        if (child + 1 < last && (costs[child + 1] as number) < (costs[child] as number)) child++
        if ((costs[child] as number) >= cost) break
        costs[at] = costs[child] as number
        states[at] = states[child] as number
        at = child
      }
      costs[at] = cost
      states[at] = states[last] as number
      return top
    },
  }
}
