import type { Model } from "../problem/model.ts"

/**
 * The current plan of the search: trips as doubly linked lists of visits, with everything that the test of
 * an insertion reads kept beside the nodes. -1 stands for the hub at either end of a trip.
 */
export type State = {
  readonly next: Int32Array
  readonly prev: Int32Array
  /** Trip slot of the visit, -1 while it is absent. */
  readonly slotOf: Int32Array
  /** Distance from the node before. */
  readonly leg: Float64Array
  /** Earliest end of service. */
  readonly ready: Float64Array
  /** Latest start of service that keeps the rest of the vehicle's day feasible. */
  readonly late: Float64Array

  /**
   * Kept only under a duration limit, four per visit: shortest duration and latest start of the route up to the
   * end of service, and shortest duration and earliest start of the rest of the route from the start of service.
   */
  readonly spans: Float64Array

  readonly first: Int32Array
  readonly last: Int32Array
  readonly size: Int32Array
  /** slot * dimensions + dimension */
  readonly load: Float64Array
  /** Kept only with pickup and delivery pairs, like the loads: what is on board when leaving the hub, or the visit. */
  readonly departureLoad: Float64Array
  readonly aboard: Float64Array
  /** Distance of the last leg. */
  readonly endLeg: Float64Array
  /** Earliest departure from the hub and the latest one that still works. */
  readonly tripReady: Float64Array
  readonly tripLate: Float64Array
  /** Earliest and latest arrival at the end of the trip. */
  readonly tripEnd: Float64Array
  readonly endLate: Float64Array

  readonly tripCount: Int32Array
  readonly vehicleDistance: Float64Array
  /** Distance cost and shortfall under the minimum loads. */
  readonly vehicleCost: Float64Array
  /** The part of that which time, overtime and lateness cost. */
  readonly timeCost: Float64Array
  /** Vehicles with work, and where each is in that list. */
  readonly used: Int32Array
  readonly usedPosition: Int32Array
  usedCount: number
  /** Visits, what they count for where work is shared, and vehicles with work, per owner. */
  readonly ownerVisits: Int32Array
  readonly ownerShare: Float64Array
  readonly ownerVehicles: Int32Array
  ownersUsed: number
  /** owner * areaCount + area: visits there. */
  readonly ownerAreas: Int32Array
  /** Owner whose vehicles hold the placed members of a group, -1 when none is placed. */
  readonly groupOwner: Int32Array
  readonly groupPlaced: Int32Array

  readonly absent: Int32Array
  readonly absentPosition: Int32Array
  absentCount: number
  absentMandatory: number
  /** See cost indices below. */
  readonly costs: Float64Array
  /** Marks the trips that one look for a place has listed. */
  readonly slotSeen: Int32Array
  seenRound: number
  /** Vehicles that may be at work at once; the search for fewer vehicles lowers it. */
  ownerLimit: number
}

/** Distance and all soft terms, price of the vehicles, price of the absent visits. */
export const measuredCost = 0
const fixedCost = 1
const absentCost = 2

export function createState(model: Model): State {
  const n = model.visitCount
  const slots = model.vehicleCount * model.maxTrips
  const state: State = {
    next: new Int32Array(n).fill(-1),
    prev: new Int32Array(n).fill(-1),
    slotOf: new Int32Array(n).fill(-1),
    leg: new Float64Array(n),
    ready: new Float64Array(n),
    late: new Float64Array(n),
    spans: new Float64Array(model.hasDurationLimit ? 4 * n : 0),
    first: new Int32Array(slots).fill(-1),
    last: new Int32Array(slots).fill(-1),
    size: new Int32Array(slots),
    load: new Float64Array(slots * model.dimensions),
    departureLoad: new Float64Array(model.hasPairs ? slots * model.dimensions : 0),
    aboard: new Float64Array(model.hasPairs ? n * model.dimensions : 0),
    endLeg: new Float64Array(slots),
    tripReady: new Float64Array(slots),
    tripLate: new Float64Array(slots),
    tripEnd: new Float64Array(slots),
    endLate: new Float64Array(slots),
    tripCount: new Int32Array(model.vehicleCount),
    vehicleDistance: new Float64Array(model.vehicleCount),
    vehicleCost: new Float64Array(model.vehicleCount),
    timeCost: new Float64Array(model.vehicleCount),
    used: new Int32Array(model.vehicleCount),
    usedPosition: new Int32Array(model.vehicleCount).fill(-1),
    usedCount: 0,
    ownerVisits: new Int32Array(model.ownerCount),
    ownerShare: new Float64Array(model.ownerCount),
    ownerVehicles: new Int32Array(model.ownerCount),
    ownersUsed: 0,
    ownerAreas: new Int32Array(model.ownerCount * model.areaCount),
    groupOwner: new Int32Array(model.groupMembers.length).fill(-1),
    groupPlaced: new Int32Array(model.groupMembers.length),
    absent: Int32Array.from({ length: n }, (_, i) => i),
    absentPosition: Int32Array.from({ length: n }, (_, i) => i),
    absentCount: n,
    absentMandatory: model.mandatory.reduce((sum, flag) => sum + flag, 0),
    costs: Float64Array.of(
      0,
      0,
      model.dropCost.reduce((sum, cost) => sum + cost, 0),
    ),
    slotSeen: new Int32Array(slots),
    seenRound: 0,
    ownerLimit: model.ownerCount,
  }
  return state
}

export function totalCost(state: State): number {
  const { costs } = state
  return (costs[0] as number) + (costs[1] as number) + (costs[2] as number)
}

/** Puts an absent visit behind `after` (-1: at the front) of a trip. The vehicle needs a refresh afterwards. */
export function attach(model: Model, state: State, i: number, slot: number, after: number): void {
  const { next, prev, first, last, costs } = state
  const before = after === -1 ? (first[slot] as number) : (next[after] as number)
  next[i] = before
  prev[i] = after
  if (after === -1) first[slot] = i
  else next[after] = i
  if (before === -1) last[slot] = i
  else prev[before] = i
  state.slotOf[i] = slot
  state.size[slot] = (state.size[slot] as number) + 1

  unlistAbsent(state, i)
  state.absentMandatory -= model.mandatory[i] as number
  costs[absentCost] = (costs[absentCost] as number) - (model.dropCost[i] as number)
  countVisit(model, state, i, Math.floor(slot / model.maxTrips), 1)
}

/** Takes a visit out of its trip. The vehicle needs a refresh afterwards. */
export function detach(model: Model, state: State, i: number): void {
  const { next, prev, costs } = state
  const slot = state.slotOf[i] as number
  const before = prev[i] as number
  const after = next[i] as number
  if (before === -1) state.first[slot] = after
  else next[before] = after
  if (after === -1) state.last[slot] = before
  else prev[after] = before
  state.slotOf[i] = -1
  state.size[slot] = (state.size[slot] as number) - 1

  listAbsent(state, i)
  state.absentMandatory += model.mandatory[i] as number
  costs[absentCost] = (costs[absentCost] as number) + (model.dropCost[i] as number)
  countVisit(model, state, i, Math.floor(slot / model.maxTrips), -1)
}

export function listAbsent(state: State, i: number): void {
  state.absentPosition[i] = state.absentCount
  state.absent[state.absentCount++] = i
}

export function unlistAbsent(state: State, i: number): void {
  const hole = state.absentPosition[i] as number
  const moved = state.absent[--state.absentCount] as number
  state.absent[hole] = moved
  state.absentPosition[moved] = hole
}

/** What adding one visit to this vehicle costs beyond distance: its price when idle, balance, areas of other vehicles. */
export function companyCost(model: Model, state: State, i: number, k: number): number {
  const owner = model.owner[k] as number
  let cost = (state.ownerVehicles[owner] as number) === 0 ? (model.fixedCost[k] as number) : 0
  if (model.balanceWeight > 0) {
    const share = model.share[i] as number
    cost += model.balanceWeight * share * (2 * (state.ownerShare[owner] as number) + share)
  }
  const area = model.area[i] as number
  if (area >= 0 && (state.ownerAreas[owner * model.areaCount + area] as number) === 0)
    cost += model.areaWeight
  return cost + unpreferredCost(model, i, owner)
}

/** What it costs that the owner is not the one that should serve the visit. */
function unpreferredCost(model: Model, i: number, owner: number): number {
  const preferred = model.preferredOwner[i] as number
  return preferred === -1 || preferred === owner ? 0 : model.unpreferredWeight
}

export function countVisit(model: Model, state: State, i: number, k: number, step: 1 | -1): void {
  const { costs, ownerVisits } = state
  const owner = model.owner[k] as number
  const visits = ownerVisits[owner] as number
  ownerVisits[owner] = visits + step
  if (model.balanceWeight > 0) {
    const share = step * (model.share[i] as number)
    const before = state.ownerShare[owner] as number
    // Empty again is exactly empty, so that sums do not drift.
    state.ownerShare[owner] = visits + step === 0 ? 0 : before + share
    const more = model.balanceWeight * share * (2 * before + share)
    costs[measuredCost] = (costs[measuredCost] as number) + more
  }
  const area = model.area[i] as number
  if (area >= 0) {
    const at = owner * model.areaCount + area
    const there = state.ownerAreas[at] as number
    state.ownerAreas[at] = there + step
    const appears = step === 1 && there === 0
    const vanishes = step === -1 && there === 1
    if (appears || vanishes) costs[measuredCost] = (costs[measuredCost] as number) + step * model.areaWeight
  }
  if (model.hasPreferences)
    costs[measuredCost] = (costs[measuredCost] as number) + step * unpreferredCost(model, i, owner)
  const group = model.group[i] as number
  if (group >= 0) {
    const placed = (state.groupPlaced[group] as number) + step
    state.groupPlaced[group] = placed
    state.groupOwner[group] = placed === 0 ? -1 : owner
  }
}

/** Enters or leaves the list of vehicles at work, after the trips of k changed. */
export function markUse(model: Model, state: State, k: number): void {
  const isUsed = (state.tripCount[k] as number) > 0
  const at = state.usedPosition[k] as number
  if (isUsed === at >= 0) return
  const owner = model.owner[k] as number
  const { costs, used, usedPosition, ownerVehicles } = state
  if (isUsed) {
    usedPosition[k] = state.usedCount
    used[state.usedCount++] = k
    if ((ownerVehicles[owner] as number) === 0) {
      state.ownersUsed++
      costs[fixedCost] = (costs[fixedCost] as number) + (model.fixedCost[k] as number)
    }
    ownerVehicles[owner] = (ownerVehicles[owner] as number) + 1
    return
  }
  const moved = used[--state.usedCount] as number
  used[at] = moved
  usedPosition[moved] = at
  usedPosition[k] = -1
  ownerVehicles[owner] = (ownerVehicles[owner] as number) - 1
  if ((ownerVehicles[owner] as number) === 0) {
    state.ownersUsed--
    costs[fixedCost] = (costs[fixedCost] as number) - (model.fixedCost[k] as number)
  }
}
