import type { ArcPool } from "./arc-pool.ts"

export interface WitnessLimits {
  avoided: number
  maxCost: number
  maxSettled: number
}

/** Short searches for ways around a state. What they do not find in time counts as no way: that is always safe. */
export function createWitnessSearch(count: number) {
  const cost = new Float64Array(count).fill(Number.POSITIVE_INFINITY)
  const touched: number[] = []
  const heapState: number[] = []
  const heapCost: number[] = []
  let size = 0

  function push(state: number, value: number): void {
    let at = size++
    while (at > 0) {
      const parent = (at - 1) >> 1
      if ((heapCost[parent] as number) <= value) break
      heapCost[at] = heapCost[parent] as number
      heapState[at] = heapState[parent] as number
      at = parent
    }
    heapCost[at] = value
    heapState[at] = state
  }

  function removeFirst(): void {
    const last = --size
    if (last === 0) return
    const value = heapCost[last] as number
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= last) break
      if (child + 1 < last && (heapCost[child + 1] as number) < (heapCost[child] as number)) child++
      if ((heapCost[child] as number) >= value) break
      heapCost[at] = heapCost[child] as number
      heapState[at] = heapState[child] as number
      at = child
    }
    heapCost[at] = value
    heapState[at] = heapState[last] as number
  }

  return {
    costOf: (state: number): number => cost[state] as number,
    run(pool: ArcPool, from: number, { avoided, maxCost, maxSettled }: WitnessLimits): void {
      for (const state of touched) cost[state] = Number.POSITIVE_INFINITY
      touched.length = 0
      size = 0
      cost[from] = 0
      touched.push(from)
      push(from, 0)
      const { firstOut, nextOut, head, cost: arcCost } = pool
      for (let settled = 0; size > 0 && settled < maxSettled; ) {
        const state = heapState[0] as number
        const reached = heapCost[0] as number
        removeFirst()
        if (reached > (cost[state] as number)) continue
        if (reached >= maxCost) break
        settled++
        for (let arc = firstOut[state] as number; arc !== -1; arc = nextOut[arc] as number) {
          const next = head[arc] as number
          const value = reached + (arcCost[arc] as number)
          if (next === avoided || value >= (cost[next] as number) || value > maxCost) continue
          if (cost[next] === Number.POSITIVE_INFINITY) touched.push(next)
          cost[next] = value
          push(next, value)
        }
      }
    },
  }
}
