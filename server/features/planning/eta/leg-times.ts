import type { Pool } from "#core/database/database.ts"
import { ownedState } from "#core/owned-state.ts"
import { distanceMeters, type LngLat } from "#packages/geodesy/geodesy.ts"
import { type ClassTimes, findRoadLegs, type RoadSupply } from "../../location/roads/index.ts"
import { askRoadTable, RoadServiceError } from "../routes/index.ts"

export interface LegTime {
  seconds: number
  basis: "road" | "straight"
  /** By class of road, for the speeds of an hour. */
  times?: ClassTimes
}

/** Without roads: great-circle distance times 1.3 at 30 km/h, which the learned factors correct. */
const detour = 1.3
const metersPerSecond = 30 / 3.6
/** Roads are read again after this: a map may have been replaced. */
const keptMilliseconds = 3_600_000
const maxKept = 50_000

type Kept = Map<string, { leg: LegTime; until: number }>
const keptOf = ownedState((_pool: Pool): Kept => new Map())

/** Seconds from each place to the next one, in order; those between the same two places are looked up once an hour. */
export async function legTimes(
  pool: Pool,
  roads: Exclude<RoadSupply, undefined>,
  places: readonly LngLat[],
  signal: AbortSignal,
): Promise<LegTime[]> {
  const kept = keptOf(pool)
  const now = Date.now()
  const legs = places.slice(1).map((to, index) => {
    const from = places[index] ?? to
    const key = `${from.join()} ${to.join()}`
    const known = kept.get(key)
    return { from, to, key, leg: known && known.until > now ? known.leg : undefined }
  })
  const first = legs.findIndex(({ leg }) => !leg)
  if (first !== -1) {
    const last = legs.findLastIndex(({ leg }) => !leg)
    const found = await roadTimes(roads, places.slice(first, last + 2), signal)
    for (const [index, entry] of legs.entries()) {
      const road = index >= first && index <= last ? found?.[index - first] : undefined
      entry.leg ??= road ?? straight(entry.from, entry.to)
      if (entry.leg.basis === "road") kept.set(entry.key, { leg: entry.leg, until: now + keptMilliseconds })
    }
    for (const key of kept.keys()) if (kept.size > maxKept) kept.delete(key)
  }
  return legs.map(({ leg, from, to }) => leg ?? straight(from, to))
}

export function straight(from: LngLat, to: LngLat): LegTime {
  return { seconds: (distanceMeters(from, to) * detour) / metersPerSecond, basis: "straight" }
}

/** As many places as are asked of a road service at once; legs further on are straight. */
const placesAtOnce = 25
const timeoutMilliseconds = 5_000

async function roadTimes(
  roads: Exclude<RoadSupply, undefined>,
  places: readonly LngLat[],
  signal: AbortSignal,
): Promise<readonly (LegTime | undefined)[] | undefined> {
  if (typeof roads === "object") {
    const found = await findRoadLegs(roads, places, { mode: "car" }, signal)
    return found && "legs" in found
      ? found.legs.map((leg): LegTime => ({ ...leg, basis: "road" }))
      : undefined
  }
  const asked = places.slice(0, placesAtOnce)
  const options = { profile: "driving", avoidsToll: false, signal, timeoutMilliseconds }
  try {
    const { durations } = await askRoadTable(roads, asked.slice(0, -1), asked.slice(1), options)
    return durations.map((row, index): LegTime | undefined => {
      const seconds = row[index]
      return typeof seconds === "number" ? { seconds, basis: "road" } : undefined
    })
  } catch (error) {
    if (error instanceof RoadServiceError) return undefined
    throw error
  }
}
