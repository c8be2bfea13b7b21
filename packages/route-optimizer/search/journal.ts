import type { Model } from "../problem/model.ts"
import type { State } from "./state.ts"
import { countVisit, listAbsent, markUse, unlistAbsent } from "./state.ts"

/**
 * The vehicles touched since `begin` as they were, with everything that was measured of them, so that a rejected change
 * costs only copying them back.
 */
export type Journal = {
  /** Per vehicle: k, number of trips, then each trip's size and visits. */
  readonly record: Int32Array
  length: number
  /** What was measured: of the vehicle, of each trip and its visits, in the same order. */
  readonly values: Float64Array
  valueCount: number
  readonly savedIn: Int32Array
  round: number
  /** Round in which a rollback met the visit in the record. */
  readonly recordedIn: Int32Array
  readonly costs: Float64Array
  absentCount: number
  absentMandatory: number
  /** Visits whose windows changed, with what they were: visit, open, close. */
  readonly windows: number[]
}

export function createJournal(model: Model): Journal {
  const slots = model.vehicleCount * model.maxTrips
  const { dimensions } = model
  const perSlot = 5 + 2 * dimensions
  const perVisit = 3 + (model.hasDurationLimit ? 4 : 0) + (model.hasPairs ? dimensions : 0)
  return {
    record: new Int32Array(model.visitCount + slots + 2 * model.vehicleCount),
    length: 0,
    values: new Float64Array(perVisit * model.visitCount + perSlot * slots + 3 * model.vehicleCount),
    valueCount: 0,
    savedIn: new Int32Array(model.vehicleCount),
    round: 0,
    recordedIn: new Int32Array(model.visitCount),
    costs: new Float64Array(3),
    absentCount: 0,
    absentMandatory: 0,
    windows: [],
  }
}

export function begin(journal: Journal, state: State): void {
  journal.length = 0
  journal.valueCount = 0
  journal.round++
  journal.windows.length = 0
  journal.costs.set(state.costs)
  journal.absentCount = state.absentCount
  journal.absentMandatory = state.absentMandatory
}

/** To be called before the first change of vehicle k in a round; later calls do nothing. */
export function save(model: Model, state: State, journal: Journal, k: number): void {
  if (journal.savedIn[k] === journal.round) return
  journal.savedIn[k] = journal.round
  const { record, values } = journal
  const { next, leg, ready, late } = state
  const { dimensions } = model
  const base = k * model.maxTrips
  const count = state.tripCount[k] as number
  let at = journal.length
  let v = journal.valueCount
  record[at++] = k
  record[at++] = count
  values[v++] = state.vehicleDistance[k] as number
  values[v++] = state.vehicleCost[k] as number
  values[v++] = state.timeCost[k] as number
  for (let slot = base; slot < base + count; slot++) {
    record[at++] = state.size[slot] as number
    values[v++] = state.endLeg[slot] as number
    values[v++] = state.tripReady[slot] as number
    values[v++] = state.tripLate[slot] as number
    values[v++] = state.tripEnd[slot] as number
    values[v++] = state.endLate[slot] as number
    v += copy(state.load, slot * dimensions, values, v, dimensions)
    if (model.hasPairs) v += copy(state.departureLoad, slot * dimensions, values, v, dimensions)
    for (let i = state.first[slot] as number; i !== -1; i = next[i] as number) {
      record[at++] = i
      values[v++] = leg[i] as number
      values[v++] = ready[i] as number
      values[v++] = late[i] as number
      if (model.hasDurationLimit) v += copy(state.spans, i * 4, values, v, 4)
      if (model.hasPairs) v += copy(state.aboard, i * dimensions, values, v, dimensions)
    }
  }
  journal.length = at
  journal.valueCount = v
}

/** Returns `count`. */
function copy(from: Float64Array, at: number, to: Float64Array, index: number, count: number): number {
  for (let n = 0; n < count; n++) to[index + n] = from[at + n] as number
  return count
}

/** Narrows or widens when service at a linked visit may begin. Its vehicle has been saved, and is refreshed later. */
export function setWindow(model: Model, journal: Journal, i: number, open: number, close: number): void {
  journal.windows.push(i, model.open[i] as number, model.close[i] as number)
  model.open[i] = open
  model.close[i] = close
}

/** Puts every saved vehicle back. */
export function rollback(model: Model, state: State, journal: Journal): void {
  const { windows } = journal
  for (let at = windows.length - 3; at >= 0; at -= 3) {
    const i = windows[at] as number
    model.open[i] = windows[at + 1] as number
    model.close[i] = windows[at + 2] as number
  }
  if (journal.absentCount > 0) removeNewcomers(model, state, journal)
  let at = 0
  let v = 0
  while (at < journal.length) {
    const k = journal.record[at] as number
    const count = journal.record[at + 1] as number
    at += 2
    state.vehicleDistance[k] = journal.values[v++] as number
    state.vehicleCost[k] = journal.values[v++] as number
    state.timeCost[k] = journal.values[v++] as number
    for (let t = 0; t < count; t++) {
      v = putBackTrip(model, state, journal, k, t, at, v)
      at += 1 + (journal.record[at] as number)
    }
    state.tripCount[k] = count
    markUse(model, state, k)
  }
  // Restores the sums exactly, so that rounding does not build up over millions of rounds.
  state.costs.set(journal.costs)
  state.absentMandatory = journal.absentMandatory
}

/** Visits that were absent, and have a place since, leave it. */
function removeNewcomers(model: Model, state: State, journal: Journal): void {
  const { record, recordedIn, round } = journal
  const vehicles: number[] = []
  for (let at = 0; at < journal.length; ) {
    vehicles.push(record[at] as number)
    let trips = record[at + 1] as number
    for (at += 2; trips > 0; trips--) {
      const end = at + 1 + (record[at] as number)
      for (at++; at < end; at++) recordedIn[record[at] as number] = round
    }
  }
  for (const k of vehicles) {
    const base = k * model.maxTrips
    for (let slot = base; slot < base + (state.tripCount[k] as number); slot++) {
      for (let i = state.first[slot] as number; i !== -1; i = state.next[i] as number) {
        if (recordedIn[i] === round) continue
        state.slotOf[i] = -1
        listAbsent(state, i)
        countVisit(model, state, i, k, -1)
      }
    }
  }
}

/** Trip t of k as it is recorded at `at`, with its values at `v`; returns the index of the values behind them. */
function putBackTrip(
  model: Model,
  state: State,
  journal: Journal,
  k: number,
  t: number,
  at: number,
  v: number,
): number {
  const { record, values } = journal
  const { next, prev, slotOf, leg, ready, late } = state
  const { dimensions } = model
  const slot = k * model.maxTrips + t
  const size = record[at] as number
  state.size[slot] = size
  state.endLeg[slot] = values[v++] as number
  state.tripReady[slot] = values[v++] as number
  state.tripLate[slot] = values[v++] as number
  state.tripEnd[slot] = values[v++] as number
  state.endLate[slot] = values[v++] as number
  v += copy(values, v, state.load, slot * dimensions, dimensions)
  if (model.hasPairs) v += copy(values, v, state.departureLoad, slot * dimensions, dimensions)
  state.first[slot] = -1
  let before = -1
  for (let n = at + 1; n <= at + size; n++) {
    const i = record[n] as number
    const now = slotOf[i] as number
    if (now !== slot) {
      const from = now === -1 ? -1 : Math.floor(now / model.maxTrips)
      if (from === -1) unlistAbsent(state, i)
      else if (from !== k) countVisit(model, state, i, from, -1)
      if (from !== k) countVisit(model, state, i, k, 1)
      slotOf[i] = slot
    }
    prev[i] = before
    if (before === -1) state.first[slot] = i
    else next[before] = i
    before = i
    leg[i] = values[v++] as number
    ready[i] = values[v++] as number
    late[i] = values[v++] as number
    if (model.hasDurationLimit) v += copy(values, v, state.spans, i * 4, 4)
    if (model.hasPairs) v += copy(values, v, state.aboard, i * dimensions, dimensions)
  }
  if (before !== -1) next[before] = -1
  state.last[slot] = before
  return v
}
