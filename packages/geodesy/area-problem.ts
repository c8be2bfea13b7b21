import type { AreaShape } from "./area.ts"
import { distanceMeters, type LngLat, wrapLongitude } from "./geodesy.ts"

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
  for (const line of lines) {
    for (let at = 1; at < line.length; at++) {
      const meters = distanceMeters(line[at - 1] ?? [0, 0], line[at] ?? [0, 0])
      if (meters > areaLimits.edgeMeters) return `An edge is longer than ${areaLimits.edgeMeters / 1000} km`
    }
  }
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

/** On the plane of longitudes and latitudes, unwrapped at the antimeridian. Edges that only share an end do not cross. */
function crossesItself(ring: readonly LngLat[]): boolean {
  let longitude = ring[0]?.[0] ?? 0
  const points = ring.map(([lng, lat], at) => {
    longitude += wrapLongitude(lng - (ring[at - 1]?.[0] ?? lng))
    return [longitude, lat] as const
  })
  const first = points[0] ?? ([0, 0] as const)
  const end = longitude + wrapLongitude(first[0] - longitude)
  points.push([end, first[1]])
  for (let one = 1; one < points.length; one++) {
    const [a, b] = [points[one - 1] ?? first, points[one] ?? first]
    for (let other = one + 2; other < points.length; other++) {
      if (one === 1 && other === points.length - 1) continue
      const [c, d] = [points[other - 1] ?? first, points[other] ?? first]
      if (Math.max(a[1], b[1]) < Math.min(c[1], d[1]) || Math.max(c[1], d[1]) < Math.min(a[1], b[1])) continue
      if (side(a, b, c) * side(a, b, d) <= 0 && side(c, d, a) * side(c, d, b) <= 0 && touch(a, b, c, d))
        return true
    }
  }
  return false
}

type Point = readonly [number, number]
const side = (a: Point, b: Point, c: Point) =>
  Math.sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
/** Edges on one line cross only if they overlap. */
const touch = (a: Point, b: Point, c: Point, d: Point) =>
  Math.max(a[0], b[0]) >= Math.min(c[0], d[0]) && Math.max(c[0], d[0]) >= Math.min(a[0], b[0])
