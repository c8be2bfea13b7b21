import { defineErrors } from "#core/errors.ts"

export const viewErrors = defineErrors("view", {
  invalid: [400, "001", "The view is invalid"],
  badTeam: [400, "002", "teamId must be one of your teams"],
  tooMany: [400, "003", "A person saves at most 200 views"],
  tooLarge: [400, "004", "The filters and columns of a view have at most 16,000 characters"],
  forbidden: [403, "035", "Only the person who saved a view, or an administrator, may change it"],
  notFound: [404, "036", "This view does not exist, or it is not shared with you"],
})
