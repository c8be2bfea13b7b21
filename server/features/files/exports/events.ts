import { defineEvent } from "#core/events/live-events.ts"

/** Content: `exportId`, `status`. Reaches the one who asked for it. */
export const exportFinished = defineEvent("export.finished")
