import { defineErrors } from "#core/errors.ts"

export const placeErrors = defineErrors("place", {
  badInput: { http: 400, code: "003", message: "Send q, or parts of an address such as street and city" },
})
