import { defineErrors } from "#core/errors.ts"

export const automationErrors = defineErrors("auto", {
  required: { http: 400, code: "001", message: "A setting that this automation requires is missing" },
  nameTaken: {
    http: 400,
    code: "031",
    message: "An automation with this name already exists. Choose another name",
  },
  badState: {
    http: 400,
    code: "032",
    message: "The type of an automation cannot be changed. Create a new automation",
  },
  notFound: { http: 404, code: "033", message: "This automation does not exist" },
  logNotFound: { http: 404, code: "033", message: "This log entry does not exist" },
  badTrigger: { http: 400, code: "034", message: "This event does not match the data type or the action" },
  badRule: { http: 400, code: "040", message: "The rule is invalid" },
  badUrl: { http: 400, code: "007", message: "The address must start with http:// or https://" },
  badHeaders: {
    http: 400,
    code: "003",
    message: "A header name or value is invalid. Use a single line of plain text",
  },
  missingDependency: {
    http: 400,
    code: "042",
    message: "The flow, hub, data type or user that this automation refers to does not exist",
  },
  ownerLost: {
    http: 400,
    code: "042",
    message:
      "The owner of this automation is no longer a member or lacks a permission. Save it to become its owner",
  },
  tooMany: { http: 400, code: "011", message: "At most 200 entries can be retried at once" },
  actionFailed: { http: 400, code: "039", message: "The action failed" },
  failed: { http: 500, code: "045", message: "The automation failed because of a server error" },
})
