import { defineErrors } from "#core/errors.ts"

export const hubErrors = defineErrors("hub", {
  notFound: [404, "033", "This hub does not exist"],
  nameTaken: [400, "034", "A hub with this name already exists. Choose another name"],
  badCoordinates: [
    400,
    "038",
    "The coordinates must be a latitude from -90 to 90 and a longitude from -180 to 180",
  ],
  unknownTimeZone: [400, "017", "timeZone must be an IANA name such as Europe/Lisbon"],
  countryNotAllowed: [400, "038", "Hubs of this organization are not allowed in this country"],
  hasDependents: [400, "039", "This hub still has users or finished tasks"],
})
