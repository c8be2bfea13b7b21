import { defineErrors } from "#core/errors.ts"

export const hubErrors = defineErrors("hub", {
  notFound: { http: 404, code: "033", message: "This hub does not exist" },
  nameTaken: { http: 400, code: "034", message: "A hub with this name already exists. Choose another name" },
  badCoordinates: {
    http: 400,
    code: "038",
    message: "The coordinates must be a latitude from -90 to 90 and a longitude from -180 to 180",
  },
  unknownTimeZone: { http: 400, code: "017", message: "timeZone must be an IANA name such as Europe/Lisbon" },
  countryNotAllowed: {
    http: 400,
    code: "038",
    message: "Hubs of this organization are not allowed in this country",
  },
  hasDependents: { http: 400, code: "039", message: "This hub still has users or finished tasks" },
})
