import { parseLatitude, parseLongitude } from "../geodesy/lng-lat-text.ts"
import type { Geometry, GeoPosition } from "./feature.ts"

/** Coordinates that cannot be used; the message names them. */
export class BadCoordinates extends Error {
  override readonly name = "BadCoordinates"
}

/** A position from numbers or their texts. Throws BadCoordinates. */
export function positionOf(longitude: unknown, latitude: unknown, altitude?: unknown): GeoPosition {
  const lng = parseLongitude(longitude)
  const lat = parseLatitude(latitude)
  if (lng === undefined || lat === undefined) {
    const shown = `${String(latitude)},${String(longitude)}`.slice(0, 60)
    throw new BadCoordinates(`${shown} is no latitude and longitude`)
  }
  const height = altitudeOf(altitude)
  return height === undefined ? [lng, lat] : [lng, lat, height]
}

/** Metres; undefined where there is none or an impossible one. */
export function altitudeOf(value: unknown): number | undefined {
  const metres = typeof value === "string" && value.trim() !== "" ? Number(value) : value
  return typeof metres === "number" && Math.abs(metres) <= 100_000 ? metres : undefined
}

/** A ring as an area needs it: closed, with three corners or more. Throws BadCoordinates. */
export function ringOf(positions: readonly GeoPosition[]): readonly GeoPosition[] {
  const [first] = positions
  const last = positions.at(-1)
  if (!first || !last) throw new BadCoordinates("an area has no corners")
  const isClosed = first[0] === last[0] && first[1] === last[1]
  const ring = isClosed ? positions : [...positions, first]
  if (ring.length < 4) throw new BadCoordinates("an area has fewer than three corners")
  return ring
}

export function lineOf(positions: readonly GeoPosition[]): readonly GeoPosition[] {
  if (positions.length < 2) throw new BadCoordinates("a line has fewer than two positions")
  return positions
}

/** One place for a feature: its first point, otherwise the middle of its first line or area. */
export function placeOfGeometries(geometries: readonly Geometry[]): GeoPosition | undefined {
  const point = geometries.find((geometry) => geometry.type === "Point")
  if (point?.type === "Point") return point.coordinates
  const [shape] = geometries
  if (!shape) return undefined
  if (shape.type === "LineString") return shape.coordinates[Math.floor(shape.coordinates.length / 2)]
  return shape.type === "Polygon" ? centroid(shape.coordinates[0] ?? []) : undefined
}

/** The centroid of a ring on the plane; the mean of its corners where it has no area. */
function centroid(ring: readonly GeoPosition[]): GeoPosition | undefined {
  const [origin] = ring
  if (!origin) return undefined
  let area = 0
  let x = 0
  let y = 0
  for (let index = 1; index < ring.length; index++) {
    const [fromX, fromY] = offset(origin, ring[index - 1])
    const [toX, toY] = offset(origin, ring[index])
    const cross = fromX * toY - toX * fromY
    area += cross
    x += (fromX + toX) * cross
    y += (fromY + toY) * cross
  }
  if (Math.abs(area) < 1e-12) return origin
  return [rounded(shortWay(origin[0] + x / (3 * area))), rounded(origin[1] + y / (3 * area))]
}

function offset(origin: GeoPosition, position: GeoPosition = origin): [number, number] {
  return [shortWay(position[0] - origin[0]), position[1] - origin[1]]
}

/** Degrees of longitude from -180 to 180: an area in Fiji has corners at 179 and -179, and its middle is not in Africa. */
function shortWay(degrees: number): number {
  return degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees
}

/** Seven decimals are a centimetre. */
function rounded(degrees: number): number {
  return Number(degrees.toFixed(7))
}
