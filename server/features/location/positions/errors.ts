import { defineErrors } from "#core/errors.ts"

export const locationErrors = defineErrors("lochi", {
  required: { http: 400, code: "001", message: "A required field is missing" },
  sameExists: { http: 400, code: "002", message: "This position is already stored" },
  badEmail: { http: 400, code: "004", message: "email must belong to a member of your organization" },
  badTime: {
    http: 400,
    code: "008",
    message: "The time must be a date and time, for example 2031-05-04 03:02:01",
  },
  badNumber: { http: 400, code: "009", message: "This must be a number" },
  badArray: { http: 400, code: "011", message: "location_histories must be an array of 1 to 1000 entries" },
  badCoordinates: {
    http: 400,
    code: "012",
    message: "lat must be from -90 to 90 and lon from -180 to 180, in plain decimal notation",
  },
  badObject: { http: 400, code: "013", message: "This must be a JSON object" },
  badText: { http: 400, code: "016", message: "This must be text" },
  badChoice: { http: 400, code: "017", message: "This is not an allowed value" },
  finishBeforeStart: { http: 400, code: "030", message: "finishTime must not be before startTime" },
  badState: { http: 400, code: "032", message: "There is no open session, or a session is already open" },
  notFound: { http: 404, code: "033", message: "Data not found" },
  badLink: { http: 400, code: "003", message: "The tracking token is invalid" },
  linkExpired: { http: 401, code: "034", message: "Your tracking token has expired" },
  forbidden: { http: 403, code: "035", message: "You can only send and view your own positions" },
  overLimit: {
    http: 400,
    code: "040",
    message: "A request can have at most 1000 entries. Split it into smaller requests",
  },
  overloaded: {
    http: 503,
    code: "045",
    message: "Too many positions are waiting to be stored. Retry shortly",
  },
})
