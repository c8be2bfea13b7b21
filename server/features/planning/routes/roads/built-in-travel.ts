import type { LngLat } from "#packages/geodesy/geodesy.ts"
import { planWarning } from "#shared/plan-warnings.ts"
import { findRoadTravel, modeOf, type RoadSupply } from "../../../location/roads/index.ts"
import type { Settings } from "../settings/settings.ts"
import type { Travel, TravelMatrices } from "./travel.ts"

/** As many places as a table of a plan may have. */
const maxPlaces = 3_000
const maxNamed = 10
export const tooLate = "the road network did not respond in time"

export function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === "TimeoutError"
}

/**
 * Distances and times from the roads of the installed maps. What cannot be reached by road is named, and so far away
 * that nobody is sent there.
 */
export async function findBuiltInTravel(
  positions: readonly LngLat[],
  settings: Pick<Settings, "autoSpeed" | "avoidToll"> & Partial<Pick<Settings, "roadProfile">>,
  roads: Exclude<RoadSupply, string | undefined>,
  signal: AbortSignal,
): Promise<Travel> {
  const nothing = { hasOwnTimes: false, warnings: [] }
  if (positions.length > maxPlaces && (await roads.maps.isAnyInstalled()))
    return { ...nothing, warnings: [planWarning("tooManyPlaces", { count: maxPlaces })] }
  if (positions.length > maxPlaces) return nothing
  const mode = modeOf(settings.roadProfile ?? "driving") ?? "car"
  const found = await findRoadTravel(
    roads,
    positions,
    { mode, avoidTolls: settings.avoidToll },
    signal,
  ).catch((error: unknown) => {
    if (isTimeout(error)) return "late" as const
    throw error
  })
  if (found === "late") return { ...nothing, warnings: [planWarning("roadsLate")] }
  if (!found) {
    if (!(await roads.maps.isAnyInstalled())) return nothing
    return { ...nothing, warnings: [planWarning("noMap")] }
  }
  const { distances, seconds, outOfReach, mapDate, isCorrected, hourly } = found
  const places = outOfReach.map((index) => positions[index]?.toReversed().join(",") ?? "")
  const named = { places: places.slice(0, maxNamed).join("; "), more: places.length - maxNamed }
  return {
    matrices: settings.autoSpeed
      ? { distances, ...inHours(seconds, hourly) }
      : { distances, durations: distances },
    hasOwnTimes: settings.autoSpeed,
    outOfReach: positions.filter((_, index) => outOfReach.includes(index)),
    warnings: [
      settings.autoSpeed
        ? planWarning(isCorrected ? "roadTimesOwnSpeeds" : "roadTimes", { date: mapDate })
        : planWarning("roadDistances", { date: mapDate }),
      ...(places.length > 0 ? [planWarning(named.more > 0 ? "noRoadMore" : "noRoad", named)] : []),
    ],
  }
}

/** Smaller differences between the hours are not worth the longer search. */
const leastDifference = 0.05

/** Times at the fastest hour of the day, and how much longer they are in the others. */
function inHours(seconds: Float64Array, hourly: readonly number[] = [1]): Omit<TravelMatrices, "distances"> {
  const fastest = Math.min(...hourly)
  if (Math.max(...hourly) < fastest * (1 + leastDifference)) return { durations: seconds }
  return {
    durations: seconds.map((one) => one * fastest),
    slowness: hourly.map((one) => one / fastest),
  }
}
