import type { Budget } from "../solve.ts"

/**
 * What a plan is worth by default: rounds by its size, so that a seed gives the same plan on every machine,
 * and a time limit as a guard. About 10 s for 300 visits and a minute for 1,000 on a core of 2.5 GHz.
 */
export function usualBudget(visitCount: number): Budget {
  const rounds = Math.min(Math.max(visitCount * roundsPerVisit, fewestRounds), maxRounds)
  return { rounds, milliseconds: maxMilliseconds }
}

const roundsPerVisit = 1_000
const fewestRounds = 10_000
const maxRounds = 1_200_000
const maxMilliseconds = 300_000
