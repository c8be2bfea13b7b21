import { parseClock } from "../clock-time.ts"
import type { RunInput } from "../plan/run-input.ts"
import type { Dropped, RouteNode, Routing, VehicleRoute, WireViolation } from "../result-schemas.ts"

/** Where the goods of a visit change vehicles, and when they are there: seconds of the plan's clock. */
export interface GoodsAtSubHub {
  subHubId: string
  time: number
}

/** What a stop at a sub-hub hands over; undefined for any other stop. */
export function handoverOf(node: RouteNode | Dropped) {
  const { handoverVisits, visitId = "", coordinate } = node
  if (!Array.isArray(handoverVisits)) return undefined
  const visitIds = handoverVisits.map(String)
  return { subHubId: visitId.replace(/^hub-/, ""), coordinate: coordinate ?? "", visitIds }
}

/** Goods that a plan hands over at sub-hubs, by visit. Goods that come in several parts are there with the last. */
export function goodsAtSubHubs(
  { subHubs }: RunInput,
  { routing }: Routing,
): ReadonlyMap<string, GoodsAtSubHub> {
  const goods = new Map<string, GoodsAtSubHub>()
  if (subHubs.length === 0) return goods
  for (const node of routing.flatMap(({ trips }) => trips)) {
    const handover = handoverOf(node)
    const time = parseClock(node.etd ?? "") ?? 0
    for (const visitId of handover?.visitIds ?? [])
      goods.set(visitId, {
        subHubId: handover?.subHubId ?? "",
        time: Math.max(goods.get(visitId)?.time ?? time, time),
      })
  }
  return goods
}

/** Visits on a vehicle that does not start where their goods are. */
export function strandedGoods(
  input: RunInput,
  goods: ReadonlyMap<string, GoodsAtSubHub>,
  routes: readonly VehicleRoute[],
): WireViolation[] {
  if (input.subHubs.length === 0) return []
  const isSubHub = new Set(input.subHubs.map(({ id }) => id))
  return routes.flatMap(({ vehicleId, trips }) => {
    const hubId = input.vehicles.find(({ id }) => id === vehicleId)?.hubId ?? input.hub.id
    const start = isSubHub.has(hubId) ? hubId : undefined
    return trips.flatMap(({ visitId, isHub }): WireViolation[] => {
      const place = goods.get(visitId)?.subHubId
      if (isHub || place === start) return []
      const message =
        start === undefined
          ? "its goods go to a sub-hub on another vehicle"
          : "its goods are not handed over at the sub-hub where the vehicle starts"
      return [{ kind: "handover", vehicleId, visitId, message }]
    })
  })
}
