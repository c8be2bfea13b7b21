import { createWriteStream } from "node:fs"
import { join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { openExtract } from "#packages/osm-extract/index.ts"
import { buildNetwork, buildProfile, modes, packNetwork, packProfile } from "#packages/road-network/index.ts"
import { readCountries } from "../../places/index.ts"
import { networkFile, profileFile } from "../files.ts"
import type { MapBuilder, RunBuilder } from "./builder.ts"
import { drivesOnLeftIn } from "./driving-side.ts"

/** The roads of a region: one file for the network, and one for each way of travelling. */
const runRoads: RunBuilder = async ({ extractPath, folder, version, report }) => {
  const extract = await openExtract(extractPath)
  try {
    const network = await buildNetwork(extract)
    if (network.segmentCount === 0) return { report: { segments: 0 } }
    const mapTime = extract.header.timestamp?.toISOString() ?? null
    const [lat = 0, lon = 0] = [network.columns.nodeLat[0], network.columns.nodeLon[0]]
    const country = (await readCountries()).countryAt(lon / 1e7, lat / 1e7)
    const drivesOnLeft = drivesOnLeftIn(country)
    await writeFile(join(folder, networkFile), packNetwork(network, { id: version, mapTime, drivesOnLeft }))
    for (const [index, mode] of modes.entries()) {
      report((index + 1) / (modes.length + 1))
      await writeFile(join(folder, profileFile(mode)), packProfile(buildProfile(network, mode), version))
    }
    const restrictions = network.columns.restrictionModes.length
    return { report: { junctions: network.nodeCount, segments: network.segmentCount, restrictions } }
  } finally {
    await extract.close()
  }
}

const writeFile = (path: string, pieces: readonly Uint8Array[]) =>
  pipeline(Readable.from(pieces), createWriteStream(path))

export default runRoads

export const roadsBuilder: MapBuilder = { name: "roads", module: new URL(import.meta.url) }
