import { defineErrors } from "#core/errors.ts"

export const routeErrors = defineErrors("route", {
  badInput: [400, "003", "The visits or vehicles are invalid"],
  badNumber: [400, "009", "A number is out of range"],
  doubleId: [400, "031", "Two visits or two vehicles have the same id"],
  notFailed: [400, "032", "Only a failed run can be restarted"],
  notRunning: [400, "032", "This run has already ended"],
  notFound: [404, "033", "This result does not exist"],
  unplannable: [400, "034", "No plan is possible for these visits and vehicles"],
  badHub: [400, "036", "This hub does not exist, or you do not have access to it"],
  timedOut: [504, "039", "The run is still in progress. Read the result later"],
  tooMany: [400, "040", "The plan has too many visits or vehicles"],
  noGeocoder: [502, "041", "No geocoding service is configured"],
  badConfiguration: [400, "044", "The settings of the configuration contradict each other"],
})

export const resultErrors = defineErrors("reslt", {
  badInput: [400, "001", "The change to the result is invalid"],
  notDone: [400, "032", "The result is not finished yet"],
  started: [400, "032", "Work on these tasks has started. The dispatch cannot be undone"],
  notDispatched: [400, "032", "This result was not dispatched"],
  notFound: [404, "033", "Data not found"],
  forbidden: [403, "035", "Your role lacks the permission view/tracking"],
  proposalNotFound: [404, "033", "This proposal does not exist"],
  changedMeanwhile: [409, "036", "The plan has changed since the proposal. Request another one"],
  staleVersion: [412, "037", "The plan has another version than If-Match names"],
  noPlan: [400, "032", "This result was imported from a file, so its visits have no rules to check"],
})

export const configurationErrors = defineErrors("conf", {
  badInput: [400, "001", "The configuration is invalid"],
  badHub: [400, "036", "This hub does not exist, or you do not have access to it"],
  nameTaken: [400, "031", "The hub already has a profile with this name. Choose another name"],
  lastOne: [400, "032", "A hub must have at least one profile"],
  notFound: [404, "033", "data not found"],
})

export const geoErrors = defineErrors("geo", {
  badInput: [400, "001", "The area must have at least three different points"],
  nameTaken: [400, "002", "The hub already has an area with this name. Choose another name"],
  notFound: [404, "033", "This area does not exist"],
  badHub: [400, "036", "This hub does not exist, or you do not have access to it"],
})
