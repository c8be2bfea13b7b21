import { defineMessages } from "../../i18n/messages.ts"

/** What came of a task, in the words of people. */
export const outcomeMessages = defineMessages({
  en: {
    outcome: "Outcome",
    anyOutcome: "Any outcome",
    partial: "Partly done",
    returned: "Returned",
    skipped: "Skipped",
    late: "Late",
    toReview: "To review",
    reason: "Reason",
    lateReason: "Reason, if it is late",
  },
  id: {
    outcome: "Hasil",
    anyOutcome: "Semua hasil",
    partial: "Sebagian selesai",
    returned: "Dikembalikan",
    skipped: "Ditunda",
    late: "Terlambat",
    toReview: "Perlu ditinjau",
    reason: "Alasan",
    lateReason: "Alasan, jika terlambat",
  },
})
