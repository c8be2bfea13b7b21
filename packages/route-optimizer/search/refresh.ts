import { isShortEnough } from "../evaluate/duration.ts"
import { arrivalAt, departureFor, serviceFrom, serviceUntil } from "../evaluate/times.ts"
import type { Model } from "../problem/model.ts"
import { measureLoads } from "./loads-aboard.ts"
import type { State } from "./state.ts"
import { detach, markUse, measuredCost } from "./state.ts"
import { timeCostOf } from "./time-cost.ts"

/**
 * Recomputes distances, loads and times of a vehicle whose trips changed. Work is proportional to its visits.
 *
 * Without the triangle inequality (road matrices, rounded distances) taking a visit out can make the rest
 * late or too long. Such visits are taken out as well, so the plan is feasible whenever this returns.
 */
export function refresh(model: Model, state: State, k: number): void {
  for (;;) {
    dropEmptyTrips(model, state, k)
    measure(model, state, k)
    if (model.hasPairs) measureLoads(model, state, k)
    if (!model.timed && !model.hasDistanceLimit) break
    const misfit = firstMisfit(model, state, k)
    if (misfit === -1) break
    detach(model, state, misfit)
    const partner = model.partner[misfit] as number
    if (partner !== -1 && state.slotOf[partner] !== -1) detach(model, state, partner)
  }
  if (model.hasTimeCosts) {
    const cost = timeCostOf(model, state, k)
    state.timeCost[k] = cost
    state.vehicleCost[k] = (state.vehicleCost[k] as number) + cost
    state.costs[measuredCost] = (state.costs[measuredCost] as number) + cost
  }
  markUse(model, state, k)
}

/** As refresh, after visit i joined a trip that had visits before; ends where nothing changes any more. */
export function refreshJoined(model: Model, state: State, k: number, slot: number, i: number): void {
  const isPlain = !(
    model.richTimes ||
    model.hasPairs ||
    model.hasTimeCosts ||
    model.hasReleases ||
    model.hasDurationLimit ||
    model.hasDistanceLimit ||
    model.hasMinimumLoad
  )
  if (!isPlain || (state.tripCount[k] as number) > 1) {
    refresh(model, state, k)
    return
  }
  measureJoined(model, state, k, slot, i)
  if (!model.timed) return
  if (forwardFrom(model, state, k, slot, i)) backwardFrom(model, state, k, slot, i)
  else refresh(model, state, k)
}

function measureJoined(model: Model, state: State, k: number, slot: number, i: number): void {
  const { leg, load, endLeg, costs } = state
  const { distance, nodeCount, dimensions, demand } = model
  const before = state.prev[i] as number
  const following = state.next[i] as number
  const to = distance[(before === -1 ? (model.startNode[k] as number) : before) * nodeCount + i] as number
  const on = distance[i * nodeCount + (following === -1 ? (model.endNode[k] as number) : following)] as number
  const replaced = following === -1 ? (endLeg[slot] as number) : (leg[following] as number)
  leg[i] = to
  if (following === -1) endLeg[slot] = on
  else leg[following] = on
  for (let d = 0; d < dimensions; d++) {
    load[slot * dimensions + d] =
      (load[slot * dimensions + d] as number) + (demand[i * dimensions + d] as number)
  }
  const longer = to + on - replaced
  const cost = longer * (model.distanceCost[k] as number)
  state.vehicleDistance[k] = (state.vehicleDistance[k] as number) + longer
  state.vehicleCost[k] = (state.vehicleCost[k] as number) + cost
  costs[measuredCost] = (costs[measuredCost] as number) + cost
}

/** Earliest times from visit i on; false when one cannot stay. */
function forwardFrom(model: Model, state: State, k: number, slot: number, i: number): boolean {
  const { next, ready } = state
  const { duration, nodeCount, open, close, service } = model
  const factor = model.durationFactor[k] as number
  const shiftEnd = model.shiftEnd[k] as number
  let node = state.prev[i] as number
  let now = (node === -1 ? state.tripReady[slot] : ready[node]) as number
  if (node === -1) node = model.startNode[k] as number
  for (let j = i; j !== -1; j = next[j] as number) {
    now += (duration[node * nodeCount + j] as number) * factor
    if (now < (open[j] as number)) now = open[j] as number
    if (now > (close[j] as number)) return false
    now += service[j] as number
    if (now > shiftEnd) return false
    if (j !== i && now === ready[j]) return true
    ready[j] = now
    node = j
  }
  now += (duration[node * nodeCount + (model.endNode[k] as number)] as number) * factor
  state.tripEnd[slot] = now
  return now <= (model.returnBy[k] as number)
}

/** Latest times from visit i back. */
function backwardFrom(model: Model, state: State, k: number, slot: number, i: number): void {
  const { prev, late } = state
  const { duration, nodeCount, close, service } = model
  const factor = model.durationFactor[k] as number
  const shiftEnd = model.shiftEnd[k] as number
  let node = state.next[i] as number
  let bound = (node === -1 ? state.endLate[slot] : late[node]) as number
  if (node === -1) node = model.endNode[k] as number
  for (let j = i; j !== -1; j = prev[j] as number) {
    let done = bound - (duration[j * nodeCount + node] as number) * factor
    if (done > shiftEnd) done = shiftEnd
    bound = done - (service[j] as number)
    if (bound > (close[j] as number)) bound = close[j] as number
    if (j !== i && bound === late[j]) return
    late[j] = bound
    node = j
  }
  state.tripLate[slot] =
    bound - (duration[(model.startNode[k] as number) * nodeCount + node] as number) * factor
}

/** A new empty trip of k at the given place in its day; the slot must be filled before the next refresh. */
export function openTrip(model: Model, state: State, k: number, place: number): number {
  const base = k * model.maxTrips
  const count = state.tripCount[k] as number
  for (let t = count; t > place; t--) moveTrip(state, base + t - 1, base + t)
  const slot = base + place
  state.first[slot] = -1
  state.last[slot] = -1
  state.size[slot] = 0
  state.tripCount[k] = count + 1
  return slot
}

function dropEmptyTrips(model: Model, state: State, k: number): void {
  const base = k * model.maxTrips
  const count = state.tripCount[k] as number
  let kept = 0
  for (let t = 0; t < count; t++) {
    if ((state.size[base + t] as number) === 0) continue
    if (kept < t) moveTrip(state, base + t, base + kept)
    kept++
  }
  state.tripCount[k] = kept
}

function moveTrip(state: State, from: number, to: number): void {
  const { first, last, size, slotOf, next } = state
  first[to] = first[from] as number
  last[to] = last[from] as number
  size[to] = size[from] as number
  for (let i = first[to] as number; i !== -1; i = next[i] as number) slotOf[i] = to
}

function measure(model: Model, state: State, k: number): void {
  const { next, leg, load, first, endLeg, costs } = state
  const { distance, nodeCount, dimensions, demand } = model
  const start = model.startNode[k] as number
  const end = model.endNode[k] as number
  const base = k * model.maxTrips
  const limit = base + (state.tripCount[k] as number)
  let length = 0
  let shortfall = 0
  for (let slot = base; slot < limit; slot++) {
    for (let c = 0; c < dimensions; c++) load[slot * dimensions + c] = 0
    let node = start
    for (let i = first[slot] as number; i !== -1; i = next[i] as number) {
      const step = distance[node * nodeCount + i] as number
      leg[i] = step
      length += step
      for (let c = 0; c < dimensions; c++) {
        load[slot * dimensions + c] =
          (load[slot * dimensions + c] as number) + (demand[i * dimensions + c] as number)
      }
      node = i
    }
    const home = distance[node * nodeCount + end] as number
    endLeg[slot] = home
    length += home
    if (model.hasMinimumLoad) {
      for (let c = 0; c < dimensions; c++) {
        const least = model.minimumLoad[k * dimensions + c] as number
        const missing = least - (load[slot * dimensions + c] as number)
        if (missing > 0) shortfall += missing / least
      }
    }
  }
  const cost = length * (model.distanceCost[k] as number) + shortfall * model.shortfallWeight
  costs[measuredCost] = (costs[measuredCost] as number) + cost - (state.vehicleCost[k] as number)
  state.vehicleCost[k] = cost
  state.vehicleDistance[k] = length
}

/** Times of all trips; the first visit that cannot stay, or -1. */
function firstMisfit(model: Model, state: State, k: number): number {
  const base = k * model.maxTrips
  const count = state.tripCount[k] as number
  if (count === 0) return -1
  const lastVisit = state.last[base + count - 1] as number
  if ((state.vehicleDistance[k] as number) > (model.maxDistance[k] as number)) return lastVisit
  if (!model.timed) return -1
  const misfit = model.richTimes ? richForward(model, state, k) : forward(model, state, k)
  if (misfit !== -1) return misfit
  if (model.richTimes) richBackward(model, state, k)
  else backward(model, state, k)
  return model.hasDurationLimit && !isShortEnough(model, state, k) ? lastVisit : -1
}

function forward(model: Model, state: State, k: number): number {
  const { next, ready, first, tripReady, tripEnd } = state
  const { duration, nodeCount, open, close, service, release } = model
  const factor = model.durationFactor[k] as number
  const shiftEnd = model.shiftEnd[k] as number
  const start = model.startNode[k] as number
  const end = model.endNode[k] as number
  const base = k * model.maxTrips
  const limit = base + (state.tripCount[k] as number)
  let now = model.shiftStart[k] as number
  for (let slot = base; slot < limit; slot++) {
    if (model.hasReleases) {
      for (let i = first[slot] as number; i !== -1; i = next[i] as number) {
        if ((release[i] as number) > now) now = release[i] as number
      }
    }
    tripReady[slot] = now
    let node = start
    for (let i = first[slot] as number; i !== -1; i = next[i] as number) {
      now += (duration[node * nodeCount + i] as number) * factor
      if (now < (open[i] as number)) now = open[i] as number
      if (now > (close[i] as number)) return i
      now += service[i] as number
      if (now > shiftEnd) return i
      ready[i] = now
      node = i
    }
    now += (duration[node * nodeCount + end] as number) * factor
    tripEnd[slot] = now
    if (now > (model.returnBy[k] as number)) return node
  }
  return -1
}

function backward(model: Model, state: State, k: number): void {
  const { prev, late, last, tripLate, endLate } = state
  const { duration, nodeCount, close, service } = model
  const factor = model.durationFactor[k] as number
  const shiftEnd = model.shiftEnd[k] as number
  const start = model.startNode[k] as number
  const end = model.endNode[k] as number
  const base = k * model.maxTrips
  let bound = model.returnBy[k] as number
  for (let slot = base + (state.tripCount[k] as number) - 1; slot >= base; slot--) {
    endLate[slot] = bound
    let node = end
    for (let i = last[slot] as number; i !== -1; i = prev[i] as number) {
      let done = bound - (duration[i * nodeCount + node] as number) * factor
      if (done > shiftEnd) done = shiftEnd
      bound = done - (service[i] as number)
      if (bound > (close[i] as number)) bound = close[i] as number
      late[i] = bound
      node = i
    }
    bound -= (duration[start * nodeCount + node] as number) * factor
    tripLate[slot] = bound
  }
}

function richForward(model: Model, state: State, k: number): number {
  const { next, ready, first, tripReady, tripEnd } = state
  const shiftEnd = model.shiftEnd[k] as number
  const base = k * model.maxTrips
  const limit = base + (state.tripCount[k] as number)
  let now = model.shiftStart[k] as number
  for (let slot = base; slot < limit; slot++) {
    for (let i = first[slot] as number; i !== -1; i = next[i] as number) {
      if ((model.release[i] as number) > now) now = model.release[i] as number
    }
    tripReady[slot] = now
    let node = model.startNode[k] as number
    for (let i = first[slot] as number; i !== -1; i = next[i] as number) {
      now = serviceFrom(model, k, i, arrivalAt(model, k, node, i, now)) + (model.service[i] as number)
      if (now > shiftEnd || now === Number.POSITIVE_INFINITY) return i
      ready[i] = now
      node = i
    }
    now = arrivalAt(model, k, node, model.endNode[k] as number, now)
    tripEnd[slot] = now
    if (now > (model.returnBy[k] as number)) return node
  }
  return -1
}

function richBackward(model: Model, state: State, k: number): void {
  const { prev, late, last, tripLate, endLate } = state
  const shiftEnd = model.shiftEnd[k] as number
  const base = k * model.maxTrips
  let bound = model.returnBy[k] as number
  for (let slot = base + (state.tripCount[k] as number) - 1; slot >= base; slot--) {
    endLate[slot] = bound
    let node = model.endNode[k] as number
    for (let i = last[slot] as number; i !== -1; i = prev[i] as number) {
      const done = Math.min(departureFor(model, k, i, node, bound), shiftEnd)
      bound = serviceUntil(model, k, i, done - (model.service[i] as number))
      late[i] = bound
      node = i
    }
    bound = departureFor(model, k, model.startNode[k] as number, node, bound)
    tripLate[slot] = bound
  }
}
