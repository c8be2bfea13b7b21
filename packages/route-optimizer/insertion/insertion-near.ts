import { durationFits } from "../evaluate/duration.ts"
import type { Model } from "../problem/model.ts"
import type { Blinks, Place } from "../problem/place.ts"
import { hasRoom, placedGroupOwner } from "../problem/place.ts"
import type { State } from "../search/state.ts"
import { companyCost } from "../search/state.ts"

/** The cheapest position of absent visit c beside one of its near visits, if it is cheaper than `place`. */
export function placeBesideNear(model: Model, state: State, c: number, blinks: Blinks, place: Place): void {
  const { distance, duration, nodeCount, nearVisits, nearCount, symmetric, timed, maxTrips, dimensions } =
    model
  const { next, prev, slotOf, leg, endLeg, load } = state
  const isSoft = model.balanceWeight > 0 || model.areaCount > 0 || model.hasPreferences
  const firstDemand = dimensions > 0 ? (model.demand[c * dimensions] as number) : 0
  const groupOwner = placedGroupOwner(model, state, c)
  const row = c * nodeCount
  const base = c * nearCount
  const closeC = model.close[c] as number
  // Service at c ends then at the earliest.
  const doneC = (model.open[c] as number) + (model.service[c] as number)
  let gap = blinks.gap
  let best = place.cost
  let bestSlot = -1
  let bestAfter = -1

  for (let rank = 0; rank < nearCount; rank++) {
    const near = nearVisits[base + rank] as number
    const slot = slotOf[near] as number
    if (slot === -1) continue
    const k = maxTrips === 1 ? slot : Math.floor(slot / maxTrips)
    if (dimensions > 0) {
      const isFull =
        (load[slot * dimensions] as number) + firstDemand > (model.capacity[k * dimensions] as number)
      if (isFull || (dimensions > 1 && !hasRoom(model, state, c, slot, k))) continue
    }
    if (model.allowed[c * model.vehicleCount + k] === 0) continue
    if (groupOwner !== -1 && model.owner[k] !== groupOwner) continue
    const unit = model.distanceCost[k] as number
    const extra = isSoft ? companyCost(model, state, c, k) : 0
    const there = distance[row + near] as number
    const drive = timed ? (duration[row + near] as number) * (model.durationFactor[k] as number) : 0
    const isTooLateBehind = timed && (state.ready[near] as number) + (symmetric ? drive : 0) > closeC
    for (let side = timed && doneC + drive > (state.late[near] as number) ? 1 : 0; side < 2; side++) {
      if (side === 1 && isTooLateBehind) continue
      if (--gap === 0) {
        gap = blinks.draw()
        continue
      }
      const following = side === 0 ? near : (next[near] as number)
      const replaced = (following === -1 ? endLeg[slot] : leg[following]) as number
      // Where no detour is shorter than the direct way, the way over c is longer by at least this; an open end is at no distance.
      if (symmetric && following !== -1 && 2 * (there - replaced) * unit + extra >= best) continue
      const before = side === 0 ? (prev[near] as number) : near
      const from = before === -1 ? (model.startNode[k] as number) : before
      const to = following === -1 ? (model.endNode[k] as number) : following
      const detour =
        (symmetric ? (distance[row + from] as number) : (distance[from * nodeCount + c] as number)) +
        (distance[row + to] as number) -
        replaced
      const cost = detour * unit + extra
      if (cost >= best || !fitsBehind(model, state, c, k, slot, before, detour)) continue
      best = cost
      bestSlot = slot
      bestAfter = before
    }
  }
  blinks.gap = gap
  if (bestSlot === -1) return
  place.cost = best
  place.vehicle = Math.floor(bestSlot / maxTrips)
  place.trip = bestSlot % maxTrips
  place.after = bestAfter
  place.isNewTrip = false
  place.takenOverBy = -1
}

/** Whether visit c may follow `before` (-1: the hub) as to times and lengths. */
function fitsBehind(
  model: Model,
  state: State,
  c: number,
  k: number,
  slot: number,
  before: number,
  detour: number,
): boolean {
  if (
    model.hasDistanceLimit &&
    (state.vehicleDistance[k] as number) + detour > (model.maxDistance[k] as number)
  )
    return false
  if (!model.timed) return true
  const { duration, nodeCount } = model
  const factor = model.durationFactor[k] as number
  const following = (before === -1 ? state.first[slot] : state.next[before]) as number
  const from = before === -1 ? (model.startNode[k] as number) : before
  const to = following === -1 ? (model.endNode[k] as number) : following
  let now = (before === -1 ? state.tripReady[slot] : state.ready[before]) as number
  now += (duration[from * nodeCount + c] as number) * factor
  if (now < (model.open[c] as number)) now = model.open[c] as number
  if (now > (model.close[c] as number)) return false
  now += model.service[c] as number
  if (now > (model.shiftEnd[k] as number)) return false
  const bound = (following === -1 ? state.endLate[slot] : state.late[following]) as number
  if (now + (duration[c * nodeCount + to] as number) * factor > bound) return false
  return !model.hasDurationLimit || durationFits(model, state, k, slot - k * model.maxTrips, before, false, c)
}
