import { fieldTitle, type TaskField } from "#shared/task-fields.ts"

/** Keys of data records that tasks do not have. */
const recordKeys: Readonly<Record<string, TaskField>> = {
  limitUser: { id: "Batas Pengguna" },
  dataTypeName: { en: "Data Type", id: "Jenis Data" },
}

/** The title of a key in the organization's language. */
export function keyTitle(key: string, language: string): string {
  return Object.hasOwn(recordKeys, key) ? fieldTitle(key, language, recordKeys) : fieldTitle(key, language)
}
