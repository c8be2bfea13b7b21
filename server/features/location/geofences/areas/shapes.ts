import type { AreaShape } from "#packages/geodesy/area.ts"
import { areaProblem, withoutRepeats } from "#packages/geodesy/area-problem.ts"
import type { LngLat } from "#packages/geodesy/geodesy.ts"
import { geofenceErrors } from "./errors.ts"

/** A geometry of GeoJSON that is one area; for circles and corridors with its size. */
export interface Geometry {
  type: string
  coordinates: unknown
}
export interface Sizes {
  radiusMeters?: number | null | undefined
  widthMeters?: number | null | undefined
}

/** Points and lines of files have no size. */
const defaultSizes = { radiusMeters: 100, widthMeters: 100 } as const

/** The area, or why it is none. Further numbers of a position, such as heights, are left out. */
export function shapeOf({ type, coordinates }: Geometry, sizes: Sizes): AreaShape | string {
  const shape = readShape(type, coordinates, sizes)
  if (typeof shape === "string") return shape
  return areaProblem(shape) ?? shape
}

/** The same; throws. */
export function checkedShape(geometry: Geometry, sizes: Sizes): AreaShape {
  const shape = shapeOf(geometry, sizes)
  if (typeof shape !== "string") return shape
  throw geofenceErrors.invalid({ message: shape, fields: { geometry: [shape] } })
}

function readShape(type: string, coordinates: unknown, sizes: Sizes): AreaShape | string {
  switch (type) {
    case "Point": {
      const center = positionOf(coordinates)
      return center
        ? { kind: "circle", center, radiusMeters: sizes.radiusMeters ?? defaultSizes.radiusMeters }
        : unreadable
    }
    case "LineString": {
      const line = lineOf(coordinates)
      return line
        ? { kind: "corridor", line, widthMeters: sizes.widthMeters ?? defaultSizes.widthMeters }
        : unreadable
    }
    case "Polygon": {
      if (!Array.isArray(coordinates)) return unreadable
      const rings = coordinates.map(lineOf)
      return rings.every((ring) => ring !== undefined)
        ? { kind: "polygon", rings: rings.map(withoutRepeats) }
        : unreadable
    }
    default:
      return `${type.slice(0, 40)} is no polygon, line or point`
  }
}

const unreadable = "The coordinates are no lists of longitude and latitude"

function positionOf(value: unknown): LngLat | undefined {
  if (!Array.isArray(value)) return undefined
  const [longitude, latitude] = value as unknown[]
  return typeof longitude === "number" && typeof latitude === "number" ? [longitude, latitude] : undefined
}

function lineOf(value: unknown): LngLat[] | undefined {
  if (!Array.isArray(value)) return undefined
  const line = value.map(positionOf)
  return line.every((position) => position !== undefined) ? line : undefined
}

/** The shape as GeoJSON; rings repeat their first position at the end. */
export function geometryOf(shape: AreaShape) {
  const copied = ([longitude, latitude]: LngLat): [number, number] => [longitude, latitude]
  switch (shape.kind) {
    case "circle":
      return { type: "Point" as const, coordinates: copied(shape.center) }
    case "corridor":
      return { type: "LineString" as const, coordinates: shape.line.map(copied) }
    case "polygon":
      return {
        type: "Polygon" as const,
        coordinates: shape.rings.map((ring) => [...ring, ...ring.slice(0, 1)].map(copied)),
      }
  }
}
