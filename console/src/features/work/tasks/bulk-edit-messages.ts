import { defineMessages } from "../../../i18n/messages.ts"

/** Texts of changing fields of many tasks. */
export const bulkEditMessages = defineMessages("work.bulkEdit", {
  changeTitle: "Change {count} task|Change {count} tasks",
  changeSubmit: "Change {count} task|Change {count} tasks",
  changed: "{count} task changed|{count} tasks changed",
  field: "Field",
  chooseField: "Choose a field",
  ofEveryTask: "Of every task",
  ofFlows: "Of the flows",
  onlyFlows: "Only tasks of {flows} have this field",
  start: "Start",
  due: "Due",
  preview: "{field} becomes {value} in {count} task|{field} becomes {value} in {count} tasks",
  previewClear: "{field} is cleared in {count} task|{field} is cleared in {count} tasks",
  entries: "{count} entry|{count} entries",
  needsValue: "Enter a value",
})
