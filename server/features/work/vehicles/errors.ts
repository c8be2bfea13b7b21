import { defineErrors } from "#core/errors.ts"

export const vehicleErrors = defineErrors("vehic", {
  notFound: { http: 404, code: "033", message: "data not found" },
  badHub: { http: 400, code: "036", message: "This hub does not exist, or you do not have access to it" },
  badAssignee: {
    http: 400,
    code: "037",
    message: "The assignee must be a member with access to the vehicle's hub",
  },
  badTime: { http: 400, code: "018", message: "The time is invalid" },
  badNumber: { http: 400, code: "009", message: "The number is invalid" },
  tooMany: { http: 400, code: "040", message: "Send at most 1000 vehicles per request" },
})
