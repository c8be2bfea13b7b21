import { defineEvent } from "#core/events/live-events.ts"

/** A role was made, changed or deleted: everybody may be somebody who has it. Content: `roleId`. */
export const roleChanged = defineEvent("role.changed")
