import { defineErrors } from "#core/errors.ts"

export const reportErrors = defineErrors("reprt", {
  notFound: [404, "033", "This flow does not exist"],
})
