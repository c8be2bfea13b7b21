import { durationFits } from "../evaluate/duration.ts"
import { arrivalAt, serviceFrom } from "../evaluate/times.ts"
import type { Model } from "../problem/model.ts"
import type { Blinks, Place } from "../problem/place.ts"
import { fitsAlone, hasRoom, placedGroupOwner, setAlone } from "../problem/place.ts"
import { hasRoomBehind } from "../search/loads-aboard.ts"
import type { State } from "../search/state.ts"
import { companyCost } from "../search/state.ts"
import { addedTimeCost } from "../search/time-cost.ts"
import { cheapestSuccessor, firstIdle, takeoverCost } from "./takeover.ts"

/**
 * Insertion under everything that the plain insertion leaves out: several windows, pauses,
 * restricted legs, and the order inside a group. Same walk, with times.ts for the arithmetic.
 */

/** Larger than any trip, so that slot * stride + position orders all visits of an owner. */
const stride = 4096

/** Where in its owner's days a placed visit stands; slots of an owner ascend with time. */
function sequence(state: State, i: number): number {
  let position = 0
  for (let j = i; j !== -1; j = state.prev[j] as number) position++
  return (state.slotOf[i] as number) * stride + position
}

/** Sequence numbers between which the order inside its group allows visit c. */
function orderBounds(model: Model, state: State, c: number): { from: number; to: number } {
  const bounds = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }
  if (model.ordered[c] === 0) return bounds
  const own = model.priority[c] as number
  for (const member of model.groupMembers[model.group[c] as number] ?? []) {
    if (state.slotOf[member] === -1) continue
    const priority = model.priority[member] as number
    if (priority < own) bounds.from = Math.max(bounds.from, sequence(state, member))
    if (priority > own) bounds.to = Math.min(bounds.to, sequence(state, member))
  }
  return bounds
}

export function richPlaceInTrips(
  model: Model,
  state: State,
  c: number,
  blinks: Blinks,
  place: Place,
  slotCount: number,
): void {
  const { distance, duration, nodeCount, dimensions, maxTrips } = model
  const { next, first, leg, late } = state
  const { from, to } = orderBounds(model, state, c)
  const openC = model.open[c] as number
  const closeC = model.close[c] as number
  const serviceC = model.service[c] as number
  const releaseC = model.release[c] as number
  const groupOwner = placedGroupOwner(model, state, c)
  for (let u = 0; u < slotCount; u++) {
    const slot = blinks.slots[u] as number
    const k = Math.floor(slot / maxTrips)
    if (model.allowed[c * model.vehicleCount + k] === 0) continue
    if (groupOwner !== -1 && model.owner[k] !== groupOwner) continue
    let successor = -1
    if (dimensions > 0 && !model.hasPairs && !hasRoom(model, state, c, slot, k)) {
      successor = model.hasSiblings ? cheapestSuccessor(model, state, k, slot, c) : -1
      if (successor === -1) continue
    }
    let readyPrev = Math.max(state.tripReady[slot] as number, releaseC)
    if (readyPrev > (state.tripLate[slot] as number)) continue
    const shifts = readyPrev > (state.tripReady[slot] as number)
    const unit = model.distanceCost[successor === -1 ? k : successor] as number
    const factor = model.durationFactor[k] as number
    const start = model.startNode[k] as number
    const end = model.endNode[k] as number
    const extra =
      companyCost(model, state, c, k) + (successor === -1 ? 0 : takeoverCost(model, state, k, successor))
    const spareDistance = (model.maxDistance[k] as number) - (state.vehicleDistance[k] as number)
    let node = start
    let i = first[slot] as number
    for (let at = slot * stride; ; at++) {
      if (readyPrev > closeC) break
      // Goods from the hub are on board up to their visit, so the first leg without room is the last one to look at.
      if (model.hasPairs && !hasRoomBehind(model, state, c, slot, k, node === start ? -1 : node)) break
      const bound = i === -1 ? (state.endLate[slot] as number) : (late[i] as number)
      if (--blinks.gap === 0) blinks.gap = blinks.draw()
      else if (at >= from && at + 1 <= to && bound >= openC + serviceC) {
        const target = i === -1 ? end : i
        const detour =
          (distance[node * nodeCount + c] as number) +
          (distance[c * nodeCount + target] as number) -
          (i === -1 ? (state.endLeg[slot] as number) : (leg[i] as number))
        const cost = detour * unit + extra
        // Without pauses and further windows it would be earlier still: most positions fail here already.
        let soonest = readyPrev + (duration[node * nodeCount + c] as number) * factor
        if (soonest < openC) soonest = openC
        const isEarly =
          soonest <= closeC &&
          soonest + serviceC + (duration[c * nodeCount + target] as number) * factor <= bound
        if (isEarly && cost < place.cost && detour <= spareDistance) {
          const begin = serviceFrom(model, k, c, arrivalAt(model, k, node, c, readyPrev))
          const done = begin + serviceC
          const after = node === start ? -1 : node
          if (
            done <= (model.shiftEnd[k] as number) &&
            begin !== Number.POSITIVE_INFINITY &&
            arrivalAt(model, k, c, target, done) <= bound &&
            durationFits(model, state, k, slot - k * maxTrips, after, false, c)
          ) {
            const trip = slot - k * maxTrips
            const whole = model.hasTimeCosts
              ? cost + addedTimeCost(model, state, k, { c, trip, after, isNew: false })
              : cost
            if (whole < place.cost) {
              place.cost = whole
              place.vehicle = k
              place.trip = trip
              place.after = after
              place.isNewTrip = false
              place.takenOverBy = successor
            }
          }
        }
      }
      if (i === -1) break
      if (shifts) {
        const begin = serviceFrom(model, k, i, arrivalAt(model, k, node, i, readyPrev))
        if (begin > (late[i] as number)) break
        readyPrev = begin + (model.service[i] as number)
      } else {
        readyPrev = state.ready[i] as number
      }
      node = i
      i = next[i] as number
    }
  }
}

/** A new trip on a vehicle at work, or on the first idle vehicle of each kind. */
export function richPlaceOnItsOwn(model: Model, state: State, c: number, place: Place): void {
  const bounds = orderBounds(model, state, c)
  if (model.maxTrips > 1) {
    for (let u = state.usedCount - 1; u >= 0; u--) {
      const k = state.used[u] as number
      if ((state.tripCount[k] as number) < (model.tripLimit[k] as number))
        tryAlone(model, state, c, k, bounds, place)
    }
  }
  for (const members of model.kindMembers) {
    const k = firstIdle(state, members)
    if (k !== -1) tryAlone(model, state, c, k, bounds, place)
  }
}

function tryAlone(
  model: Model,
  state: State,
  c: number,
  k: number,
  bounds: { from: number; to: number },
  place: Place,
): void {
  const { distance, nodeCount } = model
  if (model.allowed[c * model.vehicleCount + k] === 0) return
  const owner = model.owner[k] as number
  const groupOwner = placedGroupOwner(model, state, c)
  if (groupOwner !== -1 && owner !== groupOwner) return
  if ((state.ownerVehicles[owner] as number) === 0 && state.ownersUsed >= state.ownerLimit) return
  const start = model.startNode[k] as number
  const end = model.endNode[k] as number
  const detour = (distance[start * nodeCount + c] as number) + (distance[c * nodeCount + end] as number)
  const cost = detour * (model.distanceCost[k] as number) + companyCost(model, state, c, k)
  if (cost >= place.cost || !fitsAlone(model, state, c, k, detour)) return
  const base = k * model.maxTrips
  const count = state.tripCount[k] as number
  for (let trip = 0; trip <= count; trip++) {
    // The new trip goes before the present trip of that number.
    if (bounds.from >= (base + trip) * stride || bounds.to < (base + trip) * stride) continue
    const ready = trip === 0 ? (model.shiftStart[k] as number) : (state.tripEnd[base + trip - 1] as number)
    const bound = trip === count ? (model.returnBy[k] as number) : (state.tripLate[base + trip] as number)
    const leave = Math.max(ready, model.release[c] as number)
    const begin = serviceFrom(model, k, c, arrivalAt(model, k, start, c, leave))
    if (begin === Number.POSITIVE_INFINITY) return
    const done = begin + (model.service[c] as number)
    if (done > (model.shiftEnd[k] as number) || arrivalAt(model, k, c, end, done) > bound) continue
    if (!durationFits(model, state, k, trip, -1, true, c)) continue
    const whole = model.hasTimeCosts
      ? cost + addedTimeCost(model, state, k, { c, trip, after: -1, isNew: true })
      : cost
    if (whole < place.cost) setAlone(place, k, trip, whole)
    return
  }
}
