import { unstorablePart } from "#core/database/storable-json.ts"
import { dataTypeErrors } from "./errors.ts"
import { type Field, isFieldKind, primaryKeyId, reservedRecordKeys } from "./field.ts"
import { isEmptyValue, readFieldValue } from "./field-values.ts"
import type { FieldBody } from "./schemas.ts"

const maxFields = 200
const maxOptions = 1000
const maxOptionLength = 255
/** Field lists travel with every list of types: what clients add to them must stay small. */
const maxFieldsBytes = 1_000_000

/** The fields of a type in stored form. Refuses what no record could be kept by, naming the field. */
export function checkFields(bodies: readonly FieldBody[]): Field[] {
  if (bodies.length > maxFields)
    throw dataTypeErrors.badField({ message: `A data type can have at most ${maxFields} fields` })
  const fields = bodies.map(normalField)
  const keys = fields.filter((field) => field.primaryKey)
  if (keys.length !== 1 || keys[0]?.id !== primaryKeyId)
    throw dataTypeErrors.badField({
      message: `A data type must have exactly one primary key, with the id ${primaryKeyId}; this one has ${keys.length}`,
      fields: { fields: [`must have exactly one primary key with the id ${primaryKeyId}`] },
    })
  const unstorable = unstorablePart(fields)
  if (unstorable) throw dataTypeErrors.badField({ message: `One of the fields ${unstorable}` })
  const ids = new Set<string>()
  for (const field of fields) {
    checkField(field)
    if (ids.has(field.id)) throw bad(field, "its id is used twice")
    ids.add(field.id)
  }
  if (Buffer.byteLength(JSON.stringify(fields)) > maxFieldsBytes)
    throw dataTypeErrors.badField({ message: "The fields must not be larger than 1 MB in total" })
  return fields
}

/** Clients mark the primary key by a flag or by the type; it is stored with both, and has no default. */
function normalField(body: FieldBody): Field {
  const primaryKey = body.primaryKey === true || body.type === "primaryKey"
  const type = primaryKey ? "primaryKey" : body.type
  if (!isFieldKind(type))
    throw dataTypeErrors.unknownKind({
      message: `Field ${body.id}: the type ${body.type} does not exist`,
      fields: { [body.id]: ["has a type that does not exist"] },
    })
  return {
    ...body,
    description: body.description ?? null,
    type,
    default: primaryKey ? null : (body.default ?? null),
    optionData: type === "option" ? (body.optionData ?? []) : [],
    required: primaryKey || (body.required ?? false),
    primaryKey,
    show: body.show ?? true,
    visible: body.visible ?? true,
  }
}

function checkField(field: Field): void {
  if (!/^[\p{L}\p{N}_. -]{1,100}$/u.test(field.id) || field.id !== field.id.trim())
    throw bad(field, "its id has 1 to 100 letters, digits, _, -, . and spaces between them")
  if (reservedRecordKeys.has(field.id) || (field.id === primaryKeyId && !field.primaryKey))
    throw bad(field, "its id is a key that every record has")
  if (field.type === "option") checkOptions(field)
  if (isEmptyValue(field.default)) return
  const read = readFieldValue(field, field.default)
  if ("reason" in read) throw bad(field, `its default ${read.reason}`)
}

function checkOptions(field: Field): void {
  const options = field.optionData
  if (options.length === 0 || options.length > maxOptions)
    throw bad(field, `optionData must have 1 to ${maxOptions} options`)
  if (options.some((option) => option.trim() === "" || option.length > maxOptionLength))
    throw bad(field, `an option has 1 to ${maxOptionLength} characters`)
  if (new Set(options).size !== options.length) throw bad(field, "an option is there twice")
}

function bad(field: Field, reason: string) {
  return dataTypeErrors.badField({
    message: `Field ${field.id || field.title}: ${reason}`,
    fields: { [field.id || "fields"]: [reason] },
  })
}
