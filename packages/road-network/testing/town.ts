import { buildNetwork } from "../build/build-network.ts"
import { buildProfile, customize } from "../build/build-profile.ts"
import { nameOf } from "../network.ts"
import { findPath } from "../query/path.ts"
import { createRouter } from "../query/router.ts"
import { snap } from "../query/snap.ts"
import type { Mode } from "../tags/modes.ts"
import type { TravelOptions } from "../weights.ts"
import { type DrawnRoads, drawRoads } from "./drawn-roads.ts"

/** A drawn town to ask for ways in: "A>B" gives the names of the roads from near A to near B, undefined without one. */
export async function aTown(
  drawn: DrawnRoads,
  mode: Mode = "car",
  options: Omit<TravelOptions, "mode"> = {},
) {
  const network = await buildNetwork(drawRoads(drawn))
  const base = buildProfile(network, mode)
  const graph = Object.keys(options).length > 0 ? customize(base, { mode, ...options }) : base
  const router = createRouter(graph)
  const find = (from: readonly [number, number], to: readonly [number, number]) => {
    const [start, end] = [snap(graph, from), snap(graph, to)]
    return start && end ? findPath(router, start.accesses, end.accesses) : undefined
  }
  return {
    network,
    graph,
    router,
    find,
    way(from: readonly [number, number], to: readonly [number, number]): string | undefined {
      const path = find(from, to)
      const names = path?.segments.map((directed) => nameOf(network, directed >>> 1))
      return names?.filter((name, i) => name !== names[i - 1]).join(" ")
    },
  }
}
