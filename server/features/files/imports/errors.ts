import { defineErrors } from "#core/errors.ts"

export const importErrors = defineErrors("import", {
  partMissing: [400, "001", "A part of the upload is missing"],
  badFile: [422, "002", "The file is not a supported spreadsheet"],
  badTarget: [422, "002", "The import target does not exist"],
  tooLarge: [413, "002", "The file is larger than the limit"],
  badFilter: [400, "003", "A filter has an unknown value"],
  badSetting: [400, "003", "An import option has an unknown value"],
  notFound: [404, "004", "This import does not exist, or is older than 30 days"],
  sameFile: [
    409,
    "031",
    "This file was already imported within the last hour. Add force=true to import it again",
  ],
  notRunning: [409, "032", "This import has ended and cannot be cancelled"],
  notUndoable: [409, "032", "This import cannot be undone"],
})
