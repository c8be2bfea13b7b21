import { defineMessages } from "../../i18n/messages.ts"

/** How things stand between the phone and the server. */
export const noticeMessages = defineMessages("field.notice", {
  offline: "No network. Everything you enter is kept on this phone and sent later.",
  slow: "The server responds slowly. You need not wait: everything you enter is kept on this phone and sent as soon as it gets through.",
  down: "The server does not respond. Everything you enter is kept on this phone and sent later.",
  asOf: "What you see is from {time}.",
  signedOutTitle: "Sign in again",
  signedOut:
    "Your session has ended. {count} task waits on this phone and is sent as soon as you sign in. You can go on working; nothing is lost.|Your session has ended. {count} tasks wait on this phone and are sent as soon as you sign in. You can go on working; nothing is lost.",
  signedOutEmpty: "Your session has ended. You can go on working; nothing is lost.",
  signIn: "Sign in",
  waiting: "{count} task waits to be sent|{count} tasks wait to be sent",
  messagesWait: "{count} message waits to be sent|{count} messages wait to be sent",
  clockAhead:
    "The clock of this phone is {by} ahead. Times are corrected. Set the clock to automatic in the phone's settings.",
  clockBehind:
    "The clock of this phone is {by} behind. Times are corrected. Set the clock to automatic in the phone's settings.",
  minutes: "{count} minute|{count} minutes",
  hours: "{count} hour|{count} hours",
  notKeptTitle: "This phone has no room left",
  notKept:
    "Your last entries are not stored yet. Leave this page open, connect to a network so that waiting work is sent, or delete photos and apps on the phone. Then try again.",
  whatUses: "This phone",
  close: "Close",
  refused: "“{title}” was refused: {reason}",
  gone: "“{title}” is no longer there: it was deleted, or you may no longer see it. Your entries stay on this phone. Ask your planner, then try again.",
  again: "Try again",
  change: "Change it",
  discard: "Discard",
  discardQuestion: "Discard your entries for “{title}”? They are not sent and will be lost.",
  orphaned:
    "“{title}” is no longer one of your stops, but you had begun to fill it in. What you entered is still on this phone.",
  untitled: "A stop",
  view: "View it",
  positionsRefused:
    "The server refused {count} position: {reason}. It is kept on this phone.|The server refused {count} positions: {reason}. They are kept on this phone.",
  discardPositions:
    "Discard {count} position? It will be missing from your track.|Discard {count} positions? They will be missing from your track.",
  wasOpenSince:
    "Your working time has been running since {time}: it was started on another device. It continues here.",
  wasOpen: "Your working time was already running: it was started on another device. It continues here.",
  wasFinished: "Your working time had already been finished on another device.",
  leftOut: "“{title}” was sent. Please note: {warnings}",
  addedTo:
    "{by} finished “{title}” first, at {time}. Your entries were added to the task; your planner sees both.",
  added: "“{title}” was no longer yours. Your entries were added to the task for your planner.",
  alsoDone: "{by} also finished “{title}”, at {time}. Their entries were added to yours; both are kept.",
})
