import { defineEvent } from "#core/events/live-events.ts"

/** Somebody moved. Content: see `MovedContent`. Read from the newest positions, never written to the event table. */
export const positionMoved = defineEvent("position.moved", "view/tracking")

/** A session began or ended. Content: `locationHistoryId`, `userId`. */
export const tripStarted = defineEvent("trip.started", "view/tracking")
export const tripFinished = defineEvent("trip.finished", "view/tracking")
