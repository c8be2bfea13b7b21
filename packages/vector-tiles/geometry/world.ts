/**
 * Integer coordinates of the whole world in Web Mercator: x to the east, y to the south, 2^30 units around the equator
 * (3.7 cm). Lines across the antimeridian continue beyond the edge by up to one world, which 32 bits still hold.
 */
export const worldSize = 2 ** 30
const maxLatitude = 85.051128

/** Degrees to x. */
export const toX = (longitude: number) => Math.round(((longitude + 180) / 360) * worldSize)

/** Degrees to y. Beyond 85.05 degrees Mercator has no place; the poles are drawn at the edge. */
export function toY(latitude: number): number {
  const clamped = Math.max(-maxLatitude, Math.min(maxLatitude, latitude))
  const sine = Math.sin((clamped * Math.PI) / 180)
  const y = 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)
  return Math.max(0, Math.min(worldSize, Math.round(y * worldSize)))
}

/** x to degrees. */
export const toLongitude = (x: number) => (x / worldSize) * 360 - 180

/** y to degrees. */
export const toLatitude = (y: number) =>
  (Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / worldSize))) * 180) / Math.PI

/**
 * Longitudes and latitudes in 1e-7 degrees to world units. Successive points are never more than half a world apart: a
 * line across the antimeridian continues beyond the edge.
 */
export function projectLine(line: Int32Array): Int32Array {
  const projected = new Int32Array(line.length)
  let turn = 0
  for (let at = 0; at < line.length; at += 2) {
    const x = toX((line[at] ?? 0) / 1e7)
    if (at > 0) {
      const step = x + turn - (projected[at - 2] ?? 0)
      if (step > worldSize / 2) turn = Math.max(-worldSize, turn - worldSize)
      else if (step < -worldSize / 2) turn = Math.min(worldSize - 1, turn + worldSize)
    }
    projected[at] = x + turn
    projected[at + 1] = toY((line[at + 1] ?? 0) / 1e7)
  }
  return projected
}
