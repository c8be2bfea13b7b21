import { defineErrors } from "#core/errors.ts"

export const importErrors = defineErrors("import", {
  partMissing: { http: 400, code: "001", message: "A part of the upload is missing" },
  badFile: { http: 422, code: "002", message: "The file is not a spreadsheet that can be imported" },
  badTarget: { http: 422, code: "002", message: "What the file is to become does not exist" },
  tooLarge: { http: 413, code: "002", message: "The file is larger than the limit" },
  badFilter: { http: 400, code: "003", message: "A filter has a value that it does not know" },
  badSetting: {
    http: 400,
    code: "003",
    message: "A setting of the import has a value that it does not know",
  },
  notFound: { http: 404, code: "004", message: "This import does not exist, or is older than 30 days" },
  sameFile: {
    http: 409,
    code: "031",
    message: "This very file was imported within the last hour: add force=true to import it again",
  },
  notRunning: { http: 409, code: "032", message: "This import has ended and cannot be cancelled" },
  notUndoable: { http: 409, code: "032", message: "This import cannot be undone" },
})
