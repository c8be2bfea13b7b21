import { defineErrors } from "#core/errors.ts"

export const flowErrors = defineErrors("flow", {
  nameTaken: {
    http: 400,
    code: "031",
    message: "There is already a flow with this name: choose another one",
  },
  notFound: { http: 404, code: "033", message: "This flow does not exist" },
  badName: {
    http: 400,
    code: "003",
    message:
      "A flow's name has letters, digits, spaces, - and _ only, and is none of Activity, Handover, ActivityWorkflow",
  },
  badStructure: {
    http: 400,
    code: "034",
    message: "The first page must be page0, and every page needs its own id",
  },
  forbidden: { http: 403, code: "035", message: "Your role does not allow this change of flows" },
  badConfiguration: { http: 400, code: "013", message: "The configurations of the flow do not work" },
  missingDependency: { http: 400, code: "041", message: "The flow needs something that does not exist" },
  tooManyComponents: { http: 400, code: "043", message: "A flow has at most 300 components" },
  badComponent: { http: 400, code: "039", message: "A component is not usable" },
})
