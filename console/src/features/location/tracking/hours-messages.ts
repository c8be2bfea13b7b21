import { defineMessages } from "../../../i18n/messages.ts"

export const hoursMessages = defineMessages("location.hours", {
  show: "Show next to the map",
  people: "People",
  messages: "Messages",
  unread: "Messages ({count})",
  hours: "Hours",
  day: "Day",
  nobody: "Nobody has started work on this day.",
  working: "at work",
  message: "Message",
})
