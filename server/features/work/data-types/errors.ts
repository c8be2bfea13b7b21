import { defineErrors } from "#core/errors.ts"

export const dataTypeErrors = defineErrors("dtype", {
  badName: {
    http: 400,
    code: "003",
    message: "The name of a data type has 1 to 255 characters, and no / or control characters",
  },
  badProvider: {
    http: 400,
    code: "007",
    message:
      "providerConfig needs a url that starts with http:// or https:// for external-api, and is null otherwise",
  },
  unknownKind: { http: 400, code: "017", message: "A field has a type that does not exist" },
  nameTaken: {
    http: 400,
    code: "031",
    message: "There is already a data type with this name: choose another one",
  },
  immutable: {
    http: 400,
    code: "032",
    message: "The provider of a data type cannot change: create another data type",
  },
  notFound: { http: 404, code: "033", message: "Data not found" },
  badField: { http: 400, code: "039", message: "A field is not usable" },
  keyNotDeletable: {
    http: 400,
    code: "040",
    message: "deleteFields names the primary key or a field that stays: take it out of the list",
  },
  referenced: {
    http: 400,
    code: "041",
    message: "Records or flows use this data type: delete its records and take it out of the flows first",
  },
  notConvertible: {
    http: 400,
    code: "043",
    message: "Some stored values do not fit the changed fields: choose default, clear or keep for them",
  },
})
