import { defineMessages } from "../../../../i18n/messages.ts"

export const panelMessages = defineMessages("work.panel", {
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
})
