import { defineErrors } from "#core/errors.ts"

export const exportConfigErrors = defineErrors("excfg", {
  invalid: { http: 400, code: "032", message: "The export configuration is invalid" },
  nameTaken: {
    http: 400,
    code: "031",
    message: "An export configuration with this name already exists. Choose another name",
  },
  notFound: { http: 404, code: "033", message: "This export configuration does not exist" },
})
