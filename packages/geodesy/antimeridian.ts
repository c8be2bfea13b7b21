type Ring = readonly (readonly number[])[]

/**
 * A ring of longitudes and latitudes without jumps from 180 to -180 degrees: it goes on beyond 180 instead. A ring around a pole is
 * closed along the pole. The western end lies at -180 degrees or east of it.
 */
export function unwrapRing(ring: Ring): [number, number][] {
  const points: [number, number][] = []
  let turns = 0
  for (const [index, [lng = 0, lat = 0]] of ring.entries()) {
    const step = lng - (ring[index - 1]?.[0] ?? lng)
    if (Math.abs(step) > 180) turns -= Math.sign(step)
    points.push([lng + 360 * turns, lat])
  }
  const [first, last] = [points[0], points.at(-1)]
  if (first && last && turns !== 0) {
    const pole = first[1] < 0 ? -90 : 90
    points.push([last[0], pole], [first[0], pole], first)
  }
  const west = points.reduce((least, [lng]) => Math.min(least, lng), Infinity)
  const shift = -360 * Math.floor((west + 180) / 360)
  return shift === 0 ? points : points.map(([lng, lat]) => [lng + shift, lat])
}
