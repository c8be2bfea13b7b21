import { roundLoad } from "../loads.ts"
import type { PlanProblem, Vehicle, Visit } from "../problem/problem.ts"
import { pairsOf, vehicleSuits } from "../problem/problem.ts"

export type SplitMode = "none" | "equal" | "maximize"

/** Part `number` of `count`, both from 1, of the visit with index `parent` in the problem before. */
export type VisitPart = { readonly parent: number; readonly number: number; readonly count: number }

/**
 * Cuts visits whose demand is above every suitable vehicle, by the first capacity dimension alone.
 *
 * `equal` makes the fewest equal parts that fit. `maximize` fills the largest suitable vehicle again and again.
 * The other dimensions follow in proportion; each part takes the full service time and keeps window, tags,
 * pin and group.
 *
 * @returns the problem with the parts in the place of their visit, and where each visit of it comes from
 */
export function splitVisits(
  problem: PlanProblem,
  mode: SplitMode,
): { problem: PlanProblem; parts: readonly VisitPart[] } {
  const visits: Visit[] = []
  const parts: VisitPart[] = []
  const paired = new Set(pairsOf(problem.visits).flatMap(({ pickup, delivery }) => [pickup, delivery]))
  problem.visits.forEach((visit, parent) => {
    const crew = visit.crew ?? 1
    if (crew > 1) {
      visits.push(...crewOf(visit, crew))
      for (let p = 1; p <= crew; p++) parts.push({ parent, number: p, count: crew })
      return
    }
    const shares = mode === "none" || paired.has(parent) ? [1] : sharesOf(visit, problem.vehicles, mode)
    shares.forEach((share, p) => {
      visits.push(shares.length === 1 ? visit : partOf(visit, share, p + 1))
      parts.push({ parent, number: p + 1, count: shares.length })
    })
  })
  return { problem: { ...problem, visits }, parts }
}

/** A visit for each person, all starting together; the first one keeps the id and brings the goods. */
export function crewOf(visit: Visit, crew: number): Visit[] {
  const ids = Array.from({ length: crew }, (_, p) => (p === 0 ? visit.id : `${visit.id}#${p + 1}`))
  const { crew: _, ...plain } = visit
  const { after: __, ...other } = plain
  return ids.map((id, p) =>
    p === 0 ? plain : { ...other, id, demand: visit.demand.map(() => 0), togetherWith: ids.slice(0, p) },
  )
}

/** Shares of the demand, which add up to 1. */
function sharesOf(visit: Visit, vehicles: readonly Vehicle[], mode: "equal" | "maximize"): number[] {
  const demand = visit.demand[0] ?? 0
  const most = vehicles
    .filter((vehicle) => vehicleSuits(vehicle, visit))
    .reduce((largest, vehicle) => Math.max(largest, vehicle.capacity[0] ?? Number.POSITIVE_INFINITY), 0)
  if (most <= 0 || demand <= most) return [1]
  const unit = unitOf(demand, most)
  const [whole, room] = [Math.round(demand * unit), Math.floor(most * unit + 1e-3)]
  const count = Math.ceil(whole / room)
  const sizes: number[] = []
  for (let p = 0, rest = whole; p < count; p++) {
    const size = mode === "equal" ? Math.ceil(rest / (count - p)) : Math.min(rest, room)
    sizes.push(size)
    rest -= size
  }
  return sizes.map((size) => size / whole)
}

/** Parts are counted in tenths, so that thirds of a demand still add up to it; in finer parts where the amounts are finer. */
function unitOf(...amounts: readonly number[]): number {
  const units = [10, 100, 1_000, 10_000, 100_000]
  return units.find((unit) => amounts.every((amount) => roundLoad(amount * unit) % 1 === 0)) ?? 1_000_000
}

function partOf(visit: Visit, share: number, number: number): Visit {
  return {
    ...visit,
    id: `${visit.id}#${number}`,
    demand: visit.demand.map((amount) => roundLoad(amount * share)),
  }
}
