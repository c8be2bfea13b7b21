import type { Model } from "../problem/model.ts"
import { refresh } from "./refresh.ts"
import type { State } from "./state.ts"
import { attach, detach } from "./state.ts"

/** The trips of the vehicles touched since `begin`, so that a rejected change costs only what it touched. */
export type Journal = {
  /** Per vehicle: k, number of trips, then each trip's size and visits. */
  readonly record: Int32Array
  length: number
  readonly savedIn: Int32Array
  round: number
  readonly costs: Float64Array
  /** Visits whose windows changed, with what they were: visit, open, close. */
  readonly windows: number[]
}

export function createJournal(model: Model): Journal {
  const slots = model.vehicleCount * model.maxTrips
  return {
    record: new Int32Array(model.visitCount + slots + 2 * model.vehicleCount),
    length: 0,
    savedIn: new Int32Array(model.vehicleCount),
    round: 0,
    costs: new Float64Array(3),
    windows: [],
  }
}

export function begin(journal: Journal, state: State): void {
  journal.length = 0
  journal.round++
  journal.windows.length = 0
  journal.costs.set(state.costs)
}

/** To be called before the first change of vehicle k in a round; later calls do nothing. */
export function save(model: Model, state: State, journal: Journal, k: number): void {
  if (journal.savedIn[k] === journal.round) return
  journal.savedIn[k] = journal.round
  const { record } = journal
  const base = k * model.maxTrips
  const count = state.tripCount[k] as number
  let at = journal.length
  record[at++] = k
  record[at++] = count
  for (let slot = base; slot < base + count; slot++) {
    record[at++] = state.size[slot] as number
    for (let i = state.first[slot] as number; i !== -1; i = state.next[i] as number) record[at++] = i
  }
  journal.length = at
}

/** Narrows or widens when service at a linked visit may begin. Its vehicle has been saved, and is refreshed later. */
export function setWindow(model: Model, journal: Journal, i: number, open: number, close: number): void {
  journal.windows.push(i, model.open[i] as number, model.close[i] as number)
  model.open[i] = open
  model.close[i] = close
}

/** Puts every saved vehicle back. */
export function rollback(model: Model, state: State, journal: Journal): void {
  const { record, windows } = journal
  for (let at = windows.length - 3; at >= 0; at -= 3) {
    const i = windows[at] as number
    model.open[i] = windows[at + 1] as number
    model.close[i] = windows[at + 2] as number
  }
  forEachSaved(journal, (k) => {
    const base = k * model.maxTrips
    const count = state.tripCount[k] as number
    for (let slot = base; slot < base + count; slot++) {
      while (state.last[slot] !== -1) detach(model, state, state.last[slot] as number)
    }
  })
  forEachSaved(journal, (k, at) => {
    const base = k * model.maxTrips
    const count = record[at + 1] as number
    let from = at + 2
    for (let slot = base; slot < base + count; slot++) {
      const to = from + 1 + (record[from] as number)
      state.first[slot] = -1
      state.last[slot] = -1
      state.size[slot] = 0
      for (from++; from < to; from++)
        attach(model, state, record[from] as number, slot, state.last[slot] as number)
    }
    state.tripCount[k] = count
    refresh(model, state, k)
  })
  // Restores the sums exactly, so that rounding does not build up over millions of rounds.
  state.costs.set(journal.costs)
}

function forEachSaved(journal: Journal, act: (k: number, at: number) => void): void {
  const { record } = journal
  let at = 0
  while (at < journal.length) {
    const start = at
    let trips = record[at + 1] as number
    for (at += 2; trips > 0; trips--) at += 1 + (record[at] as number)
    act(record[start] as number, start)
  }
}
