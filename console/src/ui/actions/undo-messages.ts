import { defineMessages } from "../../i18n/messages.ts"

export const undoMessages = defineMessages({
  en: {
    saved: "Saved",
    undo: "Undo",
    redo: "Redo",
    undone: "{count} change undone|{count} changes undone",
    leftAlone: "{count} object was left alone|{count} objects were left alone",
    nothingUndone: "Nothing was undone",
    undoFailed: "The action could not be undone",
    seeActivity: "See Activity for the reasons.",
  },
  id: {
    saved: "Tersimpan",
    undo: "Urungkan",
    redo: "Ulangi",
    undone: "{count} perubahan diurungkan",
    leftAlone: "{count} objek dibiarkan",
    nothingUndone: "Tidak ada yang diurungkan",
    undoFailed: "Tindakan tidak dapat diurungkan",
    seeActivity: "Lihat Aktivitas untuk alasannya.",
  },
})
