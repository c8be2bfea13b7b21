import { areaLimits } from "#packages/geodesy/area-problem.ts"
import type { LngLat } from "#packages/geodesy/geodesy.ts"
import { type ReadFeature, readTile, ringArea } from "#packages/vector-tiles/index.ts"
import { type MapContext, placeInTiles, tilesAt } from "../../maps/index.ts"

export interface MapArea {
  name: string | null
  /** What the map draws, such as building or park. */
  kind: string
  /** The border, then holes. */
  rings: LngLat[][]
  /** The area reaches beyond what the map's tiles show of it in one piece. */
  isPart: boolean
}

interface Tile {
  zoom: number
  x: number
  y: number
}

interface Shape {
  layer: string
  kind: string
  /** In tiles: x and y in turn, the border first. */
  rings: readonly (readonly number[])[]
  size: number
  isCut: boolean
}

const layers = ["building", "land", "water"] as const
/** Areas of a country are no places that somebody enters. */
const leastZoom = 8

/**
 * The building, or the smallest area with a name, of the street map at a place. Tiles cut what reaches beyond them: then the area is read from the first
 * tile above in which it is whole.
 */
export async function mapAreaAt(
  context: MapContext,
  { lat, lng }: { lat: number; lng: number },
): Promise<MapArea | undefined> {
  const map = await tilesAt(context, { lat, lng })
  if (!map?.isVector) return undefined
  let first: { shape: Shape; tile: Tile } | undefined
  let name: string | null = null
  for (let zoom = map.maxZoom; zoom >= leastZoom; zoom -= 1) {
    const place = placeInTiles(zoom, lat, lng)
    const tile = { zoom, x: Math.floor(place.x), y: Math.floor(place.y) }
    const content = await map.read(zoom, tile.x, tile.y)
    const read = content && readTile(content)
    if (!read) continue
    const shapes = shapesAt(read, place.x - tile.x, place.y - tile.y).filter(
      ({ layer, kind }) => !first || (layer === first.shape.layer && kind === first.shape.kind),
    )
    const shape = choose(read, shapes)
    if (!shape && first) break
    if (!shape) continue
    first ??= { shape, tile }
    // The name is written in one of the tiles only.
    name ??= nameWithin(read, shape)
    if (!shape.isCut && positionsOf(shape.rings) <= areaLimits.positions)
      return toArea(shape, tile, name, false)
  }
  if (!first || positionsOf(first.shape.rings) > areaLimits.positions) return undefined
  return toArea(first.shape, first.tile, name, true)
}

/** A building, else the smallest area with a name: the lawn of a park is the park. */
function choose(read: ReturnType<typeof readTile>, shapes: readonly Shape[]): Shape | undefined {
  const sorted = shapes.toSorted((one, other) => one.size - other.size)
  return (
    sorted.find(({ layer }) => layer === "building") ??
    sorted.find((shape) => nameWithin(read, shape) !== null) ??
    sorted[0]
  )
}

function shapesAt(read: ReturnType<typeof readTile>, x: number, y: number): Shape[] {
  return layers.flatMap((layer) => {
    const features = (read.get(layer) ?? []).filter(({ kind }) => kind === "polygon")
    // Shapes that are cut end exactly where the tile with its margin does.
    const margin = Math.max(0, ...features.map(({ parts }) => beyond(parts)))
    return features.flatMap(({ properties, parts }): Shape[] =>
      polygonsOf(parts)
        .filter(([border, ...holes]) => isInside(border, x, y) && !holes.some((hole) => isInside(hole, x, y)))
        .map((rings) => ({
          layer,
          kind: layer === "building" ? layer : String(properties.class ?? layer),
          rings,
          size: Math.abs(areaOf(rings[0] ?? [])),
          isCut: margin > 0 && beyond(rings) >= margin,
        })),
    )
  })
}

/** How far a shape reaches out of its tile. */
function beyond(parts: readonly (readonly number[])[]): number {
  let most = 0
  for (const part of parts) for (const value of part) most = Math.max(most, -value, value - 1)
  return most
}

const areaOf = (ring: readonly number[]) => ringArea([...ring, ...ring.slice(0, 2)])

/** A border turns the other way than its holes, which follow it. */
function polygonsOf(parts: readonly (readonly number[])[]): (readonly number[])[][] {
  const polygons: (readonly number[])[][] = []
  const direction = Math.sign(areaOf(parts[0] ?? []))
  for (const part of parts) {
    if (part.length < 6) continue
    const last = polygons.at(-1)
    if (last && Math.sign(areaOf(part)) !== direction) last.push(part)
    else polygons.push([part])
  }
  return polygons
}

function isInside(ring: readonly number[] | undefined, x: number, y: number): boolean {
  let inside = false
  if (!ring) return inside
  for (let at = 0, before = ring.length - 2; at < ring.length; before = at, at += 2) {
    const [fromX = 0, fromY = 0, toX = 0, toY = 0] = [ring[before], ring[before + 1], ring[at], ring[at + 1]]
    if (fromY > y !== toY > y && x < ((toX - fromX) * (y - fromY)) / (toY - fromY) + fromX) inside = !inside
  }
  return inside
}

/** The name that the map writes within an area. */
function nameWithin(read: ReturnType<typeof readTile>, { rings, kind }: Shape): string | null {
  const isHere = ({ properties, parts }: ReadFeature) =>
    properties.class === kind && isInside(rings[0], parts[0]?.[0] ?? -1, parts[0]?.[1] ?? -1)
  const name = (read.get("area_name") ?? []).find(isHere)?.properties.name
  return typeof name === "string" ? name.slice(0, 200) : null
}

const positionsOf = (rings: readonly (readonly number[])[]) =>
  rings.reduce((sum, ring) => sum + ring.length / 2 + 1, 0)

function toArea({ kind, rings }: Shape, { zoom, x, y }: Tile, name: string | null, isPart: boolean): MapArea {
  const size = 2 ** zoom
  const round = (degrees: number) => Math.round(degrees * 1e6) / 1e6
  const position = (tileX: number, tileY: number): LngLat => [
    round(((x + tileX) / size) * 360 - 180),
    round((Math.atan(Math.sinh(Math.PI * (1 - (2 * (y + tileY)) / size))) * 180) / Math.PI),
  ]
  return {
    ...{ name, kind, isPart },
    rings: rings.map((ring) => {
      const positions: LngLat[] = []
      for (let at = 0; at + 1 < ring.length; at += 2)
        positions.push(position(ring[at] ?? 0, ring[at + 1] ?? 0))
      const [start] = positions
      return start ? [...positions, start] : positions
    }),
  }
}
