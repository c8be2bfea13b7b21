import { defineMessages } from "../../../i18n/messages.ts"

export const fieldWorkMessages = defineMessages({
  en: {
    title: "Field app and positions",
    quickReplies: "Quick replies",
    quickRepliesText: "Messages that can be sent with one tap, one per line; at most 20.",
    correctionMinutes: "Correct finished tasks for (minutes)",
    correctionMinutesText: "People can correct what they finished for this long. 0: not at all.",
    positionConsent: "Ask people for consent before their positions are recorded",
    positionConsentText: "They can also work without. Every decision is kept.",
    onlyDuringSessions: "Store positions only during working time",
    onlyDuringSessionsText:
      "Positions between Finish work and Start work and in breaks are refused, from trackers and apps too, except of roles with position/always.",
    retentionDays: "Keep positions for (days)",
    retentionDaysText: "Older positions are hidden at once and deleted in the background.",
    save: "Save",
    saved: "Settings have been saved",
  },
  id: {
    title: "Aplikasi lapangan dan posisi",
    quickReplies: "Balasan cepat",
    quickRepliesText: "Pesan yang dapat dikirim dengan satu ketukan, satu per baris; paling banyak 20.",
    correctionMinutes: "Koreksi tugas selesai selama (menit)",
    correctionMinutesText: "Selama itu orang dapat mengoreksi yang mereka selesaikan. 0: tidak sama sekali.",
    positionConsent: "Minta persetujuan sebelum posisi orang direkam",
    positionConsentText: "Mereka juga dapat bekerja tanpa itu. Setiap keputusan disimpan.",
    onlyDuringSessions: "Simpan posisi hanya selama waktu kerja",
    onlyDuringSessionsText:
      "Posisi antara Selesai kerja dan Mulai kerja serta saat istirahat ditolak, juga dari pelacak dan aplikasi, kecuali peran dengan position/always.",
    retentionDays: "Simpan posisi selama (hari)",
    retentionDaysText: "Posisi yang lebih lama langsung disembunyikan dan dihapus di latar belakang.",
    save: "Simpan",
    saved: "Pengaturan telah disimpan",
  },
})
