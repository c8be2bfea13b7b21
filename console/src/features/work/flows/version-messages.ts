import { defineMessages } from "../../../i18n/messages.ts"

/** Texts of a flow's versions. */
export const versionMessages = defineMessages("work.version", {
  open: "Versions",
  heading: "Versions of “{name}”",
  title: "title",
  current: "In use: version {version}, since {time}",
  none: "This flow has not been changed yet. Each time it is saved, the previous version is kept here.",
  version: "Version {version}",
  replaced: "Replaced {time} by {name}",
  restored: "Version {version} is in use again",
  restoreTitle: "Restore version {version}?",
  restoreText:
    "It becomes a new version. New tasks and tasks that are still open use it; today's version stays in this list.",
  same: "There are no differences from the version in use.",
  since: "What is different in the version in use",
  looked: "Version {version}, as on the phone",
  renamed: "The flow was called “{before}”, now “{after}”",
  pageAdded: "Page “{title}” was added",
  pageRemoved: "Page “{title}” was removed",
  pageRenamed: "Page “{before}” is called “{after}” now",
  added: "“{title}” was added",
  removed: "“{title}” was removed",
  moved: "“{title}” was moved",
  changed: "“{title}” changed: {keys}",
  // Keys of a component, in words.
  type: "kind of input",
  required: "whether it is required",
  options: "options",
  min: "minimum",
  max: "maximum",
  default: "default value",
  visible: "whether it is shown",
  showAs: "what it is shown as",
  routeAs: "its use in routes",
})
