import { defineErrors } from "#core/errors.ts"

export const maintenanceErrors = defineErrors("maint", {
  invalid: [400, "016", "The maintenance is invalid"],
  noSubject: [400, "036", "This vehicle or equipment does not exist, or you do not have access to it"],
  noFlow: [400, "037", "This flow does not exist"],
  noPlan: [404, "033", "This maintenance plan does not exist"],
  noDefect: [404, "035", "This defect does not exist"],
  noEntry: [404, "034", "This entry does not exist"],
})
