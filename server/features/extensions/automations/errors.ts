import { defineErrors } from "#core/errors.ts"

export const automationErrors = defineErrors("auto", {
  required: [400, "001", "A setting that this automation requires is missing"],
  nameTaken: [400, "031", "An automation with this name already exists. Choose another name"],
  badState: [400, "032", "The type of an automation cannot be changed. Create a new automation"],
  notFound: [404, "033", "This automation does not exist"],
  logNotFound: [404, "033", "This log entry does not exist"],
  beyondScopes: [403, "035", "The token lacks a scope that this automation needs"],
  badTrigger: [400, "034", "This event does not match the data type or the action"],
  badRule: [400, "040", "The rule is invalid"],
  badUrl: [400, "007", "The address must start with http:// or https://"],
  badHeaders: [400, "003", "A header name or value is invalid. Use a single line of plain text"],
  badFilter: [400, "003", "The filter is invalid"],
  missingDependency: [
    400,
    "042",
    "The flow, hub, data type or user that this automation refers to does not exist",
  ],
  ownerLost: [
    400,
    "042",
    "The owner of this automation is no longer a member or lacks a permission. Save it to become its owner",
  ],
  tooMany: [400, "011", "At most 200 entries can be retried at once"],
  actionFailed: [400, "039", "The action failed"],
  failed: [500, "045", "The automation failed because of a server error"],
})
