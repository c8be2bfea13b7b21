import { defineErrors } from "#core/errors.ts"

export const roleErrors = defineErrors("role", {
  nameTaken: {
    http: 400,
    code: "031",
    message: "There is already a role with this name: choose another one",
  },
  notFound: { http: 404, code: "033", message: "This role does not exist" },
  unknownPermission: { http: 400, code: "017", message: "The list has a permission that does not exist" },
  badFlow: { http: 400, code: "039", message: "The settings of add/task name a flow that does not exist" },
})
