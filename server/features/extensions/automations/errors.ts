import { defineErrors } from "#core/errors.ts"

export const automationErrors = defineErrors("auto", {
  required: { http: 400, code: "001", message: "Something that this automation needs is missing" },
  nameTaken: { http: 400, code: "031", message: "Another automation has this name" },
  badState: { http: 400, code: "032", message: "The type of an automation cannot change: make another one" },
  notFound: { http: 404, code: "033", message: "This automation does not exist" },
  logNotFound: { http: 404, code: "033", message: "This entry of the log does not exist" },
  badTrigger: { http: 400, code: "034", message: "This event does not fit the data or the action" },
  badRule: { http: 400, code: "040", message: "The rule cannot be saved like this" },
  badUrl: { http: 400, code: "007", message: "The address must start with http:// or https://" },
  badHeaders: {
    http: 400,
    code: "003",
    message: "A header has a name or a value that cannot be sent: use one line of plain text",
  },
  missingDependency: {
    http: 400,
    code: "042",
    message: "The flow, hub, data type or person that this automation names does not exist",
  },
  ownerLost: {
    http: 400,
    code: "042",
    message:
      "The owner of this automation is no member any more or lacks a permission: save it to become its owner",
  },
  tooMany: { http: 400, code: "011", message: "At most 200 entries can be tried again at once" },
  actionFailed: { http: 400, code: "039", message: "The action could not be carried out" },
  failed: { http: 500, code: "045", message: "The automation failed on our side" },
})
