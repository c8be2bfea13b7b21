import { defineErrors } from "#core/errors.ts"

export const userErrors = defineErrors("user", {
  notFound: { http: 404, code: "033", message: "This user does not exist" },
  alreadyMember: {
    http: 400,
    code: "036",
    message: "Somebody with this e-mail is already in the organization",
  },
  ownerNeeded: { http: 400, code: "039", message: "Only an owner may give or change the owner role" },
  unknownRole: { http: 400, code: "040", message: "This role does not exist in the organization" },
  unknownHub: {
    http: 400,
    code: "038",
    message: "This hub does not exist in the organization, or is not one of yours",
  },
  weakPassword: {
    http: 400,
    code: "005",
    message: "The password needs at least 8 characters, with two of: lower case, upper case, digit, symbol",
  },
})
