import { defineErrors } from "#core/errors.ts"

export const dataTypeErrors = defineErrors("dtype", {
  badName: {
    http: 400,
    code: "003",
    message: "The name of a data type must have 1 to 255 characters, without / or control characters",
  },
  badProvider: {
    http: 400,
    code: "007",
    message:
      "providerConfig must have a url that starts with http:// or https:// for external-api, and must be null otherwise",
  },
  unknownKind: { http: 400, code: "017", message: "A field has an unknown type" },
  nameTaken: {
    http: 400,
    code: "031",
    message: "A data type with this name already exists. Choose another name",
  },
  immutable: {
    http: 400,
    code: "032",
    message: "The provider of a data type cannot be changed. Create a new data type",
  },
  notFound: { http: 404, code: "033", message: "Data not found" },
  badField: { http: 400, code: "039", message: "A field is invalid" },
  keyNotDeletable: {
    http: 400,
    code: "040",
    message:
      "deleteFields contains the primary key or a field that is still defined. Remove it from the list",
  },
  referenced: {
    http: 400,
    code: "041",
    message: "Records or flows use this data type. Delete its records and remove it from the flows first",
  },
  notConvertible: {
    http: 400,
    code: "043",
    message: "Some stored values do not match the changed fields. Choose default, clear or keep for them",
  },
})
