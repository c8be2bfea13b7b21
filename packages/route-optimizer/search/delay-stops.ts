import type { Stop } from "../evaluate/timetable.ts"
import { latestLeave, restrictedSpans, slack, travel } from "../problem/leg-times.ts"
import { paceOf, secondsUntilChange } from "../problem/pace.ts"
import type { PlanProblem, Vehicle, Visit } from "../problem/problem.ts"
import { at } from "../problem/problem.ts"

/** Leaves the hub as late as reaches the first visit at the start of its service. */
export function delayStart(problem: PlanProblem, vehicle: Vehicle, stops: readonly Stop[]): Stop[] {
  const [start, first] = stops
  if (start === undefined || first === undefined || first.kind !== "visit") return [...stops]
  return [
    ...withDeparture(
      problem,
      vehicle,
      start,
      first,
      latestLeave(problem, vehicle, start, first, first.serviceStart),
    ),
    ...stops.slice(2),
  ]
}

/**
 * From the end backwards: every service as late as delays nothing after it, so the day is as short as it gets.
 * @param isPunctual delays nothing into the part of its window that counts as late
 */
export function delayAll(
  problem: PlanProblem,
  vehicle: Vehicle,
  stops: readonly Stop[],
  isPunctual: boolean,
): Stop[] {
  const result = [...stops]
  for (let s = stops.length - 2; s >= 0; s--) {
    const stop = at(result, s)
    const next = at(result, s + 1)
    const bound =
      next.kind === "visit" ? next.serviceStart : next.kind === "end" ? next.arrival : next.departure
    const leave = latestLeave(problem, vehicle, stop, next, bound)
    let moved: Stop = stop
    if (stop.kind === "visit") {
      const visit = at(problem.visits, stop.visit)
      const serviceStart = latestService(
        vehicle,
        visit,
        Math.min(leave, vehicle.shift[1]) - visit.serviceSeconds,
        stop.serviceStart,
        isPunctual ? (visit.lateness?.seconds ?? 0) : 0,
      )
      moved = { ...stop, serviceStart, serviceEnd: serviceStart + visit.serviceSeconds }
    }
    const [left, reached] = withDeparture(problem, vehicle, moved, next, Math.max(leave, moved.serviceEnd))
    result[s] = left
    result[s + 1] = reached
  }
  return result
}

function latestService(
  vehicle: Vehicle,
  visit: Visit,
  bound: number,
  earliest: number,
  lateSeconds: number,
): number {
  const windows =
    visit.windows.length > 0 ? visit.windows : [[Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]]
  for (const [open = 0, close = 0] of [...windows].reverse()) {
    let start = Math.min(bound, close - lateSeconds)
    for (const [from, to] of [...vehicle.breaks].reverse()) {
      if (start < to - slack && start + visit.serviceSeconds > from + slack)
        start = from - visit.serviceSeconds
    }
    if (start >= open - slack && start >= earliest) return start
  }
  return earliest
}

function withDeparture(
  problem: PlanProblem,
  vehicle: Vehicle,
  from: Stop,
  to: Stop,
  leave: number,
): [Stop, Stop] {
  const { arrival, distance, travelSeconds, restSeconds } = travel(
    problem,
    vehicle,
    { ...from, departure: leave },
    to.location,
  )
  const isHub = to.kind !== "visit"
  const left = { ...from, departure: leave }
  const reached = { ...to, arrival, distance, travelSeconds, restSeconds }
  return [left, isHub ? { ...reached, serviceStart: arrival, serviceEnd: arrival } : reached]
}

/**
 * Seconds by which a day whose stops are all as late as possible may start later before anything but its
 * times changes: a visit loses its window, a service or a way runs into a break, a leg into its span.
 */
export function roomToDelay(problem: PlanProblem, vehicle: Vehicle, stops: readonly Stop[]): number {
  let room = Number.POSITIVE_INFINITY
  const limit = (seconds: number) => {
    room = Math.min(room, Math.max(seconds, 0))
  }
  stops.forEach((stop, s) => {
    const visit = stop.kind === "visit" ? problem.visits[stop.visit] : undefined
    if (visit !== undefined) {
      const close = visit.windows.find(([, to]) => stop.serviceStart <= to + slack)?.[1]
      if (close !== undefined) limit(close - stop.serviceStart)
      for (const [from] of vehicle.breaks) if (from + slack >= stop.serviceEnd) limit(from - stop.serviceEnd)
    }
    const before = stops[s - 1]
    if (before === undefined || stop.travelSeconds === 0) return
    const { departure } = before
    for (const [from] of vehicle.breaks) {
      if (stop.arrival <= from + slack) limit(from - stop.arrival)
      else if (departure < from) limit(from - departure)
    }
    const pace = paceOf(problem.slowness)
    if (pace) {
      limit(secondsUntilChange(pace, departure))
      limit(secondsUntilChange(pace, stop.arrival))
    }
    for (const [from] of restrictedSpans(problem, vehicle, before.location, stop.location))
      if (stop.arrival <= from + slack) limit(from - stop.arrival)
  })
  return room
}
