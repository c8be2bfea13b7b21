import type { SolveOptions } from "../solve.ts"

/** One of several equal parts of the budget, whose progress follows each other. */
export function partOf(options: SolveOptions, part: number, of: number): SolveOptions {
  const { rounds, milliseconds } = options.budget
  const { onProgress } = options
  return {
    ...options,
    budget: {
      ...(rounds === undefined ? {} : { rounds: Math.max(1, Math.round(rounds / of)) }),
      ...(milliseconds === undefined ? {} : { milliseconds: milliseconds / of }),
    },
    ...(onProgress
      ? { onProgress: (progress) => onProgress({ ...progress, share: (part + progress.share) / of }) }
      : {}),
  }
}
