import type { PlanProblem, Shape } from "./problem.ts"

export type Clustering = "none" | "normal" | "balanced" | "non-overlap"

export type Point = { readonly x: number; readonly y: number }

/** Price of one more area on a vehicle, in mean legs between near visits. */
const areaWeights = { normal: 2, balanced: 2, "non-overlap": 40 } as const

/**
 * The request behind a clustering option, for the search to follow where the hard rules allow.
 *
 * `normal` groups visits by nearness, `balanced` also shares their number evenly, `non-overlap` keeps the
 * vehicles' areas apart strongly. Areas come from halving the map again and again across its wider side, so
 * they are convex and never overlap.
 *
 * @param points position of each location, in any plane units
 * @param areaCount about as many as there will be vehicles at work
 */
export function shapeOf(
  problem: PlanProblem,
  clustering: Clustering,
  points: readonly Point[],
  areaCount: number,
): Shape | undefined {
  if (clustering === "none") return undefined
  const isBalanced = clustering === "balanced"
  const totals = Array.from({ length: problem.dimensions }, (_, c) =>
    problem.visits.reduce((sum, visit) => sum + (visit.demand[c] ?? 0), 0),
  )
  const places = problem.visits.map((visit, i) => ({
    i,
    point: points[visit.location] ?? { x: 0, y: 0 },
    weight: isBalanced
      ? 1
      : 1 / problem.visits.length +
        Math.max(0, ...totals.map((total, c) => (total > 0 ? (visit.demand[c] ?? 0) / total : 0))),
  }))
  const areas = new Array<number>(problem.visits.length).fill(-1)
  let next = 0
  const halve = (part: typeof places, count: number): void => {
    if (count <= 1 || part.length <= 1) {
      for (const { i } of part) areas[i] = next
      next++
      return
    }
    const isWide = extent(part.map(({ point }) => point.x)) >= extent(part.map(({ point }) => point.y))
    const sorted = part.toSorted(
      (a, b) => (isWide ? a.point.x - b.point.x : a.point.y - b.point.y) || a.i - b.i,
    )
    const left = count >> 1
    const goal = (sorted.reduce((sum, { weight }) => sum + weight, 0) * left) / count
    let taken = 0
    let cut = 0
    while (cut < sorted.length - 1 && taken < goal) taken += sorted[cut++]?.weight ?? 0
    halve(sorted.slice(0, cut), left)
    halve(sorted.slice(cut), count - left)
  }
  halve(places, Math.max(1, areaCount))
  return { balance: isBalanced ? "visits" : "none", areas, areaWeight: areaWeights[clustering] }
}

function extent(values: readonly number[]): number {
  return (
    values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY) -
    values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY)
  )
}
