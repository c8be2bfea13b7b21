import { defineMessages } from "../../i18n/messages.ts"

/** Texts of all tables. */
export const tableMessages = defineMessages("console.table", {
  unsort: "Back to the usual order",
  tooLong: "The table shows the first {most} rows. Narrow the filter or reverse the order to see the others.",
  changeOne: "Change {field} of {name}",
  preview: "{field} becomes {value} in {count} row|{field} becomes {value} in {count} rows",
  previewClear: "{field} is cleared in {count} row|{field} is cleared in {count} rows",
})
