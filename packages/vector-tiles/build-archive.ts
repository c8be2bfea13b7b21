import { rmSync } from "node:fs"
import type { Extract } from "#packages/osm-extract/index.ts"
import type { Box } from "./geometry/clip.ts"
import type { Feature } from "./geometry/feature.ts"
import { toLatitude, toLongitude, worldSize } from "./geometry/world.ts"
import { groundAndSea } from "./ocean/ocean.ts"
import { collectFeatures } from "./osm/collect.ts"
import { ArchiveWriter } from "./pmtiles/archive-writer.ts"
import { drawTiles } from "./tile-tree.ts"

export const streetZooms = { min: 5, max: 15 } as const

export interface ArchiveOptions {
  /** Shown with the map and stored in the archive. */
  readonly attribution: string
  readonly name: string
  /** Rings of the world's land in world units: tells land from sea where the extract has no coastline. */
  readonly landRings?: readonly Int32Array[]
  readonly signal?: AbortSignal
  /** Shares from 0 to 1. */
  readonly onProgress?: (share: number) => void
}

export interface BuiltArchive {
  readonly tiles: number
  readonly nodes: number
  readonly features: number
  readonly brokenRings: number
  readonly bounds: {
    readonly west: number
    readonly south: number
    readonly east: number
    readonly north: number
  }
}

export class EmptyExtract extends Error {
  override readonly name = "EmptyExtract"
  constructor() {
    super("The extract contains nothing that a map shows. Choose another region")
  }
}

/** Around what is drawn, some ground belongs to the region: 1 km on the equator. */
const groundMarginUnits = 27_000

const backgroundLayers = new Set(["ground", "water"])
const maxBackgroundTiles = 100_000

/** How deep tiles go that show only ground or sea: a region over half the world would have a thousand million. */
function backgroundZoomOf({ west, north, east, south }: Box): number {
  const share = ((east - west) / worldSize) * ((south - north) / worldSize)
  const zoom = Math.floor(Math.log2(maxBackgroundTiles / Math.max(share, 1e-12)) / 2)
  return Math.max(streetZooms.min, Math.min(streetZooms.max, zoom))
}

/** Draws the tiles of an extract into a PMTiles archive. Runs for seconds to minutes: call it outside the server thread. */
export async function buildArchive(
  extract: Extract,
  path: string,
  options: ArchiveOptions,
): Promise<BuiltArchive> {
  const { signal, onProgress } = options
  const collected = await collectFeatures(extract, streetZooms.max)
  onProgress?.(0.3)
  const box = boundsOf(collected.features)
  if (!box) throw new EmptyExtract()
  const around = grow(box, groundMarginUnits)
  const features = [
    ...groundAndSea(
      { ...collected, forEachAddress: (visit) => collected.houseNumbers.forEach(visit) },
      around,
      options.landRings ?? [],
    ),
    ...collected.features,
  ]
  const archive = new ArchiveWriter(path)
  try {
    drawTiles(features, {
      minZoom: streetZooms.min,
      maxZoom: streetZooms.max,
      write: ({ zoom, x, y }, tile) => archive.add(zoom, x, y, tile),
      extra: collected.houseNumbers,
      background: backgroundLayers,
      backgroundZoom: backgroundZoomOf(around),
      progress: () => signal?.throwIfAborted(),
    })
    onProgress?.(0.9)
    const bounds = toDegrees(box)
    archive.finish({
      minZoom: streetZooms.min,
      maxZoom: streetZooms.max,
      ...bounds,
      metadata: { name: options.name, attribution: options.attribution, format: "pbf", schema: "fieldway-1" },
    })
    onProgress?.(1)
    return {
      tiles: archive.tileCount,
      nodes: collected.nodeCount,
      features: collected.features.length,
      brokenRings: collected.brokenRings,
      bounds,
    }
  } catch (error) {
    archive.discard()
    rmSync(path, { force: true })
    throw error
  }
}

function boundsOf(features: readonly Feature[]): Box | undefined {
  let [west, north, east, south] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const feature of features) {
    // Ferries lead far beyond a region.
    if (feature.drawing.layer === "transit" || feature.drawing.layer === "boundary") continue
    west = Math.min(west, feature.west)
    north = Math.min(north, feature.north)
    east = Math.max(east, feature.east)
    south = Math.max(south, feature.south)
  }
  return west <= east ? { west: Math.max(0, west), north, east: Math.min(worldSize, east), south } : undefined
}

const grow = ({ west, north, east, south }: Box, by: number): Box => ({
  west: Math.max(0, west - by),
  north: Math.max(0, north - by),
  east: Math.min(worldSize, east + by),
  south: Math.min(worldSize, south + by),
})

function toDegrees({ west, north, east, south }: Box) {
  return {
    west: toLongitude(west),
    south: toLatitude(south),
    east: toLongitude(east),
    north: toLatitude(north),
  }
}
