import { type MapContext, placeInTiles, tilesAt } from "../../location/maps/index.ts"
import { mapHeight, mapWidth, tileSize } from "./map-size.ts"
import type { MapTile, ReportMap } from "./report-content.ts"

const mapZoom = 15

/** The tiles around a place, from the smallest installed map that covers it; undefined where there is none. */
export async function mapTilesAround(
  context: MapContext,
  { lat, lng }: { lat: number; lng: number },
): Promise<Omit<ReportMap, "title"> | undefined> {
  const map = await tilesAt(context, { lat, lng })
  if (!map) return undefined
  const zoom = Math.min(mapZoom, map.maxZoom)
  const { x, y } = placeInTiles(zoom, lat, lng)
  const tiles: MapTile[] = []
  for (const [tileX, tileY] of tilesAround(x, y)) {
    const content = await map.read(zoom, tileX, tileY)
    if (content) tiles.push({ x: tileX, y: tileY, kind: map.isVector ? "vector" : "picture", content })
  }
  return tiles.length === 0 ? undefined : { attribution: map.attribution, zoom, x, y, tiles }
}

function tilesAround(x: number, y: number): [number, number][] {
  const [halfX, halfY] = [mapWidth / tileSize / 2, mapHeight / tileSize / 2]
  const places: [number, number][] = []
  for (let tileX = Math.floor(x - halfX); tileX <= x + halfX; tileX++)
    for (let tileY = Math.floor(y - halfY); tileY <= y + halfY; tileY++) places.push([tileX, tileY])
  return places
}
