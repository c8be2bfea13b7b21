import { join } from "node:path"
import { openExtract } from "#packages/osm-extract/index.ts"
import { buildArchive } from "#packages/vector-tiles/index.ts"
import { streetsFile } from "../files.ts"
import type { MapBuilder, RunBuilder } from "./builder.ts"
import { readLandRings } from "./world-land.ts"

export const openStreetMapAttribution = "© OpenStreetMap contributors"

const runStreets: RunBuilder = async ({ extractPath, folder, region, report }) => {
  const extract = await openExtract(extractPath)
  try {
    const built = await buildArchive(extract, join(folder, streetsFile), {
      name: region,
      attribution: openStreetMapAttribution,
      landRings: await readLandRings(),
      onProgress: report,
    })
    const { bounds, tiles, nodes, brokenRings } = built
    return {
      report: { tiles, nodes, brokenRings },
      map: {
        attribution: openStreetMapAttribution,
        ...bounds,
        dataTime: extract.header.timestamp?.toISOString() ?? null,
      },
    }
  } finally {
    await extract.close()
  }
}

export default runStreets

export const streetsBuilder: MapBuilder = { name: "streets", module: new URL(import.meta.url) }
