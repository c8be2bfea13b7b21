import { defineMessages } from "../../i18n/messages.ts"

/** What came of a task, in the words of people. */
export const outcomeMessages = defineMessages({
  en: {
    outcome: "Outcome",
    anyOutcome: "Any outcome",
    done: "Done",
    partial: "Partly done",
    failed: "Failed",
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
    done: "Selesai",
    partial: "Sebagian selesai",
    failed: "Gagal",
    returned: "Dikembalikan",
    skipped: "Ditunda",
    late: "Terlambat",
    toReview: "Perlu ditinjau",
    reason: "Alasan",
    lateReason: "Alasan, jika terlambat",
  },
})
