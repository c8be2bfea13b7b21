import { plain } from "../hierarchy.ts"
import { maxCost } from "../weights.ts"
import type { Router } from "./router.ts"
import { directCost, sourceSeeds, targetSeeds } from "./seeds.ts"
import type { Access } from "./snap.ts"

/** A way from place to place: directed segments, of which the first and the last are travelled in part. */
export interface RoadPath {
  /** Milliseconds. */
  cost: number
  /** Centimetres. */
  length: number
  segments: number[]
  from: Access
  to: Access
}

/** The fastest way; undefined if there is none. */
export function findPath(
  router: Router,
  sources: readonly Access[],
  targets: readonly Access[],
): RoadPath | undefined {
  const { graph, forward, backward } = router
  const fromSeeds = sourceSeeds(graph, sources)
  const toSeeds = targetSeeds(graph, targets)
  const reached = forward.run(fromSeeds)
  backward.run(toSeeds)
  let best = Number.POSITIVE_INFINITY
  let meeting = -1
  for (let i = 0; i < reached.count; i++) {
    const state = reached.states[i] as number
    const cost = (reached.costs[i] as number) + backward.costOf(state)
    if (cost < best) {
      best = cost
      meeting = state
    }
  }
  const direct = shortestDirect(router, sources, targets)
  if (direct && direct.cost <= best) return direct
  return best <= maxCost ? pathOver(router, meeting, fromSeeds, toSeeds) : undefined
}

function shortestDirect(
  { graph }: Router,
  sources: readonly Access[],
  targets: readonly Access[],
): RoadPath | undefined {
  let best: RoadPath | undefined
  for (const from of sources)
    for (const to of targets) {
      const found = directCost(graph, from, to)
      if (found && (!best || found.cost < best.cost)) best = { ...found, segments: [from.directed], from, to }
    }
  return best
}

/** The way over a state that both searches have reached. */
export function pathOver(
  { graph, forward, backward }: Router,
  state: number,
  fromSeeds: ReturnType<typeof sourceSeeds>,
  toSeeds: ReturnType<typeof targetSeeds>,
): RoadPath | undefined {
  const up = forward.pathTo(state)
  const down = backward.pathTo(state)
  const [from, to] = [fromSeeds[up.seed], toSeeds[down.seed]]
  if (!from || !to) return undefined
  const { outOf, into } = graph.hierarchy
  const segments = [from.access.directed]
  let cost = from.cost + to.cost
  let length = from.length + to.length
  for (const arc of up.arcs) {
    cost += outOf.cost[arc] as number
    length += outOf.length[arc] as number
    unpack(graph.hierarchy, { isOut: true, arc }, segments)
  }
  for (const arc of down.arcs.reverse()) {
    cost += into.cost[arc] as number
    length += into.length[arc] as number
    unpack(graph.hierarchy, { isOut: false, arc }, segments)
  }
  segments.push(to.access.directed)
  return { cost, length, segments, from: from.access, to: to.access }
}

/** Appends the directed segments that an arc stands for. */
function unpack(
  { outOf, into }: Router["graph"]["hierarchy"],
  start: { isOut: boolean; arc: number },
  segments: number[],
): void {
  const stack = [start]
  for (let next = stack.pop(); next; next = stack.pop()) {
    const arcs = next.isOut ? outOf : into
    const [partA, partB] = [arcs.partA[next.arc] as number, arcs.partB[next.arc] as number]
    if (partB === plain) segments.push(partA)
    else stack.push({ isOut: true, arc: partB }, { isOut: false, arc: partA })
  }
}
