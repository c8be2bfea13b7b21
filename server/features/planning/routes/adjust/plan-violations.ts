import type { RoadSupply } from "../../../location/roads/index.ts"
import { handoverOf } from "../dispatch/handed-over.ts"
import type { RunInput } from "../plan/run-input.ts"
import type { Routing, WireViolation } from "../result-schemas.ts"
import { placeVisits, tripsOf } from "./place-visits.ts"

/** The rules that a plan violates: each vehicle's order with the times that follow from the rules. */
export async function violationsOf(
  input: RunInput,
  routing: Routing,
  options: { roads: RoadSupply },
): Promise<WireViolation[]> {
  const dimensions = input.settings.capacityConstraint
  const known = new Set(input.visits.map(({ id }) => id))
  const checked = routing.routing.filter(
    (route) =>
      route.trips.some((node) => !node.isHub || handoverOf(node)) &&
      route.trips.every((node) => node.isHub || known.has(node.visitId)) &&
      input.vehicles.some(({ id }) => id === route.vehicleId),
  )
  const trips = new Map(checked.map((route) => [route.vehicleId, tripsOf(route, dimensions)]))
  return (await placeVisits(input, routing, trips, options)).violations
}
