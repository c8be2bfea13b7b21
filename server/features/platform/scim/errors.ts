import { defineErrors } from "#core/errors.ts"

export const scimErrors = defineErrors("scim", {
  notFound: [404, "033", "This token does not exist"],
  needsOwner: [
    403,
    "036",
    "Only an owner, signed in and without a token, can connect a directory: it reaches everybody",
  ],
  badRole: [400, "017", "This role does not exist, or is the owner's"],
  badHub: [400, "018", "This hub does not exist"],
  tooMany: [400, "040", "An organization can have at most 5 directory tokens"],
})
