/** A position on the earth: longitude, then latitude, decimal degrees (RFC 7946, WGS 84). */
export type LngLat = readonly [longitude: number, latitude: number]

/** Degrees. `west` is greater than `east` when the box crosses the antimeridian (RFC 7946, 5.2). */
export interface BoundingBox {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

/**
 * The one radius behind every great-circle figure, server and console. The HTTP contract names 6371 km; the mean
 * radius R1 of WGS 84, 6 371 008.8 m, is the same to 1.4 millionths. A second constant would only make two screens
 * differ in the last digit.
 */
export const earthRadiusMeters = 6_371_000

const radiansPerDegree = Math.PI / 180
const toRadians = (degrees: number) => degrees * radiansPerDegree
const toDegrees = (radians: number) => radians / radiansPerDegree

/**
 * Great-circle distance between two positions, in metres: haversine on a sphere. Off by up to about 0.5 % from the
 * ellipsoid: good for arrival radii and trip lengths, not for land surveys.
 */
export function distanceMeters(from: LngLat, to: LngLat): number {
  return distanceBetween(from[0], from[1], to[0], to[1])
}

/** The same on bare degrees, for loops over columns of positions where a pair per point would be garbage. */
export function distanceBetween(fromLng: number, fromLat: number, toLng: number, toLat: number): number {
  const halfLat = Math.sin(toRadians(toLat - fromLat) / 2)
  const halfLng = Math.sin(toRadians(toLng - fromLng) / 2)
  const haversine =
    halfLat * halfLat + Math.cos(toRadians(fromLat)) * Math.cos(toRadians(toLat)) * halfLng * halfLng
  // Rounding lifts antipodes a hair above 1, where asin is not a number.
  return 2 * earthRadiusMeters * Math.asin(Math.min(1, Math.sqrt(haversine)))
}

/** Direction in which the shortest way leaves `from`: 0 (north) to below 360, clockwise. 0 for the same position. */
export function bearingDegrees(from: LngLat, to: LngLat): number {
  const turn = toRadians(to[0] - from[0])
  const fromLat = toRadians(from[1])
  const toLat = toRadians(to[1])
  const east = Math.sin(turn) * Math.cos(toLat)
  const north = Math.cos(fromLat) * Math.sin(toLat) - Math.sin(fromLat) * Math.cos(toLat) * Math.cos(turn)
  return (toDegrees(Math.atan2(east, north)) + 360) % 360
}

/** The position reached from `from` after `meters` along the great circle that leaves at `bearing` degrees. */
export function destination(from: LngLat, bearing: number, meters: number): LngLat {
  const angle = meters / earthRadiusMeters
  const heading = toRadians(bearing)
  const fromLat = toRadians(from[1])
  const sinLat = Math.sin(fromLat) * Math.cos(angle) + Math.cos(fromLat) * Math.sin(angle) * Math.cos(heading)
  const turn = Math.atan2(
    Math.sin(heading) * Math.sin(angle) * Math.cos(fromLat),
    Math.cos(angle) - Math.sin(fromLat) * sinLat,
  )
  return [wrapLongitude(from[0] + toDegrees(turn)), toDegrees(Math.asin(Math.max(-1, Math.min(1, sinLat))))]
}

/** Half way along the great circle. Of antipodes, every half-way point is as good; one of them is returned. */
export function midpoint(from: LngLat, to: LngLat): LngLat {
  return destination(from, bearingDegrees(from, to), distanceMeters(from, to) / 2)
}

/** Brings any longitude into -180..180; 180 itself stays. */
export function wrapLongitude(degrees: number): number {
  return Math.abs(degrees) <= 180 ? degrees : degrees - 360 * Math.floor((degrees + 180) / 360)
}

/**
 * The smallest box that holds all positions, or undefined for none. Longitudes wrap around: the box leaves out
 * the widest empty gap, so Fiji is one small box over the antimeridian and not a band around the earth.
 */
export function boundingBox(positions: readonly LngLat[]): BoundingBox | undefined {
  if (positions.length === 0) return undefined
  let [south, north] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const [, latitude] of positions) {
    south = Math.min(south, latitude)
    north = Math.max(north, latitude)
  }
  const longitudes = Float64Array.from(positions, ([longitude]) => longitude).sort()
  let [west, east, widestGap] = [Number.NaN, Number.NaN, Number.NEGATIVE_INFINITY]
  for (const [index, right] of longitudes.entries()) {
    // The first gap is the one over the antimeridian, from the last longitude.
    const left = longitudes.at(index - 1) ?? right
    const gap = right - left + (index === 0 ? 360 : 0)
    if (gap <= widestGap) continue
    widestGap = gap
    west = right
    east = left
  }
  return { west, south, east, north }
}

/** The smallest box around the circle of `radiusMeters`: a first, indexable test before the exact distance. */
export function boxAround(center: LngLat, radiusMeters: number): BoundingBox {
  const [longitude, latitude] = center
  const box = { west: longitude, east: longitude, south: latitude, north: latitude }
  const { east, ...wide } = widenedBox(box, radiusMeters)
  return { ...wide, east: wrapLongitude(east) }
}

/** Degrees. `east` is beyond 180 when the box crosses the antimeridian, so that west is always the smaller one. */
export type UnwrappedBox = BoundingBox

/** A box that holds whatever is at most `meters` from a box. */
export function widenedBox(box: UnwrappedBox, meters: number): UnwrappedBox {
  const angle = meters / earthRadiusMeters
  const south = box.south - toDegrees(angle)
  const north = box.north + toDegrees(angle)
  // What holds a pole spans every longitude.
  if (south <= -90 || north >= 90)
    return { west: -180, east: 180, south: Math.max(-90, south), north: Math.min(90, north) }
  const widest = toRadians(Math.max(Math.abs(box.south), Math.abs(box.north)))
  // Rounding lifts a circle that nearly touches a pole a hair above 1.
  const reach = toDegrees(Math.asin(Math.min(1, Math.sin(angle) / Math.cos(widest))))
  const width = box.east - box.west + 2 * reach
  if (width >= 360) return { west: -180, east: 180, south, north }
  const west = wrapLongitude(box.west - reach)
  return { west, south, east: west + width, north }
}

export function boxHolds(box: BoundingBox, [longitude, latitude]: LngLat): boolean {
  if (latitude < box.south || latitude > box.north) return false
  return box.west <= box.east
    ? longitude >= box.west && longitude <= box.east
    : longitude >= box.west || longitude <= box.east
}

/**
 * Exactly 0, 0: what a receiver without a fix reports. A valid coordinate, so parsing accepts it; code that takes
 * positions from devices asks here and refuses.
 */
export function isNullIsland([longitude, latitude]: LngLat): boolean {
  return longitude === 0 && latitude === 0
}
