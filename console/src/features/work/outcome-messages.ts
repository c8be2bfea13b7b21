import { defineMessages } from "../../i18n/messages.ts"

/** What came of a task, in the words of people. */
export const outcomeMessages = defineMessages("work.outcome", {
  outcome: "Outcome",
  anyOutcome: "Any outcome",
  partial: "Partly done",
  returned: "Returned",
  skipped: "Skipped",
  late: "Late",
  toReview: "To review",
  reason: "Reason",
  lateReason: "Reason, if it is late",
})
