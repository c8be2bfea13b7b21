import { reduceFleet } from "./problem/fleet.ts"
import type { Plan, PlanProblem } from "./problem/problem.ts"
import { bestPlan, createSearch, returnToBest, step } from "./search/search.ts"

/**
 * How much work to spend. A number of rounds gives the same plan for a seed on every machine; a time limit
 * follows the clock, so its plan depends on the machine's speed. With both, whichever ends first.
 */
export type Budget = { readonly rounds?: number; readonly milliseconds?: number }

export type SolveOptions = {
  readonly seed: number
  readonly budget: Budget
  /** Milliseconds that pass; the wall clock unless given. */
  readonly clock?: () => number
  /** Called about every `progressEvery` rounds; the plan is built only when asked for. */
  readonly onProgress?: (progress: Progress) => void
  /** A plan of the problem to begin with, which keeps all rules; it does not count where visits are linked. */
  readonly start?: Plan
  /** Asked as often; true ends the search, which keeps its best plan. */
  readonly shouldStop?: () => boolean
}

export type Progress = {
  readonly share: number
  readonly rounds: number
  /** Of the best plan so far, in the objective's own weights: comparable within one run only. */
  readonly cost: number
  readonly dropped: number
  readonly vehicles: number
  readonly distance: number
  readonly plan: () => Plan
}

export type Solved = { readonly plan: Plan; readonly cost: number; readonly rounds: number }

/** Rounds between two looks at the clock. */
const roundsPerLook = 100
/** Visits removed per round on average. */
const meanRemoved = 10
/** Share of the budget in which placing one more visit goes before everything else. */
const guidedShare = 0.2
/** First and last temperature, in mean legs of the first plan. */
const firstTemperature = 1
const lastTemperature = 0.01

/** Searches for the cheapest plan of a checked problem until the budget is spent. */
export function solve(problem: PlanProblem, options: SolveOptions): Solved {
  const meter = createMeter(options)
  const search = createSearch(problem, options.seed, options.start)
  const { legCost } = search
  let rounds = 0
  const report = (share: number) =>
    options.onProgress?.({
      share,
      rounds,
      cost: search.bestCost,
      dropped: search.bestAbsent,
      vehicles: search.bestVehicles,
      distance: search.bestDistance,
      plan: () => bestPlan(search),
    })
  report(0)
  const hasStopped = () => options.shouldStop?.() === true
  const wantsFewer = problem.objective.kind === "lexicographic" && problem.objective.useAllVehicles !== true
  const fleetShare = wantsFewer ? 0.2 : 0
  if (wantsFewer) {
    rounds = reduceFleet(search, (done) => {
      if (meter(done) >= fleetShare || hasStopped()) return false
      report(meter(done))
      return true
    })
  }
  const startShare = meter(rounds)
  for (let share = startShare; share < 1 && !hasStopped(); share = meter(rounds)) {
    const cooled = (share - startShare) / (1 - startShare)
    const temperature = legCost * firstTemperature * (lastTemperature / firstTemperature) ** cooled
    const block =
      options.budget.rounds === undefined
        ? roundsPerLook
        : Math.min(roundsPerLook, options.budget.rounds - rounds)
    const isGuided = share < guidedShare
    for (let round = 0; round < block; round++) step(search, temperature, meanRemoved, isGuided)
    rounds += block
    report(share)
  }
  returnToBest(search)
  report(1)
  return { plan: bestPlan(search), cost: search.bestCost, rounds }
}

/** Share of the budget spent, given the rounds so far. */
function createMeter({ budget, clock = () => performance.now() }: SolveOptions): (rounds: number) => number {
  const start = clock()
  const most = budget.rounds ?? Number.POSITIVE_INFINITY
  const limit = budget.milliseconds ?? Number.POSITIVE_INFINITY
  return (rounds) => Math.max(rounds / most, (clock() - start) / limit)
}
