import { defineMessages } from "../../../i18n/messages.ts"

export const activityMessages = defineMessages("organization.activity", {
  title: "Activity",
  text: "What you changed. Changes of the last ten minutes can be undone; what others have changed since stays as it is.",
  everyone: "Everyone",
  onlyMine: "Only mine",
  when: "When",
  who: "Who",
  what: "What",
  objects: "Objects",
  count: "{count} object|{count} objects",
  manyCount: "more than 1,000",
  undo: "Undo",
  undone: "Undone",
  leftAlone: "Left alone by the last undo",
  reason: "Reason",
  empty: "Nothing yet",
  changes: "Changes of {name}",
})
