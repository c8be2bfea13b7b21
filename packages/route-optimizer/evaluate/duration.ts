import type { Model } from "../problem/model.ts"
import { dayOf } from "../search/day-of.ts"
import { shortestDay } from "../search/shortest-day.ts"
import type { State } from "../search/state.ts"

/**
 * Whether vehicle k stays within its longest duration when visit c joins behind `after` in trip `place`
 * (as a trip of its own when isNew). Walks the vehicle's day: for the few vehicles that have such a limit.
 */
export function durationFits(
  model: Model,
  state: State,
  k: number,
  place: number,
  after: number,
  isNew: boolean,
  c: number,
): boolean {
  const longest = model.maxDuration[k] as number
  if (longest === Number.POSITIVE_INFINITY) return true
  if (!model.richTimes && model.tripLimit[k] === 1)
    return spanWith(model, state, k, after, isNew, c) <= longest
  return shortestDay(model, k, dayOf(model, state, k, { c, trip: place, after, isNew }), longest) <= longest
}

/** Whether vehicle k, whose times are fresh, stays within its longest duration as it is. */
export function isShortEnough(model: Model, state: State, k: number): boolean {
  const longest = model.maxDuration[k] as number
  if (longest === Number.POSITIVE_INFINITY) return true
  if (!model.richTimes && (state.tripCount[k] as number) === 1)
    return measureSpans(model, state, k) <= longest
  return shortestDay(model, k, dayOf(model, state, k), longest) <= longest
}

/**
 * Shortest duration of a one-trip route with single windows, from the spans of its two parts. Two parts in
 * sequence last as long as both, the way between, and the wait that even the latest start cannot avoid:
 * T. Vidal et al., "A hybrid genetic algorithm with adaptive diversity management for a large class of
 * vehicle routing problems with time-windows", Computers & Operations Research 40 (2013).
 */
function spanWith(model: Model, state: State, k: number, after: number, isNew: boolean, c: number): number {
  const { duration, nodeCount, open, close, service } = model
  const { spans } = state
  const shiftEnd = model.shiftEnd[k] as number
  const factor = model.durationFactor[k] as number
  const node = after === -1 ? (model.startNode[k] as number) : after
  const before = isNew
    ? -1
    : after === -1
      ? (state.first[k * model.maxTrips] as number)
      : (state.next[after] as number)

  let length = after === -1 ? 0 : (spans[after * 4] as number)
  let late = after === -1 ? Number.POSITIVE_INFINITY : (spans[after * 4 + 1] as number)

  length += (duration[node * nodeCount + c] as number) * factor
  const openC = (open[c] as number) - length
  const waitC = Math.max(openC - late, 0)
  late = Math.min(late, Math.min(close[c] as number, shiftEnd - (service[c] as number)) - length)
  length += (service[c] as number) + waitC
  if (before === -1)
    return length + (duration[c * nodeCount + (model.endNode[k] as number)] as number) * factor
  length += (duration[c * nodeCount + before] as number) * factor
  const wait = Math.max((spans[before * 4 + 3] as number) - length - late, 0)
  return length + (spans[before * 4 + 2] as number) + wait
}

/** Fills the spans of a one-trip route and returns its shortest duration. */
function measureSpans(model: Model, state: State, k: number): number {
  const { duration, nodeCount, open, close, service } = model
  const { spans, next, prev } = state
  const shiftEnd = model.shiftEnd[k] as number
  const factor = model.durationFactor[k] as number
  const slot = k * model.maxTrips
  let node = model.startNode[k] as number
  let length = 0
  let late = Number.POSITIVE_INFINITY
  for (let i = state.first[slot] as number; i !== -1; i = next[i] as number) {
    length += (duration[node * nodeCount + i] as number) * factor
    const opens = (open[i] as number) - length
    const wait = Math.max(opens - late, 0)
    late = Math.min(late, Math.min(close[i] as number, shiftEnd - (service[i] as number)) - length)
    length += (service[i] as number) + wait
    spans[i * 4] = length
    spans[i * 4 + 1] = late
    node = i
  }
  const total = length + (duration[node * nodeCount + (model.endNode[k] as number)] as number) * factor
  node = model.endNode[k] as number
  let rest = 0
  let early = Number.NEGATIVE_INFINITY
  for (let i = state.last[slot] as number; i !== -1; i = prev[i] as number) {
    const head = (service[i] as number) + (duration[i * nodeCount + node] as number) * factor
    const closes = Math.min(close[i] as number, shiftEnd - (service[i] as number))
    const wait = Math.max(early - head - closes, 0)
    early = Math.max(open[i] as number, early - head) - wait
    rest += head + wait
    spans[i * 4 + 2] = rest
    spans[i * 4 + 3] = early
    node = i
  }
  return total
}
