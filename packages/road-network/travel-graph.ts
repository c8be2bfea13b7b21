import type { Hierarchy } from "./hierarchy.ts"
import type { RoadNetwork } from "./network.ts"
import type { TravelOptions, Weights } from "./weights.ts"

/** The graph of a mode. States are numbered by their rank in its hierarchies. See `expand.ts`. */
export interface ProfileColumns {
  stateCount: number
  arcFirst: Uint32Array
  arcTail: Uint32Array
  arcHead: Uint32Array
  startHead: Uint32Array
  /** 1 for directed segments in a large part of the network: other ones are islands. */
  isLarge: Uint8Array
}

/** All that journeys with some options need. */
export interface TravelGraph {
  network: RoadNetwork
  profile: ProfileColumns
  options: TravelOptions
  weights: Weights
  hierarchy: Hierarchy
}
