import type { State } from "../search/state.ts"
import type { Model } from "./model.ts"
import type { Random } from "./random.ts"

/** Where a visit goes, found by the functions below. */
export type Place = {
  vehicle: number
  /** Trip of the vehicle's day. */
  trip: number
  /** Visit before it, -1 for the hub. */
  after: number
  isNewTrip: boolean
  /** Idle vehicle that takes over the whole route, because the present one is too small; or -1. */
  takenOverBy: number
  /** Of the delivery of a pickup: the visit before it, which may be the pickup. */
  deliveryAfter: number
  cost: number
}

export function createPlace(): Place {
  return { vehicle: -1, trip: -1, after: -1, isNewTrip: false, takenOverBy: -1, deliveryAfter: -1, cost: 0 }
}

/**
 * Skips a share of the positions at random (blinks), which keeps the greedy insertion from repeating itself.
 * Drawing the gap to the next blink costs one random number per blink instead of one per position.
 */
export type Blinks = {
  gap: number
  readonly draw: () => number
  /** Trips to look at. */
  readonly slots: Int32Array
  /** Scratch of the insertion of pairs. */
  readonly leastDetour: Float64Array
  isEverywhere: boolean
  /** Looks until the next one everywhere. */
  untilEverywhere: number
}

export function createBlinks(model: Model, random: Random, rate: number): Blinks {
  const scale = 1 / Math.log(1 - rate)
  const draw = rate > 0 ? () => 1 + Math.floor(Math.log(1 - random.next()) * scale) : () => 1e15
  const slots = new Int32Array(model.vehicleCount * model.maxTrips)
  const leastDetour = new Float64Array(model.hasPairs ? model.visitCount : 0)
  return { gap: draw(), draw, slots, leastDetour, isEverywhere: true, untilEverywhere: 1 }
}

export function setAlone(place: Place, k: number, trip: number, cost: number): void {
  place.cost = cost
  place.vehicle = k
  place.trip = trip
  place.after = -1
  place.isNewTrip = true
  place.takenOverBy = -1
}

/** Owner that the placed members of c's group bind it to, or -1. */
export function placedGroupOwner(model: Model, state: State, c: number): number {
  if (!model.hasGroups) return -1
  const group = model.group[c] as number
  return group === -1 ? -1 : (state.groupOwner[group] as number)
}

export function hasRoom(model: Model, state: State, c: number, slot: number, k: number): boolean {
  const { dimensions, demand, capacity } = model
  for (let d = 0; d < dimensions; d++) {
    const load = (state.load[slot * dimensions + d] as number) + (demand[c * dimensions + d] as number)
    if (load > (capacity[k * dimensions + d] as number)) return false
  }
  return true
}

/** Capacity of an empty trip, and the distance that the vehicle has left. */
export function fitsAlone(model: Model, state: State, c: number, k: number, detour: number): boolean {
  const { dimensions, demand, capacity } = model
  for (let d = 0; d < dimensions; d++) {
    if ((demand[c * dimensions + d] as number) > (capacity[k * dimensions + d] as number)) return false
  }
  const distance = state.usedPosition[k] === -1 ? 0 : (state.vehicleDistance[k] as number)
  return distance + detour <= (model.maxDistance[k] as number)
}
