import { defineMessages } from "../../../i18n/messages.ts"

export const momentMessages = defineMessages("planning.moment", {
  title: "Time machine",
  map: "Map",
  board: "Board",
  mapLabel: "Map of the moment",
  people: "{count} person with a position|{count} people with a position",
  tasks: "{done} of {total} tasks finished",
  routes: "Routes at this moment",
  messages: "Messages of the last 24 hours",
  unassigned: "Not assigned",
  nothing: "No positions or tasks at this moment.",
  isPart: "Only a part of the tasks is shown.",
  hint: "Share the address of this page to link to this moment.",
})
