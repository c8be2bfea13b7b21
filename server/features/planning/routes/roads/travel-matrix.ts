import type { LngLat } from "#packages/geodesy/geodesy.ts"
import { distanceMeters } from "#packages/geodesy/geodesy.ts"

/**
 * How much longer roads are than the great circle. Studies of road networks find means around 1.3, see
 * D. Giacomin, D. Levinson, "Road network circuity in metropolitan areas", Environment and Planning B 42
 * (2015).
 */
export const defaultDetourFactor = 1.3

/**
 * Distances between positions in whole metres, row by row: the great circle times a detour factor.
 *
 * Used for distances and, with a vehicle's `secondsPerMeter`, for travel times, where no road service responds.
 * Positions at the same place are 0 apart; 2,000 positions take about a quarter of a second.
 */
export function distanceMatrix(
  positions: readonly LngLat[],
  detourFactor = defaultDetourFactor,
): Float64Array {
  const size = positions.length
  const matrix = new Float64Array(size * size)
  positions.forEach((from, i) => {
    for (let j = 0; j < i; j++) {
      const to = positions[j]
      if (to === undefined) continue
      const meters = Math.round(distanceMeters(from, to) * detourFactor)
      matrix[i * size + j] = meters
      matrix[j * size + i] = meters
    }
  })
  return matrix
}

/** Factor from a matrix of metres to seconds at a speed in km/h. */
export function secondsPerMeter(speedKilometersPerHour: number): number {
  return 3.6 / speedKilometersPerHour
}
