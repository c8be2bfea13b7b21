import { defineErrors } from "#core/errors.ts"

export const importErrors = defineErrors("import", {
  partMissing: { http: 400, code: "001", message: "A part of the upload is missing" },
  badFile: { http: 422, code: "002", message: "The file is not a supported spreadsheet" },
  badTarget: { http: 422, code: "002", message: "The import target does not exist" },
  tooLarge: { http: 413, code: "002", message: "The file is larger than the limit" },
  badFilter: { http: 400, code: "003", message: "A filter has an unknown value" },
  badSetting: {
    http: 400,
    code: "003",
    message: "An import option has an unknown value",
  },
  notFound: { http: 404, code: "004", message: "This import does not exist, or is older than 30 days" },
  sameFile: {
    http: 409,
    code: "031",
    message: "This file was already imported within the last hour. Add force=true to import it again",
  },
  notRunning: { http: 409, code: "032", message: "This import has ended and cannot be cancelled" },
  notUndoable: { http: 409, code: "032", message: "This import cannot be undone" },
})
