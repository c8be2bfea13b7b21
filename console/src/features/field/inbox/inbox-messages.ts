import { defineMessages } from "../../../i18n/messages.ts"

export const inboxMessages = defineMessages("field.inbox", {
  title: "Inbox",
  back: "Back to my tasks",
  notices: "What's new",
  conversations: "Messages",
  planner: "Message my planner",
  plannerTitle: "My planner",
  open: "Open inbox",
  openUnread: "Open inbox, {count} unread",
  nothing: "Nothing new",
  nothingText: "New, changed and cancelled stops, and messages, appear here.",
  taskNew: "New stop|{count} new stops",
  taskChanged: "Changed stop|{count} changed stops",
  taskCancelled: "Cancelled stop|{count} cancelled stops",
  message: "Message|{count} messages",
  mention: "You were mentioned",
  alert: "Alert|{count} alerts",
  by: "{by}, {time}",
  unread: "Unread",
  push: "Notifications",
  pushOn:
    "This phone shows new stops, changes and messages even while the page is closed. No names or places are sent.",
  pushOff:
    "Be notified of new stops, changes and messages while the page is closed. No names or places are sent.",
  pushBlocked: "Notifications are blocked in the browser's settings for this page. Allow them there.",
  pushInstall: "Add this page to the home screen and open it from there to be notified while it is closed.",
  turnOn: "Turn on notifications",
  turnOff: "Turn off",
  messagesOf: "Messages: {title}",
  noTask: "This conversation is no longer available",
})
