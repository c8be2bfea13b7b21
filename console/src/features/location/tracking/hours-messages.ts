import { defineMessages } from "../../../i18n/messages.ts"

export const hoursMessages = defineMessages({
  en: {
    show: "Show next to the map",
    people: "People",
    messages: "Messages",
    unread: "Messages ({count})",
    hours: "Hours",
    day: "Day",
    nobody: "Nobody has started work on this day.",
    working: "at work",
    message: "Message",
  },
  id: {
    show: "Tampilkan di samping peta",
    people: "Orang",
    messages: "Pesan",
    unread: "Pesan ({count})",
    hours: "Jam kerja",
    day: "Hari",
    nobody: "Belum ada yang mulai bekerja pada hari ini.",
    working: "sedang bekerja",
    message: "Pesan",
  },
})
