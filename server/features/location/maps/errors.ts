import { defineErrors } from "#core/errors.ts"

export const mapErrors = defineErrors("map", {
  badFile: [400, "003", "Send an .osm.pbf or .pmtiles file as the part file of a form"],
  badName: [400, "016", "The name may contain a-z, 0-9 and single hyphens, at most 40 characters"],
  badAddress: [400, "017", "The address must start with http:// or https://"],
  unauthenticated: [401, "auth-001", "Authentication required. Send a valid token"],
  notFound: [404, "033", "This map does not exist"],
  buildNotFound: [404, "034", "This build does not exist or has ended"],
  forbidden: [
    403,
    "035",
    "Maps belong to the installation. Only organizations listed in MAPS_ADMIN can change them",
  ],
  tooLarge: [413, "040", "The file is larger than the limit of 8 GB"],
})
