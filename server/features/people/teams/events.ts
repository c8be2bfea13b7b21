import { defineEvent } from "#core/events/live-events.ts"

/** A team was made, changed or deleted. Content: `teamId`. */
export const teamChanged = defineEvent("team.changed", "view/team")
