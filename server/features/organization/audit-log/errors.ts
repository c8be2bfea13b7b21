import { defineErrors } from "#core/errors.ts"

export const auditErrors = defineErrors("audit", {
  notFound: [404, "033", "This action does not exist, or is not yours"],
  tooLate: [409, "031", "Actions can be undone for ten minutes"],
  onlyActor: [403, "034", "Only the person who did this can undo it, signed in and without an access token"],
  badCursor: [400, "002", "This cursor does not belong to this list"],
})
