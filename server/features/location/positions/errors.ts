import { defineErrors } from "#core/errors.ts"

export const locationErrors = defineErrors("lochi", {
  required: [400, "001", "A required field is missing"],
  sameExists: [400, "002", "This position is already stored"],
  badEmail: [400, "004", "email must belong to a member of your organization"],
  badTime: [400, "008", "The time must be a date and time, for example 2031-05-04 03:02:01"],
  badNumber: [400, "009", "This must be a number"],
  badArray: [400, "011", "location_histories must be an array of 1 to 1000 entries"],
  badCoordinates: [
    400,
    "012",
    "lat must be from -90 to 90 and lon from -180 to 180, in plain decimal notation",
  ],
  badObject: [400, "013", "This must be a JSON object"],
  badText: [400, "016", "This must be text"],
  badChoice: [400, "017", "This is not an allowed value"],
  finishBeforeStart: [400, "030", "finishTime must not be before startTime"],
  badState: [400, "032", "There is no open session, or a session is already open"],
  notFound: [404, "033", "Data not found"],
  badLink: [400, "003", "The tracking token is invalid"],
  linkExpired: [401, "034", "Your tracking token has expired"],
  forbidden: [403, "035", "You can only send and view your own positions"],
  overLimit: [400, "040", "A request can have at most 1000 entries. Split it into smaller requests"],
  outsideSession: [
    400,
    "046",
    "Your organization stores positions only between the start and the finish of a session. Start one first",
  ],
  badFile: [422, "047", "The file is not a track that can be read"],
  fileTooLarge: [413, "048", "The file is larger than the limit of 20 MB"],
  overloaded: [503, "045", "Too many positions are waiting to be stored. Retry shortly"],
})
