/** Texts among a plan's `warnings` that say what it was made with, and limit nothing. */
export const planFacts = {
  roadTimes: "Road times, map of",
  roadDistances: "Road distances at the speed of each vehicle, map of",
} as const

export function isPlanFact(warning: string): boolean {
  return Object.values(planFacts).some((fact) => warning.startsWith(fact))
}
