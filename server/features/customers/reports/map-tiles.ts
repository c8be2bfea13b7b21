import { promisify } from "node:util"
import { gunzip } from "node:zlib"
import type { Config } from "#core/config.ts"
import type { Pool } from "#core/database/database.ts"
import type { Objects } from "#core/objects/objects.ts"
import { compressions, tileTypes } from "#packages/vector-tiles/index.ts"
import { mapStoreOf } from "../../location/maps/index.ts"
import { mapHeight, mapWidth, tileSize } from "./map-size.ts"
import type { MapTile, ReportMap } from "./report-content.ts"

const gunzipAsync = promisify(gunzip)
const maxTileBytes = 8 * 1024 * 1024
const maxZoom = 15

interface MapContext {
  sql: Pool
  objects: Objects
  config: Config
}

/** The tiles around a place, from the smallest installed map that covers it; undefined where there is none. */
export async function mapTilesAround(
  context: MapContext,
  { lat, lng }: { lat: number; lng: number },
): Promise<Omit<ReportMap, "title"> | undefined> {
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
  const zoom = Math.min(maxZoom, header.maxZoom)
  const { x, y } = placeAt(zoom, lat, lng)
  const tiles: MapTile[] = []
  for (const [tileX, tileY] of tilesAround(x, y)) {
    const stored = await map.archive.tile(zoom, tileX, tileY)
    const content = stored && (await inflate(stored, header.tileCompression))
    if (content) tiles.push({ x: tileX, y: tileY, kind: isVector ? "vector" : "picture", content })
  }
  return tiles.length === 0 ? undefined : { attribution: map.region.attribution, zoom, x, y, tiles }
}

async function inflate(stored: Buffer, compression: number): Promise<Buffer | undefined> {
  if (compression === compressions.none) return stored
  if (compression !== compressions.gzip) return undefined
  return gunzipAsync(stored, { maxOutputLength: maxTileBytes })
}

/** A place in tiles of a zoom, from the north-west corner of the world. */
function placeAt(zoom: number, lat: number, lng: number): { x: number; y: number } {
  const size = 2 ** zoom
  const y = (1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2
  return { x: ((lng + 180) / 360) * size, y: y * size }
}

function tilesAround(x: number, y: number): [number, number][] {
  const [halfX, halfY] = [mapWidth / tileSize / 2, mapHeight / tileSize / 2]
  const places: [number, number][] = []
  for (let tileX = Math.floor(x - halfX); tileX <= x + halfX; tileX++)
    for (let tileY = Math.floor(y - halfY); tileY <= y + halfY; tileY++) places.push([tileX, tileY])
  return places
}
