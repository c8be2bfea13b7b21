import { poleInside } from "./ring.ts"

type Line = readonly (readonly number[])[]

/**
 * A line of longitudes and latitudes without jumps from 180 to -180 degrees: it goes on beyond 180 instead. The western end lies at
 * -180 degrees or east of it.
 */
export function unwrapLine(line: Line): [number, number][] {
  return movedEast(withoutJumps(line))
}

/** The same of a closed ring. A ring around a pole is closed along the pole. */
export function unwrapRing(ring: Line): [number, number][] {
  const points = withoutJumps(ring)
  const [first, last] = [points[0], points.at(-1)]
  const pole = poleInside(points)
  if (first && last && pole !== undefined) points.push([last[0], pole], [first[0], pole], first)
  return movedEast(points)
}

function withoutJumps(line: Line): [number, number][] {
  let turns = 0
  return line.map(([lng = 0, lat = 0], index) => {
    const step = lng - (line[index - 1]?.[0] ?? lng)
    if (Math.abs(step) > 180) turns -= Math.sign(step)
    return [lng + 360 * turns, lat]
  })
}

function movedEast(points: [number, number][]): [number, number][] {
  const west = points.reduce((least, [lng]) => Math.min(least, lng), Infinity)
  const shift = -360 * Math.floor((west + 180) / 360)
  return points.map(([lng, lat]) => [lng + shift, lat])
}
