import { defineEvent } from "#core/events/live-events.ts"

/** A data type was made, changed or deleted. Content: `dataTypeId`. */
export const dataTypeChanged = defineEvent("dataType.changed")
