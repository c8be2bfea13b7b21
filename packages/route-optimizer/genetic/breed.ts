import { exchangeNowAndThen, hasStopped, type Run } from "../search/anneal.ts"
import { goOnFrom, type Search } from "../search/search.ts"
import { capacitatedOf, isCapacitated } from "./capacitated.ts"
import { evolve } from "./evolve.ts"

/** Below, annealing finds the best plan as well; above, there are too few offspring in the time that people wait. */
const minVisits = 30
const maxVisits = 250
/** With less, annealing comes further. */
const minMillisecondsPerVisit = 8

/** Milliseconds of a round, and rounds that an offspring counts for, where the budget is one of rounds. */
const millisecondsPerRound = 0.015
const roundsPerOffspring = 100

/** Whether plans are bred from each other instead of annealed: loads alone bound the routes, and there is time for it. */
export function canBreed({ search: { model, state }, options: { budget } }: Run): boolean {
  const { rounds = Number.POSITIVE_INFINITY, milliseconds = Number.POSITIVE_INFINITY } = budget
  const time = Math.min(milliseconds, rounds * millisecondsPerRound)
  const isInRange = model.visitCount >= minVisits && model.visitCount <= maxVisits
  const hasTime = time >= minMillisecondsPerVisit * model.visitCount
  return isInRange && hasTime && state.absentCount === 0 && isCapacitated(model)
}

/** Spends the rest of the budget on plans bred from each other. */
export function breed(run: Run): void {
  const { search } = run
  const { model, state } = search
  const problem = capacitatedOf(model, state.usedCount, state.ownerLimit)
  evolve(problem, search.random, routesOf(search), {
    goesOn() {
      run.rounds += roundsPerOffspring
      run.report()
      return run.share() < 1 && !hasStopped(run)
    },
    onBest: (routes) =>
      goOnFrom(search, { routes: routes.map((trip, vehicle) => ({ vehicle, trips: [trip] })), dropped: [] }),
    newcomer: () => (exchangeNowAndThen(run) ? routesOf(search) : undefined),
  })
}

function routesOf({ model, state }: Search): number[][] {
  return Array.from(state.used.subarray(0, state.usedCount), (k) => {
    const route: number[] = []
    for (let i = state.first[k * model.maxTrips] as number; i !== -1; i = state.next[i] as number)
      route.push(i)
    return route
  })
}
