import { findPlace } from "../insertion/insertion.ts"
import { takeOver } from "../insertion/takeover.ts"
import type { Model } from "../problem/model.ts"
import { type Blinks, createPlace, type Place } from "../problem/place.ts"
import type { Random } from "../problem/random.ts"
import type { Journal } from "./journal.ts"
import { save } from "./journal.ts"
import { placeGroup, removePartialGroups } from "./linked.ts"
import { openTrip, refresh, refreshJoined } from "./refresh.ts"
import type { State } from "./state.ts"
import { attach, detach } from "./state.ts"

/** Visits absent for long that one round tries again, beside those just removed. */
const retriedPerRound = 10

export type RecreateScratch = {
  /** 1 when no vehicle can serve the visit even alone, so that no round needs to try. */
  readonly hopeless: Uint8Array
  /** 1 for candidates that were absent before the round. */
  readonly wasAbsent: Uint8Array
  readonly blinks: Blinks
  readonly place: Place
  readonly orders: readonly SortOrder[]
  readonly weightSum: number
}

type SortOrder = { readonly weight: number; readonly keys: Float64Array | undefined }

export function createRecreateScratch(model: Model, blinks: Blinks, hopeless: Uint8Array): RecreateScratch {
  const orders = sortOrders(model)
  return {
    hopeless,
    wasAbsent: new Uint8Array(model.visitCount),
    blinks,
    place: createPlace(),
    orders,
    weightSum: orders.reduce((sum, order) => sum + order.weight, 0),
  }
}

/** Orders of insertion and their weights, as in the article; keys ascend. */
function sortOrders(model: Model): SortOrder[] {
  const n = model.visitCount
  const by = (key: (i: number) => number) => Float64Array.from({ length: n }, (_, i) => key(i))
  const hubDistance = by((i) => {
    let nearest = Number.POSITIVE_INFINITY
    for (const hub of model.startNode) {
      nearest = Math.min(nearest, model.distance[hub * model.nodeCount + i] as number)
    }
    return nearest
  })
  const orders: SortOrder[] = [
    { weight: 4, keys: undefined },
    { weight: 4, keys: model.size.map((size) => -size) },
    { weight: 2, keys: hubDistance.map((distance) => -distance) },
    { weight: 1, keys: hubDistance },
  ]
  if (model.timed) {
    orders.push(
      { weight: 2, keys: by((i) => (model.close[i] as number) - (model.open[i] as number)) },
      { weight: 2, keys: model.open },
      { weight: 2, keys: model.close.map((close) => -close) },
    )
  }
  return orders
}

/**
 * Inserts absent visits one by one at their cheapest place, in a random order of the above.
 * @param kept visits that were already absent before the ruin
 */
export function recreate(
  model: Model,
  state: State,
  journal: Journal,
  scratch: RecreateScratch,
  random: Random,
  kept: number,
): void {
  if (model.hasLinks) removePartialGroups(model, state, journal)
  const candidates = choose(model, state, scratch, random, kept)
  arrange(candidates, scratch, random)
  const { place, blinks } = scratch
  for (const c of candidates) {
    const group = model.linkGroups[model.linkGroup[c] as number]
    if (group !== undefined) {
      placeGroup(model, state, journal, group, scratch)
      continue
    }
    // Most visits that are absent for long fit nowhere; looking everywhere for them is left to chance.
    findPlace(model, state, c, blinks, place, scratch.wasAbsent[c] === 0)
    const delivery = model.role[c] === 1 ? (model.partner[c] as number) : -1
    const saved = (model.dropCost[c] as number) + (delivery === -1 ? 0 : (model.dropCost[delivery] as number))
    if (place.cost >= saved) continue
    if (place.takenOverBy !== -1) takeOver(model, state, journal, place.vehicle, place.takenOverBy)
    const k = place.takenOverBy === -1 ? place.vehicle : place.takenOverBy
    save(model, state, journal, k)
    const slot = place.isNewTrip ? openTrip(model, state, k, place.trip) : k * model.maxTrips + place.trip
    attach(model, state, c, slot, place.after)
    if (delivery !== -1) attach(model, state, delivery, slot, place.deliveryAfter)
    if (place.isNewTrip || place.takenOverBy !== -1) refresh(model, state, k)
    else refreshJoined(model, state, k, slot, c)
  }
  // Taking out what is left of one may make visits of another one late, so until all are whole.
  let isWhole = false
  while (!isWhole) {
    isWhole = !model.hasLinks || removePartialGroups(model, state, journal)
    if (model.hasGroups && !dropPartialGroups(model, state, journal)) isWhole = false
  }
}

function choose(
  model: Model,
  state: State,
  scratch: RecreateScratch,
  random: Random,
  kept: number,
): number[] {
  const { absent, absentCount } = state
  const { wasAbsent, hopeless } = scratch
  const chosen: number[] = []
  for (let a = kept; a < absentCount; a++) {
    const c = absent[a] as number
    wasAbsent[c] = 0
    chosen.push(c)
  }
  const isFirstPlan = chosen.length === 0
  const retried = isFirstPlan ? kept : Math.min(kept, retriedPerRound)
  const from = retried < kept ? random.below(kept) : 0
  for (let a = 0; a < retried; a++) {
    const c = absent[(from + a) % kept] as number
    wasAbsent[c] = isFirstPlan ? 0 : 1
    chosen.push(c)
  }
  const servable = chosen.filter((c) => hopeless[c] === 0 && model.role[c] !== -1)
  return model.hasLinks ? oneOfEachGroup(model, servable) : servable
}

/** Linked visits are placed with their group, so its first visit stands for all. */
function oneOfEachGroup(model: Model, candidates: readonly number[]): number[] {
  const firsts = candidates.map((c) => model.linkGroups[model.linkGroup[c] as number]?.members[0] ?? c)
  return [...new Set(firsts)]
}

function arrange(candidates: number[], scratch: RecreateScratch, random: Random): void {
  for (let i = candidates.length - 1; i > 0; i--) {
    const j = random.below(i + 1)
    const moved = candidates[i] as number
    candidates[i] = candidates[j] as number
    candidates[j] = moved
  }
  let draw = random.next() * scratch.weightSum
  for (const { weight, keys } of scratch.orders) {
    draw -= weight
    if (draw >= 0) continue
    if (keys !== undefined) candidates.sort((a, b) => (keys[a] as number) - (keys[b] as number))
    return
  }
}

/**
 * A group is served whole or not at all. Where ways break the triangle inequality, taking one visit out can make
 * another one late, which leaves too and may tear a group that was whole: so until none is.
 * @returns whether all were whole
 */
function dropPartialGroups(model: Model, state: State, journal: Journal): boolean {
  let wereWhole = true
  let isWhole = false
  while (!isWhole) {
    isWhole = true
    model.groupMembers.forEach((members, group) => {
      const placed = state.groupPlaced[group] as number
      if (placed === 0 || placed === members.length) return
      isWhole = false
      wereWhole = false
      dropMembers(model, state, journal, members)
    })
  }
  return wereWhole
}

function dropMembers(model: Model, state: State, journal: Journal, members: Int32Array): void {
  const touched = new Set<number>()
  for (const member of members) {
    if (state.slotOf[member] === -1) continue
    const k = Math.floor((state.slotOf[member] as number) / model.maxTrips)
    save(model, state, journal, k)
    touched.add(k)
    detach(model, state, member)
  }
  for (const k of touched) refresh(model, state, k)
}
