import type { LngLat } from "#packages/geodesy/geodesy.ts"
import { planWarning } from "#shared/plan-warnings.ts"
import type { RoadSupply } from "../../../location/roads/index.ts"
import type { Settings } from "../settings/settings.ts"
import { findBuiltInTravel } from "./built-in-travel.ts"
import { createLegCache, type LegCache } from "./leg-cache.ts"
import { askRoadTable, RoadServiceError } from "./road-table.ts"
import { distanceMatrix } from "./travel-matrix.ts"

export interface TravelMatrices {
  distances: Float64Array
  durations: Float64Array
  /** Per hour of the day, how many times longer a drive takes than the durations; at least 1. */
  slowness?: readonly number[]
}

export interface Travel {
  /** Metres, and metres or seconds; absent where great-circle distances do. */
  matrices?: TravelMatrices
  /** Durations are seconds on the road, not metres to be driven at a vehicle's speed. */
  hasOwnTimes: boolean
  /** Places that no road leads to. */
  outOfReach?: readonly LngLat[]
  warnings: string[]
}

/** As many places as public OSRM servers take in one request: half of them sources, half destinations. */
const placesPerSide = 50
const requestsAtOnce = 4
/** A service that fails this often in a row is not asked again for this plan. */
const maxFailures = 3

export interface Patience {
  /** For one response. */
  timeoutMilliseconds: number
  /** For all responses of a plan: a service that always responds slowly would delay a large one for hours. */
  planMilliseconds: number
}
const usualPatience: Patience = { timeoutMilliseconds: 20_000, planMilliseconds: 120_000 }

/** By service and options, for the life of the process. */
const caches = new Map<string, LegCache>()

/**
 * Distances and times between all positions. A road service is asked in blocks, for what is not known yet; where
 * it fails, returns an invalid response or finds no route, great-circle distances are used, and the warnings count them.
 */
export async function findTravel(
  positions: readonly LngLat[],
  settings: Pick<Settings, "autoSpeed" | "avoidToll" | "defaultSpeed"> &
    Partial<Pick<Settings, "roadProfile">>,
  roads: RoadSupply,
  signal: AbortSignal,
  patience = usualPatience,
): Promise<Travel> {
  if (roads === undefined) return { hasOwnTimes: false, warnings: [] }
  if (typeof roads === "object") return findBuiltInTravel(positions, settings, roads, signal)
  const serviceUrl = roads
  const size = positions.length
  const distances = distanceMatrix(positions)
  const seconds = Float64Array.from(distances, (meters) => (meters * 3.6) / settings.defaultSpeed)
  const known = new Uint8Array(size * size)
  for (let i = 0; i < size; i++) known[i * size + i] = 1
  // Runs from before there were profiles have none.
  const asked = { avoidsToll: settings.avoidToll, profile: settings.roadProfile ?? "driving" }
  const cache = () => cacheOf(`${serviceUrl} ${asked.profile} ${asked.avoidsToll}`)
  const warnings: string[] = []
  takeKnown(cache(), positions, { distances, seconds, known })
  const blocks = missingBlocks(size, known)
  const enough = AbortSignal.timeout(patience.planMilliseconds)
  const limits = {
    signal: AbortSignal.any([signal, enough]),
    timeoutMilliseconds: patience.timeoutMilliseconds,
  }
  let failures = 0
  let lastFailure = ""
  const work = async () => {
    for (
      let block = blocks.shift();
      block && failures < maxFailures && !limits.signal.aborted;
      block = blocks.shift()
    ) {
      const [rows, columns] = block
      const at = (index: number): LngLat => positions[index] ?? [0, 0]
      try {
        const found = await askRoadTable(serviceUrl, rows.map(at), columns.map(at), { ...asked, ...limits })
        failures = 0
        const store = cache()
        for (const [r, i] of rows.entries()) {
          for (const [c, j] of columns.entries()) {
            const [meters, time] = [found.distances[r]?.[c], found.durations[r]?.[c]]
            if (i === j || typeof meters !== "number" || typeof time !== "number") continue
            distances[i * size + j] = Math.round(meters)
            seconds[i * size + j] = Math.round(time)
            known[i * size + j] = 1
            store.set(at(i), at(j), meters, time)
          }
        }
      } catch (error) {
        if (!(error instanceof RoadServiceError)) throw error
        if (error.refusesExclude && asked.avoidsToll) {
          asked.avoidsToll = false
          warnings.push(planWarning("tollNotOffered"))
          blocks.push(block)
          continue
        }
        failures++
        lastFailure = error.message
        // Once more, after the others: a service may stumble over a moment.
        if (failures < maxFailures && !block.isSecondTry)
          blocks.push(Object.assign(block, { isSecondTry: true }))
      }
    }
  }
  await Promise.all(Array.from({ length: requestsAtOnce }, work))
  const missing = known.reduce((sum, isKnown) => sum + (isKnown === 1 ? 0 : 1), 0)
  if (missing > 0) {
    const why = enough.aborted ? "legsSlow" : lastFailure === "" ? "legsNoRoute" : "legsFailed"
    const seconds = patience.planMilliseconds / 1000
    warnings.push(planWarning(why, { missing, all: size * (size - 1), seconds, reason: lastFailure }))
  }
  const durations = settings.autoSpeed ? seconds : distances
  return { matrices: { distances, durations }, hasOwnTimes: settings.autoSpeed, warnings }
}

function cacheOf(key: string): LegCache {
  const cache = caches.get(key) ?? createLegCache()
  caches.set(key, cache)
  return cache
}

interface Filled {
  distances: Float64Array
  seconds: Float64Array
  known: Uint8Array
}

function takeKnown(
  cache: LegCache,
  positions: readonly LngLat[],
  { distances, seconds, known }: Filled,
): void {
  const size = positions.length
  positions.forEach((from, i) => {
    positions.forEach((to, j) => {
      const leg = i === j ? undefined : cache.get(from, to)
      if (!leg) return
      distances[i * size + j] = leg.meters
      seconds[i * size + j] = leg.seconds
      known[i * size + j] = 1
    })
  })
}

type Block = [rows: number[], columns: number[]] & { isSecondTry?: boolean }

/** Rows and columns of each block that has anything left to ask. */
function missingBlocks(size: number, known: Uint8Array): Block[] {
  const blocks: Block[] = []
  for (let top = 0; top < size; top += placesPerSide) {
    for (let left = 0; left < size; left += placesPerSide) {
      const rows = range(top, Math.min(size, top + placesPerSide))
      const columns = range(left, Math.min(size, left + placesPerSide))
      const isMissing = rows.some((i) => columns.some((j) => known[i * size + j] === 0))
      if (isMissing) blocks.push([rows, columns])
    }
  }
  return blocks
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index)
}
