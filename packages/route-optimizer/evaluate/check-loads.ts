import { roundLoad, sumOfLoads } from "../loads.ts"
import { pairsOf } from "../problem/problem.ts"
import { type Context, tolerance } from "./evaluator.ts"
import type { RouteTimetable } from "./timetable.ts"

/** What is on board on every leg of every trip, the order of pairs, and when goods are at the hub. */
export function checkLoads({ problem, vehicle, index, say }: Context, { stops }: RouteTimetable): void {
  const pairs = pairsOf(problem.visits)
  const pickupOf = new Map(pairs.map(({ pickup, delivery }) => [delivery, pickup]))
  const deliveryOf = new Map(pairs.map(({ pickup, delivery }) => [pickup, delivery]))
  for (const trip of new Set(stops.map((stop) => stop.trip))) {
    const visits = stops.flatMap((stop) => (stop.kind === "visit" && stop.trip === trip ? [stop.visit] : []))
    const demandOf = (i: number, c: number) => problem.visits[i]?.demand[c] ?? 0
    for (let c = 0; c < problem.dimensions; c++) {
      const fromHub = visits.filter((i) => !pickupOf.has(i) && !deliveryOf.has(i))
      let load = sumOfLoads(fromHub.map((i) => demandOf(i, c)))
      let most = load
      for (const i of visits) {
        const delivery = deliveryOf.get(i)
        load = roundLoad(delivery === undefined ? load - demandOf(i, c) : load + demandOf(delivery, c))
        most = Math.max(most, load)
      }
      const excess = roundLoad(most - (vehicle.capacity[c] ?? Number.POSITIVE_INFINITY))
      if (excess > 0)
        say({ kind: "capacity", vehicle: index, dimension: c, excess, message: "too much load" })
    }
    for (const [at, i] of visits.entries()) {
      if (problem.visits[i]?.pickupId === undefined) continue
      const pickup = pickupOf.get(i)
      if (pickup !== undefined && visits.slice(0, at).includes(pickup)) continue
      say({ kind: "pair", vehicle: index, visit: i, message: "its pickup is not earlier on the same trip" })
    }
    const leaves = stops.find(
      (stop) => stop.trip === trip && (stop.kind === "start" || stop.kind === "reload"),
    )
    const release = Math.max(...visits.map((i) => problem.visits[i]?.releaseTime ?? Number.NEGATIVE_INFINITY))
    if (leaves === undefined || leaves.departure < release - tolerance) {
      say({ kind: "release", vehicle: index, message: "leaves before its goods are there" })
    }
  }
}
