import type { Model } from "../problem/model.ts"
import type { Journal } from "../search/journal.ts"
import { save } from "../search/journal.ts"
import { openTrip, refresh } from "../search/refresh.ts"
import type { State } from "../search/state.ts"
import { attach, detach } from "../search/state.ts"

/**
 * Mixed fleets: a route as it is may belong on a smaller, larger or cheaper idle vehicle. Removals settle
 * shortened routes on the cheapest one, and insertions may price in the step to a larger one; removal and
 * insertion alone would have to empty a route to change its vehicle.
 */

/** Price difference when idle vehicle `to` takes over the route of k. */
export function takeoverCost(model: Model, state: State, k: number, to: number): number {
  const perDistance = (model.distanceCost[to] as number) - (model.distanceCost[k] as number)
  return (
    (model.fixedCost[to] as number) -
    (model.fixedCost[k] as number) +
    (state.vehicleDistance[k] as number) * perDistance
  )
}

/** The cheapest idle sibling that has room for visit c in the trip beside everything else of k, or -1. */
export function cheapestSuccessor(model: Model, state: State, k: number, slot: number, c: number): number {
  const { dimensions } = model
  const detour = 2 * model.legScale
  let best = -1
  let least = Number.POSITIVE_INFINITY
  for (const kind of model.siblings[model.kind[k] as number] ?? []) {
    const to = firstIdle(state, model.kindMembers[kind] as Int32Array)
    if (to === -1 || !carries(model, state, k, to)) continue
    let hasRoom = true
    for (let d = 0; d < dimensions; d++) {
      const load =
        (state.load[slot * dimensions + d] as number) + (model.demand[c * dimensions + d] as number)
      if (load > (model.capacity[to * dimensions + d] as number)) hasRoom = false
    }
    if (!hasRoom) continue
    const cost = takeoverCost(model, state, k, to) + detour * (model.distanceCost[to] as number)
    if (cost >= least) continue
    least = cost
    best = to
  }
  return best
}

/** Moves the route of k to the cheapest idle sibling, when that costs less. */
export function settle(model: Model, state: State, journal: Journal, k: number): void {
  if ((state.tripCount[k] as number) === 0) return
  let best = -1
  let least = -1e-9
  for (const kind of model.siblings[model.kind[k] as number] ?? []) {
    const to = firstIdle(state, model.kindMembers[kind] as Int32Array)
    if (to === -1 || !carries(model, state, k, to)) continue
    const cost = takeoverCost(model, state, k, to)
    if (cost >= least) continue
    least = cost
    best = to
  }
  if (best !== -1) takeOver(model, state, journal, k, best)
}

/** Idle vehicle `to` drives the trips of k from now on. */
export function takeOver(model: Model, state: State, journal: Journal, k: number, to: number): void {
  save(model, state, journal, k)
  save(model, state, journal, to)
  const from = k * model.maxTrips
  const count = state.tripCount[k] as number
  for (let t = 0; t < count; t++) {
    const slot = openTrip(model, state, to, t)
    while (state.first[from + t] !== -1) {
      const i = state.first[from + t] as number
      detach(model, state, i)
      attach(model, state, i, slot, state.last[slot] as number)
    }
  }
  refresh(model, state, k)
  refresh(model, state, to)
}

/** The first idle vehicle of a kind, or -1. */
export function firstIdle(state: State, members: Int32Array): number {
  for (let m = 0; m < members.length; m++) {
    const k = members[m] as number
    if (state.usedPosition[k] === -1) return k
  }
  return -1
}

function carries(model: Model, state: State, k: number, to: number): boolean {
  const { dimensions } = model
  const base = k * model.maxTrips
  const limit = base + (state.tripCount[k] as number)
  for (let slot = base; slot < limit; slot++) {
    for (let d = 0; d < dimensions; d++) {
      if ((state.load[slot * dimensions + d] as number) > (model.capacity[to * dimensions + d] as number))
        return false
    }
  }
  return true
}
