import type { SolveOptions } from "../solve.ts"

/** One or more of several equal parts of the budget, whose progress follows each other. */
export function partOf(options: SolveOptions, part: number, of: number, count = 1): SolveOptions {
  const { rounds, milliseconds } = options.budget
  const { onProgress } = options
  return {
    ...options,
    budget: {
      ...(rounds === undefined ? {} : { rounds: Math.max(1, Math.round((rounds * count) / of)) }),
      ...(milliseconds === undefined ? {} : { milliseconds: (milliseconds * count) / of }),
    },
    ...(onProgress
      ? { onProgress: (progress) => onProgress({ ...progress, share: (part + count * progress.share) / of }) }
      : {}),
  }
}
