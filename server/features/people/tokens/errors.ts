import { defineErrors } from "#core/errors.ts"

export const tokenErrors = defineErrors("auth", {
  notFound: [404, "033", "This token does not exist"],
  tooMany: [400, "040", "An account can have at most 10 tokens. Delete one first"],
  past: [400, "008", "expires_at must be in the future"],
  tooWide: [400, "017", "A token can only have permissions that you have yourself"],
})
