import { defineMessages } from "../../../../i18n/messages.ts"

export const outcomePanelMessages = defineMessages("work.outcomePanel", {
  reason: "Reason",
  arrived: "Arrived",
  left: "Left",
  withoutReason: "No reason given",
  reviewed: "Accepted by",
  note: "Note",
  accept: "Accept",
  accepted: "The finished task is accepted",
  previousAttempt: "Previous attempt",
  nextAttempt: "Next attempt",
  scheduleAttempt: "Schedule the next attempt",
  attemptMade: "The next attempt is scheduled",
  acceptedBy: "Accepted by {name}",
  notApplied: "Not changed: {title} (sent: {value})",
})
