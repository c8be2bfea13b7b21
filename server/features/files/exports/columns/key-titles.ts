import { ownEntry } from "#core/paging.ts"
import { englishTitle, type TaskField, taskFields } from "#shared/task-fields.ts"

/** Keys of data records that tasks do not have. */
const recordKeys: Readonly<Record<string, TaskField>> = {
  limitUser: { id: "Batas Pengguna" },
  dataTypeName: { en: "Data Type", id: "Jenis Data" },
}

/** Languages that have titles of their own; Malay reads the Indonesian ones. Everything else is English. */
const indonesian: ReadonlySet<string> = new Set(["id", "ms"])

/** The title of a key in the organization's language: `startTime` is `Start Time`. */
export function keyTitle(key: string, language: string): string {
  const field = ownEntry(taskFields, key) ?? ownEntry(recordKeys, key)
  const own = indonesian.has(language.toLowerCase().split("-")[0] ?? "") ? field?.id : undefined
  return own ?? field?.en ?? englishTitle(key)
}
