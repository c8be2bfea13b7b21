import { defineMessages } from "../../../i18n/messages.ts"

export const fieldWorkMessages = defineMessages("organization.fieldWork", {
  title: "Field app and positions",
  quickReplies: "Quick replies",
  quickRepliesText: "Messages that can be sent with one tap, one per line; at most 20.",
  correctionMinutes: "Correct finished tasks for (minutes)",
  correctionMinutesText: "People can correct what they finished for this long. 0: not at all.",
  positionConsent: "Ask people for consent before their positions are recorded",
  positionConsentText: "People can also work without consent. Every decision is recorded.",
  onlyDuringSessions: "Store positions only during working time",
  onlyDuringSessionsText:
    "Positions outside working time and during breaks are refused, also from trackers and apps. Roles with position/always are exempt.",
  retentionDays: "Keep positions for (days)",
  retentionDaysText: "Older positions are hidden immediately and deleted in the background.",
  save: "Save",
  saved: "Settings have been saved",
})
