import { linksOf } from "../problem/links.ts"
import type { PlanProblem } from "../problem/problem.ts"
import { type Solved, type SolveOptions, solve } from "../solve.ts"
import { startHelper } from "./helper.ts"
import { processorMilliseconds } from "./processor-time.ts"

/** Below, a search is over before a second thread could help it. */
const leastVisits = 100
const leastMilliseconds = 2000

/**
 * As `solve`, with a second thread that searches with another seed; each goes on from the better plan of both now and
 * then. Smaller problems, problems with links and budgets without a time limit are solved by one thread.
 */
export function solveTogether(problem: PlanProblem, options: SolveOptions): Solved {
  const { milliseconds } = options.budget
  const isWorthIt =
    milliseconds !== undefined &&
    milliseconds >= leastMilliseconds &&
    problem.visits.length >= leastVisits &&
    linksOf(problem.visits).length === 0
  if (!isWorthIt) return solve(problem, options)
  const helper = startHelper({
    problem,
    seed: options.seed + 1,
    milliseconds,
    countsProcessorTime: options.clock === processorMilliseconds,
    ...(options.start ? { start: options.start } : {}),
  })
  try {
    return solve(problem, { ...options, colleague: helper })
  } finally {
    helper.end()
  }
}
