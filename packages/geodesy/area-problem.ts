import type { AreaShape } from "./area.ts"
import { distanceMeters, type LngLat, wrapLongitude } from "./geodesy.ts"
import { edgesOfLine } from "./ring.ts"

export const areaLimits = {
  positions: 1_000,
  radiusMeters: 500_000,
  widthMeters: 100_000,
  edgeMeters: 2_000_000,
} as const

/** Why a shape is no area; undefined if it is one. */
export function areaProblem(shape: AreaShape): string | undefined {
  const lines = linesOf(shape)
  const positions = lines.flat()
  if (positions.length > areaLimits.positions) return `It has more than ${areaLimits.positions} positions`
  if (!positions.every(isPosition))
    return "Longitudes must be from -180 to 180 degrees, latitudes from -90 to 90"
  if (lines.flatMap(edgesOfLine).some(([from, to]) => distanceMeters(from, to) > areaLimits.edgeMeters))
    return `An edge is longer than ${areaLimits.edgeMeters / 1000} km`
  switch (shape.kind) {
    case "circle":
      return outOf("The radius", shape.radiusMeters, areaLimits.radiusMeters)
    case "corridor":
      if (withoutRepeats(shape.line).length < 2) return "A corridor needs at least two different positions"
      return outOf("The width", shape.widthMeters, areaLimits.widthMeters)
    case "polygon":
      if (shape.rings.length === 0) return "A polygon needs a ring"
      for (const ring of shape.rings) {
        const corners = withoutRepeats(ring)
        if (new Set(corners.map(String)).size < 3) return "A polygon needs at least three different corners"
        if (crossesItself(corners)) return "The edges of a polygon must not cross"
      }
      return undefined
  }
}

/** The same ring without positions that repeat the one before, nor the first one at its end. */
export function withoutRepeats(line: readonly LngLat[]): LngLat[] {
  const kept = line.filter((position, at) => at === 0 || String(position) !== String(line[at - 1]))
  while (kept.length > 1 && String(kept[0]) === String(kept.at(-1))) kept.pop()
  return kept
}

function linesOf(shape: AreaShape): readonly (readonly LngLat[])[] {
  if (shape.kind === "polygon") return shape.rings
  return [shape.kind === "circle" ? [shape.center] : shape.line]
}

const isPosition = ([lng, lat]: LngLat) =>
  Number.isFinite(lng) && Number.isFinite(lat) && Math.abs(lng) <= 180 && Math.abs(lat) <= 90

function outOf(what: string, meters: number, most: number): string | undefined {
  return meters >= 1 && meters <= most ? undefined : `${what} must be from 1 to ${most} metres`
}

type Point = readonly [number, number]

/** On the plane of longitudes and latitudes, unwrapped at the antimeridian. Edges that only share an end do not cross. */
function crossesItself(ring: readonly LngLat[]): boolean {
  let longitude = Number.NaN
  const points = [...ring, ...ring.slice(0, 1)].map(([lng, lat]): Point => {
    longitude = Number.isNaN(longitude) ? lng : longitude + wrapLongitude(lng - longitude)
    return [longitude, lat]
  })
  const [, ...edges] = points.map((to, at) => edgeOf(points[at - 1] ?? to, to, at))
  const fromWest = edges.toSorted((one, other) => one.west - other.west)
  return fromWest.some((edge, place) => {
    // Those that begin east of its end, and all after them, are out of reach.
    for (let next = place + 1; next < fromWest.length; next++) {
      const other = fromWest[next]
      if (!other || other.west > edge.east) return false
      const apart = Math.abs(edge.at - other.at)
      const areNeighbours = apart === 1 || apart === edges.length - 1
      if (!areNeighbours && meet(edge.from, edge.to, other.from, other.to)) return true
    }
    return false
  })
}

const edgeOf = (from: Point, to: Point, at: number) => ({
  ...{ from, to, at },
  west: Math.min(from[0], to[0]),
  east: Math.max(from[0], to[0]),
})

/** Whether two edges have a point in common. */
function meet(a: Point, b: Point, c: Point, d: Point): boolean {
  // Most edges are far from each other.
  if (!overlap(a[1], b[1], c[1], d[1]) || !overlap(a[0], b[0], c[0], d[0])) return false
  return side(a, b, c) * side(a, b, d) <= 0 && side(c, d, a) * side(c, d, b) <= 0
}

const side = (a: Point, b: Point, c: Point) =>
  Math.sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
const overlap = (a: number, b: number, c: number, d: number) =>
  Math.max(a, b) >= Math.min(c, d) && Math.max(c, d) >= Math.min(a, b)
