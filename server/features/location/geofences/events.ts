import { defineEvent } from "#core/events/live-events.ts"

/** Somebody came to, or went from, a hub or a task's place. Content: `userId`, `placeType`, `placeId`, `time`. */
export const placeArrived = defineEvent("place.arrived", "view/tracking")
export const placeLeft = defineEvent("place.left", "view/tracking")
/** Late points showed that an arrival told before did not happen. Content as above. */
export const placeWithdrawn = defineEvent("place.withdrawn", "view/tracking")
/** Somebody at work is not heard of any more, or again. Content: `userId`. */
export const personSilent = defineEvent("person.silent", "view/tracking")
export const personHeard = defineEvent("person.heard", "view/tracking")
