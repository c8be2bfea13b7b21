import { worldSize } from "./world.ts"

export type GeometryKind = "point" | "line" | "polygon"

export type Properties = Readonly<Record<string, string | number>>

/** Where a feature is drawn and what the style needs of it. Shared by all parts into which tiles cut a feature. */
export interface Drawing {
  readonly layer: string
  readonly kind: GeometryKind
  readonly properties: Properties
  readonly minZoom: number
  /** Within a layer, features of a smaller order come first. */
  readonly order: number
  /** Left out of tiles below this zoom, so that small lines can be merged. */
  readonly details?: { readonly fromZoom: number; readonly properties: Properties }
  /** Lines that may be drawn in either direction can be merged in either direction. */
  readonly isDirected?: boolean
}

/** x and y alternate, in world units. Several lines; or an outer ring followed by its holes, or several of those. */
export type Parts = readonly Int32Array[]

export interface Feature {
  readonly drawing: Drawing
  readonly parts: Parts
  readonly west: number
  readonly north: number
  readonly east: number
  readonly south: number
}

/** A feature with its bounds; undefined without any point. */
export function toFeature(drawing: Drawing, parts: Parts): Feature | undefined {
  let [west, north, east, south] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const part of parts)
    for (let at = 0; at < part.length; at += 2) {
      const [x = 0, y = 0] = [part[at], part[at + 1]]
      if (x < west) west = x
      if (x > east) east = x
      if (y < north) north = y
      if (y > south) south = y
    }
  return west > east ? undefined : { drawing, parts, west, north, east, south }
}

/** A feature that reaches beyond the edge of the world also appears at the other edge. */
export function wrapped(feature: Feature): readonly Feature[] {
  if (feature.west >= 0 && feature.east <= worldSize) return [feature]
  const by = feature.west < 0 ? worldSize : -worldSize
  const moved = feature.parts.map((part) => part.map((value, at) => (at % 2 === 0 ? value + by : value)))
  const copy = toFeature(feature.drawing, moved)
  return copy ? [feature, copy] : [feature]
}
