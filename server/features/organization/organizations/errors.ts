import { defineErrors } from "#core/errors.ts"

export const organizationErrors = defineErrors("org", {
  required: { http: 400, code: "001", message: "organizationId is required" },
  nothingToChange: { http: 400, code: "001", message: "Send at least one setting to change" },
  nameTaken: { http: 400, code: "031", message: "You already belong to an organization with this name" },
  nothingToCopy: {
    http: 400,
    code: "032",
    message: "There is nothing to copy: you are the owner of no organization",
  },
  repeatedRefs: { http: 400, code: "032", message: "Several tasks have the same refId: change these first" },
  notFound: {
    http: 404,
    code: "033",
    message: "This organization does not exist, or you are no member of it",
  },
  forbidden: { http: 403, code: "035", message: "This is another organization: switch to it first" },
  needsPerson: {
    http: 403,
    code: "035",
    message: "This session cannot do that: sign in with e-mail and password",
  },
  disabled: { http: 403, code: "user-035", message: "Your membership there is switched off" },
  codeNeeded: {
    http: 403,
    code: "035",
    message: "Your role there demands a one-time code: sign in again to enter it",
  },
  provedOnly: {
    http: 403,
    code: "035",
    message:
      "An administrator chose your password: choose one yourself by mail before you enter other organizations",
  },
  ownersOnly: { http: 403, code: "user-039", message: "Only an owner may delete the organization" },
  wrongPassword: { http: 400, code: "038", message: "The password is not right: nothing was deleted" },
  unknownCountry: { http: 400, code: "017", message: "country must be a three-letter code such as NLD" },
  unknownCurrency: { http: 400, code: "017", message: "currency must be an ISO 4217 code such as EUR" },
  unknownTimeZone: { http: 400, code: "017", message: "timeZone must be an IANA name such as Europe/Lisbon" },
})
