import { defineErrors } from "#core/errors.ts"

export const slotErrors = defineErrors("slot", {
  badInput: [400, "001", "The request is invalid"],
  badHub: [400, "036", "This hub does not exist, or you do not have access to it"],
  notFound: [404, "033", "This appointment slot does not exist"],
  taken: [409, "034", "This appointment slot is no longer held or is already booked. Request slots again"],
})
