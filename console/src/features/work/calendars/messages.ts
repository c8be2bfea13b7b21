import { defineMessages } from "../../../i18n/messages.ts"

export const calendarMessages = defineMessages("work.calendar", {
  add: "New feed",
  empty: "No calendar feeds",
  text: "Subscribe to tasks or schedules in your calendar app. A feed shows what you may see.",
  shows: "Shows",
  person: "Tasks of a person",
  hub: "Tasks of a hub",
  schedule: "Runs of a schedule",
  mine: "My tasks",
  whose: "Person",
  whichHub: "Hub",
  whichSchedule: "Schedule",
  choose: "Choose one",
  create: "Create feed",
  madeTitle: "Copy the address now: it is not shown again",
  madeText:
    "Add it to your calendar app as a subscription. Anyone with the address can read the feed until you delete it.",
  open: "Open in the calendar app",
  gone: "No longer available",
  lastRead: "Last read",
  never: "Never",
  delete: "Delete feed",
  deleteTitle: "Delete the calendar feed “{name}”?",
  deleteText: "Calendar apps that use its address no longer receive anything.",
  deleted: "The calendar feed is deleted",
})
