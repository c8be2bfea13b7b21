import { defineErrors } from "#core/errors.ts"

export const exportConfigErrors = defineErrors("excfg", {
  invalid: { http: 400, code: "032", message: "The export configuration cannot be saved like this" },
  nameTaken: { http: 400, code: "031", message: "Another export configuration has this name" },
  notFound: { http: 404, code: "033", message: "This export configuration does not exist" },
})
