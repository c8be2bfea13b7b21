import { headOf, isDestinationOnly, speedOn, tailOf } from "../network.ts"
import type { Access } from "../query/snap.ts"
import { modeBit } from "../tags/modes.ts"
import type { TravelGraph } from "../travel-graph.ts"
import { forbiddenSequences } from "../turn-rules.ts"
import { costAlong, delayAfter } from "../weights.ts"

/**
 * Dijkstra's algorithm over directed segments, as plainly as possible: it keeps the segments just travelled and
 * compares them with the forbidden sequences, with neither states nor shortcuts. What hierarchies are tested against.
 */
export function createPlainSearch(graph: TravelGraph) {
  const { network, weights, options } = graph
  const { mode } = options
  const bit = modeBit(mode)
  const leaving: number[][] = Array.from({ length: network.nodeCount }, () => [])
  const isOpen = (d: number) => speedOn(network, d, mode) > 0
  for (let d = 0; d < network.segmentCount * 2; d++) if (isOpen(d)) leaving[tailOf(network, d)]?.push(d)
  const sequences = forbiddenSequences(network, mode, (node) => Uint32Array.from(leaving[node] ?? []))
  const forbidden = new Set(sequences.map(String))
  const beginnings = new Set(
    sequences.flatMap((path) => path.slice(1).map((_, i) => String(path.slice(0, i + 1)))),
  )

  const isForbidden = (path: readonly number[]) => path.some((_, i) => forbidden.has(String(path.slice(i))))
  const restrictionPrefix = (path: readonly number[]) => {
    let rest = path
    while (rest.length > 0 && !beginnings.has(String(rest))) rest = rest.slice(1)
    return rest
  }
  const isForResidents = (d: number) => isDestinationOnly(network, d >>> 1, mode)

  interface Label {
    cost: number
    segment: number
    path: readonly number[]
    phase: "leaving" | "through" | "arriving"
  }

  /** Milliseconds from a place to each of some others. */
  return function costsFrom(sources: readonly Access[], targets: readonly (readonly Access[])[]): number[] {
    const best = targets.map(() => Number.POSITIVE_INFINITY)
    const targetsOn = new Map<number, { index: number; cost: number }[]>()
    for (const [index, accesses] of targets.entries())
      for (const { directed, share } of accesses) {
        const list = targetsOn.get(directed) ?? []
        list.push({ index, cost: costAlong(network, weights, directed, share) })
        targetsOn.set(directed, list)
      }
    const queue = createQueue<Label>()
    const done = new Set<string>()
    for (const { directed, share } of sources) {
      if (!isOpen(directed)) continue
      const cost = costAlong(network, weights, directed, 1 - share) + delayAfter(network, weights, directed)
      const phase = isForResidents(directed) ? "leaving" : "through"
      if (Number.isFinite(cost))
        queue.push(cost, { cost, segment: directed, path: restrictionPrefix([directed]), phase })
      for (const [index, accesses] of targets.entries())
        for (const to of accesses)
          if (to.directed === directed && to.share >= share)
            best[index] = Math.min(
              best[index] as number,
              costAlong(network, weights, directed, to.share - share),
            )
    }
    for (let label = queue.pop(); label; label = queue.pop()) {
      const node = headOf(network, label.segment)
      // The segment matters as far as the path contains it; otherwise the node is all there is.
      const key = `${node} ${label.path} ${label.phase}`
      if (done.has(key)) continue
      done.add(key)
      if (((network.columns.nodeBlocked[node] as number) & bit) !== 0) continue
      for (const next of leaving[node] ?? []) {
        const path = [...label.path, next]
        const isResidential = isForResidents(next)
        if (isForbidden(path) || (label.phase === "arriving" && !isResidential)) continue
        for (const { index, cost } of targetsOn.get(next) ?? [])
          best[index] = Math.min(best[index] as number, label.cost + cost)
        const cost = label.cost + costAlong(network, weights, next) + delayAfter(network, weights, next)
        if (!Number.isFinite(cost)) continue
        const phase = !isResidential ? "through" : label.phase === "leaving" ? "leaving" : "arriving"
        queue.push(cost, { cost, segment: next, path: restrictionPrefix(path), phase })
      }
    }
    return best
  }
}

function createQueue<T>() {
  const heap: { cost: number; value: T }[] = []
  return {
    push(cost: number, value: T): void {
      let at = heap.length
      heap.push({ cost, value })
      while (at > 0) {
        const above = heap[(at - 1) >> 1] as { cost: number; value: T }
        if (above.cost <= cost) break
        heap[at] = above
        at = (at - 1) >> 1
      }
      heap[at] = { cost, value }
    },
    pop(): T | undefined {
      const top = heap[0]
      const last = heap.pop()
      if (!top || !last) return undefined
      if (heap.length === 0) return top.value
      let at = 0
      for (;;) {
        let child = 2 * at + 1
        if (child >= heap.length) break
        if (child + 1 < heap.length && (heap[child + 1]?.cost ?? 0) < (heap[child]?.cost ?? 0)) child++
        const below = heap[child] as { cost: number; value: T }
        if (below.cost >= last.cost) break
        heap[at] = below
        at = child
      }
      heap[at] = last
      return top.value
    },
  }
}
