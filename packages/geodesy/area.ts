import {
  bearingDegrees,
  boxHolds,
  distanceMeters,
  earthRadiusMeters,
  type LngLat,
  wrapLongitude,
} from "./geodesy.ts"

/** A part of the earth. Edges are great circles; rings are closed without repeating their first position. */
export type AreaShape =
  | { readonly kind: "circle"; readonly center: LngLat; readonly radiusMeters: number }
  | { readonly kind: "corridor"; readonly line: readonly LngLat[]; readonly widthMeters: number }
  /** The first ring is the edge, the others are holes. */
  | { readonly kind: "polygon"; readonly rings: readonly (readonly LngLat[])[] }

/** Degrees. `east` is beyond 180 when the box crosses the antimeridian, so that west is always the smaller one. */
export interface UnwrappedBox {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

export interface Area {
  readonly box: UnwrappedBox
  /** 0 inside and on the edge. Infinity where it is certainly more than `farMeters`. Linear in the number of positions. */
  metersOutside(position: LngLat): number
}

/** Beyond this distance of its box nobody asks how far away an area is. */
const farMeters = 10_000

const radians = Math.PI / 180
const turn = (from: number, to: number) => wrapLongitude(to - from)

/** Prepares a shape for many tests. */
export function areaOf(shape: AreaShape): Area {
  switch (shape.kind) {
    case "circle":
      return {
        box: boxOfLine([shape.center], shape.radiusMeters),
        metersOutside: (position) => Math.max(0, distanceMeters(position, shape.center) - shape.radiusMeters),
      }
    case "corridor": {
      const box = boxOfLine(shape.line, shape.widthMeters / 2)
      const metersTo = distanceToLine(shape.line)
      return near(box, (position) => Math.max(0, metersTo(position) - shape.widthMeters / 2))
    }
    case "polygon": {
      const [edge = [], ...holes] = shape.rings
      const box = boxOfRing(edge)
      const toRing = shape.rings.map((ring) => distanceToLine(closed(ring)))
      return near(box, (position) => {
        const hole = holes.findIndex((ring) => isInRing(position, ring))
        if (hole >= 0) return toRing[hole + 1]?.(position) ?? 0
        return isInRing(position, edge) ? 0 : (toRing[0]?.(position) ?? 0)
      })
    }
  }
}

function near(box: UnwrappedBox, metersOutside: (position: LngLat) => number): Area {
  const wide = widened(box, farMeters)
  const holds = { ...wide, west: wrapLongitude(wide.west), east: wrapLongitude(wide.east) }
  const isWhole = wide.east - wide.west >= 360
  return {
    box,
    metersOutside(position) {
      const isNear = isWhole
        ? position[1] >= wide.south && position[1] <= wide.north
        : boxHolds(holds, position)
      return isNear ? metersOutside(position) : Number.POSITIVE_INFINITY
    },
  }
}

/**
 * Counts the edges between the position and the north pole, along its meridian. An odd number means that the position
 * and the pole are on different sides of the ring. A ring around a pole holds the pole that it is nearer to.
 */
function isInRing([longitude, latitude]: LngLat, ring: readonly LngLat[]): boolean {
  let isInside = false
  let turns = 0
  let latitudes = 0
  for (let at = 0, before = ring.length - 1; at < ring.length; before = at++) {
    const [fromLongitude, fromLatitude] = ring[before] ?? [0, 0]
    const [toLongitude, toLatitude] = ring[at] ?? [0, 0]
    const from = turn(longitude, fromLongitude)
    const to = turn(longitude, toLongitude)
    turns += turn(fromLongitude, toLongitude)
    latitudes += toLatitude
    if (from > 0 === to > 0 || Math.abs(from - to) >= 180) continue
    if (latitudeAt(fromLatitude, toLatitude, from, to) > latitude) isInside = !isInside
  }
  const holdsNorthPole = Math.abs(turns) > 180 && latitudes > 0
  return isInside !== holdsNorthPole
}

/** Where a great circle crosses the meridian 0, between longitudes on either side of it. */
function latitudeAt(fromLatitude: number, toLatitude: number, from: number, to: number): number {
  const tangent =
    (Math.tan(fromLatitude * radians) * Math.sin(to * radians) -
      Math.tan(toLatitude * radians) * Math.sin(from * radians)) /
    Math.sin((to - from) * radians)
  return Math.atan(tangent) / radians
}

type Vector = readonly [x: number, y: number, z: number]

function vectorOf([longitude, latitude]: LngLat): Vector {
  const cosine = Math.cos(latitude * radians)
  return [
    cosine * Math.cos(longitude * radians),
    cosine * Math.sin(longitude * radians),
    Math.sin(latitude * radians),
  ]
}
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]
const dot = (a: Vector, b: Vector) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]

/** Metres to the nearest point of a line; its vectors are computed once. */
function distanceToLine(line: readonly LngLat[]): (position: LngLat) => number {
  const segments = line.slice(1).flatMap((to, index) => {
    const from = line[index] ?? to
    const [start, end] = [vectorOf(from), vectorOf(to)]
    const normal = cross(start, end)
    const length = Math.hypot(...normal)
    if (length === 0) return []
    return [{ normal, length, first: cross(normal, start), last: cross(end, normal) }]
  })
  return (position) => {
    const vector = vectorOf(position)
    let least = Number.POSITIVE_INFINITY
    for (const end of line) least = Math.min(least, distanceMeters(position, end))
    for (const { normal, length, first, last } of segments) {
      if (dot(first, vector) < 0 || dot(last, vector) < 0) continue
      const sine = Math.min(1, Math.abs(dot(normal, vector)) / length)
      least = Math.min(least, Math.asin(sine) * earthRadiusMeters)
    }
    return least
  }
}

const closed = (ring: readonly LngLat[]): LngLat[] => [...ring, ...ring.slice(0, 1)]

function boxOfRing(ring: readonly LngLat[]): UnwrappedBox {
  const box = boxOfLine(closed(ring), 0)
  const turns = ring.reduce((sum, to, index) => sum + turn((ring.at(index - 1) ?? to)[0], to[0]), 0)
  if (Math.abs(turns) <= 180) return box
  const isNorth = ring.reduce((sum, [, latitude]) => sum + latitude, 0) > 0
  return { west: -180, east: 180, south: isNorth ? box.south : -90, north: isNorth ? 90 : box.north }
}

function boxOfLine(line: readonly LngLat[], meters: number): UnwrappedBox {
  const [first] = line
  if (!first) throw new RangeError("a line has at least one position")
  let [longitude] = first
  let [west, east, south, north] = [longitude, longitude, first[1], first[1]]
  for (const [index, to] of line.entries()) {
    const from = line[index - 1] ?? to
    longitude += turn(from[0], to[0])
    west = Math.min(west, longitude)
    east = Math.max(east, longitude)
    for (const latitude of [to[1], ...bulge(from, to)]) {
      south = Math.min(south, latitude)
      north = Math.max(north, latitude)
    }
  }
  return widened({ west, south, east, north }, meters)
}

/** The latitude at which a great circle turns back, if it does so between two positions. */
function bulge(from: LngLat, to: LngLat): number[] {
  if (from[0] === to[0]) return []
  const start = Math.cos(bearingDegrees(from, to) * radians)
  const end = -Math.cos(bearingDegrees(to, from) * radians)
  if (start > 0 === end > 0) return []
  const sine = Math.abs(Math.sin(bearingDegrees(from, to) * radians)) * Math.cos(from[1] * radians)
  return [(Math.sign(start) * Math.acos(Math.min(1, sine))) / radians]
}

function widened(box: UnwrappedBox, meters: number): UnwrappedBox {
  const angle = meters / earthRadiusMeters
  const south = box.south - angle / radians
  const north = box.north + angle / radians
  const sine = Math.sin(angle) / Math.cos(Math.max(Math.abs(box.south), Math.abs(box.north)) * radians)
  if (south <= -90 || north >= 90 || sine >= 1)
    return { west: -180, east: 180, south: Math.max(-90, south), north: Math.min(90, north) }
  const reach = Math.asin(sine) / radians
  if (box.east - box.west + 2 * reach >= 360) return { west: -180, east: 180, south, north }
  const west = wrapLongitude(box.west - reach)
  return { west, south, east: west + (box.east - box.west) + 2 * reach, north }
}
