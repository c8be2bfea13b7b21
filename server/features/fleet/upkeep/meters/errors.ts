import { defineErrors } from "#core/errors.ts"

export const meterErrors = defineErrors("meter", {
  noReading: [400, "016", "Send the odometer or the engine hours"],
})
