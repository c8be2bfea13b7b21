import { defineErrors } from "#core/errors.ts"

export const organizationErrors = defineErrors("org", {
  required: { http: 400, code: "001", message: "organizationId is required" },
  nothingToChange: { http: 400, code: "001", message: "Send at least one setting to change" },
  nameTaken: { http: 400, code: "031", message: "You already belong to an organization with this name" },
  nothingToCopy: {
    http: 400,
    code: "032",
    message: "There is nothing to copy because you do not own an organization",
  },
  repeatedRefs: { http: 400, code: "032", message: "Several tasks have the same refId. Change them first" },
  notFound: {
    http: 404,
    code: "033",
    message: "This organization does not exist, or you are not a member of it",
  },
  forbidden: { http: 403, code: "035", message: "This is another organization. Switch to it first" },
  needsPerson: {
    http: 403,
    code: "035",
    message: "This session does not allow that. Sign in with e-mail and password",
  },
  disabled: { http: 403, code: "user-035", message: "Your membership in that organization is disabled" },
  codeNeeded: {
    http: 403,
    code: "035",
    message: "Your role in that organization requires a one-time code. Sign in again and enter the code",
  },
  provedOnly: {
    http: 403,
    code: "035",
    message:
      "An administrator set your password. Reset it by e-mail before you switch to another organization",
  },
  ownersOnly: { http: 403, code: "user-039", message: "Only an owner can delete the organization" },
  wrongPassword: { http: 400, code: "038", message: "The password is incorrect. Nothing was deleted" },
  unknownCountry: { http: 400, code: "017", message: "country must be a three-letter code such as NLD" },
  unknownCurrency: { http: 400, code: "017", message: "currency must be an ISO 4217 code such as EUR" },
  unknownTimeZone: { http: 400, code: "017", message: "timeZone must be an IANA name such as Europe/Lisbon" },
})
