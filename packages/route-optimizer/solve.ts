import { reduceFleet } from "./problem/fleet.ts"
import type { Plan, PlanProblem } from "./problem/problem.ts"
import { canExchangeEnds, exchangeEnds } from "./search/exchange-ends.ts"
import { inNearOrder, type OrderedProblem } from "./search/near-order.ts"
import { bestPlan, createSearch, goOnFrom, returnToBest, type Search, step } from "./search/search.ts"
import type { Colleague } from "./team/colleague.ts"

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
  /** Another search of the same problem, with which the best plan is exchanged; not where visits are linked. */
  readonly colleague?: Colleague
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
/** Exchanges of the ends of two routes that are looked at per round. */
const exchangesPerRound = 20
/**
 * Their temperature, as a share of that of the rounds: a round puts visits back where they cost least, so its plans are better
 * than those that random exchanges at the same temperature would leave.
 */
const exchangeHeat = 0.1
/** Shares of the annealing at which plans are exchanged with a colleague: before, the best plan says little. */
const firstExchange = 0.3
const exchangeEvery = 0.05
/** Share of the budget in which placing one more visit goes before everything else. */
const guidedShare = 0.2
/** First and last temperature, in mean legs of the first plan. */
const firstTemperature = 1
const lastTemperature = 0.01

/** Searches for the cheapest plan of a checked problem until the budget is spent. */
export function solve(given: PlanProblem, options: SolveOptions): Solved {
  const meter = createMeter(options)
  const { problem, toOrdered, toGiven } = inNearOrder(given)
  const search = createSearch(problem, options.seed, options.start && toOrdered(options.start))
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
      plan: () => toGiven(bestPlan(search)),
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
  const exchanges = canExchangeEnds(search.model) ? exchangesPerRound : 0
  const startShare = meter(rounds)
  let nextExchange = firstExchange
  for (let share = startShare; share < 1 && !hasStopped(); share = meter(rounds)) {
    const cooled = (share - startShare) / (1 - startShare)
    const temperature = legCost * firstTemperature * (lastTemperature / firstTemperature) ** cooled
    const block =
      options.budget.rounds === undefined
        ? roundsPerLook
        : Math.min(roundsPerLook, options.budget.rounds - rounds)
    const isGuided = share < guidedShare
    for (let round = 0; round < block; round++) {
      step(search, temperature, meanRemoved, isGuided)
      for (let n = 0; n < exchanges; n++) exchangeEnds(search, temperature * exchangeHeat)
    }
    rounds += block
    if (options.colleague && cooled >= nextExchange) {
      nextExchange = cooled + exchangeEvery
      exchangePlans(search, options.colleague, toOrdered, toGiven)
    }
    report(share)
  }
  if (options.colleague) exchangePlans(search, options.colleague, toOrdered, toGiven)
  returnToBest(search)
  report(1)
  return { plan: toGiven(bestPlan(search)), cost: search.bestCost, rounds }
}

/** Offers the best plan, and goes on from the colleague's if that is better. */
function exchangePlans(
  search: Search,
  { offer, take }: Colleague,
  toOrdered: OrderedProblem["toOrdered"],
  toGiven: OrderedProblem["toGiven"],
): void {
  offer({ plan: toGiven(bestPlan(search)), cost: search.bestCost })
  const found = take()
  if (found && found.cost < search.bestCost) goOnFrom(search, toOrdered(found.plan))
}

/** Share of the budget spent, given the rounds so far. */
function createMeter({ budget, clock = () => performance.now() }: SolveOptions): (rounds: number) => number {
  const start = clock()
  const most = budget.rounds ?? Number.POSITIVE_INFINITY
  const limit = budget.milliseconds ?? Number.POSITIVE_INFINITY
  return (rounds) => Math.max(rounds / most, (clock() - start) / limit)
}
