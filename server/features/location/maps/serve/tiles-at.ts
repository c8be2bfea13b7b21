import { promisify } from "node:util"
import { gunzip } from "node:zlib"
import { compressions, tileTypes } from "#packages/vector-tiles/index.ts"
import { type MapContext, mapStoreOf } from "./map-store.ts"

const gunzipAsync = promisify(gunzip)
const maxTileBytes = 8 * 1024 * 1024

export interface TilesAt {
  isVector: boolean
  maxZoom: number
  attribution: string
  /** The tile without compression; undefined where there is none. */
  read(zoom: number, x: number, y: number): Promise<Buffer | undefined>
}

/** The tiles of the smallest installed map that covers a place; undefined where there is none. */
export async function tilesAt(
  context: MapContext,
  { lat, lng }: { lat: number; lng: number },
): Promise<TilesAt | undefined> {
  const store = mapStoreOf(context)
  const around = (await store.regions()).filter(
    ({ west, south, east, north }) => lng >= west && lng <= east && lat >= south && lat <= north,
  )
  const sizeOf = ({ west, south, east, north }: (typeof around)[number]) => (east - west) * (north - south)
  const [region] = around.toSorted((one, other) => sizeOf(one) - sizeOf(other))
  const map = region && (await store.opened(region.name))
  if (!map) return undefined
  const { header } = map.archive
  const isVector = header.tileType === tileTypes.mvt
  if (!isVector && header.tileType !== tileTypes.png && header.tileType !== tileTypes.jpeg) return undefined
  return {
    isVector,
    maxZoom: header.maxZoom,
    attribution: map.region.attribution,
    async read(zoom, x, y) {
      const stored = await map.archive.tile(zoom, x, y)
      return stored && inflate(stored, header.tileCompression)
    },
  }
}

async function inflate(stored: Buffer, compression: number): Promise<Buffer | undefined> {
  if (compression === compressions.none) return stored
  if (compression !== compressions.gzip) return undefined
  return gunzipAsync(stored, { maxOutputLength: maxTileBytes })
}

/** A place in tiles of a zoom, from the north-west corner of the world. */
export function placeInTiles(zoom: number, lat: number, lng: number): { x: number; y: number } {
  const size = 2 ** zoom
  const y = (1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2
  return { x: ((lng + 180) / 360) * size, y: y * size }
}
