import { type RoadNetwork, tailOf } from "../network.ts"
import type { Leaving } from "./steps.ts"

const known = new WeakMap<RoadNetwork, Leaving>()

/** All directed segments at a node, open or not. */
export function leavingOf(network: RoadNetwork): Leaving {
  const found = known.get(network)
  if (found) return found
  const first = new Uint32Array(network.nodeCount + 1)
  const count = network.segmentCount * 2
  for (let d = 0; d < count; d++)
    first[tailOf(network, d) + 1] = (first[tailOf(network, d) + 1] as number) + 1
  for (let node = 0; node < network.nodeCount; node++)
    first[node + 1] = (first[node + 1] as number) + (first[node] as number)
  const next = first.slice()
  const directed = new Uint32Array(count)
  for (let d = 0; d < count; d++) {
    const node = tailOf(network, d)
    directed[next[node] as number] = d
    next[node] = (next[node] as number) + 1
  }
  const leaving: Leaving = (node) => [...directed.subarray(first[node], first[node + 1])]
  known.set(network, leaving)
  return leaving
}
