import type { Model } from "../problem/model.ts"
import { progressAt, secondsUntilChange, timeAt } from "../problem/pace.ts"

/**
 * Time with pauses, several windows, restricted legs and slow hours, as pairs of functions: forward "how early if I am
 * ready at t", backward "how late may I be to make it by t". All are monotone, which is why comparing an
 * earliest with a latest time decides an insertion without walking the rest of the route.
 */

/** Seconds within which two times are the same: sums in another order differ in the last bit. */
export const slack = 1e-6

/** Arrival after `work` seconds of travel from t; pauses of vehicle k suspend it, and slow hours make it longer. */
function travelEnd(model: Model, k: number, t: number, work: number): number {
  if (work === 0) return t
  const { pace } = model
  return pace ? timeAt(pace, roadEnd(model, k, progressAt(pace, t), work)) : roadEnd(model, k, t, work)
}

function roadEnd(model: Model, k: number, t: number, work: number): number {
  const { pausesOnRoad: pauses, pauseStart } = model
  let now = t
  let rest = work
  const last = pauseStart[k + 1] as number
  for (let p = pauseStart[k] as number; p < last; p += 2) {
    const from = pauses[p] as number
    const to = pauses[p + 1] as number
    if (now >= to - slack) continue
    if (now + rest <= from + slack) break
    if (now < from) rest -= from - now
    now = to
  }
  return now + rest
}

/** Latest departure that arrives by `bound`. */
function travelStart(model: Model, k: number, bound: number, work: number): number {
  if (work === 0) return bound
  const { pace } = model
  if (!pace) return roadStart(model, k, bound, work)
  return timeAt(pace, roadStart(model, k, progressAt(pace, bound), work))
}

function roadStart(model: Model, k: number, bound: number, work: number): number {
  const { pausesOnRoad: pauses, pauseStart } = model
  let now = bound
  let rest = work
  const first = pauseStart[k] as number
  for (let p = (pauseStart[k + 1] as number) - 2; p >= first; p -= 2) {
    const from = pauses[p] as number
    const to = pauses[p + 1] as number
    if (now <= from + slack) continue
    if (now > to) {
      if (now - rest >= to - slack) break
      rest -= now - to
    }
    now = from
  }
  return now - rest
}

/** Arrival at node j when leaving node i at t or, before a restricted span ends, as soon as it has ended. */
export function arrivalAt(model: Model, k: number, i: number, j: number, t: number): number {
  const at = i * model.nodeCount + j
  const work = (model.duration[at] as number) * (model.durationFactor[k] as number)
  let arrival = travelEnd(model, k, t, work)
  const legs = model.restrictedLeg
  if (legs === undefined || work === 0 || model.restricted[k] === 0 || legs[at] === 0) return arrival
  const spans = model.restrictedSpans
  let leave = t
  for (let s = 0; s < spans.length; s += 2) {
    if (leave < (spans[s + 1] as number) - slack && (spans[s] as number) + slack < arrival) {
      leave = spans[s + 1] as number
      arrival = travelEnd(model, k, leave, work)
    }
  }
  return arrival
}

/** Latest departure from i that arrives at j by `bound`. */
export function departureFor(model: Model, k: number, i: number, j: number, bound: number): number {
  const at = i * model.nodeCount + j
  const work = (model.duration[at] as number) * (model.durationFactor[k] as number)
  let leave = travelStart(model, k, bound, work)
  const legs = model.restrictedLeg
  if (legs === undefined || work === 0 || model.restricted[k] === 0 || legs[at] === 0) return leave
  const spans = model.restrictedSpans
  let arrival = travelEnd(model, k, leave, work)
  for (let s = spans.length - 2; s >= 0; s -= 2) {
    if (leave < (spans[s + 1] as number) - slack && (spans[s] as number) + slack < arrival) {
      leave = travelStart(model, k, spans[s] as number, work)
      arrival = travelEnd(model, k, leave, work)
    }
  }
  return leave
}

/** Earliest start of service at visit i from t on; Infinity when none is left. */
export function serviceFrom(model: Model, k: number, i: number, t: number): number {
  const { windows, windowStart, pauses, pauseStart } = model
  const service = model.service[i] as number
  const windowEnd = windowStart[i + 1] as number
  const pauseEnd = pauseStart[k + 1] as number
  // Windows of linked visits are narrower while the others are placed.
  const least = model.open[i] as number
  const most = (model.close[i] as number) + slack
  let start = t < least ? least : t
  let w = windowStart[i] as number
  let p = pauseStart[k] as number
  const anyTime = w === windowEnd
  for (;;) {
    if (!anyTime) {
      while (w < windowEnd && (windows[w + 1] as number) + slack < start) w += 2
      if (w >= windowEnd) return Number.POSITIVE_INFINITY
      if ((windows[w] as number) > start) {
        start = windows[w] as number
        // A window that ends before it begins takes nobody.
        if ((windows[w + 1] as number) + slack < start) continue
      }
    }
    while (p < pauseEnd && (pauses[p + 1] as number) <= start + slack) p += 2
    if (start > most) return Number.POSITIVE_INFINITY
    if (p >= pauseEnd || start + service <= (pauses[p] as number) + slack) return start
    start = pauses[p + 1] as number
  }
}

/** Latest start of service at visit i up to `bound`; -Infinity when none is left. */
export function serviceUntil(model: Model, k: number, i: number, bound: number): number {
  const { windows, windowStart, pauses, pauseStart } = model
  const service = model.service[i] as number
  const firstWindow = windowStart[i] as number
  const firstPause = pauseStart[k] as number
  const least = (model.open[i] as number) - slack
  const most = model.close[i] as number
  let start = bound > most ? most : bound
  let w = (windowStart[i + 1] as number) - 2
  let p = (pauseStart[k + 1] as number) - 2
  const anyTime = w < firstWindow
  for (;;) {
    if (!anyTime) {
      while (w >= firstWindow && (windows[w] as number) > start + slack) w -= 2
      if (w < firstWindow) return Number.NEGATIVE_INFINITY
      if ((windows[w + 1] as number) < start) start = windows[w + 1] as number
    }
    if (start < least) return Number.NEGATIVE_INFINITY
    while (p >= firstPause && (pauses[p] as number) + slack >= start + service) p -= 2
    if (p < firstPause || start >= (pauses[p + 1] as number) - slack) return start
    start = (pauses[p] as number) - service
  }
}

/** Seconds by which a service that starts at `start` may start later without leaving its window or entering a pause. */
export function roomAtService(model: Model, k: number, i: number, start: number): number {
  const { windows, windowStart, pauses, pauseStart } = model
  let room = Number.POSITIVE_INFINITY
  const windowEnd = windowStart[i + 1] as number
  for (let w = windowStart[i] as number; w < windowEnd; w += 2) {
    const close = windows[w + 1] as number
    if (start > close + slack) continue
    room = Math.max(close - start, 0)
    break
  }
  const end = start + (model.service[i] as number)
  const pauseEnd = pauseStart[k + 1] as number
  for (let p = pauseStart[k] as number; p < pauseEnd; p += 2) {
    const from = pauses[p] as number
    if (end > from + slack) continue
    return Math.min(room, Math.max(from - end, 0))
  }
  return room
}

/**
 * Seconds by which the way from i to j may begin later before it takes another time: it runs into a pause, no
 * longer has one within, or has to wait for the end of a restricted span.
 */
export function roomOnLeg(model: Model, k: number, i: number, j: number, leave: number): number {
  const at = i * model.nodeCount + j
  const work = (model.duration[at] as number) * (model.durationFactor[k] as number)
  if (work === 0) return Number.POSITIVE_INFINITY
  const { pauses, pauseStart, restrictedSpans: spans } = model
  const arrival = travelEnd(model, k, leave, work)
  let room = Number.POSITIVE_INFINITY
  const pauseEnd = pauseStart[k + 1] as number
  for (let p = pauseStart[k] as number; p < pauseEnd; p += 2) {
    const from = pauses[p] as number
    if (arrival <= from + slack) room = Math.min(room, Math.max(from - arrival, 0))
    else if (leave < from) room = Math.min(room, from - leave)
  }
  if (model.pace)
    room = Math.min(room, secondsUntilChange(model.pace, leave), secondsUntilChange(model.pace, arrival))
  if (model.restrictedLeg === undefined || model.restricted[k] === 0 || model.restrictedLeg[at] === 0)
    return room
  for (let s = 0; s < spans.length; s += 2) {
    const from = spans[s] as number
    if (arrival <= from + slack) room = Math.min(room, Math.max(from - arrival, 0))
  }
  return room
}
