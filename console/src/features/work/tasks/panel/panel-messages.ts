import { defineMessages } from "../../../../i18n/messages.ts"

export const panelMessages = defineMessages({
  en: {
    nextTask: "Next task",
    previousTask: "Previous task",
    copy: "Duplicate",
    history: "History",
    place: "Place",
    doneBy: "Finished by",
    empty: "Nothing entered yet",
    addedBy: "Also finished by {name}",
    createdBy: "Created by {name}",
    changedBy: "Changed by {name}",
    noHistory: "Nothing has happened yet",
    showAllHistory: "Show older changes",
    doneTask: "A finished task cannot be changed",
  },
  id: {
    nextTask: "Tugas berikutnya",
    previousTask: "Tugas sebelumnya",
    copy: "Duplikatkan",
    history: "Riwayat",
    place: "Lokasi",
    doneBy: "Diselesaikan oleh",
    empty: "Belum ada isian",
    addedBy: "Juga diselesaikan oleh {name}",
    createdBy: "Dibuat oleh {name}",
    changedBy: "Diubah oleh {name}",
    noHistory: "Belum ada kejadian",
    showAllHistory: "Tampilkan perubahan lama",
    doneTask: "Tugas yang selesai tidak dapat diubah",
  },
})
