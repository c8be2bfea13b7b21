import { defineErrors } from "#core/errors.ts"

export const exportConfigErrors = defineErrors("excfg", {
  invalid: [400, "032", "The export configuration is invalid"],
  nameTaken: [400, "031", "An export configuration with this name already exists. Choose another name"],
  notFound: [404, "033", "This export configuration does not exist"],
})
