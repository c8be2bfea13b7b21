import { defineErrors } from "#core/errors.ts"

export const alertErrors = defineErrors("alert", {
  invalid: [400, "016", "The alert rule is invalid"],
  badHub: [400, "036", "This hub does not exist, or you do not have access to it"],
  badRecipient: [400, "037", "A recipient is not an active member"],
  noRule: [404, "033", "This alert rule does not exist"],
  notFound: [404, "038", "This alert does not exist"],
})
