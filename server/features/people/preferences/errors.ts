import { defineErrors } from "#core/errors.ts"

export const preferenceErrors = defineErrors("prefr", {
  invalid: [400, "001", "The preference is invalid"],
  tooLarge: [400, "002", "A preference has at most 16,000 characters"],
  tooMany: [400, "003", "A person has at most 50 preferences"],
})
