import { defineErrors } from "#core/errors.ts"

export const requestFormErrors = defineErrors("rform", {
  invalid: [400, "016", "The request form is invalid"],
  badHub: [400, "036", "This hub does not exist, or you do not have access to it"],
  badFlow: [400, "037", "This flow does not exist"],
  notFound: [404, "033", "This request form does not exist"],
  noRequest: [404, "038", "This request does not exist"],
  decided: [409, "034", "This request has been decided already"],
})
