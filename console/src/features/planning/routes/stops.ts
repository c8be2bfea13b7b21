import { clockSeconds, dayAfter } from "./clock.ts"
import type { RouteNode, VehicleRoute } from "./routes.queries.ts"

/** How many visits' goods a stop hands over at a sub-hub; 0 for any other node. */
export function handedOver(node: RouteNode): number {
  return Array.isArray(node.handoverVisits) ? node.handoverVisits.length : 0
}

/** The stops of a vehicle that can be moved: visits and handovers of goods. */
export function isStop(node: RouteNode): boolean {
  return !node.isHub || handedOver(node) > 0
}

/** Whether the vehicle is the one that should serve the stop, by its id, name or driver, or the stop has no preference. */
export function isPreferred(
  { vehicleId, vehicleName, assignee }: VehicleRoute,
  { preferredVehicle }: RouteNode,
): boolean {
  if (typeof preferredVehicle !== "string") return true
  const wanted = preferredVehicle.trim().toLowerCase()
  return [vehicleId, vehicleName, assignee].some((name) => name?.trim().toLowerCase() === wanted)
}

/** The days on which the stop should be, where it is on none of them; `firstDay` is that of the plan. */
export function missedDays({ preferredDays, etd, visitTime }: RouteNode, firstDay = ""): string[] {
  if (firstDay === "") return []
  const begins = (clockSeconds(etd) ?? 0) - 60 * Number(visitTime ?? 0)
  const day = dayAfter(firstDay, Math.floor(begins / 86_400))
  return Array.isArray(preferredDays) && !preferredDays.includes(day) ? preferredDays.map(String) : []
}

/** The breaks of a vehicle while it is at work, one each day. */
export function breaksOf({ trips, breakTime }: VehicleRoute): [start: number, end: number][] {
  const [start, until] = [clockSeconds(breakTime?.startTime), clockSeconds(breakTime?.endTime)]
  const [leaves, ends] = [clockSeconds(trips[0]?.etd), clockSeconds(trips.at(-1)?.eta)]
  if (start === undefined || until === undefined || leaves === undefined || ends === undefined) return []
  const day = 86_400
  const length = (until - start + day) % day
  return Array.from({ length: Math.floor(ends / day) + 1 }, (_, index): [number, number] => {
    const begins = (start % day) + index * day
    return [begins, begins + length]
  }).filter(([begins]) => begins >= leaves && begins < ends)
}
