import { encodeTile, type TileFeature, tileExtent } from "./encode-tile.ts"
import type { Drawing, Feature, Properties } from "./geometry/feature.ts"
import { mergeLines } from "./geometry/merge-lines.ts"
import { simplify } from "./geometry/simplify.ts"
import { worldSize } from "./geometry/world.ts"

export interface TilePlace {
  readonly zoom: number
  readonly x: number
  readonly y: number
}

/** What is drawn at a point of the deepest zoom beside the features, such as house numbers. */
export interface ExtraPoints {
  readonly layer: string
  readonly points: readonly { readonly x: number; readonly y: number; readonly properties: Properties }[]
}

/** Smaller areas and lines are left out, in units of the tile: 4096 units are 512 pixels. */
const minAreaUnits = 40
const minLineUnits = 12
const simplifyUnits = 3

interface LineGroup {
  readonly drawing: Drawing
  readonly properties: Properties
  readonly lines: (readonly number[])[]
}

/** The tile at a place; undefined if nothing is visible there. Features are already clipped to it. */
export function drawTile(
  place: TilePlace,
  features: readonly Feature[],
  maxZoom: number,
  extra?: ExtraPoints,
): Uint8Array | undefined {
  const { zoom } = place
  const tolerance = zoom === maxZoom ? 1 : simplifyUnits
  const layers = new Map<string, TileFeature[]>()
  const groups = new Map<string, LineGroup>()
  const toUnits = unitsOf(place)
  for (const feature of features.toSorted((one, other) => one.drawing.order - other.drawing.order)) {
    const { drawing } = feature
    if (drawing.minZoom > zoom) continue
    const properties = propertiesAt(drawing, zoom)
    if (drawing.kind === "line") {
      const key = JSON.stringify([drawing.layer, drawing.order, properties])
      const group = groups.get(key) ?? { drawing, properties, lines: [] }
      groups.set(key, group)
      for (const part of feature.parts) group.lines.push(toUnits(part))
    } else {
      const parts =
        drawing.kind === "point"
          ? feature.parts.map(toUnits)
          : toRings(feature.parts.map(toUnits), tolerance, zoom === maxZoom)
      if (parts.length > 0) add(layers, drawing.layer, { kind: drawing.kind, properties, parts })
    }
  }
  for (const { drawing, properties, lines } of groups.values()) {
    const parts = mergeLines(lines, drawing.isDirected ?? false)
      .map((line) => withoutRepeats(simplify(line, tolerance)))
      .filter((line) => line.length >= 4 && (zoom === maxZoom || isLong(line)))
    if (parts.length > 0) add(layers, drawing.layer, { kind: "line", properties, parts })
  }
  for (const { x, y, properties } of extra?.points ?? [])
    add(layers, extra?.layer ?? "", { kind: "point", properties, parts: [toUnits(Int32Array.of(x, y))] })
  return layers.size === 0 ? undefined : encodeTile(layers)
}

function propertiesAt(drawing: Drawing, zoom: number): Properties {
  const { properties, details } = drawing
  return details && zoom >= details.fromZoom ? { ...properties, ...details.properties } : properties
}

function add(layers: Map<string, TileFeature[]>, name: string, feature: TileFeature): void {
  const known = layers.get(name)
  if (known) known.push(feature)
  else layers.set(name, [feature])
}

function unitsOf({ zoom, x, y }: TilePlace): (part: Int32Array) => number[] {
  const size = worldSize / 2 ** zoom
  const scale = tileExtent / size
  return (part) => {
    const units = new Array<number>(part.length)
    for (let at = 0; at < part.length; at += 2) {
      units[at] = Math.round(((part[at] ?? 0) - x * size) * scale)
      units[at + 1] = Math.round(((part[at + 1] ?? 0) - y * size) * scale)
    }
    return units
  }
}

/** Rings with the winding of the format: outer rings run clockwise on the screen, holes the other way. */
function toRings(rings: readonly number[][], tolerance: number, isDeepest: boolean): (readonly number[])[] {
  const kept: (readonly number[])[] = []
  let isOuterKept = false
  for (const ring of rings) {
    const simplified = withoutRepeats(simplify(ring, tolerance))
    const area = areaOf(simplified)
    // Outer rings come with a positive area from the reader, holes with a negative one.
    const isOuter = areaOf(ring) > 0
    const isVisible = simplified.length >= 8 && Math.abs(area) >= (isDeepest ? 2 : minAreaUnits)
    if (isOuter) isOuterKept = isVisible
    if (!isVisible || !isOuterKept) continue
    kept.push(area > 0 === isOuter ? simplified : reverseRing(simplified))
  }
  return kept
}

/** Positive for rings that run clockwise on the screen, with y downwards. */
export function areaOf(ring: ArrayLike<number>): number {
  let sum = 0
  for (let at = 0; at + 3 < ring.length; at += 2)
    sum += (ring[at] ?? 0) * (ring[at + 3] ?? 0) - (ring[at + 2] ?? 0) * (ring[at + 1] ?? 0)
  return sum / 2
}

function reverseRing(ring: readonly number[]): number[] {
  const turned: number[] = []
  for (let at = ring.length - 2; at >= 0; at -= 2) turned.push(ring[at] ?? 0, ring[at + 1] ?? 0)
  return turned
}

function withoutRepeats(line: readonly number[]): readonly number[] {
  const kept: number[] = []
  for (let at = 0; at < line.length; at += 2) {
    const [x = 0, y = 0] = [line[at], line[at + 1]]
    if (kept.length === 0 || kept.at(-2) !== x || kept.at(-1) !== y) kept.push(x, y)
  }
  return kept
}

function isLong(line: readonly number[]): boolean {
  let length = 0
  for (let at = 0; at + 3 < line.length; at += 2)
    length += Math.hypot((line[at + 2] ?? 0) - (line[at] ?? 0), (line[at + 3] ?? 0) - (line[at + 1] ?? 0))
  return length >= minLineUnits
}
