import { defineMessages } from "../../i18n/messages.ts"

/** Texts of changing fields in tables, of one row or many. */
export const changeMessages = defineMessages("console.change", {
  changeOne: "Change {field} of {name}",
  preview: "{field} becomes {value} in {count} row|{field} becomes {value} in {count} rows",
  previewClear: "{field} is cleared in {count} row|{field} is cleared in {count} rows",
})
