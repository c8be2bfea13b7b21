import type { Model } from "../problem/model.ts"
import type { Blinks } from "../problem/place.ts"
import type { State } from "../search/state.ts"

/** Larger problems look only into trips that hold one of the nearest visits, and everywhere now and then. */
const everywhereUpTo = 250
const everywhereEvery = 20
const nearVisits = 30

/** Whether the next look for a place is one into all trips. */
export function looksEverywhere(model: Model, blinks: Blinks): boolean {
  blinks.isEverywhere = model.visitCount <= everywhereUpTo || --blinks.untilEverywhere <= 0
  if (blinks.isEverywhere) blinks.untilEverywhere = everywhereEvery
  return blinks.isEverywhere
}

/** Lists the trips to look into for a place of visit c, and returns how many. */
export function listTrips(model: Model, state: State, c: number, blinks: Blinks): number {
  return looksEverywhere(model, blinks)
    ? listAll(model, state, c, blinks.slots)
    : listNear(model, state, c, blinks.slots)
}

/** Trips that hold one of the visits nearest to c; returns how many. */
function listNear(model: Model, state: State, c: number, slots: Int32Array): number {
  const { neighbours, neighbourCount } = model
  const { slotOf, slotSeen } = state
  const round = ++state.seenRound
  const base = c * neighbourCount
  const limit = base + Math.min(nearVisits, neighbourCount)
  let count = 0
  for (let at = base; at < limit; at++) {
    const slot = slotOf[neighbours[at] as number] as number
    if (slot === -1 || slotSeen[slot] === round) continue
    slotSeen[slot] = round
    slots[count++] = slot
  }
  return count
}

/** All trips but those that lack room for c in the first dimension, which are most of them in a tight plan. */
export function listAll(model: Model, state: State, c: number, slots: Int32Array): number {
  const { maxTrips, dimensions, capacity } = model
  const { used, tripCount, load } = state
  const asksRoom = dimensions > 0 && !model.hasSiblings && !model.hasPairs
  const demand = asksRoom ? (model.demand[c * dimensions] as number) : 0
  let count = 0
  for (let u = state.usedCount - 1; u >= 0; u--) {
    const k = used[u] as number
    const limit = k * maxTrips + (tripCount[k] as number)
    const room = asksRoom ? (capacity[k * dimensions] as number) - demand : 0
    for (let slot = k * maxTrips; slot < limit; slot++) {
      if (asksRoom && (load[slot * dimensions] as number) > room) continue
      slots[count++] = slot
    }
  }
  return count
}
