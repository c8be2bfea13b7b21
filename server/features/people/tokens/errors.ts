import { defineErrors } from "#core/errors.ts"

export const tokenErrors = defineErrors("auth", {
  notFound: { http: 404, code: "033", message: "This token does not exist" },
  tooMany: { http: 400, code: "040", message: "An account can have at most 10 tokens. Delete one first" },
  past: { http: 400, code: "008", message: "expires_at must be in the future" },
  tooWide: { http: 400, code: "017", message: "A token can only have permissions that you have yourself" },
})
