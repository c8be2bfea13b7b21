import { defineErrors } from "#core/errors.ts"

export const scheduleErrors = defineErrors("rpsch", {
  invalid: [400, "001", "The report schedule is invalid"],
  badRecipient: [400, "002", "A recipient is not a member of the organization"],
  tooMany: [400, "003", "An organization has at most 200 report schedules. Delete some first"],
  notFound: [404, "004", "This report schedule does not exist"],
})
