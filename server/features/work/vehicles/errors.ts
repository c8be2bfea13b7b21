import { defineErrors } from "#core/errors.ts"

export const vehicleErrors = defineErrors("vehic", {
  notFound: { http: 404, code: "033", message: "data not found" },
  badHub: { http: 400, code: "036", message: "This hub does not exist, or is not one of yours" },
  badAssignee: {
    http: 400,
    code: "037",
    message: "The assignee must be a member of the organization who has the vehicle's hub",
  },
  badTime: { http: 400, code: "018", message: "The time is not valid" },
  badNumber: { http: 400, code: "009", message: "The number is not valid" },
  tooMany: { http: 400, code: "040", message: "Send at most 1000 vehicles in one call" },
})
