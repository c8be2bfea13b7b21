import { defineErrors } from "#core/errors.ts"

export const equipmentErrors = defineErrors("equip", {
  badHub: [400, "036", "This hub does not exist, or you do not have access to it"],
  badPlace: [400, "013", "Send lat and lon, or neither"],
  tooMany: [400, "040", "An organization has at most 100,000 pieces of equipment"],
  codeTaken: [409, "002", "Other equipment has this code"],
  notFound: [404, "033", "This equipment does not exist"],
})
