import { defineErrors } from "#core/errors.ts"

export const vehicleErrors = defineErrors("vehic", {
  notFound: [404, "033", "data not found"],
  badHub: [400, "036", "This hub does not exist, or you do not have access to it"],
  badAssignee: [400, "037", "The assignee must be a member with access to the vehicle's hub"],
  badTime: [400, "018", "The time is invalid"],
  badNumber: [400, "009", "The number is invalid"],
  badFilter: [400, "003", "The filter is invalid"],
  tooMany: [400, "040", "Send at most 1000 vehicles per request"],
})
