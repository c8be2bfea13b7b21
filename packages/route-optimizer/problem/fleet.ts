import { begin, save } from "../search/journal.ts"
import { refresh } from "../search/refresh.ts"
import type { Search } from "../search/search.ts"
import { keepIfBest, returnToBest, step } from "../search/search.ts"
import { detach } from "../search/state.ts"

/** Visits removed per round on average. */
const meanRemoved = 10

/** In mean legs: placing every visit matters here, not the distance. */
const temperature = 0.03

/** Rounds between two questions whether to go on. */
const roundsPerLook = 100

/**
 * Looks for a plan with one vehicle less, again and again: empties a vehicle and tries to place its visits
 * on the others, guided by how often each visit was left out (section 5.5 of the article named in ruin.ts).
 *
 * Ends with the best plan as the current one, and no more vehicles allowed than it has.
 * @param goesOn asked with the number of rounds so far
 * @returns rounds spent
 */
export function reduceFleet(search: Search, goesOn: (rounds: number) => boolean): number {
  const { state } = search
  let rounds = 0
  const fewest = fewestVehicles(search)
  // First place what can be placed at all.
  while (state.absentMandatory > 0 && canPlaceMore(search) && goesOn(rounds)) {
    for (let round = 0; round < roundsPerLook; round++)
      step(search, search.legCost * temperature, meanRemoved, true)
    rounds += roundsPerLook
  }
  returnToBest(search)
  while (state.ownersUsed > fewest && goesOn(rounds)) {
    const target = state.absentMandatory
    state.ownerLimit = state.ownersUsed - 1
    begin(search.journal, state)
    emptyVehicle(search)
    search.absences.fill(0)
    for (;;) {
      for (let round = 0; round < roundsPerLook && state.absentMandatory > target; round++) {
        step(search, search.legCost * temperature, meanRemoved, true)
      }
      rounds += roundsPerLook
      if (state.absentMandatory <= target) break
      if (!goesOn(rounds)) break
    }
    if (state.absentMandatory > target) break
    keepIfBest(search)
  }
  returnToBest(search)
  // A vehicle more may still be what a dropped visit needs.
  state.ownerLimit = canPlaceMore(search) ? search.model.ownerCount : Math.max(state.ownersUsed, 1)
  search.absences.fill(0)
  return rounds
}

function canPlaceMore({ state, recreateScratch }: Search): boolean {
  for (let a = 0; a < state.absentCount; a++) {
    if (recreateScratch.hopeless[state.absent[a] as number] === 0) return true
  }
  return false
}

/** A lower bound: the placed demand over the largest trips, per dimension. */
function fewestVehicles({ model, state }: Search): number {
  let fewest = 1
  // A vehicle with pairs carries more in a day than it holds at once.
  if (model.hasPairs) return fewest
  for (let c = 0; c < model.dimensions; c++) {
    let demand = 0
    for (let i = 0; i < model.visitCount; i++) {
      if (state.slotOf[i] !== -1) demand += model.demand[i * model.dimensions + c] as number
    }
    const perOwner = new Float64Array(model.ownerCount)
    for (let k = 0; k < model.vehicleCount; k++) {
      const most = (model.capacity[k * model.dimensions + c] as number) * (model.tripLimit[k] as number)
      perOwner[model.owner[k] as number] = (perOwner[model.owner[k] as number] as number) + most
    }
    let count = 0
    for (const most of perOwner.sort().reverse()) {
      if (demand <= 0) break
      demand -= most
      count++
    }
    fewest = Math.max(fewest, count)
  }
  return fewest
}

/** Takes all visits of the owner with the fewest. */
function emptyVehicle({ model, state, journal }: Search): void {
  let smallest = -1
  for (let owner = 0; owner < model.ownerCount; owner++) {
    if (state.ownerVehicles[owner] === 0) continue
    if (smallest === -1 || (state.ownerVisits[owner] as number) < (state.ownerVisits[smallest] as number))
      smallest = owner
  }
  for (const k of state.used.slice(0, state.usedCount)) {
    if (model.owner[k] !== smallest) continue
    save(model, state, journal, k)
    const base = k * model.maxTrips
    for (let slot = base; slot < base + (state.tripCount[k] as number); slot++) {
      while (state.last[slot] !== -1) detach(model, state, state.last[slot] as number)
    }
    refresh(model, state, k)
  }
}
