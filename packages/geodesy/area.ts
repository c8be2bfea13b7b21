import {
  bearingDegrees,
  boxHolds,
  distanceMeters,
  earthRadiusMeters,
  type LngLat,
  type UnwrappedBox,
  widenedBox,
  wrapLongitude,
} from "./geodesy.ts"
import { type Edge, edgesOfLine, edgesOfRing, poleInside } from "./ring.ts"

/** A part of the earth. Edges are great circles; rings are closed without repeating their first position. */
export type AreaShape =
  | { readonly kind: "circle"; readonly center: LngLat; readonly radiusMeters: number }
  | { readonly kind: "corridor"; readonly line: readonly LngLat[]; readonly widthMeters: number }
  /** The first ring is the edge, the others are holes. */
  | { readonly kind: "polygon"; readonly rings: readonly (readonly LngLat[])[] }

export interface Area {
  readonly box: UnwrappedBox
  /** 0 inside and on the edge. Infinity where it is certainly more than `farMeters`. Linear in the number of positions. */
  metersOutside(position: LngLat): number
}

/** Beyond this distance of its box nobody asks how far away an area is. */
const farMeters = 10_000

const radians = Math.PI / 180

/** Prepares a shape for many tests. */
export function areaOf(shape: AreaShape): Area {
  switch (shape.kind) {
    case "circle":
      return {
        box: boxOfEdges(edgesOfLine([shape.center]), shape.radiusMeters),
        metersOutside: (position) => Math.max(0, distanceMeters(position, shape.center) - shape.radiusMeters),
      }
    case "corridor": {
      const edges = edgesOfLine(shape.line)
      const metersTo = distanceToEdges(edges)
      const halfWidth = shape.widthMeters / 2
      return near(boxOfEdges(edges, halfWidth), (position) => Math.max(0, metersTo(position) - halfWidth))
    }
    case "polygon": {
      const [edge, ...holes] = shape.rings.map(preparedRing)
      if (!edge) throw new RangeError("a polygon has at least one ring")
      return near(edge.box, (position) => {
        const hole = holes.find((ring) => ring.holds(position))
        if (hole) return hole.metersTo(position)
        return edge.holds(position) ? 0 : edge.metersTo(position)
      })
    }
  }
}

function near(box: UnwrappedBox, metersOutside: (position: LngLat) => number): Area {
  const wide = widenedBox(box, farMeters)
  const holds = { ...wide, east: wrapLongitude(wide.east) }
  return {
    box,
    metersOutside: (position) =>
      boxHolds(holds, position) ? metersOutside(position) : Number.POSITIVE_INFINITY,
  }
}

function preparedRing(ring: readonly LngLat[]) {
  const edges = edgesOfRing(ring)
  const pole = poleInside(ring)
  const box = boxOfEdges(edges, 0)
  return {
    box:
      pole === undefined
        ? box
        : { west: -180, east: 180, south: Math.min(pole, box.south), north: Math.max(pole, box.north) },
    metersTo: distanceToEdges(edges),
    holds: (position: LngLat) => edgesNorthOf(position, edges) % 2 === (pole === 90 ? 0 : 1),
  }
}

/**
 * Counts the edges between a position and the north pole, along its meridian. An odd number means that the position
 * and the pole are on different sides of the ring.
 */
function edgesNorthOf([longitude, latitude]: LngLat, edges: readonly Edge[]): number {
  return edges.filter(([[fromLongitude, fromLatitude], [toLongitude, toLatitude]]) => {
    const from = wrapLongitude(fromLongitude - longitude)
    const to = wrapLongitude(toLongitude - longitude)
    if (from > 0 === to > 0 || Math.abs(from - to) >= 180) return false
    return latitudeAt(fromLatitude, toLatitude, from, to) > latitude
  }).length
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

/** Metres to the nearest point of the edges; their vectors are computed once. */
function distanceToEdges(edges: readonly Edge[]): (position: LngLat) => number {
  const segments = edges.flatMap(([from, to]) => {
    const [start, end] = [vectorOf(from), vectorOf(to)]
    const normal = cross(start, end)
    const length = Math.hypot(...normal)
    if (length === 0) return []
    return [{ normal, length, first: cross(normal, start), last: cross(end, normal) }]
  })
  return (position) => {
    const vector = vectorOf(position)
    let least = Number.POSITIVE_INFINITY
    for (const [, end] of edges) least = Math.min(least, distanceMeters(position, end))
    for (const { normal, length, first, last } of segments) {
      if (dot(first, vector) < 0 || dot(last, vector) < 0) continue
      const sine = Math.min(1, Math.abs(dot(normal, vector)) / length)
      least = Math.min(least, Math.asin(sine) * earthRadiusMeters)
    }
    return least
  }
}

function boxOfEdges(edges: readonly Edge[], meters: number): UnwrappedBox {
  const [first] = edges
  if (!first) throw new RangeError("an area has at least one position")
  let [[longitude, latitude]] = first
  const box = { west: longitude, east: longitude, south: latitude, north: latitude }
  for (const [from, to] of edges) {
    longitude += wrapLongitude(to[0] - from[0])
    box.west = Math.min(box.west, longitude)
    box.east = Math.max(box.east, longitude)
    for (latitude of [to[1], ...bulge(from, to)]) {
      box.south = Math.min(box.south, latitude)
      box.north = Math.max(box.north, latitude)
    }
  }
  return widenedBox(box, meters)
}

/** The latitude at which a great circle turns back, if it does so between two positions. */
function bulge(from: LngLat, to: LngLat): number[] {
  if (from[0] === to[0]) return []
  const bearing = bearingDegrees(from, to) * radians
  const start = Math.cos(bearing)
  const end = -Math.cos(bearingDegrees(to, from) * radians)
  if (start > 0 === end > 0) return []
  // Clairaut: the sine of the bearing times the cosine of the latitude is the same all along a great circle.
  const cosine = Math.abs(Math.sin(bearing)) * Math.cos(from[1] * radians)
  return [(Math.sign(start) * Math.acos(Math.min(1, cosine))) / radians]
}
