import { defineMessages } from "../../../i18n/messages.ts"

export const guideMessages = defineMessages("field.guide", {
  title: "How it works",
  intro:
    "Add this page to the home screen once. Everything works without a network; your entries are sent later automatically.",
  pictureOf: "Picture: {title}",
  todayTitle: "Start your day",
  todayText:
    "Tap Start work. Your stops are in their order, the next one first. Navigate opens your maps app, Call and Message use the customer's number.",
  loadTitle: "Check the load",
  loadText:
    "Before you leave, tap Load check and scan what you load. The page says what is missing and what is not for today.",
  stopTitle: "At the stop",
  stopText:
    "Open the stop, tap Arrived, fill in the pages and finish. If it did not work out, choose Something else happened and the reason.",
  inboxTitle: "Changes",
  inboxText:
    "The bell shows new, changed and cancelled stops. Turn on notifications to see them while the page is closed.",
  threadTitle: "Ask your planner",
  threadText: "Write a message, add a photo or tap a quick reply. Without a network it waits on the phone.",
  troubleTitle: "If something is wrong",
  offline: "No network: go on working.",
  signIn: "Sign in again: your session has ended. Nothing is lost.",
  full: "No room left: connect to a network, so that photos are sent, or delete photos and apps.",
  refused: "Something was refused: read the reason, change it or try again.",
  late: "A stop is late: you can still finish it; give the reason.",
})
