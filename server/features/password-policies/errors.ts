import { defineErrors } from "#core/errors.ts"

export const policyErrors = defineErrors("passp", {
  nameTaken: { http: 400, code: "031", message: "There is already a policy with this name: choose another" },
  inUse: { http: 400, code: "032", message: "A role uses this policy: give the role another one first" },
  notFound: { http: 404, code: "033", message: "This password policy does not exist" },
  builtIn: { http: 403, code: "035", message: "Built-in policies cannot be changed: make one of your own" },
  outOfRange: { http: 400, code: "009", message: "Use -1 for never, or a number of 1 or more" },
})
