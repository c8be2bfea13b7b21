import {
  arrivalAt,
  departureFor,
  roomAtService,
  roomOnLeg,
  serviceFrom,
  serviceUntil,
  slack,
} from "../evaluate/times.ts"
import { maxStarts } from "../problem/leg-times.ts"
import type { Model } from "../problem/model.ts"

/**
 * Duration of the shortest day with these visits in this order (a -1 before each trip), or of the first one
 * of at most `enough` seconds.
 *
 * The day that ends first, started as late as it may, is the shortest under single windows. With several
 * windows, pauses or restricted legs a later one may be shorter: it misses a window in the morning and waits
 * less for it. So the start moves on to where the next window, pause or span changes more than the times,
 * and the day is measured again. Between two such changes it only moves, or waits less.
 */
export function shortestDay(model: Model, k: number, day: readonly number[], enough: number): number {
  let shortest = Number.POSITIVE_INFINITY
  let leave = model.shiftStart[k] as number
  for (let tried = 0; tried < maxStarts; tried++) {
    const end = earliestEnd(model, k, day, leave)
    if (end === Number.POSITIVE_INFINITY) return shortest
    const { start, room } = latestStart(model, k, day, end)
    if (end - start < shortest) shortest = end - start
    if (shortest <= enough || !model.richTimes || room === Number.POSITIVE_INFINITY) return shortest
    leave = start + room + 2 * slack
  }
  return shortest
}

/** Infinity when the day does not work out. */
function earliestEnd(model: Model, k: number, day: readonly number[], leave: number): number {
  const hub = model.startNode[k] as number
  const end = model.endNode[k] as number
  const shiftEnd = (model.shiftEnd[k] as number) + slack
  let now = leave
  let node = hub
  for (let at = 0; at < day.length; at++) {
    const i = day[at] as number
    if (i === -1) {
      if (at > 0) now = arrivalAt(model, k, node, end, now)
      node = hub
      for (let next = at + 1; next < day.length && day[next] !== -1; next++) {
        now = Math.max(now, model.release[day[next] as number] as number)
      }
      continue
    }
    now = serviceFrom(model, k, i, arrivalAt(model, k, node, i, now)) + (model.service[i] as number)
    if (now > shiftEnd) return Number.POSITIVE_INFINITY
    node = i
  }
  now = arrivalAt(model, k, node, end, now)
  return now > (model.returnBy[k] as number) + slack ? Number.POSITIVE_INFINITY : now
}

/** The latest start of the day that ends then, and by how much it can move before more than its times changes. */
function latestStart(
  model: Model,
  k: number,
  day: readonly number[],
  end: number,
): { start: number; room: number } {
  let bound = end
  let node = model.endNode[k] as number
  let room = Number.POSITIVE_INFINITY
  for (let at = day.length - 1; at >= 0; at--) {
    const i = day[at] as number
    const from = i === -1 ? (model.startNode[k] as number) : i
    const leave = departureFor(model, k, from, node, bound)
    if (model.richTimes) room = Math.min(room, roomOnLeg(model, k, from, node, leave))
    if (i === -1) {
      bound = leave
      node = model.endNode[k] as number
      continue
    }
    const done = Math.min(leave, model.shiftEnd[k] as number)
    bound = serviceUntil(model, k, i, done - (model.service[i] as number))
    if (model.richTimes) room = Math.min(room, roomAtService(model, k, i, bound))
    node = i
  }
  return { start: bound, room }
}
