import { areaOf } from "../draw-tile.ts"
import { type Box, clipLine } from "../geometry/clip.ts"

interface Crossing {
  readonly line: Int32Array
  /** Where the line enters and leaves, as a distance clockwise around the box from its north-west corner. */
  readonly from: number
  readonly to: number
}

/**
 * The sea inside a box, from coastlines with sea on their right. Lines that end inside the box, as at the edge of an
 * extract, continue straight to a side. Undefined if no coastline passes the box.
 */
export function closeCoast(coastlines: readonly Int32Array[], box: Box): Int32Array[] | undefined {
  const islands: Int32Array[] = []
  const crossings: Crossing[] = []
  for (const line of joinEnds(coastlines.flatMap((coastline) => clipLine(coastline, box)))) {
    const isClosed = line[0] === line.at(-2) && line[1] === line.at(-1)
    if (isClosed && line.length >= 8) islands.push(line)
    else crossings.push(toCrossing(line, box))
  }
  if (islands.length === 0 && crossings.length === 0) return undefined
  const rings = walkAround(crossings, box)
  // Islands only: sea around them, unless they are lakes, which run the other way.
  const hasIsland = islands.some((ring) => areaOf(ring) < 0)
  if (crossings.length === 0 && hasIsland) rings.push(boxRing(box))
  return [...rings, ...islands]
}

export function boxRing({ west, north, east, south }: Box): Int32Array {
  return Int32Array.of(west, north, east, north, east, south, west, south, west, north)
}

/** Coastlines are stored as many ways: joins those that continue each other. */
function joinEnds(lines: readonly Int32Array[]): Int32Array[] {
  const byStart = new Map<string, Int32Array[]>()
  const key = (x: number | undefined, y: number | undefined) => `${x},${y}`
  for (const line of lines) {
    const start = key(line[0], line[1])
    byStart.set(start, [...(byStart.get(start) ?? []), line])
  }
  const ends = new Set(lines.map((line) => key(line.at(-2), line.at(-1))))
  const remaining = new Set(lines)
  const joined: Int32Array[] = []
  // Lines that nothing leads to come first, so that no chain is started in its middle.
  const startFirst = lines.toSorted(
    (one, other) => Number(ends.has(key(one[0], one[1]))) - Number(ends.has(key(other[0], other[1]))),
  )
  for (const first of startFirst) {
    if (!remaining.delete(first)) continue
    const chain = [...first]
    while (chain[0] !== chain.at(-2) || chain[1] !== chain.at(-1)) {
      const next = byStart.get(key(chain.at(-2), chain.at(-1)))?.find((line) => remaining.has(line))
      if (!next) break
      remaining.delete(next)
      for (const value of next.subarray(2)) chain.push(value)
    }
    joined.push(Int32Array.from(chain))
  }
  return joined
}

function toCrossing(line: Int32Array, box: Box): Crossing {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = line
  const [endX = 0, endY = 0] = [line.at(-2), line.at(-1)]
  const start = extend(x1, y1, x1 - x2, y1 - y2, box)
  const end = extend(endX, endY, endX - (line.at(-4) ?? 0), endY - (line.at(-3) ?? 0), box)
  return {
    line: Int32Array.of(...start, ...line, ...end),
    from: around(...start, box),
    to: around(...end, box),
  }
}

/** Where a ray from a point inside the box meets its sides. */
function extend(x: number, y: number, dx: number, dy: number, box: Box): [number, number] {
  const { west, north, east, south } = box
  const toSideX = dx > 0 ? (east - x) / dx : dx < 0 ? (west - x) / dx : Number.POSITIVE_INFINITY
  const toSideY = dy > 0 ? (south - y) / dy : dy < 0 ? (north - y) / dy : Number.POSITIVE_INFINITY
  if (toSideX === Number.POSITIVE_INFINITY && toSideY === Number.POSITIVE_INFINITY) return [x, north]
  const clamp = (value: number, least: number, most: number) =>
    Math.max(least, Math.min(most, Math.round(value)))
  if (toSideX <= toSideY) return [dx > 0 ? east : west, clamp(y + dy * toSideX, north, south)]
  return [clamp(x + dx * toSideY, west, east), dy > 0 ? south : north]
}

function around(x: number, y: number, { west, north, east, south }: Box): number {
  const [width, height] = [east - west, south - north]
  if (y === north) return x - west
  if (x === east) return width + (y - north)
  if (y === south) return width + height + (east - x)
  return 2 * width + height + (south - y)
}

/** With the sea on the right, its ring follows a line to where it leaves, then the box clockwise to the next line. */
function walkAround(crossings: readonly Crossing[], box: Box): Int32Array[] {
  const rings: Int32Array[] = []
  const remaining = new Set(crossings)
  const byStart = crossings.toSorted((one, other) => one.from - other.from)
  for (const first of crossings) {
    if (!remaining.has(first)) continue
    const ring: number[] = []
    let current = first
    while (remaining.delete(current)) {
      for (const value of current.line) ring.push(value)
      const next = byStart.find(({ from }) => from >= current.to) ?? byStart[0] ?? first
      ring.push(...corners(current.to, next.from, box))
      current = next
    }
    ring.push(ring[0] ?? 0, ring[1] ?? 0)
    rings.push(Int32Array.from(ring))
  }
  return rings
}

function corners(from: number, to: number, { west, north, east, south }: Box): number[] {
  const [width, height] = [east - west, south - north]
  const round = 2 * (width + height)
  const end = to >= from ? to : to + round
  const places = [
    [0, west, north],
    [width, east, north],
    [width + height, east, south],
    [2 * width + height, west, south],
  ] as const
  const passed: number[] = []
  for (const turn of [0, round])
    for (const [at, x, y] of places) if (at + turn > from && at + turn < end) passed.push(x, y)
  return passed
}
