import { slack } from "../evaluate/times.ts"
import { findPlace } from "../insertion/insertion.ts"
import { takeOver } from "../insertion/takeover.ts"
import type { LinkGroup } from "../problem/links.ts"
import type { Model } from "../problem/model.ts"
import type { Blinks, Place } from "../problem/place.ts"
import type { Journal } from "./journal.ts"
import { save, setWindow } from "./journal.ts"
import { openTrip, refresh } from "./refresh.ts"
import type { State } from "./state.ts"
import { attach, detach } from "./state.ts"

/**
 * Visits that wait for each other or start together, on different vehicles. While a group is placed, its visits have
 * narrower windows which keep every link whatever happens inside them, so all other steps stay tests of one vehicle.
 * A group is placed visit by visit and leaves as a whole.
 */

/** Places all absent visits of a group at their cheapest places, or none. Returns whether it did. */
export function placeGroup(
  model: Model,
  state: State,
  journal: Journal,
  group: LinkGroup,
  { blinks, place }: { blinks: Blinks; place: Place },
): boolean {
  let cost = 0
  let saved = 0
  for (const c of group.members) {
    saved += model.dropCost[c] as number
    narrow(model, state, journal, group, c)
    const barred = barOwners(model, state, group, c)
    findPlace(model, state, c, blinks, place, true)
    for (const at of barred) model.allowed[at] = 1
    cost += place.cost
    if (cost === Number.POSITIVE_INFINITY) break
    if (place.takenOverBy !== -1) takeOver(model, state, journal, place.vehicle, place.takenOverBy)
    const k = place.takenOverBy === -1 ? place.vehicle : place.takenOverBy
    save(model, state, journal, k)
    const slot = place.isNewTrip ? openTrip(model, state, k, place.trip) : k * model.maxTrips + place.trip
    attach(model, state, c, slot, place.after)
    refresh(model, state, k)
    if (state.slotOf[c] === -1) {
      cost = Number.POSITIVE_INFINITY
      break
    }
    settleTimes(model, state, journal, group, c)
  }
  if (cost < saved && group.members.every((i) => state.slotOf[i] !== -1)) return true
  removeGroup(model, state, journal, group)
  return false
}

/** Takes out what is left of a group, and gives its visits their own windows back. */
function removeGroup(model: Model, state: State, journal: Journal, group: LinkGroup): void {
  const vehicles = new Set<number>()
  for (const i of group.members) {
    if (state.slotOf[i] !== -1) {
      const k = vehicleOf(model, state, i)
      save(model, state, journal, k)
      vehicles.add(k)
      detach(model, state, i)
    }
    resetWindow(model, journal, i)
  }
  for (const k of vehicles) refresh(model, state, k)
}

/** Groups of which some visits had to leave lose the others as well. Returns whether all were whole. */
export function removePartialGroups(model: Model, state: State, journal: Journal): boolean {
  let wereWhole = true
  let isWhole = false
  while (!isWhole) {
    isWhole = true
    for (const group of model.linkGroups) {
      const placed = group.members.reduce((sum, i) => sum + (state.slotOf[i] === -1 ? 0 : 1), 0)
      if (placed === 0 || placed === group.members.length) continue
      isWhole = false
      wereWhole = false
      removeGroup(model, state, journal, group)
    }
  }
  return wereWhole
}

export function resetWindow(model: Model, journal: Journal, i: number): void {
  const windows = model.problem.visits[i]?.windows ?? []
  const open = windows[0]?.[0] ?? Number.NEGATIVE_INFINITY
  const close = windows.at(-1)?.[1] ?? Number.POSITIVE_INFINITY
  if (model.open[i] !== open || model.close[i] !== close) setWindow(model, journal, i, open, close)
}

/** Leaves absent visit c the times that its placed companions allow. */
function narrow(model: Model, state: State, journal: Journal, { links }: LinkGroup, c: number): void {
  resetWindow(model, journal, c)
  let open = model.open[c] as number
  let close = model.close[c] as number
  for (const { first, second, gap } of links) {
    const other = first === c ? second : second === c ? first : -1
    if (other === -1 || state.slotOf[other] === -1) continue
    const done = state.ready[other] as number
    if (gap === undefined) {
      open = Math.max(open, startOf(model, state, other))
      close = Math.min(close, state.late[other] as number)
    } else if (first === other) {
      open = Math.max(open, done + gap.min)
      close = Math.min(close, done + gap.max)
    }
  }
  setWindow(model, journal, c, open, close)
}

/** Forbids c the vehicles of people who are with a visit that starts at the same time; returns what to allow again. */
function barOwners(model: Model, state: State, { links }: LinkGroup, c: number): number[] {
  const barred: number[] = []
  for (const { first, second, gap } of links) {
    const other = first === c ? second : second === c ? first : -1
    if (gap !== undefined || other === -1 || state.slotOf[other] === -1) continue
    const owner = model.owner[vehicleOf(model, state, other)]
    for (let k = 0; k < model.vehicleCount; k++) {
      const at = c * model.vehicleCount + k
      if (model.owner[k] !== owner || model.allowed[at] === 0) continue
      model.allowed[at] = 0
      barred.push(at)
    }
  }
  return barred
}

/** Divides the time between c, just placed, and its companions, so that each may move without breaking a link. */
function settleTimes(model: Model, state: State, journal: Journal, { links }: LinkGroup, c: number): void {
  const vehicles = new Set([vehicleOf(model, state, c)])
  const start = startOf(model, state, c)
  const narrowTo = (i: number, open: number, close: number) => {
    const k = vehicleOf(model, state, i)
    save(model, state, journal, k)
    vehicles.add(k)
    setWindow(
      model,
      journal,
      i,
      Math.max(model.open[i] as number, open),
      Math.min(model.close[i] as number, close),
    )
  }
  for (const { first, second, gap } of links) {
    const other = first === c ? second : second === c ? first : -1
    if (other === -1 || state.slotOf[other] === -1) continue
    if (gap === undefined) {
      narrowTo(other, start, start + slack)
      narrowTo(c, start, start + slack)
    } else if (first === other) {
      const begun = startOf(model, state, other)
      const service = model.service[other] as number
      const latest = Math.max(begun, Math.min(model.close[other] as number, start - gap.min - service))
      narrowTo(other, gap.max === Number.POSITIVE_INFINITY ? Number.NEGATIVE_INFINITY : begun, latest + slack)
      narrowTo(c, latest + service + gap.min, begun + service + gap.max)
    }
  }
  for (const k of vehicles) refresh(model, state, k)
}

function startOf(model: Model, state: State, i: number): number {
  return (state.ready[i] as number) - (model.service[i] as number)
}

function vehicleOf(model: Model, state: State, i: number): number {
  return Math.floor((state.slotOf[i] as number) / model.maxTrips)
}
