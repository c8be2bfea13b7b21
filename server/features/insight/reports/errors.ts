import { defineErrors } from "#core/errors.ts"

export const insightErrors = defineErrors("insgt", {
  invalid: [400, "001", "The report is invalid"],
  tooMany: [400, "002", "The report has too many rows: choose a shorter range, a filter or fewer groups"],
  tooMuch: [400, "003", "The report covers too many days of too many people"],
})
