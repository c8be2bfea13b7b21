import { defineErrors } from "#core/errors.ts"

export const oauthErrors = defineErrors("oauth", {
  notFound: [404, "033", "This client does not exist"],
  grantNotFound: [404, "034", "This application is not connected"],
  badScopes: [400, "017", "A scope is the name of a permission"],
  badRedirect: [
    400,
    "016",
    "A redirect URI is an https address, an http address of this computer (127.0.0.1, [::1] or localhost), or a scheme of an app with a dot in it; without # and without a user name",
  ],
  badRequest: [400, "004", "This authorization request is invalid"],
  otherOrganization: [403, "036", "This application belongs to another organization. Switch to it first"],
  needsSession: [403, "037", "Only a signed-in person can do this, not a token"],
})
