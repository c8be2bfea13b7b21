import { parseClock } from "./clock-time.ts"
import { handoverOf } from "./handed-over.ts"
import { placeVisits, tripsOf } from "./place-visits.ts"
import type { Routing, VehicleRoute, WireViolation } from "./result-schemas.ts"
import type { RunInput } from "./run-input.ts"
import { daySeconds } from "./solver/days.ts"

/**
 * What a plan breaks as it stands, whoever changed it: each vehicle's order with the times that the rules give it.
 * Vehicles that begin several days at the hub are left out: their days cannot be told apart in a changed order.
 */
export async function violationsOf(
  input: RunInput,
  routing: Routing,
  options: { routingUrl: string | undefined },
): Promise<WireViolation[]> {
  const dimensions = input.settings.capacityConstraint
  const known = new Set(input.visits.map(({ id }) => id))
  const checked = routing.routing.filter(
    (route) =>
      route.trips.some((node) => !node.isHub || handoverOf(node)) &&
      route.trips.every((node) => node.isHub || known.has(node.visitId)) &&
      input.vehicles.some(({ id }) => id === route.vehicleId) &&
      !startsSeveralDays(input, route),
  )
  const trips = new Map(checked.map((route) => [route.vehicleId, tripsOf(route, dimensions)]))
  return (await placeVisits(input, routing, trips, options)).violations
}

function startsSeveralDays({ settings, vehicles }: RunInput, { vehicleId }: VehicleRoute): boolean {
  const vehicle = vehicles.find(({ id }) => id === vehicleId)
  const end = parseClock(vehicle?.workingTime.endTime ?? "") ?? 0
  return settings.multidayOption === "from hub" && end > daySeconds
}
