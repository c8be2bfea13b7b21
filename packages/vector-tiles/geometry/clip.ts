import { type Feature, toFeature } from "./feature.ts"

export interface Box {
  readonly west: number
  readonly north: number
  readonly east: number
  readonly south: number
}

/** The part of a feature inside a box; the feature itself if nothing is cut off. */
export function clipFeature(feature: Feature, box: Box): Feature | undefined {
  const { west, north, east, south } = feature
  if (west > box.east || east < box.west || north > box.south || south < box.north) return undefined
  if (west >= box.west && east <= box.east && north >= box.north && south <= box.south) return feature
  const { kind } = feature.drawing
  if (kind === "point") return undefined
  const parts =
    kind === "line"
      ? feature.parts.flatMap((part) => clipLine(part, box))
      : feature.parts.map((ring) => clipRing(ring, box)).filter((ring) => ring.length >= 8)
  // A hole without its outer ring cannot remain: the outer ring contains it, so it is cut off with it.
  return parts.length === 0 ? undefined : toFeature(feature.drawing, parts)
}

/** Liang-Barsky, segment by segment. */
export function clipLine(line: Int32Array, box: Box): Int32Array[] {
  const lines: Int32Array[] = []
  let open: number[] = []
  const finish = () => {
    if (open.length >= 4) lines.push(Int32Array.from(open))
    open = []
  }
  for (let at = 0; at + 3 < line.length; at += 2) {
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = [line[at], line[at + 1], line[at + 2], line[at + 3]]
    const span = visibleSpan(x1, y1, x2, y2, box)
    if (!span) {
      finish()
      continue
    }
    const [from, to] = span
    if (from > 0) finish()
    if (open.length === 0) open.push(Math.round(x1 + (x2 - x1) * from), Math.round(y1 + (y2 - y1) * from))
    open.push(Math.round(x1 + (x2 - x1) * to), Math.round(y1 + (y2 - y1) * to))
    if (to < 1) finish()
  }
  finish()
  return lines
}

function visibleSpan(x1: number, y1: number, x2: number, y2: number, box: Box): [number, number] | undefined {
  let [from, to] = [0, 1]
  const [dx, dy] = [x2 - x1, y2 - y1]
  for (const [step, room] of [
    [-dx, x1 - box.west],
    [dx, box.east - x1],
    [-dy, y1 - box.north],
    [dy, box.south - y1],
  ] as const) {
    if (step === 0) {
      if (room < 0) return undefined
      continue
    }
    const ratio = room / step
    if (step < 0) from = Math.max(from, ratio)
    else to = Math.min(to, ratio)
    if (from > to) return undefined
  }
  return [from, to]
}

/** Sutherland-Hodgman on the four sides. Edges along the box lie in the margin of the tile. */
export function clipRing(ring: Int32Array, box: Box): Int32Array {
  let points: ArrayLike<number> = ring
  points = clipSide(points, 0, box.west, 1)
  points = clipSide(points, 0, box.east, -1)
  points = clipSide(points, 1, box.north, 1)
  points = clipSide(points, 1, box.south, -1)
  return Int32Array.from(points)
}

/** Keeps what is on the side of `limit` where `sign * (value - limit)` is positive, on axis 0 (x) or 1 (y). */
function clipSide(points: ArrayLike<number>, axis: 0 | 1, limit: number, sign: 1 | -1): number[] {
  const kept: number[] = []
  for (let at = 0; at + 3 < points.length; at += 2) {
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = [points[at], points[at + 1], points[at + 2], points[at + 3]]
    const before = sign * ((axis === 0 ? x1 : y1) - limit)
    const after = sign * ((axis === 0 ? x2 : y2) - limit)
    if (before >= 0) kept.push(x1, y1)
    if (before >= 0 !== after >= 0) {
      const ratio = before / (before - after)
      if (axis === 0) kept.push(limit, Math.round(y1 + (y2 - y1) * ratio))
      else kept.push(Math.round(x1 + (x2 - x1) * ratio), limit)
    }
  }
  if (kept.length >= 6) kept.push(kept[0] ?? 0, kept[1] ?? 0)
  return kept
}
