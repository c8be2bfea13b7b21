import { defineEvent } from "#core/events/live-events.ts"

/** Results were made, planned, changed, dispatched or deleted. Content: `resultIds`. */
export const resultsChanged = defineEvent("routing.changed", "view/result")
/** A run goes on. Content: `resultId`, `share` from 0 to 1, and of the best plan so far `dropped`, `vehicles`, `distance` in metres. */
export const runProgressed = defineEvent("routing.progress", "view/result")
/** Profiles or areas of a hub were changed. Content: `hubId`. */
export const routingSettingsChanged = defineEvent("routing.settings", "view/configuration")
