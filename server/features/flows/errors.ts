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
  badComponent: { http: 400, code: "039", message: "A component is not usable" },
})
