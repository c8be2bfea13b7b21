import { defineMessages } from "../../i18n/messages.ts"

export const panelMessages = defineMessages({
  en: {
    close: "Close",
    history: "History",
    place: "Place",
    doneBy: "Finished by",
    reference: "Reference",
    empty: "Nothing entered yet",
    page: "Page {number}",
    createdBy: "Created by {name}",
    changedBy: "Changed by {name}",
    noHistory: "Nothing has happened yet",
    assign: "Assign",
    doneTask: "A finished task can no longer change",
  },
  id: {
    close: "Tutup",
    history: "Riwayat",
    place: "Lokasi",
    doneBy: "Diselesaikan oleh",
    reference: "Referensi",
    empty: "Belum ada isian",
    page: "Halaman {number}",
    createdBy: "Dibuat oleh {name}",
    changedBy: "Diubah oleh {name}",
    noHistory: "Belum ada kejadian",
    assign: "Tugaskan",
    doneTask: "Tugas yang selesai tidak dapat diubah lagi",
  },
})
