import { defineMessages } from "../../i18n/messages.ts"

export const undoMessages = defineMessages("console.undo", {
  saved: "Saved",
  undo: "Undo",
  redo: "Redo",
  undone: "{count} change undone|{count} changes undone",
  leftAlone: "{count} object was left alone|{count} objects were left alone",
  nothingUndone: "Nothing was undone",
  undoFailed: "The action could not be undone",
  seeActivity: "See Activity for the reasons.",
})
