import { defineErrors } from "#core/errors.ts"

export const routeErrors = defineErrors("route", {
  badInput: { http: 400, code: "003", message: "The visits or vehicles are invalid" },
  badNumber: { http: 400, code: "009", message: "A number is out of range" },
  doubleId: { http: 400, code: "031", message: "Two visits or two vehicles have the same id" },
  notFailed: { http: 400, code: "032", message: "Only a failed run can be restarted" },
  notRunning: { http: 400, code: "032", message: "This run has already ended" },
  notFound: { http: 404, code: "033", message: "This result does not exist" },
  unplannable: { http: 400, code: "034", message: "No plan is possible for these visits and vehicles" },
  badHub: { http: 400, code: "036", message: "This hub does not exist, or you do not have access to it" },
  timedOut: {
    http: 504,
    code: "039",
    message: "The run is still in progress. Read the result later",
  },
  tooMany: { http: 400, code: "040", message: "The plan has too many visits or vehicles" },
  noGeocoder: { http: 502, code: "041", message: "No geocoding service is configured" },
  badConfiguration: {
    http: 400,
    code: "044",
    message: "The settings of the configuration contradict each other",
  },
})

export const resultErrors = defineErrors("reslt", {
  badInput: { http: 400, code: "001", message: "The change to the result is invalid" },
  notDone: { http: 400, code: "032", message: "The result is not finished yet" },
  started: {
    http: 400,
    code: "032",
    message: "Work on these tasks has started. The dispatch cannot be undone",
  },
  notDispatched: { http: 400, code: "032", message: "This result was not dispatched" },
  notFound: { http: 404, code: "033", message: "Data not found" },
  forbidden: { http: 403, code: "035", message: "Your role lacks the permission view/tracking" },
  noPlan: {
    http: 400,
    code: "032",
    message: "This result was imported from a file, so its visits have no rules to check",
  },
})

export const configurationErrors = defineErrors("conf", {
  badInput: { http: 400, code: "001", message: "The configuration is invalid" },
  badHub: { http: 400, code: "036", message: "This hub does not exist, or you do not have access to it" },
  nameTaken: {
    http: 400,
    code: "031",
    message: "The hub already has a profile with this name. Choose another name",
  },
  lastOne: { http: 400, code: "032", message: "A hub must have at least one profile" },
  notFound: { http: 404, code: "033", message: "data not found" },
})

export const geoErrors = defineErrors("geo", {
  badInput: { http: 400, code: "001", message: "The area must have at least three different points" },
  nameTaken: {
    http: 400,
    code: "002",
    message: "The hub already has an area with this name. Choose another name",
  },
  notFound: { http: 404, code: "033", message: "This area does not exist" },
  badHub: { http: 400, code: "036", message: "This hub does not exist, or you do not have access to it" },
})
