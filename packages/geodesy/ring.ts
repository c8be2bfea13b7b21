import { type LngLat, wrapLongitude } from "./geodesy.ts"

export type Edge = readonly [from: LngLat, to: LngLat]

/** One edge for each position: the first one leads from the position to itself. */
export function edgesOfLine(line: readonly LngLat[]): Edge[] {
  return line.map((to, index) => [line[index - 1] ?? to, to])
}

/** One edge for each position: the first one closes the ring. */
export function edgesOfRing(ring: readonly LngLat[]): Edge[] {
  return ring.map((to, index) => [ring.at(index - 1) ?? to, to])
}

/** The latitude of the pole that a ring goes around, the one that it is nearer to. Undefined for every other ring. */
export function poleInside(ring: readonly LngLat[]): 90 | -90 | undefined {
  let turned = 0
  for (const [from, to] of edgesOfRing(ring)) turned += wrapLongitude(to[0] - from[0])
  if (Math.abs(turned) < 180) return undefined
  let latitudes = 0
  for (const [, latitude] of ring) latitudes += latitude
  return latitudes < 0 ? -90 : 90
}
