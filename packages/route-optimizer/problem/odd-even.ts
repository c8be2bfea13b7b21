import type { Point } from "./areas.ts"

/** Whether a plate of that parity is kept out of the zone on the date (Y-m-d). */
export function isRestrictedOn(parity: "odd" | "even" | undefined, date: string): boolean {
  if (parity === undefined) return false
  const day = Number(date.slice(-2))
  return (day % 2 === 0) !== (parity === "even")
}

/**
 * Which legs touch a zone, taking the straight line for the way. Row by row over the points, 1 where the
 * line from row to column starts, ends or passes inside one of the polygons.
 *
 * @param zone rings of points, each closed implicitly
 */
export function restrictedLegs(points: readonly Point[], zone: readonly (readonly Point[])[]): Uint8Array {
  const count = points.length
  const legs = new Uint8Array(count * count)
  for (const ring of zone) {
    const box = boxOf(ring)
    const inside = points.map((point) => isInside(point, ring))
    points.forEach((from, i) => {
      for (let j = 0; j < i; j++) {
        const to = points[j]
        if (to === undefined || legs[i * count + j] === 1 || isApart(from, to, box)) continue
        if (inside[i] || inside[j] || crossesRing(from, to, ring)) {
          legs[i * count + j] = 1
          legs[j * count + i] = 1
        }
      }
      if (inside[i]) legs[i * count + i] = 1
    })
  }
  return legs
}

type Box = { readonly left: number; readonly right: number; readonly low: number; readonly high: number }

function boxOf(ring: readonly Point[]): Box {
  const xs = ring.map((point) => point.x)
  const ys = ring.map((point) => point.y)
  return { left: Math.min(...xs), right: Math.max(...xs), low: Math.min(...ys), high: Math.max(...ys) }
}

function isApart(a: Point, b: Point, { left, right, low, high }: Box): boolean {
  return (
    (a.x < left && b.x < left) ||
    (a.x > right && b.x > right) ||
    (a.y < low && b.y < low) ||
    (a.y > high && b.y > high)
  )
}

/** Ray casting: an odd number of edges to the right means inside. */
function isInside(point: Point, ring: readonly Point[]): boolean {
  let inside = false
  forEachEdge(ring, (a, b) => {
    if (a.y > point.y !== b.y > point.y && point.x < ((b.x - a.x) * (point.y - a.y)) / (b.y - a.y) + a.x) {
      inside = !inside
    }
  })
  return inside
}

function crossesRing(from: Point, to: Point, ring: readonly Point[]): boolean {
  let crosses = false
  forEachEdge(ring, (a, b) => {
    crosses ||= side(a, b, from) !== side(a, b, to) && side(from, to, a) !== side(from, to, b)
  })
  return crosses
}

function side(a: Point, b: Point, point: Point): number {
  return Math.sign((b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x))
}

function forEachEdge(ring: readonly Point[], act: (a: Point, b: Point) => void): void {
  ring.forEach((a, i) => {
    const b = ring[(i + 1) % ring.length]
    if (b) act(a, b)
  })
}
