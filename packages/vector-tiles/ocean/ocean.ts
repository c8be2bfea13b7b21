import { pointInRing } from "#packages/osm-extract/index.ts"
import { areaOf } from "../draw-tile.ts"
import { type Box, clipRing } from "../geometry/clip.ts"
import { type Drawing, type Feature, toFeature } from "../geometry/feature.ts"
import { worldSize } from "../geometry/world.ts"
import { boxRing, closeCoast } from "./close-coast.ts"
import { seaAroundStreets } from "./shore-grid.ts"

export interface SeaSource {
  readonly features: readonly Feature[]
  readonly coastlines: readonly Int32Array[]
  forEachAddress(visit: (x: number, y: number) => void): void
}

const ground: Drawing = { layer: "ground", kind: "polygon", properties: {}, minZoom: 8, order: 0 }
const sea: Drawing = {
  layer: "water",
  kind: "polygon",
  properties: { class: "sea" },
  minZoom: 8,
  order: 0,
}

/** The sea is assembled in boxes of at most this zoom, so that a long coast is not closed as a whole. */
const maxBoxZoom = 10
const maxBoxes = 2_000
/** About 50 m at 35 degrees. */
const cellUnits = 1_600
/** Regions beyond this size (some 400 km) keep the coarse sea where they have no coastline. */
const maxGridUnits = cellUnits * 7_000

/**
 * The ground of a region and the sea on it. They cover the coarse map of the world beneath. Of `landRings`, the shores
 * of land run counterclockwise on the screen, and those of waters inside it clockwise.
 */
export function groundAndSea(source: SeaSource, box: Box, landRings: readonly Int32Array[]): Feature[] {
  const rings =
    source.coastlines.length > 0
      ? seaOfCoastlines(source, box, landRings)
      : seaWithoutCoast(source, box, landRings)
  const features = [toFeature(ground, [boxRing(box)])]
  for (const parts of groupRings(rings.map((ring) => clipRing(ring, box)).filter((ring) => ring.length >= 8)))
    features.push(toFeature(sea, parts))
  return features.filter((feature) => feature !== undefined)
}

function seaWithoutCoast(source: SeaSource, box: Box, landRings: readonly Int32Array[]): Int32Array[] {
  const isSmall = Math.max(box.east - box.west, box.south - box.north) <= maxGridUnits
  if (isSmall) return seaAroundStreets(source.features, source.forEachAddress, landRings, box, cellUnits)
  return landRings.length === 0 ? [] : [boxRing(box), ...landRings]
}

function seaOfCoastlines(
  { coastlines }: SeaSource,
  box: Box,
  landRings: readonly Int32Array[],
): Int32Array[] {
  let zoom = maxBoxZoom
  const countAt = (level: number) => {
    const size = worldSize / 2 ** level
    return ((box.east - box.west) / size + 1) * ((box.south - box.north) / size + 1)
  }
  while (zoom > 3 && countAt(zoom) > maxBoxes) zoom -= 1
  const size = worldSize / 2 ** zoom
  const rings: Int32Array[] = []
  for (let x = Math.floor(box.west / size); x * size < box.east; x += 1)
    for (let y = Math.floor(box.north / size); y * size < box.south; y += 1) {
      // Neighbouring boxes overlap by a hair, so that no line shows between them.
      const part = {
        west: x * size - 8,
        north: y * size - 8,
        east: (x + 1) * size + 8,
        south: (y + 1) * size + 8,
      }
      const closed = closeCoast(coastlines, part)
      if (closed) rings.push(...closed)
      else if (isSeaAt(x * size + size / 2, y * size + size / 2, landRings)) rings.push(boxRing(part))
    }
  return rings
}

function isSeaAt(x: number, y: number, landRings: readonly Int32Array[]): boolean {
  let isLand = false
  for (const ring of landRings) if (pointInRing(x, y, ring) > 0) isLand = !isLand
  return !isLand
}

/** Outer rings, which run clockwise, each with the holes inside it. */
function groupRings(rings: readonly Int32Array[]): Int32Array[][] {
  const outer = rings.filter((ring) => areaOf(ring) > 0)
  const groups = outer.map((ring) => [ring])
  const bySize = outer
    .map((ring, index) => ({ ring, index, size: areaOf(ring) }))
    .sort((a, b) => a.size - b.size)
  for (const hole of rings) {
    if (areaOf(hole) > 0) continue
    const around = bySize.find(({ ring }) => pointInRing(hole[0] ?? 0, hole[1] ?? 0, ring) >= 0)
    if (around) groups[around.index]?.push(hole)
  }
  return groups
}
