import { settle } from "../insertion/takeover.ts"
import type { Model } from "../problem/model.ts"
import type { Random } from "../problem/random.ts"
import type { Journal } from "./journal.ts"
import { save } from "./journal.ts"
import { resetWindow } from "./linked.ts"
import { refresh } from "./refresh.ts"
import type { State } from "./state.ts"
import { detach } from "./state.ts"

/**
 * Adjacent string removal: J. Christiaens, G. Vanden Berghe, "Slack Induction by String Removals for Vehicle
 * Routing Problems", Transportation Science 54 (2020), section 5.1, with the parameters found there.
 */
const longestString = 10
const splitShare = 0.5
const splitGrowth = 0.01
/** Share of removals that take the whole group of a visit along, so that it can change its vehicle. */
const groupShare = 0.5

export type RuinScratch = {
  /** Round in which a trip slot was ruined last. */
  readonly slotRound: Int32Array
  readonly vehicles: Int32Array
  readonly vehicleRound: Int32Array
  round: number
}

export function createRuinScratch(model: Model): RuinScratch {
  return {
    slotRound: new Int32Array(model.vehicleCount * model.maxTrips),
    vehicles: new Int32Array(model.vehicleCount),
    vehicleRound: new Int32Array(model.vehicleCount),
    round: 0,
  }
}

/**
 * Takes strings of visits out of trips that pass near a random seed visit.
 * @param meanRemoved visits that a removal takes on average
 */
export function ruin(
  model: Model,
  state: State,
  journal: Journal,
  scratch: RuinScratch,
  random: Random,
  meanRemoved: number,
): void {
  const placed = model.visitCount - state.absentCount
  if (placed === 0) return
  let trips = 0
  for (let u = 0; u < state.usedCount; u++) trips += state.tripCount[state.used[u] as number] as number
  const longest = Math.min(longestString, placed / trips)
  const maxStrings = (4 * meanRemoved) / (1 + longest) - 1
  let strings = Math.max(1, Math.floor(random.next() * maxStrings + 1))

  const round = ++scratch.round
  let touched = 0
  const touch = (i: number) => {
    const k = Math.floor((state.slotOf[i] as number) / model.maxTrips)
    save(model, state, journal, k)
    if (scratch.vehicleRound[k] === round) return
    scratch.vehicleRound[k] = round
    scratch.vehicles[touched++] = k
  }
  const take = (i: number) => {
    touch(i)
    detach(model, state, i)
    // The other end of a pair is on the same vehicle.
    const partner = model.partner[i] as number
    if (partner !== -1 && state.slotOf[partner] !== -1) detach(model, state, partner)
    const linked = model.linkGroups[model.linkGroup[i] as number]
    if (linked !== undefined) {
      for (const member of linked.members) {
        if (state.slotOf[member] !== -1) {
          touch(member)
          detach(model, state, member)
        }
        resetWindow(model, journal, member)
      }
    }
    if (!model.hasGroups) return
    const group = model.group[i] as number
    if (group === -1 || random.next() >= groupShare) return
    for (const member of model.groupMembers[group] ?? []) {
      if (state.slotOf[member] === -1) continue
      touch(member)
      detach(model, state, member)
    }
  }

  const seed = random.below(model.visitCount)
  for (let rank = -1; rank < model.neighbourCount && strings > 0; rank++) {
    const c = rank === -1 ? seed : (model.neighbours[seed * model.neighbourCount + rank] as number)
    const slot = state.slotOf[c] as number
    if (slot === -1 || scratch.slotRound[slot] === round) continue
    scratch.slotRound[slot] = round
    strings--
    const size = state.size[slot] as number
    const length = 1 + random.below(Math.max(1, Math.floor(Math.min(size, longest))))
    if (length > 1 && length < size && random.next() < splitShare) {
      takeSplitString(state, random, c, length, size, take)
    } else {
      takeString(state, random, c, length, take)
    }
  }
  for (let t = 0; t < touched; t++) {
    const k = scratch.vehicles[t] as number
    refresh(model, state, k)
    if (model.hasSiblings) settle(model, state, journal, k)
  }
}

/**
 * `length` consecutive visits that include c. A visit that its group took along before keeps its link
 * forward, so the string goes on behind it.
 */
function takeString(
  state: State,
  random: Random,
  c: number,
  length: number,
  take: (i: number) => void,
): void {
  let i = stringStart(state, random, c, length)
  for (let taken = 0; taken < length && i !== -1; taken++) {
    const following = state.next[i] as number
    if (state.slotOf[i] !== -1) take(i)
    i = following
  }
}

/** `length` visits around c out of a longer string, whose middle part stays. */
function takeSplitString(
  state: State,
  random: Random,
  c: number,
  length: number,
  size: number,
  take: (i: number) => void,
): void {
  let kept = 1
  while (length + kept < size && random.next() < splitGrowth) kept++
  const whole = length + kept
  let i = stringStart(state, random, c, whole)
  const keepFrom = 1 + random.below(length - 1)
  for (let at = 0; at < whole && i !== -1; at++) {
    const following = state.next[i] as number
    const isKept = at >= keepFrom && at < keepFrom + kept
    if (!isKept && state.slotOf[i] !== -1) take(i)
    i = following
  }
}

function stringStart({ prev, next }: State, random: Random, c: number, length: number): number {
  let before = 0
  for (let i = prev[c] as number; i !== -1 && before < length - 1; i = prev[i] as number) before++
  let behind = 0
  for (let i = next[c] as number; i !== -1 && behind < length - 1; i = next[i] as number) behind++
  // The string may end at c, or begin so far before it that it reaches the end of the trip.
  const least = length - 1 - behind
  let back = before - random.below(before - least + 1)
  let i = c
  while (back-- > 0 && prev[i] !== -1) i = prev[i] as number
  return i
}
