import { defineMessages } from "../../../i18n/messages.ts"

/** Texts of priority and tags. */
export const labelMessages = defineMessages("work.label", {
  priority: "Priority",
  anyPriority: "Any priority",
  low: "Low",
  normal: "Normal",
  high: "High",
  urgent: "Urgent",
  tags: "Tags",
  anyTag: "Any tag",
  tagsHint: "Press Enter or type a comma after each tag",
  change: "Change…",
})
