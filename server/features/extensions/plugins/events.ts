import { defineEvent } from "#core/events/live-events.ts"

/** A plugin was installed, changed, switched off or deleted: whoever runs plugins asks anew. Content: `pluginId`. */
export const pluginChanged = defineEvent("plugin.changed")
