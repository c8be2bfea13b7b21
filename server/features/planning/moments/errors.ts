import { defineErrors } from "#core/errors.ts"

export const momentErrors = defineErrors("momnt", {
  badTime: [400, "016", "The time must be a past date and time, at most a year ago"],
})
