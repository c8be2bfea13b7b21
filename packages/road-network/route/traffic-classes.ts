import { flagsOf, isDestinationOnly, type RoadNetwork } from "../network.ts"
import type { Mode } from "../tags/modes.ts"
import { roadFlags } from "../tags/read-way.ts"

export type TrafficClass = "toll" | "motorway" | "ferry" | "tunnel" | "restricted"

const flagged = ["toll", "motorway", "ferry", "tunnel"] as const

/** What a road is for traffic; restricted is one for residents, customers or deliveries. */
export function classesOf(network: RoadNetwork, directed: number, mode: Mode): TrafficClass[] {
  const flags = flagsOf(network, directed >>> 1)
  const own = flagged.filter((name) => (flags & roadFlags[name]) !== 0)
  return isDestinationOnly(network, directed >>> 1, mode) ? [...own, "restricted"] : own
}
