import { breed, canBreed } from "./genetic/breed.ts"
import { reduceFleet } from "./problem/fleet.ts"
import type { Plan, PlanProblem } from "./problem/problem.ts"
import { anneal, exchangePlans, firstExchange, hasStopped, type Run } from "./search/anneal.ts"
import { inNearOrder } from "./search/near-order.ts"
import { bestPlan, createSearch, returnToBest } from "./search/search.ts"
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

/** Share of the budget that the search for fewer vehicles may take. */
const fleetShare = 0.2
/** Searches for the cheapest plan of a checked problem until the budget is spent. */
export function solve(given: PlanProblem, options: SolveOptions): Solved {
  const run = createRun(given, options)
  const { search, ordered, report } = run
  const { objective } = ordered.problem
  report()
  if (objective.kind === "lexicographic" && objective.useAllVehicles !== true) fewerVehicles(run)
  if (canBreed(run)) breed(run)
  else anneal(run)
  if (options.colleague) exchangePlans(run, options.colleague)
  returnToBest(search)
  report()
  return { plan: ordered.toGiven(bestPlan(search)), cost: search.bestCost, rounds: run.rounds }
}

function createRun(given: PlanProblem, options: SolveOptions): Run {
  const meter = createMeter(options)
  const ordered = inNearOrder(given)
  const search = createSearch(
    ordered.problem,
    options.seed,
    options.start && ordered.toOrdered(options.start),
  )
  const share = () => meter(run.rounds)
  const report = () =>
    options.onProgress?.({
      share: Math.min(1, share()),
      rounds: run.rounds,
      cost: search.bestCost,
      dropped: search.bestAbsent,
      vehicles: search.bestVehicles,
      distance: search.bestDistance,
      plan: () => ordered.toGiven(bestPlan(search)),
    })
  const run: Run = { search, options, ordered, share, report, rounds: 0, nextExchange: firstExchange }
  return run
}

function fewerVehicles(run: Run): void {
  run.rounds = reduceFleet(run.search, (done) => {
    run.rounds = done
    if (run.share() >= fleetShare || hasStopped(run)) return false
    run.report()
    return true
  })
}

/** Share of the budget spent, given the rounds so far. */
function createMeter({ budget, clock = () => performance.now() }: SolveOptions): (rounds: number) => number {
  const start = clock()
  const most = budget.rounds ?? Number.POSITIVE_INFINITY
  const limit = budget.milliseconds ?? Number.POSITIVE_INFINITY
  return (rounds) => Math.max(rounds / most, (clock() - start) / limit)
}
