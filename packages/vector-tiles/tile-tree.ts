import { drawTile, type ExtraPoints, type TilePlace } from "./draw-tile.ts"
import { clipFeature } from "./geometry/clip.ts"
import type { Feature } from "./geometry/feature.ts"
import { worldSize } from "./geometry/world.ts"

/** Features are drawn this far beyond the edge of a tile, so that lines and labels continue: 80 of 4096 units. */
const marginShare = 80 / 4096

export interface TileTree {
  readonly minZoom: number
  readonly maxZoom: number
  /** Called for each tile that shows something, from the root downwards. */
  write(place: TilePlace, tile: Uint8Array): void
  readonly extra?: {
    /** Whether a tile or one below it has extra points. */
    reaches(place: TilePlace): boolean
    at(place: TilePlace): ExtraPoints | undefined
  }
  /** Layers that fill whole tiles. Beyond `backgroundZoom`, tiles that show nothing else are left out. */
  readonly background: ReadonlySet<string>
  readonly backgroundZoom: number
  /** Called before each tile; throws to stop. */
  progress?(): void
}

/**
 * Cuts features into tiles: each tile is drawn from what its parent has there, so the work per point is the number of
 * zooms, and only the features of one path through the tree are in memory twice.
 */
export function drawTiles(features: readonly Feature[], tree: TileTree): void {
  visit({ zoom: 0, x: 0, y: 0 }, features, tree)
}

function visit(place: TilePlace, features: readonly Feature[], tree: TileTree): void {
  tree.progress?.()
  const { zoom, x, y } = place
  const isBackground = ({ drawing }: Feature) => tree.background.has(drawing.layer)
  if (features.length === 0 && !tree.extra?.reaches(place)) return
  if (zoom > tree.backgroundZoom && !tree.extra?.reaches(place) && features.every(isBackground)) return
  if (zoom >= tree.minZoom) {
    const tile = drawTile(place, features, tree.maxZoom, tree.extra?.at(place))
    if (tile) tree.write(place, tile)
  }
  if (zoom === tree.maxZoom) return
  const size = worldSize / 2 ** (zoom + 1)
  const margin = size * marginShare
  for (const [dx, dy] of [
    [0, 0],
    [1, 0],
    [0, 1],
    [1, 1],
  ] as const) {
    const [childX, childY] = [x * 2 + dx, y * 2 + dy]
    const box = {
      west: Math.round(childX * size - margin),
      north: Math.round(childY * size - margin),
      east: Math.round((childX + 1) * size + margin),
      south: Math.round((childY + 1) * size + margin),
    }
    const inside: Feature[] = []
    for (const feature of features) {
      const clipped = clipFeature(feature, box)
      if (clipped) inside.push(clipped)
    }
    visit({ zoom: zoom + 1, x: childX, y: childY }, inside, tree)
  }
}
