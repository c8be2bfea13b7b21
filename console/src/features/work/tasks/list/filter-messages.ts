import { defineMessages } from "../../../../i18n/messages.ts"

export const filterMessages = defineMessages({
  en: {
    anyDay: "Any day",
    whichTime: "Which time of a task",
    starts: "Starts",
    finished: "Finished",
    yesterday: "Yesterday",
    tomorrow: "Tomorrow",
  },
  id: {
    anyDay: "Hari apa saja",
    whichTime: "Waktu tugas yang mana",
    starts: "Mulai",
    finished: "Selesai",
    yesterday: "Kemarin",
    tomorrow: "Besok",
  },
})
