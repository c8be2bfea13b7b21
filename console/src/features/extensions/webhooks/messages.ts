import { defineMessages } from "../../../i18n/messages.ts"

export const webhookMessages = defineMessages("extensions.webhook", {
  title: "Webhook deliveries",
  webhook: "Webhook",
  emptyTitle: "Notify other systems of events",
  emptyText: "A webhook is an automation that sends each new task, record, trip or plan to your endpoint.",
  make: "New automation",
  test: "Send a test",
  testGood: "The endpoint responded with status 200",
  testBad: "The test failed",
  testStatus: "The endpoint responded with status {status}.",
  noAnswer: "The endpoint did not respond.",
  replay: "Replay",
  replayTitle: "Replay all deliveries since…",
  replayText:
    "Each event since then is sent again, in order, with the record at the time of the event. Events that were already delivered are sent twice.",
  since: "Since",
  replayed: "One event is being sent again|{count} events are being sent again",
  running: "On",
  failing: "Failing",
  pausedText: "Deliveries are paused. Events are queued for 30 days and sent in order when you resume.",
  deadText: "Paused on {since} after too many consecutive failures.",
  goneText: "Paused on {since}: the endpoint responded with status 410 (gone).",
  heldText: "Paused manually on {since}.",
  ownerText:
    "Paused on {since}: the person who last saved it has left or lacks a permission. Save it to run it with your permissions.",
  offText: "This webhook is disabled: events are neither sent nor queued. You can replay them later.",
  failingText: "{count} consecutive calls have failed since {since}.",
  waiting: "One delivery is queued.|{count} deliveries are queued.",
  resumed: "One delivery is being sent|{count} deliveries are being sent",
})
