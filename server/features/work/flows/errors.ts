import { defineErrors } from "#core/errors.ts"

export const flowErrors = defineErrors("flow", {
  nameTaken: {
    http: 400,
    code: "031",
    message: "A flow with this name already exists. Choose another name",
  },
  notFound: { http: 404, code: "033", message: "This flow does not exist" },
  badName: {
    http: 400,
    code: "003",
    message:
      "A flow's name may contain only letters, digits, spaces, - and _, and must not be Activity, Handover or ActivityWorkflow",
  },
  badStructure: {
    http: 400,
    code: "034",
    message: "The first page must be page0, and every page needs its own id",
  },
  forbidden: { http: 403, code: "035", message: "Your role does not allow this change to flows" },
  badConfiguration: { http: 400, code: "013", message: "The configuration of the flow is invalid" },
  missingDependency: { http: 400, code: "041", message: "The flow refers to something that does not exist" },
  tooManyComponents: { http: 400, code: "043", message: "A flow can have at most 300 components" },
  badComponent: { http: 400, code: "039", message: "A component is invalid" },
})
