import { defineErrors } from "#core/errors.ts"

export const organizationErrors = defineErrors("org", {
  required: [400, "001", "organizationId is required"],
  nothingToChange: [400, "001", "Send at least one setting to change"],
  nameTaken: [400, "031", "You already belong to an organization with this name"],
  nothingToCopy: [400, "032", "There is nothing to copy because you do not own an organization"],
  repeatedRefs: [400, "032", "Several tasks have the same refId. Change them first"],
  notFound: [404, "033", "This organization does not exist, or you are not a member of it"],
  forbidden: [403, "035", "This is another organization. Switch to it first"],
  needsPerson: [403, "035", "This session does not allow that. Sign in with e-mail and password"],
  disabled: [403, "user-035", "Your membership in that organization is disabled"],
  codeNeeded: [
    403,
    "035",
    "Your role in that organization requires a one-time code. Sign in again and enter the code",
  ],
  provedOnly: [
    403,
    "035",
    "An administrator set your password. Reset it by e-mail before you switch to another organization",
  ],
  ownersOnly: [403, "user-039", "Only an owner can delete the organization"],
  wrongPassword: [400, "038", "The password is incorrect. Nothing was deleted"],
  unknownCountry: [400, "017", "country must be a three-letter code such as NLD"],
  unknownCurrency: [400, "017", "currency must be an ISO 4217 code such as EUR"],
  unknownTimeZone: [400, "017", "timeZone must be an IANA name such as Europe/Lisbon"],
})
