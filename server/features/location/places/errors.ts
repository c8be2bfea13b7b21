import { defineErrors } from "#core/errors.ts"

export const placeErrors = defineErrors("place", {
  badInput: [400, "003", "Send q, or parts of an address such as street and city"],
})
