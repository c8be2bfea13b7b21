import { defineErrors } from "#core/errors.ts"

export const mapErrors = defineErrors("map", {
  badFile: {
    http: 400,
    code: "003",
    message: "Send an .osm.pbf or .pmtiles file as the part file of a form",
  },
  badName: {
    http: 400,
    code: "016",
    message: "The name may contain a-z, 0-9 and single hyphens, at most 40 characters",
  },
  badAddress: { http: 400, code: "017", message: "The address must start with http:// or https://" },
  unauthenticated: { http: 401, code: "auth-001", message: "Authentication required. Send a valid token" },
  notFound: { http: 404, code: "033", message: "This map does not exist" },
  buildNotFound: { http: 404, code: "034", message: "This build does not exist or has ended" },
  forbidden: {
    http: 403,
    code: "035",
    message: "Maps belong to the installation. Only organizations listed in MAPS_ADMIN can change them",
  },
  tooLarge: { http: 413, code: "040", message: "The file is larger than the limit of 8 GB" },
})
