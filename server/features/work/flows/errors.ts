import { defineErrors } from "#core/errors.ts"

export const flowErrors = defineErrors("flow", {
  nameTaken: [400, "031", "A flow with this name already exists. Choose another name"],
  notFound: [404, "033", "This flow does not exist"],
  badName: [
    400,
    "003",
    "A flow's name may contain only letters, digits, spaces, - and _, and must not be Activity, Handover or ActivityWorkflow",
  ],
  badStructure: [400, "034", "The first page must be page0, and every page needs its own id"],
  forbidden: [403, "035", "Your role does not allow this change to flows"],
  badConfiguration: [400, "013", "The configuration of the flow is invalid"],
  missingDependency: [400, "041", "The flow refers to something that does not exist"],
  tooManyComponents: [400, "043", "A flow can have at most 300 components"],
  badComponent: [400, "039", "A component is invalid"],
})
