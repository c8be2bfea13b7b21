import { defineErrors } from "#core/errors.ts"

export const dataTypeErrors = defineErrors("dtype", {
  badName: [
    400,
    "003",
    "The name of a data type must have 1 to 255 characters, without / or control characters",
  ],
  badProvider: [
    400,
    "007",
    "providerConfig must have a url that starts with http:// or https:// for external-api, and must be null otherwise",
  ],
  unknownKind: [400, "017", "A field has an unknown type"],
  nameTaken: [400, "031", "A data type with this name already exists. Choose another name"],
  immutable: [400, "032", "The provider of a data type cannot be changed. Create a new data type"],
  notFound: [404, "033", "Data not found"],
  badField: [400, "039", "A field is invalid"],
  keyNotDeletable: [
    400,
    "040",
    "deleteFields contains the primary key or a field that is still defined. Remove it from the list",
  ],
  referenced: [
    400,
    "041",
    "Records or flows use this data type. Delete its records and remove it from the flows first",
  ],
  notConvertible: [
    400,
    "043",
    "Some stored values do not match the changed fields. Choose default, clear or keep for them",
  ],
})
