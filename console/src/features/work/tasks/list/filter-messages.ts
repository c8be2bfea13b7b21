import { defineMessages } from "../../../../i18n/messages.ts"

export const filterMessages = defineMessages("work.filter", {
  anyDay: "Any day",
  whichTime: "Which time of a task",
  starts: "Starts",
  finished: "Finished",
  activityWithSteps: "Activity with steps",
  weekdayOf: "{time}: day of the week (1 is Monday)",
  hourOf: "{time}: hour",
  stars: "Rating",
  expectedLate: "Expected late",
  yesterday: "Yesterday",
  tomorrow: "Tomorrow",
})
