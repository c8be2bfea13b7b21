import { defineEvent } from "#core/events/live-events.ts"

/** Vehicles were made, changed or deleted. Content: `vehicleIds`, at most a thousand. */
export const vehiclesChanged = defineEvent("vehicle.changed", "view/vehicle")
