import type { LngLat } from "#shared/geodesy.ts"
import type { Settings } from "./settings.ts"

export interface Travel {
  /** Metres, and metres or seconds; absent where great-circle distances do. */
  matrices?: { distances: Float64Array; durations: Float64Array }
  /** Durations are seconds on the road, not metres to be driven at a vehicle's speed. */
  hasOwnTimes: boolean
  warnings: string[]
}

/** Distances and times between all positions: of the road service where there is one, else great-circle. */
export async function findTravel(
  _positions: readonly LngLat[],
  _settings: Settings,
  _routingUrl: string | undefined,
  _signal: AbortSignal,
): Promise<Travel> {
  return { hasOwnTimes: false, warnings: [] }
}
