import type { PlanProblem, Vehicle } from "./problem.ts"

/**
 * Prices that put dropped visits above vehicles above everything measured in distance. They are sums of
 * upper bounds rather than round huge numbers, so that costs stay exact in a double.
 */
export function tierPrices(
  problem: PlanProblem,
  matrices: { distance: Float64Array; nodeCount: number },
  /** The most that requests about who serves which visits can cost. */
  softBound: number,
  softScale: number,
) {
  const { visits, vehicles, objective } = problem
  const n = visits.length
  const size = matrices.nodeCount
  let reach = 0
  for (let i = 0; i < n; i++) {
    let longest = 0
    for (let j = 0; j < size; j++) {
      longest = Math.max(
        longest,
        matrices.distance[i * size + j] as number,
        matrices.distance[j * size + i] as number,
      )
    }
    reach += 2 * longest
  }
  const steepest = vehicles.reduce((most, vehicle) => Math.max(most, vehicle.distanceCost), 0)
  const trips = vehicles.reduce((sum, vehicle) => sum + vehicle.maxTrips, 0)
  const soft = softBound + softScale * trips * problem.dimensions
  const measured = Math.ceil(reach * Math.max(steepest, 1) + soft + maxTimeCost(problem)) + 1
  const weighted = objective.kind === "weighted"
  const fixed = vehicles.reduce((sum, vehicle) => sum + Math.abs(vehicle.fixedCost), 0)
  const dropPrice =
    objective.kind !== "lexicographic" ? measured + fixed : measured * (2 * vehicles.length + 1)
  return {
    vehicle(vehicle: Vehicle): number {
      if (objective.kind !== "lexicographic") return vehicle.fixedCost
      const price = measured * (1 + vehicle.fixedCost / 100)
      return objective.useAllVehicles === true ? price - 3 * measured : price
    },
    drop(cost: number | undefined): number {
      if (weighted) return cost ?? dropPrice * 2
      return dropPrice * 2 * (cost ?? 1)
    },
    isMandatory: (cost: number | undefined) => !weighted || cost === undefined,
  }
}

/** No way back takes longer. */
const weekSeconds = 7 * 24 * 3600

/** More than time, overtime and lateness of any plan cost. */
function maxTimeCost({ visits, vehicles }: PlanProblem): number {
  const ofVehicles = vehicles.map(({ shift, secondCost = 0, overtime, returnsAfterShift }) => {
    const working = Number.isFinite(shift[1] - shift[0]) ? shift[1] - shift[0] : weekSeconds
    const after = returnsAfterShift === true ? weekSeconds : 0
    return (
      (working + after) * secondCost + ((overtime?.seconds ?? 0) + after) * (overtime?.costPerSecond ?? 0)
    )
  })
  const ofVisits = visits.map(({ lateness }) => (lateness?.seconds ?? 0) * (lateness?.costPerSecond ?? 0))
  return [...ofVehicles, ...ofVisits].reduce((sum, cost) => sum + cost, 0)
}

/** Whether the times of a route have a cost, beside its distance. */
export function costsTime({ visits, vehicles }: PlanProblem): boolean {
  return (
    vehicles.some(({ secondCost = 0, overtime }) => secondCost > 0 || (overtime?.costPerSecond ?? 0) > 0) ||
    visits.some(({ lateness }) => (lateness?.costPerSecond ?? 0) > 0)
  )
}

export function timeCosts({ visits, vehicles }: PlanProblem) {
  return {
    secondCost: Float64Array.from(vehicles, ({ secondCost }) => secondCost ?? 0),
    overtimeStart: Float64Array.from(vehicles, ({ shift, overtime }) => shift[1] - (overtime?.seconds ?? 0)),
    overtimeCost: Float64Array.from(vehicles, ({ overtime }) => overtime?.costPerSecond ?? 0),
    lateSeconds: Float64Array.from(visits, ({ lateness }) => lateness?.seconds ?? 0),
    lateCost: Float64Array.from(visits, ({ lateness }) => lateness?.costPerSecond ?? 0),
  }
}

/** What a unit of distance costs on average, with the time that it takes. */
export function meanUnitCost({ vehicles }: PlanProblem): number {
  const sum = vehicles.reduce(
    (total, { distanceCost, secondCost = 0, durationFactor }) =>
      total + distanceCost + secondCost * durationFactor,
    0,
  )
  return vehicles.length > 0 && sum > 0 ? sum / vehicles.length : 1
}
