import { defineMessages } from "../../../i18n/messages.ts"

/** The page about the phone itself. */
export const phoneMessages = defineMessages("field.phone", {
  title: "This phone",
  guide: "How it works",
  back: "Back to my tasks",
  held: "Waiting on this phone",
  nothingHeld: "Everything is sent.",
  tasksHeld: "{count} finished task|{count} finished tasks",
  moreHeld: "{count} other entry|{count} other entries",
  draftsHeld: "{count} draft|{count} drafts",
  positionsHeld: "{count} position|{count} positions",
  sendNow: "Send now",
  storage: "Storage",
  usage: "{used} of {quota} in use",
  storageLow:
    "Little room is left. Connect to a network so that waiting photos are sent, or delete photos and apps on the phone.",
  persistent: "The browser keeps this data until it is sent.",
  notPersistent:
    "The browser may delete this data when the phone is full. Add this page to the home screen to prevent that.",
  others: "Work of other people",
  othersText:
    "Someone else worked on this phone. Their work is kept, hidden from you, and sent when they sign in here. Tell your planner if they cannot.",
  othersForPlanner:
    "Their work is sent when they sign in here. If they cannot, you can send it for them: the tasks are finished in their name, and the history names you too. Drafts stay.",
  release: "Send for {name}",
  releaseQuestion:
    "Send {count} finished task in the name of {name}? The history will show that you sent it.|Send {count} finished tasks in the name of {name}? The history will show that you sent them.",
  released: "The work of {name} was sent",
  releasedPartly: "Some work of {name} could not be sent. It is still on this phone",
  language: "Language",
  appearance: "Appearance",
  light: "Light",
  dark: "Dark",
  auto: "Automatic",
  console: "Console",
  signOut: "Sign out",
  signOutTitle: "Sign out of this phone?",
  stays:
    "Not sent yet: {what}. It stays on this phone, hidden from others, and is sent when you sign in here again.",
  nothingStays: "Everything is sent. Nothing of yours stays on this phone.",
  sendFirst: "Send first",
  signOutAndKeep: "Sign out and keep it here",
  stay: "Stay signed in",
})
