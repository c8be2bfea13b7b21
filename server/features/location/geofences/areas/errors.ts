import { defineErrors } from "#core/errors.ts"

export const geofenceErrors = defineErrors("geofn", {
  invalid: [400, "016", "The shape of the geofence is invalid"],
  badHub: [400, "036", "This hub does not exist, or you do not have access to it"],
  nameTaken: [400, "034", "The hub already has a geofence with this name in the group. Choose another name"],
  tooMany: [400, "037", "An organization has at most 10,000 geofences. Delete some first"],
  notReadable: [400, "038", "The file is not valid GeoJSON or KML"],
  noArea: [404, "039", "The map has no building, park, lake or other area here"],
  notFound: [404, "033", "This geofence does not exist"],
})
