import type { DataTypeRow } from "../data-types/index.ts"
import { NewRecordBody, RecordSchema } from "./schemas.ts"

/** What every record has; clients send back what they have read. */
const baseKeys = new Set([RecordSchema, NewRecordBody].flatMap(({ properties }) => Object.keys(properties)))

/** Keys of a record's body that nothing knows: neither a key of every record nor a field of its type. */
export function ignoredKeys(type: DataTypeRow, body: Readonly<Record<string, unknown>>): string[] {
  const fields = new Set(type.fields.map(({ id }) => id))
  return Object.keys(body).filter((key) => !baseKeys.has(key) && !fields.has(key))
}
