import { inTransaction, type Pool } from "#core/database/database.ts"
import type { Objects } from "#core/objects/objects.ts"
import { buildNetwork, buildProfile, packNetwork, packProfile } from "../../packages/road-network/index.ts"
import { drawRoads } from "../../packages/road-network/testing/drawn-roads.ts"
import { mapKey, networkFile, profileFile } from "../features/location/maps/files.ts"
import { publishRegion } from "../features/location/maps/queries.ts"

/** Degrees: 222 m. */
export const blockSide = 0.002

/** Four streets around a block at 0,0, with an island to the east. */
const block = drawRoads({
  nodes: {
    A: [0, 0],
    B: [blockSide, 0],
    C: [blockSide, blockSide],
    D: [0, blockSide],
    E: [10 * blockSide, 0],
    F: [11 * blockSide, 0],
  },
  ways: [
    ["AB", { highway: "primary", name: "South Street", "turn:lanes:forward": "left|through" }],
    ["BC", { highway: "residential", name: "East Street", oneway: "yes" }],
    ["CD", { highway: "residential", name: "North Street" }],
    ["DA", { highway: "residential", name: "West Street", toll: "yes" }],
    ["EF", { highway: "residential", name: "Island Street" }],
  ],
})

/** A map named "block" that has only roads, as a build would publish it. */
export async function aRoadMap(sql: Pool, objects: Objects, version: string): Promise<void> {
  const network = await buildNetwork(block)
  const files: Record<string, number> = {}
  const put = async (file: string, pieces: readonly Uint8Array[]) => {
    files[file] = await objects.put(mapKey("block", version, file), Buffer.concat(pieces))
  }
  await put(networkFile, packNetwork(network, { id: version, mapTime: null }))
  for (const mode of ["car", "foot"] as const)
    await put(profileFile(mode), packProfile(buildProfile(network, mode), version))
  const bounds = { west: -0.001, south: -0.001, east: 0.03, north: 0.003 }
  const about = { attribution: "", dataTime: "2026-11-01T00:00:00Z", source: "a drawing", report: {} }
  await inTransaction(sql, (tx) => publishRegion(tx, { name: "block", version, files, ...bounds, ...about }))
}
