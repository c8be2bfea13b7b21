import { defineErrors } from "#core/errors.ts"

export const taskExportErrors = defineErrors("task", {
  badExport: [400, "032", "The export request is invalid"],
  tooMany: [400, "038", "More than 1,000,000 rows match. Narrow the filter"],
  tooManyReports: [400, "038", "More than 2,000 tasks match. Narrow the filter"],
  unknownConfig: [404, "033", "This export configuration does not exist"],
})

export const dataExportErrors = defineErrors("data", {
  badExport: [400, "003", "The export request is invalid"],
  tooMany: [400, "003", "More than 1,000,000 rows match. Narrow the filter"],
})
