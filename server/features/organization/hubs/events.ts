import { defineEvent } from "#core/events/live-events.ts"

/** A hub was made, changed or deleted. Content: `hubId`. */
export const hubChanged = defineEvent("hub.changed", "view/hub")
