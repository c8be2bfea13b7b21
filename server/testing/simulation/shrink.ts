import { type Order, type Outcome, simulate } from "./run.ts"

/**
 * Leaves out steps of a failing run as long as the same rule is broken: halves first, then ever smaller parts. Ends after
 * `maxRuns` runs. Returns the steps that are left and the outcome of the run with them.
 */
export async function shrink(
  order: Order,
  failed: Outcome,
  maxRuns: number,
): Promise<{ steps: readonly number[]; outcome: Outcome }> {
  const rule = failed.failure?.rule
  const hours = order.hours
  let steps: readonly number[] = failed.taken
  let best = failed
  let runs = 0
  for (let parts = 2; parts <= steps.length * 2 && runs < maxRuns && steps.length > 1; ) {
    const size = Math.max(1, Math.ceil(steps.length / parts))
    let isSmaller = false
    for (let from = 0; from < steps.length && runs < maxRuns; from += size) {
      const kept = steps.filter((_, place) => place < from || place >= from + size)
      runs += 1
      const outcome = await simulate({ ...order, hours, only: new Set(kept), checkEachStep: true })
      if (outcome.failure?.rule !== rule) continue
      steps = outcome.taken
      best = outcome
      isSmaller = true
      break
    }
    if (isSmaller) parts = Math.max(2, parts - 1)
    else if (size === 1) break
    else parts *= 2
  }
  return { steps, outcome: best }
}
