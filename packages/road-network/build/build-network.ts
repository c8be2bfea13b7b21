import { worldUnits } from "../fixed.ts"
import { type Line, lineOf, networkOf, type RoadColumns, type RoadNetwork } from "../network.ts"
import { buildTree } from "../tree.ts"
import { collectRoads } from "./collect.ts"
import { resolveRestrictions } from "./restrictions.ts"
import { cutSegments } from "./segments.ts"
import type { RoadSource } from "./source.ts"

/** Reads an extract twice and returns its roads: junctions, segments, names, restrictions and the search tree. */
export async function buildNetwork(source: RoadSource): Promise<RoadNetwork> {
  const collected = await collectRoads(source)
  const roads = cutSegments(collected)
  const columns: RoadColumns = {
    ...roads.columns,
    ...resolveRestrictions(collected.restrictions, collected.nodeIds, roads),
    treeBoxes: new Int32Array(),
    treeItems: new Uint32Array(),
  }
  const network = networkOf(columns)
  const { boxes, items } = buildTree(Uint32Array.from(columns.segmentFrom.keys()), (segment, box) =>
    box.set(boxOf(lineOf(network, segment))),
  )
  return networkOf({ ...columns, treeBoxes: boxes, treeItems: items })
}

/** South, west, north, east; east passes 180 degrees where the line crosses the antimeridian. */
function boxOf({ lat, lon }: Line): number[] {
  let [south, north, west, east] = [Infinity, -Infinity, Infinity, -Infinity]
  for (let i = 0; i < lat.length; i++) {
    south = Math.min(south, lat[i] as number)
    north = Math.max(north, lat[i] as number)
    west = Math.min(west, lon[i] as number)
    east = Math.max(east, lon[i] as number)
  }
  if (east - west >= worldUnits) return [south, -worldUnits / 2, north, worldUnits / 2]
  const turns = Math.floor((west + worldUnits / 2) / worldUnits) * worldUnits
  return [south, west - turns, north, east - turns]
}
