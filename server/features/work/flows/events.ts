import { defineEvent } from "#core/events/live-events.ts"

/** A flow was made, changed, reordered or deleted. Content: `flowId`. */
export const flowChanged = defineEvent("flow.changed")
