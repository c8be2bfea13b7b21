import { findPlace } from "../insertion/insertion.ts"
import { compile } from "../problem/compile.ts"
import type { Model } from "../problem/model.ts"
import { createBlinks, createPlace } from "../problem/place.ts"
import type { Plan, PlanProblem } from "../problem/problem.ts"
import type { Random } from "../problem/random.ts"
import { createRandom } from "../problem/random.ts"
import type { Journal } from "./journal.ts"
import { begin, createJournal, rollback } from "./journal.ts"
import { startLinkedEarly } from "./linked.ts"
import type { RecreateScratch } from "./recreate.ts"
import { createRecreateScratch, recreate } from "./recreate.ts"
import type { RuinScratch } from "./ruin.ts"
import { createRuinScratch, ruin } from "./ruin.ts"
import type { Snapshot } from "./snapshot.ts"
import { clearRoutes, drive, restoreSnapshot, snapshotPlan, takeSnapshot } from "./snapshot.ts"
import type { State } from "./state.ts"
import { createState, totalCost } from "./state.ts"

const blinkRate = 0.01

/** One run over one problem: the current plan, the best so far, and the scratch space of the steps. */
export type Search = {
  readonly model: Model
  readonly state: State
  readonly random: Random
  readonly journal: Journal
  readonly ruinScratch: RuinScratch
  readonly recreateScratch: RecreateScratch
  /** Mean cost of a leg in the first plan: the scale of the temperature. */
  legCost: number
  /** How often each visit was left out, the guide towards the visits that are hard to place. */
  readonly absences: Float64Array
  best: Snapshot
  bestCost: number
  bestAbsent: number
  bestVehicles: number
  bestDistance: number
}

export function createSearch(problem: PlanProblem, seed: number, start?: Plan): Search {
  const model = compile(problem)
  const state = createState(model)
  const random = createRandom(seed)
  const blinks = createBlinks(model, random, blinkRate)
  const search: Search = {
    model,
    state,
    random,
    journal: createJournal(model),
    ruinScratch: createRuinScratch(model),
    recreateScratch: createRecreateScratch(model, blinks, hopelessVisits(model, state)),
    legCost: model.legScale,
    absences: new Float64Array(model.visitCount),
    best: takeSnapshot(model, state),
    bestCost: Number.POSITIVE_INFINITY,
    bestAbsent: model.visitCount,
    bestVehicles: 0,
    bestDistance: 0,
  }
  if (start && !model.hasLinks) drive(model, state, start.routes)
  begin(search.journal, state)
  recreate(model, state, search.journal, search.recreateScratch, random, 0)
  keepIfBest(search)
  search.legCost = meanLegCost(search)
  return search
}

function meanLegCost({ model, state }: Search): number {
  let legs = model.visitCount - state.absentCount
  let cost = 0
  for (let u = 0; u < state.usedCount; u++) {
    const k = state.used[u] as number
    legs += state.tripCount[k] as number
    cost += state.vehicleCost[k] as number
  }
  return cost > 0 ? cost / legs : model.legScale
}

export function bestPlan(search: Search): Plan {
  return snapshotPlan(search.model, search.best)
}

/** Makes the best plan the current one. */
export function returnToBest(search: Search): void {
  restoreSnapshot(search.model, search.state, search.best)
}

/** Makes a plan that keeps all rules the current one. */
export function goOnFrom(search: Search, plan: Plan): void {
  const { model, state } = search
  clearRoutes(model, state)
  drive(model, state, plan.routes)
  keepIfBest(search)
}

/**
 * Ruins and recreates once, and keeps the result by simulated annealing at the temperature.
 * @param isGuided prefers, whatever it costs, to leave out visits that were left out less often: it helps to
 *   place more of them, but not to shorten the routes
 */
export function step(search: Search, temperature: number, meanRemoved: number, isGuided: boolean): void {
  const { model, state, journal, random } = search
  begin(journal, state)
  const costBefore = totalCost(state)
  const kept = state.absentCount
  const mandatoryBefore = state.absentMandatory
  const hardshipBefore = isGuided && kept > 0 ? hardship(search) : 0
  ruin(model, state, journal, search.ruinScratch, random, meanRemoved)
  recreate(model, state, journal, search.recreateScratch, random, kept)

  const cost = totalCost(state)
  const mandatory = state.absentMandatory
  let isAccepted = cost < costBefore - temperature * Math.log(random.next())
  if (mandatory !== mandatoryBefore) isAccepted = mandatory < mandatoryBefore
  if (isGuided && (mandatory > 0 || mandatoryBefore > 0)) {
    const hardshipAfter = hardship(search)
    if (hardshipAfter < hardshipBefore) isAccepted = true
    else if (hardshipAfter > hardshipBefore && mandatory >= mandatoryBefore) isAccepted = false
    for (let a = 0; a < state.absentCount; a++) {
      const c = state.absent[a] as number
      search.absences[c] = (search.absences[c] as number) + 1
    }
  }
  if (!isAccepted) rollback(model, state, journal)
  else if (cost < search.bestCost) keepIfBest(search)
}

export function keepIfBest(search: Search): boolean {
  const { model, state, journal } = search
  if (model.hasLinks) startLinkedEarly(model, state, journal)
  const cost = totalCost(state)
  if (cost >= search.bestCost - 1e-9) return false
  search.bestCost = cost
  search.bestAbsent = search.state.absentCount
  search.bestVehicles = search.state.ownersUsed
  search.bestDistance = drivenDistance(search.state)
  search.best = takeSnapshot(search.model, search.state)
  return true
}

function drivenDistance(state: State): number {
  let distance = 0
  for (let u = 0; u < state.usedCount; u++) {
    distance += state.vehicleDistance[state.used[u] as number] as number
  }
  return distance
}

function hardship({ model, state, absences }: Search): number {
  let sum = 0
  for (let a = 0; a < state.absentCount; a++) {
    const c = state.absent[a] as number
    if (model.mandatory[c] === 1) sum += absences[c] as number
  }
  return sum
}

/** Visits that no vehicle can serve even with nothing else to do, and the groups of such visits. */
function hopelessVisits(model: Model, empty: State): Uint8Array {
  const hopeless = new Uint8Array(model.visitCount)
  const place = createPlace()
  const neverBlink = createBlinks(model, createRandom(0), 0)
  for (let c = 0; c < model.visitCount; c++) {
    if (model.role[c] === -1) continue
    findPlace(model, empty, c, neverBlink, place, true)
    if (place.cost !== Number.POSITIVE_INFINITY) continue
    hopeless[c] = 1
    if (model.role[c] === 1) hopeless[model.partner[c] as number] = 1
    for (const member of model.linkGroups[model.linkGroup[c] as number]?.members ?? []) hopeless[member] = 1
    for (const member of model.groupMembers[model.group[c] as number] ?? []) hopeless[member] = 1
  }
  return hopeless
}
