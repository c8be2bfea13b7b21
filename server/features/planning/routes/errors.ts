import { defineErrors } from "#core/errors.ts"

export const routeErrors = defineErrors("route", {
  badInput: { http: 400, code: "003", message: "The visits and vehicles cannot be planned like this" },
  badNumber: { http: 400, code: "009", message: "A number is out of range" },
  doubleId: { http: 400, code: "031", message: "Two visits or two vehicles have the same id" },
  notFailed: { http: 400, code: "032", message: "Only a failed run can be started again" },
  notRunning: { http: 400, code: "032", message: "This run has ended already" },
  notFound: { http: 404, code: "033", message: "This result does not exist" },
  unplannable: { http: 400, code: "034", message: "These visits and vehicles cannot be planned" },
  badHub: { http: 400, code: "036", message: "This hub does not exist, or is not one of yours" },
  timedOut: {
    http: 504,
    code: "039",
    message: "The run takes longer than this call waits. It goes on: read the result later",
  },
  tooMany: { http: 400, code: "040", message: "These are too many visits or vehicles for one plan" },
  noGeocoder: { http: 502, code: "041", message: "No geocoding service is configured" },
  badConfiguration: { http: 400, code: "044", message: "The configuration does not fit together" },
})

export const resultErrors = defineErrors("reslt", {
  badInput: { http: 400, code: "001", message: "The result cannot be changed like this" },
  notDone: { http: 400, code: "032", message: "Only a finished result can do this" },
  started: { http: 400, code: "032", message: "Work on these tasks has begun: the dispatch stays" },
  notDispatched: { http: 400, code: "032", message: "This result was not dispatched" },
  notFound: { http: 404, code: "033", message: "Data not found" },
  forbidden: { http: 403, code: "035", message: "Your role lacks the permission view/tracking" },
  noPlan: {
    http: 400,
    code: "032",
    message: "This result came from a file: its visits have no rules to check",
  },
})

export const configurationErrors = defineErrors("conf", {
  badInput: { http: 400, code: "001", message: "The configuration cannot be saved like this" },
  badHub: { http: 400, code: "036", message: "This hub does not exist, or is not one of yours" },
  nameTaken: { http: 400, code: "031", message: "The hub has a profile of this name: choose another one" },
  lastOne: { http: 400, code: "032", message: "A hub keeps at least one profile" },
  notFound: { http: 404, code: "033", message: "data not found" },
})

export const geoErrors = defineErrors("geo", {
  badInput: { http: 400, code: "001", message: "The area needs at least three different places" },
  nameTaken: { http: 400, code: "002", message: "The hub has an area of this name: choose another one" },
  notFound: { http: 404, code: "033", message: "This area does not exist" },
  badHub: { http: 400, code: "036", message: "This hub does not exist, or is not one of yours" },
})
