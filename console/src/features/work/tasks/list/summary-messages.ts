import { defineMessages } from "../../../../i18n/messages.ts"

export const summaryMessages = defineMessages("work.taskSummary", {
  noValue: "No value",
  moreGroups:
    "{count} more group is left out. Narrow the filter.|{count} more groups are left out. Narrow the filter.",
})
