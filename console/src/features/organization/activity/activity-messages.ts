import { defineMessages } from "../../../i18n/messages.ts"

export const activityMessages = defineMessages("organization.activity", {
  title: "Activity",
  text: "Your changes. You can undo those of the last ten minutes; objects that others have changed since are left alone.",
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
  leftAlone: "Not undone by the last undo",
  reason: "Reason",
  empty: "Nothing yet",
  changes: "Changes of {name}",
})
