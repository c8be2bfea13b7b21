import type { Stop } from "../evaluate/timetable.ts"
import { paceOf, progressAt, timeAt } from "./pace.ts"
import type { PlanProblem, TimeSpan, Vehicle } from "./problem.ts"

/** Legs of a timetable: when a vehicle arrives, or has to leave, with its breaks and restricted legs. */

/**
 * Seconds within which two times count as the same. The search adds the same numbers in another order, and
 * the last bit must not push a visit behind a break.
 */
export const slack = 1e-6

/** Starts that are tried for a short day. Every one passes a window, a break or a span; no day has that many. */
export const maxStarts = 1000

export type Leg = {
  readonly leave: number
  readonly arrival: number
  readonly distance: number
  readonly travelSeconds: number
  readonly restSeconds: number
}

export function travel(problem: PlanProblem, vehicle: Vehicle, from: Stop, to: number): Leg {
  const distance = problem.distances[from.location * problem.locationCount + to] ?? Number.NaN
  const work = workOf(problem, vehicle, from.location, to)
  let leave = from.departure
  let arrival = roadEnd(problem, vehicle, leave, work)
  for (const [start, end] of work > 0 ? restrictedSpans(problem, vehicle, from.location, to) : []) {
    if (leave < end - slack && arrival > start + slack) {
      leave = end
      arrival = roadEnd(problem, vehicle, leave, work)
    }
  }
  const restSeconds = rested(vehicle.breaks, leave, arrival)
  return {
    ...{ leave, arrival, distance, restSeconds },
    travelSeconds: problem.slowness ? arrival - leave - restSeconds : work,
  }
}

/** Seconds on the road at the speed of the durations. */
function workOf(
  { durations, locationCount }: PlanProblem,
  vehicle: Vehicle,
  from: number,
  to: number,
): number {
  return (durations[from * locationCount + to] ?? Number.NaN) * vehicle.durationFactor
}

/** When the vehicle may not be on the way between two places. */
export function restrictedSpans(
  problem: PlanProblem,
  vehicle: Vehicle,
  from: number,
  to: number,
): readonly TimeSpan[] {
  const { restrictedLegs, locationCount } = problem
  if (vehicle.restricted !== true || restrictedLegs?.legs[from * locationCount + to] !== 1) return []
  return restrictedLegs.spans
}

/** End of a drive that begins then. */
function roadEnd({ slowness }: PlanProblem, { breaks }: Vehicle, leave: number, work: number): number {
  const pace = paceOf(slowness)
  if (!pace) return endBeside(breaks, leave, work)
  if (work === 0) return leave
  return timeAt(pace, endBeside(breaks.map(inProgress(pace)), progressAt(pace, leave), work))
}

const inProgress =
  (pace: Float64Array) =>
  ([from, to]: TimeSpan): TimeSpan => [progressAt(pace, from), progressAt(pace, to)]

/** End of `work` seconds on the road, resting in every break. */
function endBeside(breaks: readonly TimeSpan[], leave: number, work: number): number {
  if (work === 0) return leave
  let end = leave + work
  for (const [from, to] of breaks) {
    if (to <= leave || from >= end - slack) continue
    end += to - Math.max(from, leave)
  }
  return end
}

function rested(breaks: readonly TimeSpan[], leave: number, arrival: number): number {
  return breaks.reduce(
    (sum, [from, to]) => sum + Math.max(0, Math.min(to, arrival) - Math.max(from, leave)),
    0,
  )
}

/** Latest time to leave `from` and be at `to` by `bound`, no earlier than it leaves now. */
export function latestLeave(
  problem: PlanProblem,
  vehicle: Vehicle,
  from: Stop,
  to: Stop,
  bound: number,
): number {
  const work = workOf(problem, vehicle, from.location, to.location)
  if (work === 0) return Math.max(bound, from.departure)
  let leave = roadStart(problem, vehicle, bound, work)
  const spans = restrictedSpans(problem, vehicle, from.location, to.location)
  for (const [start, end] of [...spans].reverse()) {
    if (leave < end - slack && roadEnd(problem, vehicle, leave, work) > start + slack) {
      leave = roadStart(problem, vehicle, start, work)
    }
  }
  return Math.max(leave, from.departure)
}

/** Latest start of a drive that ends by `bound`. */
function roadStart({ slowness }: PlanProblem, { breaks }: Vehicle, bound: number, work: number): number {
  const pace = paceOf(slowness)
  if (!pace) return startBeside(breaks, bound, work)
  return timeAt(pace, startBeside(breaks.map(inProgress(pace)), progressAt(pace, bound), work))
}

/** Latest start of `work` seconds on the road that end by `bound`. */
function startBeside(breaks: readonly TimeSpan[], bound: number, work: number): number {
  let leave = bound - work
  for (const [from, to] of [...breaks].reverse()) {
    if (to > leave + slack && from < bound - slack) leave -= Math.min(to, bound) - from
  }
  return leave
}
