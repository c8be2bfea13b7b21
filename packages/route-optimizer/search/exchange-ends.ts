import { arrivalAt } from "../evaluate/times.ts"
import type { Model } from "../problem/model.ts"
import { begin, rollback, save } from "./journal.ts"
import { refresh } from "./refresh.ts"
import { keepIfBest, type Search } from "./search.ts"
import type { State } from "./state.ts"
import { attach, detach, totalCost } from "./state.ts"

/** Whether the ends of two routes may change places: nothing binds visits to each other or to a trip. */
export function canExchangeEnds(model: Model): boolean {
  return model.maxTrips === 1 && !model.hasPairs && !model.hasLinks && !model.hasGroups && model.nearCount > 0
}

/** The visits of vehicles k and l after an exchange; l is k where it stays within one route. */
type Exchange = {
  readonly k: number
  readonly l: number
  readonly first: number[]
  readonly second: number[]
}

/**
 * Joins a random visit with one that is near to it by exchanging the ends of their routes (2-opt*) and keeps the result by
 * simulated annealing. A removal takes ten visits of a route at most, so removals alone could not move long ends.
 */
export function exchangeEnds(search: Search, temperature: number): void {
  const { model, state, random, journal } = search
  const c = random.below(model.visitCount)
  const k = state.slotOf[c] as number
  if (k === -1) return
  const v = model.nearVisits[c * model.nearCount + random.below(model.nearCount)] as number
  const l = state.slotOf[v] as number
  if (l === -1 || model.kind[k] !== model.kind[l]) return
  const mayReverse = model.symmetric && !model.hasWindows
  const reverses = mayReverse && (l === k || random.next() < 0.5)
  if (l === k && !reverses) return
  const bound = -temperature * Math.log(random.next())
  const longer = reverses ? turnedBack(model, state, c, v) : exchanged(model, state, c, v)
  if (longer * (model.distanceCost[k] as number) - savedVehicle(model, state, c, v, reverses) >= bound) return
  if (model.timed && !reverses && !isInTime(model, state, c, v)) return
  const exchange = l === k ? turnWithin(state, c, v) : reverses ? turnBack(state, c, v) : swap(state, c, v)
  if (exchange === undefined || !hasRoom(model, exchange)) return

  const before = totalCost(state)
  const absentBefore = state.absentCount
  begin(journal, state)
  save(model, state, journal, k)
  save(model, state, journal, l)
  drive(model, state, exchange)
  refresh(model, state, k)
  if (l !== k) refresh(model, state, l)
  const cost = totalCost(state)
  if (state.absentCount !== absentBefore || cost >= before + bound) rollback(model, state, journal)
  else if (cost < search.bestCost) keepIfBest(search)
}

const nodeBefore = (model: Model, state: State, i: number) =>
  state.prev[i] === -1 ? (model.startNode[state.slotOf[i] as number] as number) : (state.prev[i] as number)
const nodeBehind = (model: Model, state: State, i: number) =>
  state.next[i] === -1 ? (model.endNode[state.slotOf[i] as number] as number) : (state.next[i] as number)
const legBehind = (state: State, i: number) =>
  (state.next[i] === -1
    ? state.endLeg[state.slotOf[i] as number]
    : state.leg[state.next[i] as number]) as number

/** Distance added when v follows c, and what followed c follows the visit before v. */
function exchanged(model: Model, state: State, c: number, v: number): number {
  const { distance, nodeCount } = model
  const isEmptied = state.prev[v] === -1 && state.next[c] === -1
  const joined = isEmptied
    ? 0
    : (distance[nodeBefore(model, state, v) * nodeCount + nodeBehind(model, state, c)] as number)
  return (distance[c * nodeCount + v] as number) + joined - legBehind(state, c) - (state.leg[v] as number)
}

/** Distance added when v follows c, and what followed v follows what followed c, turned round. */
function turnedBack(model: Model, state: State, c: number, v: number): number {
  const { distance, nodeCount } = model
  return (
    (distance[c * nodeCount + v] as number) +
    (distance[nodeBehind(model, state, c) * nodeCount + nodeBehind(model, state, v)] as number) -
    legBehind(state, c) -
    legBehind(state, v)
  )
}

/** The price of the vehicle that is left without work, if one is. */
function savedVehicle(model: Model, state: State, c: number, v: number, reverses: boolean): number {
  const isEmptied = state.next[c] === -1 && (reverses ? state.next[v] : state.prev[v]) === -1
  return isEmptied ? (model.fixedCost[state.slotOf[v] as number] as number) : 0
}

function isInTime(model: Model, state: State, c: number, v: number): boolean {
  const k = state.slotOf[c] as number
  const l = state.slotOf[v] as number
  const n = state.next[c] as number
  const p = state.prev[v] as number
  if (arrivalAt(model, k, c, v, state.ready[c] as number) > (state.late[v] as number)) return false
  if (p === -1 && n === -1) return true
  const ready = p === -1 ? (state.tripReady[l] as number) : (state.ready[p] as number)
  const bound = n === -1 ? (state.endLate[k] as number) : (state.late[n] as number)
  return arrivalAt(model, l, nodeBefore(model, state, v), nodeBehind(model, state, c), ready) <= bound
}

/** Visits of a trip from i on, or back from i. */
function from(i: number, links: Int32Array): number[] {
  const visits: number[] = []
  for (let at = i; at !== -1; at = links[at] as number) visits.push(at)
  return visits
}

function swap(state: State, c: number, v: number): Exchange {
  const { next, prev, slotOf } = state
  const first = [...from(c, prev).reverse(), ...from(v, next)]
  const second = [...from(prev[v] as number, prev).reverse(), ...from(next[c] as number, next)]
  return { k: slotOf[c] as number, l: slotOf[v] as number, first, second }
}

function turnBack(state: State, c: number, v: number): Exchange {
  const { next, prev, slotOf } = state
  const first = [...from(c, prev).reverse(), ...from(v, prev)]
  const second = [...from(next[c] as number, next).reverse(), ...from(next[v] as number, next)]
  return { k: slotOf[c] as number, l: slotOf[v] as number, first, second }
}

/** Within a route, the visits behind c up to v come in the other order; undefined when v is before c. */
function turnWithin(state: State, c: number, v: number): Exchange | undefined {
  const { next, prev, slotOf } = state
  const k = slotOf[c] as number
  const behind = from(next[c] as number, next)
  const end = behind.indexOf(v)
  if (end < 1) return undefined
  const first = [...from(c, prev).reverse(), ...behind.slice(0, end + 1).reverse(), ...behind.slice(end + 1)]
  return { k, l: k, first, second: [] }
}

function hasRoom({ dimensions, demand, capacity }: Model, { k, l, first, second }: Exchange): boolean {
  if (l === k) return true
  for (let d = 0; d < dimensions; d++) {
    const load = (visits: readonly number[]) =>
      visits.reduce((sum, i) => sum + (demand[i * dimensions + d] as number), 0)
    if (load(first) > (capacity[k * dimensions + d] as number)) return false
    if (load(second) > (capacity[l * dimensions + d] as number)) return false
  }
  return true
}

function drive(model: Model, state: State, { k, l, first, second }: Exchange): void {
  for (const i of first) detach(model, state, i)
  for (const i of second) detach(model, state, i)
  for (const i of first) attach(model, state, i, k, state.last[k] as number)
  for (const i of second) attach(model, state, i, l, state.last[l] as number)
}
