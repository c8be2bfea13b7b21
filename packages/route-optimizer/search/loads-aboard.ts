import type { Model } from "../problem/model.ts"
import type { State } from "./state.ts"

/**
 * With pickup and delivery pairs the load of a trip rises and falls, so room is a matter of the position: goods from
 * the hub need it on every leg up to their visit, those of a pair on the legs between its ends.
 */

/** Fills what vehicle k has on board along its trips. */
export function measureLoads(model: Model, state: State, k: number): void {
  const { dimensions, demand, role, partner } = model
  const { aboard, departureLoad, next } = state
  const base = k * model.maxTrips
  const limit = base + (state.tripCount[k] as number)
  for (let slot = base; slot < limit; slot++) {
    for (let d = 0; d < dimensions; d++) {
      let load = 0
      for (let i = state.first[slot] as number; i !== -1; i = next[i] as number)
        if (role[i] === 0) load += demand[i * dimensions + d] as number
      departureLoad[slot * dimensions + d] = load
      for (let i = state.first[slot] as number; i !== -1; i = next[i] as number) {
        if (role[i] === 0) load -= demand[i * dimensions + d] as number
        else if (role[i] === 1) load += demand[i * dimensions + d] as number
        else load -= demand[(partner[i] as number) * dimensions + d] as number
        aboard[i * dimensions + d] = load
      }
    }
  }
}

/** Whether the goods of visit c fit beside what is on board behind `after` (-1: the hub) in a trip of vehicle k. */
export function hasRoomBehind(
  model: Model,
  state: State,
  c: number,
  slot: number,
  k: number,
  after: number,
): boolean {
  const { dimensions, demand, capacity } = model
  const loads = after === -1 ? state.departureLoad : state.aboard
  const row = (after === -1 ? slot : after) * dimensions
  for (let d = 0; d < dimensions; d++) {
    const load = (loads[row + d] as number) + (demand[c * dimensions + d] as number)
    if (load > (capacity[k * dimensions + d] as number)) return false
  }
  return true
}
