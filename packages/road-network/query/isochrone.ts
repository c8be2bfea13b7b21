import { noState } from "../expand.ts"
import { unitsPerDegree } from "../fixed.ts"
import { lineOf } from "../network.ts"
import type { TravelGraph } from "../travel-graph.ts"
import { costAlong } from "../weights.ts"
import { type Outline, outlinesOf } from "./outlines.ts"
import type { Router } from "./router.ts"
import { sourceSeeds } from "./seeds.ts"
import type { Access } from "./snap.ts"

/** The areas within reach of a place, one for each limit in seconds, as GeoJSON polygons. */
export function isochrones(
  router: Router,
  sources: readonly Access[],
  limitsSeconds: readonly number[],
): { seconds: number; polygons: Outline[] }[] {
  const costs = costsFrom(router, sources)
  return limitsSeconds.map((seconds) => ({
    seconds,
    polygons: outlinesOf(reachedPoints(router.graph, costs, sources, seconds * 1000)),
  }))
}

/** Milliseconds from a place to every state: up by search, down by one sweep (Delling et al. 2011). */
function costsFrom({ graph, forward }: Router, sources: readonly Access[]): Float64Array {
  const { first, other, cost } = graph.hierarchy.into
  const costs = new Float64Array(graph.profile.stateCount).fill(Number.POSITIVE_INFINITY)
  const reached = forward.run(sourceSeeds(graph, sources))
  for (let i = 0; i < reached.count; i++) costs[reached.states[i] as number] = reached.costs[i] as number
  for (let state = costs.length - 1; state >= 0; state--) {
    const end = first[state + 1] as number
    let best = costs[state] as number
    for (let arc = first[state] as number; arc < end; arc++)
      best = Math.min(best, (costs[other[arc] as number] as number) + (cost[arc] as number))
    costs[state] = best
  }
  return costs
}

/** Points along all roads that can be reached in time, as far as they can. */
function reachedPoints(
  graph: TravelGraph,
  costs: Float64Array,
  sources: readonly Access[],
  limit: number,
): { lat: number; lon: number }[] {
  const { network, profile, weights } = graph
  const points: { lat: number; lon: number }[] = []
  const add = (directed: number, from: number, to: number) => {
    const line = lineOf(network, directed >>> 1)
    const [start, end] = (directed & 1) === 0 ? [from, to] : [1 - to, 1 - from]
    const last = line.lat.length - 1
    for (let i = 0; i < last; i++) {
      // Shares of the number of points are close enough to shares of the length for an outline.
      const [a, b] = [Math.max(start * last, i) - i, Math.min(end * last, i + 1) - i]
      if (a > b) continue
      const between = (values: number[], part: number) =>
        ((values[i] as number) + part * ((values[i + 1] as number) - (values[i] as number))) / unitsPerDegree
      const meters = (network.columns.segmentLength[directed >>> 1] as number) / 100 / last
      const steps = Math.max(1, Math.ceil((meters * (b - a)) / 20))
      for (let step = 0; step <= steps; step++) {
        const part = a + ((b - a) * step) / steps
        points.push({ lat: between(line.lat, part), lon: between(line.lon, part) })
      }
    }
  }
  for (const { directed, share } of sources) {
    const whole = costAlong(network, weights, directed)
    if (profile.startHead[directed] !== noState && Number.isFinite(whole))
      add(directed, share, Math.min(1, share + limit / whole))
  }
  for (let directed = 0; directed < network.segmentCount * 2; directed++) {
    let earliest = Number.POSITIVE_INFINITY
    const end = profile.arcFirst[directed + 1] as number
    for (let arc = profile.arcFirst[directed] as number; arc < end; arc++)
      earliest = Math.min(earliest, costs[profile.arcTail[arc] as number] as number)
    if (earliest > limit) continue
    const whole = costAlong(network, weights, directed)
    if (Number.isFinite(whole)) add(directed, 0, Math.min(1, (limit - earliest) / whole))
  }
  return points
}
