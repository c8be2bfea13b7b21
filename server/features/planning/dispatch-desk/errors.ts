import { defineErrors } from "#core/errors.ts"

export const deskErrors = defineErrors("desk", {
  invalid: [400, "001", "The request is invalid"],
  badHub: [400, "002", "hubId must be one of your hubs"],
  badTask: [400, "003", "taskIds must be ids of tasks that you can see"],
})
