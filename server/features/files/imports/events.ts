import { defineEvent } from "#core/events/live-events.ts"

/** Content: `importId`, `status`, `totalRows`, `totalValid`, `totalInvalid`. */
export const importProgress = defineEvent("import.progress", "import/data")
