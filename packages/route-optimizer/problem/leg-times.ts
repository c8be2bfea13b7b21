import type { Stop } from "../evaluate/timetable.ts"
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
  const cell = from.location * problem.locationCount + to
  const distance = problem.distances[cell] ?? Number.NaN
  const travelSeconds = (problem.durations[cell] ?? Number.NaN) * vehicle.durationFactor
  let leave = from.departure
  let arrival = roadEnd(vehicle.breaks, leave, travelSeconds)
  for (const [start, end] of travelSeconds > 0 ? restrictedSpans(problem, vehicle, from.location, to) : []) {
    if (leave < end - slack && arrival > start + slack) {
      leave = end
      arrival = roadEnd(vehicle.breaks, leave, travelSeconds)
    }
  }
  return { leave, arrival, distance, travelSeconds, restSeconds: rested(vehicle.breaks, leave, arrival) }
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

/** End of `work` seconds on the road, resting in every break. */
function roadEnd(breaks: readonly TimeSpan[], leave: number, work: number): number {
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
  if (to.travelSeconds === 0) return Math.max(bound, from.departure)
  let leave = roadStart(vehicle.breaks, bound, to.travelSeconds)
  const spans = restrictedSpans(problem, vehicle, from.location, to.location)
  for (const [start, end] of [...spans].reverse()) {
    if (leave < end - slack && roadEnd(vehicle.breaks, leave, to.travelSeconds) > start + slack) {
      leave = roadStart(vehicle.breaks, start, to.travelSeconds)
    }
  }
  return Math.max(leave, from.departure)
}

/** Latest start of `work` seconds on the road that end by `bound`. */
function roadStart(breaks: readonly TimeSpan[], bound: number, work: number): number {
  let leave = bound - work
  for (const [from, to] of [...breaks].reverse()) {
    if (to > leave + slack && from < bound - slack) leave -= Math.min(to, bound) - from
  }
  return leave
}
