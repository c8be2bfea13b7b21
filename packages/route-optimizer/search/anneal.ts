import type { SolveOptions } from "../solve.ts"
import type { Colleague } from "../team/colleague.ts"
import { canExchangeEnds, exchangeEnds } from "./exchange-ends.ts"
import type { OrderedProblem } from "./near-order.ts"
import { bestPlan, goOnFrom, type Search, step } from "./search.ts"

/** Rounds between two looks at the clock. */
const roundsPerLook = 100
/** Visits removed per round on average; with pairs few rounds place everything again, so each has to change more. */
const meanRemoved = 10
const meanRemovedWithPairs = 18
/** Exchanges of the ends of two routes that are looked at per round. */
const exchangesPerRound = 20
/**
 * Their temperature, as a share of that of the rounds: a round puts visits back where they cost least, so its plans are better
 * than those that random exchanges at the same temperature would leave.
 */
const exchangeHeat = 0.1
/** Shares of the annealing at which plans are exchanged with a colleague: before, the best plan says little. */
export const firstExchange = 0.3
const exchangeEvery = 0.05
/** Share of the budget in which placing one more visit goes before everything else. */
const guidedShare = 0.2
/** First and last temperature, in mean legs of the first plan. */
const firstTemperature = 1
const lastTemperature = 0.01

/** One run of `solve`. */
export type Run = {
  readonly search: Search
  readonly options: SolveOptions
  readonly ordered: OrderedProblem
  /** Share of the budget spent. */
  readonly share: () => number
  readonly report: () => void
  rounds: number
  /** Share at which plans are exchanged with the colleague next. */
  nextExchange: number
}

export function hasStopped({ options }: Run): boolean {
  return options.shouldStop?.() === true
}

/** Simulated annealing from the current plan until the budget is spent. */
export function anneal(run: Run): void {
  const { search, options } = run
  const exchanges = canExchangeEnds(search.model) ? exchangesPerRound : 0
  const removed = search.model.hasPairs ? meanRemovedWithPairs : meanRemoved
  const from = run.share()
  for (let share = from; share < 1 && !hasStopped(run); share = run.share()) {
    const cooled = (share - from) / (1 - from)
    const temperature = search.legCost * firstTemperature * (lastTemperature / firstTemperature) ** cooled
    const block =
      options.budget.rounds === undefined
        ? roundsPerLook
        : Math.min(roundsPerLook, options.budget.rounds - run.rounds)
    const isGuided = share < guidedShare
    for (let round = 0; round < block; round++) {
      step(search, temperature, removed, isGuided)
      for (let n = 0; n < exchanges; n++) exchangeEnds(search, temperature * exchangeHeat)
    }
    run.rounds += block
    exchangeNowAndThen(run)
    run.report()
  }
}

/** With a colleague; what it found is the current plan then, if it is better than all before. */
export function exchangeNowAndThen(run: Run): boolean {
  const { colleague } = run.options
  if (!colleague || run.share() < run.nextExchange) return false
  run.nextExchange += exchangeEvery
  return exchangePlans(run, colleague)
}

/** Offers the best plan, and goes on from the colleague's if that is better. */
export function exchangePlans({ search, ordered }: Run, { offer, take }: Colleague): boolean {
  offer({ plan: ordered.toGiven(bestPlan(search)), cost: search.bestCost })
  const found = take()
  if (!found || found.cost >= search.bestCost) return false
  goOnFrom(search, ordered.toOrdered(found.plan))
  return true
}
