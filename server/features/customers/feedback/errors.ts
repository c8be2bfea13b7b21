import { defineErrors } from "#core/errors.ts"

export const feedbackErrors = defineErrors("fdbck", {
  invalid: [400, "016", "The filter is invalid"],
  notFound: [404, "033", "This feedback does not exist"],
})
