import type { Relation } from "./block.ts"

/** A closed line of longitude and latitude in 1e-7 degrees; the last point equals the first. */
export type Ring = Int32Array

/** The outer ring, then its holes. */
export type Polygon = readonly [Ring, ...Ring[]]

export interface AssembledArea {
  readonly polygons: readonly Polygon[]
  /** Rings that could not be closed, had too few points, or holes outside every polygon. */
  readonly brokenRings: number
}

/** Whether a relation is an area: a multipolygon, or a boundary. */
export function isArea(relation: Relation): boolean {
  const type = relation.tags.get("type")
  return type === "multipolygon" || type === "boundary"
}

interface RingRefs {
  readonly rings: readonly (readonly number[])[]
  readonly broken: number
}

/**
 * Assembles the area of a multipolygon or boundary relation. Ways and nodes that are missing leave their ring broken;
 * broken rings are counted and left out, and the others remain.
 */
export function assembleArea(
  relation: Relation,
  refsOfWay: (id: number) => Float64Array | undefined,
  locate: (refs: readonly number[]) => Ring,
): AssembledArea {
  const waysOf = (isInner: boolean) =>
    relation.members
      .filter(({ type, role }) => type === "way" && (role === "inner") === isInner && isRingRole(role))
      .map(({ ref }) => refsOfWay(ref))
  const outer = joinRings(waysOf(false))
  const inner = joinRings(waysOf(true))
  const toRings = ({ rings }: RingRefs) => rings.map(locate).filter((ring) => ring.length >= 8)
  const [outerRings, innerRings] = [toRings(outer), toRings(inner)]
  let broken = outer.broken + inner.broken
  broken += outer.rings.length + inner.rings.length - outerRings.length - innerRings.length
  const polygons = outerRings.map((ring): [Ring, ...Ring[]] => [ring])
  for (const hole of innerRings) {
    const around = smallestAround(polygons, hole)
    if (around) around.push(hole)
    else broken += 1
  }
  return { polygons, brokenRings: broken }
}

/** Other roles of boundaries name points or parts of it. An empty role counts as outer, as in older data. */
const isRingRole = (role: string) => role === "" || role === "outer" || role === "inner"

/**
 * Joins ways at their ends into closed rings. Where several rings touch, a ring is cut off as soon as a walk returns
 * to a node that it has passed.
 */
export function joinRings(ways: readonly (Float64Array | undefined)[]): RingRefs {
  const open = new Map<number, Float64Array[]>()
  const rings: number[][] = []
  let broken = 0
  const remaining = new Set<Float64Array>()
  for (const way of ways) {
    if (!way || way.length < 2) broken += 1
    else if (way[0] === way.at(-1)) rings.push([...way])
    else {
      remaining.add(way)
      for (const end of [way[0] ?? 0, way.at(-1) ?? 0]) open.set(end, [...(open.get(end) ?? []), way])
    }
  }
  for (const first of remaining) {
    remaining.delete(first)
    broken += walk(first, open, remaining, rings)
  }
  return { rings: rings.filter((ring) => ring.length >= 4), broken }
}

/** Follows ways from `first` until none continues; returns 1 if a part stays open. */
function walk(
  first: Float64Array,
  open: ReadonlyMap<number, readonly Float64Array[]>,
  remaining: Set<Float64Array>,
  rings: number[][],
): number {
  /** Parts from joint to joint; `joints` maps a joint to the number of parts before it. */
  const parts: number[][] = [[...first]]
  const joints = new Map<number, number>([[first[0] ?? 0, 0]])
  while (parts.length > 0) {
    const end = parts.at(-1)?.at(-1) ?? 0
    const since = joints.get(end)
    if (since !== undefined) {
      const cut = parts.splice(since)
      for (const part of cut) joints.delete(part[0] ?? 0)
      rings.push(cut.flatMap((part, index) => (index === 0 ? part : part.slice(1))))
      continue
    }
    const next = open.get(end)?.find((way) => remaining.has(way))
    if (!next) return 1
    remaining.delete(next)
    joints.set(end, parts.length)
    parts.push(next[0] === end ? [...next] : [...next].reverse())
  }
  return 0
}

/** Nested rings may put a hole into several outer rings: an island in a lake on an island. */
function smallestAround(polygons: readonly [Ring, ...Ring[]][], hole: Ring): [Ring, ...Ring[]] | undefined {
  let best: [Ring, ...Ring[]] | undefined
  let bestSize = Number.POSITIVE_INFINITY
  for (const polygon of polygons) {
    if (!isInside(hole, polygon[0])) continue
    const size = Math.abs(signedArea(polygon[0]))
    if (size < bestSize) [best, bestSize] = [polygon, size]
  }
  return best
}

/** Whether a ring is inside another; decided by the first point that is not on the other's boundary. */
function isInside(ring: Ring, around: Ring): boolean {
  for (let at = 0; at + 1 < ring.length; at += 2) {
    const side = pointInRing(ring[at] ?? 0, ring[at + 1] ?? 0, around)
    if (side !== 0) return side > 0
  }
  return false
}

/** 1 inside, -1 outside, 0 on a corner of the ring. */
export function pointInRing(x: number, y: number, ring: Ring): number {
  let isIn = false
  for (let at = 0; at + 3 < ring.length; at += 2) {
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = [ring[at], ring[at + 1], ring[at + 2], ring[at + 3]]
    if (x1 === x && y1 === y) return 0
    if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) isIn = !isIn
  }
  return isIn ? 1 : -1
}

/** Twice the area in square units; positive if the ring runs counterclockwise (y upwards). */
export function signedArea(ring: Ring): number {
  let sum = 0
  for (let at = 0; at + 3 < ring.length; at += 2)
    sum += (ring[at] ?? 0) * (ring[at + 3] ?? 0) - (ring[at + 2] ?? 0) * (ring[at + 1] ?? 0)
  return sum
}
