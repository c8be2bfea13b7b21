import type { LngLat } from "#packages/geodesy/geodesy.ts"
import { routeTimetable } from "../../../../packages/route-optimizer/evaluate/timetable.ts"
import type {
  PlanProblem,
  TimeSpan,
  Vehicle,
  Visit,
} from "../../../../packages/route-optimizer/problem/problem.ts"
import { replan } from "../../../../packages/route-optimizer/replan.ts"

/** One day of a hub, with times in seconds since its midnight. */
export interface HubDay {
  hub: LngLat
  vehicles: readonly {
    id: string
    shift: TimeSpan
    breaks: readonly TimeSpan[]
    tags: readonly string[]
    /** km/h */
    speed: number
  }[]
  /** Work that the day has already. */
  commitments: readonly DayVisit[]
}

export interface DayVisit {
  position: LngLat
  serviceSeconds: number
  /** It is made within this span. */
  window?: TimeSpan
  tags: readonly string[]
  /** Only this vehicle. */
  vehicleId?: string
}

export interface Travel {
  distances: Float64Array
  /** Metres, or seconds with `hasOwnTimes`. */
  durations: Float64Array
  /** Per hour of the day, how many times longer a drive takes. */
  slowness?: readonly number[]
  hasOwnTimes: boolean
}

export interface FittingWindow {
  window: TimeSpan
  extraSeconds: number
  extraMeters: number
}

/** The places of a day in the order of its matrix: hub, commitments, and the visit that is asked for. */
export function placesOf({ hub, commitments }: HubDay, wanted: DayVisit): LngLat[] {
  return [hub, ...commitments.map(({ position }) => position), wanted.position]
}

/**
 * Which windows of a day a visit fits into beside the work that is there, and what it adds to the routes. Tenths of a second
 * for a full day, so it belongs in a thread.
 */
export function fittingWindows(
  day: HubDay,
  wanted: DayVisit,
  windows: readonly TimeSpan[],
  travel: Travel,
): FittingWindow[] {
  const problem = problemOf(day, wanted, travel)
  const index = day.commitments.length
  const none = new Set<number>()
  const base = replan(
    { problem, routes: [], waiting: day.commitments.map((_, i) => i), kept: none },
    { maxMoved: 0 },
  )
  const before = drivingOf(problem, base.routes)
  return windows.flatMap((window) => {
    const visits = problem.visits.with(index, {
      ...(problem.visits[index] as Visit),
      windows: [startsWithin(window, wanted.serviceSeconds)],
    })
    const tried = { ...problem, visits }
    const after = replan(
      { problem: tried, routes: base.routes, waiting: [index], kept: new Set(base.routes.flat()) },
      { maxMoved: 0, isShortened: false },
    )
    if (after.dropped.length > 0) return []
    const driving = drivingOf(tried, after.routes)
    return {
      window,
      extraSeconds: Math.round(driving.seconds - before.seconds),
      extraMeters: Math.round(driving.meters - before.meters),
    }
  })
}

/** When a visit begins that is made within a window; one that is longer than the window begins in it. */
function startsWithin([from, to]: TimeSpan, serviceSeconds: number): TimeSpan {
  return serviceSeconds > to - from ? [from, to] : [from, to - serviceSeconds]
}

function problemOf(
  day: HubDay,
  wanted: DayVisit,
  { distances, durations, slowness, hasOwnTimes }: Travel,
): PlanProblem {
  return {
    locationCount: day.commitments.length + 2,
    distances,
    durations,
    ...(slowness ? { slowness } : {}),
    dimensions: 0,
    visits: [...day.commitments, wanted].map(
      ({ serviceSeconds, window, tags, vehicleId }, i): Visit => ({
        id: String(i),
        location: i + 1,
        serviceSeconds,
        windows: window ? [startsWithin(window, serviceSeconds)] : [],
        demand: [],
        tags,
        ...(vehicleId === undefined ? {} : { vehicleId }),
      }),
    ),
    vehicles: day.vehicles.map(
      ({ id, shift, breaks, tags, speed }): Vehicle => ({
        ...{ id, shift, breaks, tags },
        startLocation: 0,
        endLocation: 0,
        capacity: [],
        minimumLoad: [],
        fixedCost: 0,
        distanceCost: 1,
        durationFactor: hasOwnTimes ? 1 : 3.6 / speed,
        maxTrips: 1,
      }),
    ),
    objective: { kind: "lexicographic" },
  }
}

function drivingOf(problem: PlanProblem, routes: readonly (readonly number[])[]) {
  const sum = { seconds: 0, meters: 0 }
  for (const [vehicle, route] of routes.entries()) {
    if (route.length === 0) continue
    const { stops, distance } = routeTimetable(problem, { vehicle, trips: [route] })
    sum.meters += distance
    for (const { travelSeconds } of stops) sum.seconds += travelSeconds
  }
  return sum
}
