import { defineErrors } from "#core/errors.ts"

export const calendarErrors = defineErrors("cal", {
  missing: [400, "001", "targetId is required for a hub and for a schedule"],
  notFound: [404, "033", "This calendar feed does not exist"],
  noTarget: [404, "034", "This person, hub or schedule does not exist, or you do not have access to it"],
  tooMany: [400, "040", "You can have at most 20 calendar feeds. Delete one first"],
})
