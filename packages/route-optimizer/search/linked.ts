import { slack } from "../evaluate/times.ts"
import { findPlace } from "../insertion/insertion.ts"
import { takeOver } from "../insertion/takeover.ts"
import type { Link, LinkGroup } from "../problem/links.ts"
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
    const isPlaced = (i: number) => state.slotOf[i] !== -1
    const ofVisit = group.links.filter(
      ({ first, second }) => (first === c || second === c) && isPlaced(first) && isPlaced(second),
    )
    settleTimes(model, state, journal, ofVisit)
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

/** Divides the time between the visits of links, all placed, so that each may move without breaking a link. */
function settleTimes(model: Model, state: State, journal: Journal, links: readonly Link[]): void {
  const vehicles = new Set<number>()
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
    const [begun, start] = [startOf(model, state, first), startOf(model, state, second)]
    if (gap === undefined) {
      const both = Math.max(begun, start)
      for (const i of [first, second]) narrowTo(i, both, both + slack)
    } else {
      const service = model.service[first] as number
      const latest = Math.max(begun, Math.min(model.close[first] as number, start - gap.min - service))
      narrowTo(first, gap.max === Number.POSITIVE_INFINITY ? Number.NEGATIVE_INFINITY : begun, latest + slack)
      narrowTo(second, latest + service + gap.min, begun + service + gap.max)
    }
  }
  for (const k of vehicles) refresh(model, state, k)
}

/**
 * Lets linked visits start as early as their links allow, as the timetable does: the windows with which they were placed
 * keep times that visits which have left since, or were not there yet, asked for.
 */
export function startLinkedEarly(model: Model, state: State, journal: Journal): void {
  const isPlaced = (i: number) => state.slotOf[i] !== -1
  const linksOfPlaced = () =>
    model.linkGroups.flatMap(({ members, links }) => (members.every(isPlaced) ? links : []))
  const links = linksOfPlaced()
  let moved = new Set<number>()
  const move = (i: number) => {
    const k = vehicleOf(model, state, i)
    save(model, state, journal, k)
    moved.add(k)
  }
  for (const i of links.flatMap(({ first, second }) => [first, second])) {
    move(i)
    resetWindow(model, journal, i)
  }
  const raise = (i: number, open: number) => {
    if (!isPlaced(i) || startOf(model, state, i) >= open - slack) return
    move(i)
    setWindow(model, journal, i, open, model.close[i] as number)
  }
  while (moved.size > 0) {
    for (const k of moved) refresh(model, state, k)
    moved = new Set()
    for (const { first, second, gap } of links) {
      const service = model.service[first] as number
      raise(second, startOf(model, state, first) + (gap ? service + gap.min : 0))
      raise(first, startOf(model, state, second) - (gap ? service + gap.max : 0))
    }
  }
  removePartialGroups(model, state, journal)
  settleTimes(model, state, journal, linksOfPlaced())
}

function startOf(model: Model, state: State, i: number): number {
  return (state.ready[i] as number) - (model.service[i] as number)
}

function vehicleOf(model: Model, state: State, i: number): number {
  return Math.floor((state.slotOf[i] as number) / model.maxTrips)
}
