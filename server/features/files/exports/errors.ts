import { defineErrors } from "#core/errors.ts"

export const taskExportErrors = defineErrors("task", {
  badExport: { http: 400, code: "032", message: "The export request is invalid" },
  tooMany: { http: 400, code: "038", message: "More than 1,000,000 rows match. Narrow the filter" },
  unknownConfig: { http: 404, code: "033", message: "This export configuration does not exist" },
})

export const dataExportErrors = defineErrors("data", {
  badExport: { http: 400, code: "003", message: "The export request is invalid" },
  tooMany: { http: 400, code: "003", message: "More than 1,000,000 rows match. Narrow the filter" },
})
