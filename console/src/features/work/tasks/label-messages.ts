import { defineMessages } from "../../../i18n/messages.ts"

/** Texts of priority and tags, and of changing fields of many tasks. */
export const labelMessages = defineMessages("work.label", {
  priority: "Priority",
  anyPriority: "Any priority",
  low: "Low",
  normal: "Normal",
  high: "High",
  urgent: "Urgent",
  tags: "Tags",
  anyTag: "Any tag",
  tagsHint: "Enter or a comma ends a tag",
  change: "Change…",
  changeTitle: "Change {count} task|Change {count} tasks",
  changeSubmit: "Change {count} task|Change {count} tasks",
  changed: "{count} task changed|{count} tasks changed",
  field: "Field",
  ofEveryTask: "Of every task",
  ofFlows: "Of the flows",
  onlyFlows: "Only tasks of {flows} have this field",
  start: "Start",
  due: "Due",
  clear: "Leave empty to clear the field",
  preview: "{field} becomes {value} in {count} task|{field} becomes {value} in {count} tasks",
  previewClear: "{field} is cleared in {count} task|{field} is cleared in {count} tasks",
  needsValue: "Enter a value",
  changeOne: "Change {field} of {name}",
})
