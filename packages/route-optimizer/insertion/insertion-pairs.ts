import { arrivalAt, serviceFrom } from "../evaluate/times.ts"
import type { Model } from "../problem/model.ts"
import type { Blinks, Place } from "../problem/place.ts"
import { dayOf, type Joining } from "../search/day-of.ts"
import { hasRoomBehind } from "../search/loads-aboard.ts"
import { shortestDay } from "../search/shortest-day.ts"
import type { State } from "../search/state.ts"
import { companyCost } from "../search/state.ts"
import { addedTimeCost } from "../search/time-cost.ts"
import { listAll, listTrips } from "./candidate-trips.ts"
import { firstIdle } from "./takeover.ts"

/**
 * The cheapest place of pickup c and its delivery in one trip, into `place`; its cost is Infinity when there is none.
 *
 * Tries every position of the pickup, and from there on every later one of the delivery until the times or the load on
 * board forbid the next. Earliest times are carried along behind the pickup, so each position costs the same.
 */
export function findPairPlace(
  model: Model,
  state: State,
  c: number,
  blinks: Blinks,
  place: Place,
  isThorough: boolean,
): void {
  placeInTrips(model, state, c, blinks, place, listTrips(model, state, c, blinks))
  if (isThorough && !blinks.isEverywhere && place.cost === Number.POSITIVE_INFINITY)
    placeInTrips(model, state, c, blinks, place, listAll(model, state, c, blinks.slots))
  if (model.maxTrips > 1) {
    for (let u = state.usedCount - 1; u >= 0; u--) {
      const k = state.used[u] as number
      if ((state.tripCount[k] as number) < (model.tripLimit[k] as number)) tryAlone(model, state, c, k, place)
    }
  }
  for (const members of model.kindMembers) {
    const k = firstIdle(state, members)
    if (k !== -1) tryAlone(model, state, c, k, place)
  }
}

function placeInTrips(
  model: Model,
  state: State,
  c: number,
  blinks: Blinks,
  place: Place,
  slotCount: number,
): void {
  const { distance, nodeCount } = model
  const partner = model.partner[c] as number
  const release = Math.max(model.release[c] as number, model.release[partner] as number)
  for (let u = 0; u < slotCount; u++) {
    const slot = blinks.slots[u] as number
    const k = Math.floor(slot / model.maxTrips)
    if (!isAllowed(model, c, partner, k)) continue
    const extra = pairCost(model, state, c, partner, k)
    if (extra >= place.cost) continue
    const start = model.startNode[k] as number
    const end = model.endNode[k] as number
    const unit = model.distanceCost[k] as number
    let ready = Math.max(state.tripReady[slot] as number, release)
    if (ready > (state.tripLate[slot] as number)) continue
    const shifts = ready > (state.tripReady[slot] as number)
    const least = leastDetours(model, state, partner, slot, k, blinks.leastDetour)
    let node = start
    let i = state.first[slot] as number
    for (;;) {
      if (ready > (model.close[c] as number)) break
      const target = i === -1 ? end : i
      const leg = i === -1 ? (state.endLeg[slot] as number) : (state.leg[i] as number)
      const to = (distance[node * nodeCount + c] as number) - leg
      const apart =
        to +
        (distance[c * nodeCount + target] as number) +
        (i === -1 ? Number.POSITIVE_INFINITY : (least[i] as number))
      const together =
        to +
        (distance[c * nodeCount + partner] as number) +
        (distance[partner * nodeCount + target] as number)
      if (
        Math.min(apart, together) * unit + extra < place.cost &&
        hasRoomBehind(model, state, c, slot, k, node === start ? -1 : node)
      )
        deliverBehind(model, state, c, slot, k, node, ready, extra, blinks, place)
      if (i === -1) break
      if (shifts) {
        const begin = serviceFrom(model, k, i, arrivalAt(model, k, node, i, ready))
        if (begin > (state.late[i] as number)) break
        ready = begin + (model.service[i] as number)
      } else ready = state.ready[i] as number
      node = i
      i = state.next[i] as number
    }
  }
}

/** Per visit of the trip, the least distance that the delivery adds anywhere behind it. */
function leastDetours(
  model: Model,
  state: State,
  partner: number,
  slot: number,
  k: number,
  least: Float64Array,
): Float64Array {
  const { distance, nodeCount } = model
  let target = model.endNode[k] as number
  let leg = state.endLeg[slot] as number
  let lowest = Number.POSITIVE_INFINITY
  for (let i = state.last[slot] as number; i !== -1; i = state.prev[i] as number) {
    const detour =
      (distance[i * nodeCount + partner] as number) + (distance[partner * nodeCount + target] as number) - leg
    if (detour < lowest) lowest = detour
    least[i] = lowest
    target = i
    leg = state.leg[i] as number
  }
  return least
}

/** Every position of the delivery for a pickup behind `node`, which is left at `leave`. */
function deliverBehind(
  model: Model,
  state: State,
  c: number,
  slot: number,
  k: number,
  node: number,
  leave: number,
  extra: number,
  blinks: Blinks,
  place: Place,
): void {
  const { distance, nodeCount } = model
  const partner = model.partner[c] as number
  const unit = model.distanceCost[k] as number
  const end = model.endNode[k] as number
  const shiftEnd = model.shiftEnd[k] as number
  const after = node === model.startNode[k] ? -1 : node
  const begin = serviceFrom(model, k, c, arrivalAt(model, k, node, c, leave))
  let ready = begin + (model.service[c] as number)
  if (begin === Number.POSITIVE_INFINITY || ready > shiftEnd) return
  const spare = (model.maxDistance[k] as number) - (state.vehicleDistance[k] as number)
  // Distance of the pickup alone once the walk has passed the visit behind it.
  let detour = distance[node * nodeCount + c] as number
  let previous = c
  let i = after === -1 ? (state.first[slot] as number) : (state.next[after] as number)
  for (;;) {
    const target = i === -1 ? end : i
    const leg = i === -1 ? (state.endLeg[slot] as number) : (state.leg[i] as number)
    const added =
      detour +
      (distance[previous * nodeCount + partner] as number) +
      (distance[partner * nodeCount + target] as number) -
      leg
    const cost = added * unit + extra
    if (cost < place.cost && added <= spare) {
      if (--blinks.gap === 0) blinks.gap = blinks.draw()
      else {
        const from = serviceFrom(model, k, partner, arrivalAt(model, k, previous, partner, ready))
        const done = from + (model.service[partner] as number)
        const bound = i === -1 ? (state.endLate[slot] as number) : (state.late[i] as number)
        if (
          from !== Number.POSITIVE_INFINITY &&
          done <= shiftEnd &&
          arrivalAt(model, k, partner, target, done) <= bound
        ) {
          const trip = slot - k * model.maxTrips
          const joining = { c, trip, after, isNew: false, delivery: partner, deliveryAfter: previous }
          if (isShortEnoughWith(model, state, k, joining))
            keepIfCheaper(model, state, k, joining, cost, place)
        }
      }
    }
    if (i === -1) return
    if (previous === c) detour += (distance[c * nodeCount + i] as number) - leg
    if ((detour + (blinks.leastDetour[i] as number)) * unit + extra >= place.cost) return
    const arrived = serviceFrom(model, k, i, arrivalAt(model, k, previous, i, ready))
    if (arrived > (state.late[i] as number)) return
    if (!hasRoomBehind(model, state, c, slot, k, i)) return
    ready = arrived + (model.service[i] as number)
    previous = i
    i = state.next[i] as number
  }
}

function keepIfCheaper(
  model: Model,
  state: State,
  k: number,
  joining: Joining & { deliveryAfter: number },
  cost: number,
  place: Place,
): void {
  const whole = model.hasTimeCosts ? cost + addedTimeCost(model, state, k, joining) : cost
  if (whole >= place.cost) return
  place.cost = whole
  place.vehicle = k
  place.trip = joining.trip
  place.after = joining.after
  place.deliveryAfter = joining.deliveryAfter
  place.isNewTrip = joining.isNew
  place.takenOverBy = -1
}

function isAllowed(model: Model, c: number, partner: number, k: number): boolean {
  return (
    model.allowed[c * model.vehicleCount + k] === 1 && model.allowed[partner * model.vehicleCount + k] === 1
  )
}

/** What both ends cost beyond distance; the price of an idle vehicle once. */
function pairCost(model: Model, state: State, c: number, partner: number, k: number): number {
  const isIdle = (state.ownerVehicles[model.owner[k] as number] as number) === 0
  return (
    companyCost(model, state, c, k) +
    companyCost(model, state, partner, k) -
    (isIdle ? (model.fixedCost[k] as number) : 0) +
    2 * model.balanceWeight * (model.share[c] as number) * (model.share[partner] as number)
  )
}

/** A trip of its own: before, between or behind the present ones. */
function tryAlone(model: Model, state: State, c: number, k: number, place: Place): void {
  const { distance, nodeCount, dimensions } = model
  const partner = model.partner[c] as number
  if (!isAllowed(model, c, partner, k)) return
  const owner = model.owner[k] as number
  if ((state.ownerVehicles[owner] as number) === 0 && state.ownersUsed >= state.ownerLimit) return
  const start = model.startNode[k] as number
  const end = model.endNode[k] as number
  const detour =
    (distance[start * nodeCount + c] as number) +
    (distance[c * nodeCount + partner] as number) +
    (distance[partner * nodeCount + end] as number)
  const cost = detour * (model.distanceCost[k] as number) + pairCost(model, state, c, partner, k)
  if (cost >= place.cost) return
  for (let d = 0; d < dimensions; d++)
    if ((model.demand[c * dimensions + d] as number) > (model.capacity[k * dimensions + d] as number)) return
  const driven = state.usedPosition[k] === -1 ? 0 : (state.vehicleDistance[k] as number)
  if (driven + detour > (model.maxDistance[k] as number)) return
  const base = k * model.maxTrips
  const count = state.tripCount[k] as number
  const shiftEnd = model.shiftEnd[k] as number
  const release = Math.max(model.release[c] as number, model.release[partner] as number)
  for (let trip = 0; trip <= count; trip++) {
    const ready = trip === 0 ? (model.shiftStart[k] as number) : (state.tripEnd[base + trip - 1] as number)
    const bound = trip === count ? (model.returnBy[k] as number) : (state.tripLate[base + trip] as number)
    const begin = serviceFrom(model, k, c, arrivalAt(model, k, start, c, Math.max(ready, release)))
    if (begin === Number.POSITIVE_INFINITY) return
    const loaded = begin + (model.service[c] as number)
    const from = serviceFrom(model, k, partner, arrivalAt(model, k, c, partner, loaded))
    const done = from + (model.service[partner] as number)
    if (from === Number.POSITIVE_INFINITY || loaded > shiftEnd || done > shiftEnd) continue
    if (arrivalAt(model, k, partner, end, done) > bound) continue
    const joining = { c, trip, after: -1, isNew: true, delivery: partner, deliveryAfter: c }
    if (!isShortEnoughWith(model, state, k, joining)) continue
    keepIfCheaper(model, state, k, joining, cost, place)
    return
  }
}

/** Whether the day of vehicle k stays within its longest duration with both ends. */
function isShortEnoughWith(model: Model, state: State, k: number, joining: Joining): boolean {
  const longest = model.maxDuration[k] as number
  return (
    longest === Number.POSITIVE_INFINITY ||
    shortestDay(model, k, dayOf(model, state, k, joining), longest) <= longest
  )
}
