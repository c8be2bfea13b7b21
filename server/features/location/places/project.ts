/** Latitudes beyond are drawn at the edge of a Mercator map. */
const maxLatitude = 85

/** The Mercator projection of a latitude, both in 1e-7 degrees: distances on it compare in all directions. */
export function projectedY(lat: number): number {
  const degrees = Math.max(-maxLatitude, Math.min(maxLatitude, lat / 1e7))
  const y = Math.log(Math.tan(Math.PI / 4 + (degrees * Math.PI) / 360)) * (180 / Math.PI)
  return Math.round(y * 1e7)
}
