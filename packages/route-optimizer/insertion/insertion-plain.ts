import { durationFits } from "../evaluate/duration.ts"
import type { Model } from "../problem/model.ts"
import type { Blinks, Place } from "../problem/place.ts"
import { fitsAlone, hasRoom, placedGroupOwner, setAlone } from "../problem/place.ts"
import type { State } from "../search/state.ts"
import { companyCost } from "../search/state.ts"
import { cheapestSuccessor, firstIdle, takeoverCost } from "./takeover.ts"

/** The cheapest position of absent visit c in the listed trips, if it is cheaper than `place`. */
export function placeInTrips(
  model: Model,
  state: State,
  c: number,
  blinks: Blinks,
  place: Place,
  slotCount: number,
): void {
  const {
    distance,
    duration,
    nodeCount,
    dimensions,
    demand,
    capacity,
    timed,
    symmetric,
    hasReleases,
    maxTrips,
  } = model
  const { next, first, leg, ready, late, load } = state
  const isSoft = model.balanceWeight > 0 || model.areaCount > 0 || model.hasPreferences
  const openC = model.open[c] as number
  const closeC = model.close[c] as number
  const serviceC = model.service[c] as number
  const releaseC = model.release[c] as number
  const doneC = openC + serviceC
  const row = c * nodeCount
  const firstDemand = dimensions > 0 ? (demand[c * dimensions] as number) : 0
  const groupOwner = placedGroupOwner(model, state, c)
  let gap = blinks.gap
  let best = place.cost
  let bestSlot = -1
  let bestAfter = -1
  let bestSuccessor = -1

  for (let u = 0; u < slotCount; u++) {
    const slot = blinks.slots[u] as number
    const k = maxTrips === 1 ? slot : Math.floor(slot / maxTrips)
    let successor = -1
    if (dimensions > 0) {
      const isFull =
        (load[slot * dimensions] as number) + firstDemand > (capacity[k * dimensions] as number) ||
        (dimensions > 1 && !hasRoom(model, state, c, slot, k))
      if (isFull) {
        if (!model.hasSiblings) continue
        successor = cheapestSuccessor(model, state, k, slot, c)
        if (successor === -1) continue
      }
    }
    if (model.allowed[c * model.vehicleCount + k] === 0) continue
    if (groupOwner !== -1 && model.owner[k] !== groupOwner) continue
    const unit = model.distanceCost[successor === -1 ? k : successor] as number
    const factor = model.durationFactor[k] as number
    const start = model.startNode[k] as number
    const end = model.endNode[k] as number
    const doneBy = model.shiftEnd[k] as number
    const extra =
      (isSoft ? companyCost(model, state, c, k) : 0) +
      (successor === -1 ? 0 : takeoverCost(model, state, k, successor))
    if (extra >= best) continue
    const spareDistance = model.hasDistanceLimit
      ? (model.maxDistance[k] as number) - (state.vehicleDistance[k] as number)
      : Number.POSITIVE_INFINITY
    const shifts = hasReleases && releaseC > (state.tripReady[slot] as number)
    if (shifts && releaseC > (state.tripLate[slot] as number)) continue
    let readyPrev = shifts ? releaseC : (state.tripReady[slot] as number)
    let node = start
    let i = first[slot] as number
    for (;;) {
      if (timed && readyPrev > closeC) break
      const bound = i === -1 ? (state.endLate[slot] as number) : (late[i] as number)
      if (--gap === 0) gap = blinks.draw()
      else if (!timed || bound >= doneC) {
        const target = i === -1 ? end : i
        const to = symmetric ? (distance[row + node] as number) : (distance[node * nodeCount + c] as number)
        const detour =
          to +
          (distance[row + target] as number) -
          (i === -1 ? (state.endLeg[slot] as number) : (leg[i] as number))
        const cost = detour * unit + extra
        if (cost < best && detour <= spareDistance) {
          let fits = true
          if (timed) {
            let now = readyPrev + (duration[symmetric ? row + node : node * nodeCount + c] as number) * factor
            if (now < openC) now = openC
            fits =
              now <= closeC &&
              now + serviceC <= doneBy &&
              now + serviceC + (duration[row + target] as number) * factor <= bound
            if (fits && model.hasDurationLimit) {
              const after = node === start ? -1 : node
              fits = durationFits(model, state, k, slot - k * maxTrips, after, false, c)
            }
          }
          if (fits) {
            best = cost
            bestSlot = slot
            bestAfter = node === start ? -1 : node
            bestSuccessor = successor
          }
        }
      }
      if (i === -1) break
      if (shifts) {
        readyPrev += (duration[node * nodeCount + i] as number) * factor
        if (readyPrev < (model.open[i] as number)) readyPrev = model.open[i] as number
        if (readyPrev > (late[i] as number)) break
        readyPrev += model.service[i] as number
      } else {
        readyPrev = ready[i] as number
      }
      node = i
      i = next[i] as number
    }
  }
  blinks.gap = gap
  if (bestSlot === -1) return
  place.cost = best
  place.vehicle = Math.floor(bestSlot / maxTrips)
  place.trip = bestSlot % maxTrips
  place.after = bestAfter
  place.isNewTrip = false
  place.takenOverBy = bestSuccessor
}

/** A trip of its own on a vehicle that already drives some. */
export function placeInNewTrip(model: Model, state: State, c: number, place: Place): void {
  const { distance, nodeCount } = model
  const groupOwner = placedGroupOwner(model, state, c)
  for (let u = state.usedCount - 1; u >= 0; u--) {
    const k = state.used[u] as number
    const count = state.tripCount[k] as number
    if (count >= (model.tripLimit[k] as number)) continue
    if (model.allowed[c * model.vehicleCount + k] === 0) continue
    if (groupOwner !== -1 && model.owner[k] !== groupOwner) continue
    const start = model.startNode[k] as number
    const end = model.endNode[k] as number
    const detour = (distance[start * nodeCount + c] as number) + (distance[c * nodeCount + end] as number)
    const cost = detour * (model.distanceCost[k] as number) + companyCost(model, state, c, k)
    if (cost >= place.cost || !fitsAlone(model, state, c, k, detour)) continue
    const base = k * model.maxTrips
    for (let trip = 0; trip <= count; trip++) {
      const from = trip === 0 ? (model.shiftStart[k] as number) : (state.tripEnd[base + trip - 1] as number)
      const bound = trip === count ? (model.returnBy[k] as number) : (state.tripLate[base + trip] as number)
      if (model.timed && !timeFitsAlone(model, c, k, from, bound)) continue
      if (model.hasDurationLimit && !durationFits(model, state, k, trip, -1, true, c)) continue
      setAlone(place, k, trip, cost)
      break
    }
  }
}

/** The first idle vehicle of each kind. */
export function placeInIdleVehicle(model: Model, state: State, c: number, place: Place): void {
  const { distance, nodeCount } = model
  const groupOwner = placedGroupOwner(model, state, c)
  for (const members of model.kindMembers) {
    // Members cost the same, so most kinds are out before the idle one is looked for.
    const any = members[0] as number
    const start = model.startNode[any] as number
    const end = model.endNode[any] as number
    const detour = (distance[start * nodeCount + c] as number) + (distance[c * nodeCount + end] as number)
    const driven = detour * (model.distanceCost[any] as number)
    if (driven + Math.min(model.fixedCost[any] as number, 0) >= place.cost) continue
    const k = firstIdle(state, members)
    if (k === -1 || model.allowed[c * model.vehicleCount + k] === 0) continue
    const owner = model.owner[k] as number
    if (groupOwner !== -1 && owner !== groupOwner) continue
    if ((state.ownerVehicles[owner] as number) === 0 && state.ownersUsed >= state.ownerLimit) continue
    const cost = driven + companyCost(model, state, c, k)
    if (cost >= place.cost || !fitsAlone(model, state, c, k, detour)) continue
    const ready = model.shiftStart[k] as number
    if (model.timed && !timeFitsAlone(model, c, k, ready, model.returnBy[k] as number)) continue
    if (model.hasDurationLimit && !durationFits(model, state, k, 0, -1, true, c)) continue
    setAlone(place, k, 0, cost)
  }
}

function timeFitsAlone(model: Model, c: number, k: number, from: number, bound: number): boolean {
  const { duration, nodeCount } = model
  const factor = model.durationFactor[k] as number
  const start = model.startNode[k] as number
  const end = model.endNode[k] as number
  let now = Math.max(from, model.release[c] as number) + (duration[start * nodeCount + c] as number) * factor
  now = Math.max(now, model.open[c] as number)
  if (now > (model.close[c] as number)) return false
  now += model.service[c] as number
  return (
    now <= (model.shiftEnd[k] as number) && now + (duration[c * nodeCount + end] as number) * factor <= bound
  )
}
