import { defineErrors } from "#core/errors.ts"

export const hubErrors = defineErrors("hub", {
  notFound: { http: 404, code: "033", message: "This hub does not exist" },
  nameTaken: { http: 400, code: "034", message: "There is already a hub with this name: choose another one" },
  badCoordinates: {
    http: 400,
    code: "038",
    message: "The coordinates must be a latitude of -90 to 90 and a longitude of -180 to 180",
  },
  unknownTimeZone: { http: 400, code: "017", message: "timeZone must be an IANA name such as Europe/Lisbon" },
  countryNotAllowed: {
    http: 400,
    code: "038",
    message: "Hubs of this organization must be in other countries",
  },
  hasDependents: { http: 400, code: "039", message: "This hub still has people or finished tasks" },
})
