import { defineMessages } from "../../i18n/messages.ts"

export const reportMessages = defineMessages("customers.report", {
  open: "Service report",
  title: "Service report of {name}",
  titleLabel: "Title (empty: the built-in one)",
  foot: "Text at the foot of each page",
  contains: "The report contains",
  showLogo: "Logo",
  showTimes: "Time window, arrival and completion",
  showFields: "Values of the fields",
  showItems: "Items and totals",
  showPhotos: "Photos",
  showSignature: "Signature",
  showMap: "Map",
  showHash: "Checksum of the task's values",
  fields: "Fields",
  attachToReceipt: "Send it by e-mail when a task is done",
  attachText: "Attached to e-mails of the message template “Receipt” under Settings, Customers, Messages.",
  saved: "Saved",
})
