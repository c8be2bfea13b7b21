import { defineErrors } from "#core/errors.ts"

export const meterErrors = defineErrors("meter", {
  noReading: [400, "016", "Send the odometer or the engine hours"],
  notLatest: [409, "003", "A later reading of this vehicle exists. Undo that first"],
})
