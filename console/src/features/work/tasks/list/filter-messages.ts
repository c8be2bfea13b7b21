import { defineMessages } from "../../../../i18n/messages.ts"

export const filterMessages = defineMessages("work.filter", {
  anyDay: "Any day",
  whichTime: "Which time of a task",
  starts: "Starts",
  finished: "Finished",
  activityWithSteps: "Activity with steps",
  yesterday: "Yesterday",
  tomorrow: "Tomorrow",
})
