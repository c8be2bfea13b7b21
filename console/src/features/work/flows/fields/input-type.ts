import { defineMessages, type Translate } from "../../../../i18n/messages.ts"

/** The wire's types of an input, in the words of people. */
export const inputTypeMessages = defineMessages("work.inputType", {
  String: "Text",
  Numeric: "Number",
  Date: "Date",
  Datetime: "Date and time",
  Time: "Time",
  Address: "Address",
  Geolocation: "Coordinate",
  PhoneNumber: "Phone number",
  URL: "Web address",
  Currency: "Amount of money",
})

export const inputTypes = [
  "String",
  "Numeric",
  "Date",
  "Datetime",
  "Time",
  "Address",
  "Geolocation",
  "PhoneNumber",
  "URL",
  "Currency",
] as const

/** The words for a type; another system's unknown type stays as it is. */
export function inputTypeName(type: string | undefined, t: Translate<typeof inputTypeMessages>): string {
  const known = inputTypes.find((candidate) => candidate.toLowerCase() === (type ?? "String").toLowerCase())
  return known ? t(known) : (type ?? "")
}
