import { taskRadiusMeters } from "#packages/geodesy/fence-radius.ts"
import { distanceMeters } from "#packages/geodesy/geodesy.ts"

type LngLat = readonly [longitude: number, latitude: number]

/** Where the phone was, and when by its own clock. */
export interface Sighting {
  at: LngLat
  accuracyMeters: number
  device: number
}

export interface PlacedStop {
  taskId: string
  at: LngLat
}

/** Beyond the edge of a place by this much, somebody has left it: positions waver. */
const marginMeters = 25
/** Driving by is no arrival, and a step outside no departure. */
const settledMilliseconds = 30_000

export interface StopEvents {
  /** Arrived at, or left, at the time of the phone's clock. */
  arrived: { taskId: string; device: number }[]
  left: { taskId: string; device: number }[]
}

/**
 * Follows the phone past its stops. Browsers say nothing while a phone stands still, so `look` is also called without
 * a new position.
 */
export function stopFollower() {
  let last: Sighting | undefined
  const insideSince = new Map<string, number>()
  const outsideSince = new Map<string, number>()
  const settle = (since: Map<string, number>, taskId: string, isThere: boolean, now: number) => {
    if (!isThere || last === undefined) {
      since.delete(taskId)
      return undefined
    }
    const from = since.get(taskId) ?? last.device
    since.set(taskId, from)
    return now - from >= settledMilliseconds ? from : undefined
  }
  const distanceTo = ({ at }: PlacedStop) => (last ? distanceMeters(last.at, at) : Number.POSITIVE_INFINITY)
  return {
    look(
      now: number,
      stops: { open: readonly PlacedStop[]; finished: readonly PlacedStop[] },
      sighting?: Sighting,
    ): StopEvents {
      if (sighting && sighting.accuracyMeters <= taskRadiusMeters) last = sighting
      const arrived = stops.open.flatMap((stop) => {
        const device = settle(insideSince, stop.taskId, distanceTo(stop) <= taskRadiusMeters, now)
        return device === undefined ? [] : [{ taskId: stop.taskId, device }]
      })
      const left = stops.finished.flatMap((stop) => {
        const isAway = distanceTo(stop) > taskRadiusMeters + marginMeters
        const device = settle(outsideSince, stop.taskId, isAway, now)
        return device === undefined ? [] : [{ taskId: stop.taskId, device }]
      })
      return { arrived, left }
    },
  }
}
