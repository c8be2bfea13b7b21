import { defineMessages } from "../../../../i18n/messages.ts"

export const filterMessages = defineMessages({
  en: {
    anyDay: "Any day",
    days: "Days",
    whichTime: "Which time of a task",
    starts: "Starts",
    created: "Created",
    finished: "Finished",
    yesterday: "Yesterday",
    today: "Today",
    tomorrow: "Tomorrow",
  },
  id: {
    anyDay: "Hari apa saja",
    days: "Hari",
    whichTime: "Waktu tugas yang mana",
    starts: "Mulai",
    created: "Dibuat",
    finished: "Selesai",
    yesterday: "Kemarin",
    today: "Hari ini",
    tomorrow: "Besok",
  },
})
