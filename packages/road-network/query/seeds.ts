import { noState } from "../expand.ts"
import type { TravelGraph } from "../travel-graph.ts"
import { costAlong, delayAfter, maxCost } from "../weights.ts"
import type { Access } from "./snap.ts"
import type { Seed } from "./upward.ts"

/** A seed with the access that it belongs to. */
export interface AccessSeed extends Seed {
  access: Access
}

/** From a place to the end of each of its segments. */
export function sourceSeeds(graph: TravelGraph, accesses: readonly Access[]): AccessSeed[] {
  const { network, weights, profile } = graph
  return accesses.flatMap((access) => {
    const { directed, share } = access
    const state = profile.startHead[directed] as number
    const cost = costAlong(network, weights, directed, 1 - share) + delayAfter(network, weights, directed)
    if (state === noState || !(cost <= maxCost)) return []
    return [{ state, cost, length: lengthOf(graph, directed, 1 - share), access }]
  })
}

/** To a place, from each state in which its segments can be entered. */
export function targetSeeds(graph: TravelGraph, accesses: readonly Access[]): AccessSeed[] {
  const { network, weights, profile } = graph
  return accesses.flatMap((access) => {
    const { directed, share } = access
    const cost = costAlong(network, weights, directed, share)
    if (!(cost <= maxCost)) return []
    const length = lengthOf(graph, directed, share)
    const states = profile.arcTail.subarray(profile.arcFirst[directed], profile.arcFirst[directed + 1])
    return Array.from(states, (state) => ({ state, cost, length, access }))
  })
}

/** Without leaving the segment, if the target lies ahead. */
export function directCost(graph: TravelGraph, from: Access, to: Access) {
  if (from.directed !== to.directed || to.share < from.share) return undefined
  const part = to.share - from.share
  const cost = costAlong(graph.network, graph.weights, from.directed, part)
  return cost <= maxCost ? { cost, length: lengthOf(graph, from.directed, part) } : undefined
}

export function lengthOf({ network }: TravelGraph, directed: number, part: number): number {
  return Math.round((network.columns.segmentLength[directed >>> 1] as number) * part)
}
