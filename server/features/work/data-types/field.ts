/** The kinds of fields of a data type, with the suffix of the code that refuses a bad value. */
export const fieldKinds = {
  primaryKey: "016",
  text: "016",
  number: "009",
  option: "017",
  date: "008",
  dateTime: "008",
  time: "018",
  geolocation: "012",
  phoneNumber: "006",
  boolean: "010",
} as const
export type FieldKind = keyof typeof fieldKinds

export function isFieldKind(word: string): word is FieldKind {
  return Object.hasOwn(fieldKinds, word)
}

/** A field of a data type as stored. Keys that are not known here are kept and returned as they came. */
export interface Field {
  id: string
  title: string
  description: string | null
  type: FieldKind
  /** The value of a record that leaves the field out, when it is created. */
  default: string | number | boolean | null
  optionData: string[]
  required: boolean
  primaryKey: boolean
  show: boolean
  visible: boolean
  [key: string]: unknown
}

/** The primary key's field id in every type: records carry it as a key of their own. */
export const primaryKeyId = "dataId"

/** Keys that a record has besides its fields: no field may have one of them as its id. */
export const reservedRecordKeys: ReadonlySet<string> = new Set([
  "_id",
  "dataTypeId",
  "hubId",
  "limitUser",
  "data_type",
  "organizationId",
  "createdBy",
  "updatedBy",
  "createdTime",
  "updatedTime",
  "__proto__",
])
