import { defineErrors } from "#core/errors.ts"

export const otherSystemErrors = defineErrors("import", {
  unusable: [422, "005", "The other system cannot be read"],
  badChoice: [400, "003", "An import option has an unknown value"],
  tooMany: [422, "006", "The list has more than 20,000 rows. Choose a shorter range of dates"],
})
