import { defineErrors } from "#core/errors.ts"

export const trackingPageErrors = defineErrors("trpag", {
  invalid: [400, "016", "The settings of the tracking page are invalid"],
  badLogo: [400, "017", "The logo must be a PNG, JPEG or WebP picture of at most 200 kB"],
  notFound: [404, "033", "This task has no tracking link"],
})
