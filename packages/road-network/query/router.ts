import type { TravelGraph } from "../travel-graph.ts"
import { createUpwardSearch, type UpwardSearch } from "./upward.ts"

/** A graph with the memory for searching it. Each thread has its own. */
export interface Router {
  graph: TravelGraph
  forward: UpwardSearch
  backward: UpwardSearch
}

export function createRouter(graph: TravelGraph): Router {
  const { outOf, into } = graph.hierarchy
  const count = graph.profile.stateCount
  return {
    graph,
    forward: createUpwardSearch(count, outOf, into),
    backward: createUpwardSearch(count, into, outOf),
  }
}
