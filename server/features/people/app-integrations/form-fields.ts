import { integrationErrors } from "./errors.ts"

/** The fields of the form or the JSON body that describes an integration. */
export type Fields = Readonly<Record<string, unknown>>

export function readAddress(fields: Fields, field: string): string {
  const value = fields[field]
  if (isAbsent(value)) throw missing(field)
  if (
    typeof value !== "string" ||
    value.length > 2000 ||
    !URL.canParse(value) ||
    !/^https?:\/\//i.test(value)
  )
    throw integrationErrors.badUrl({ fields: { [field]: ["must start with https://"] } })
  return value
}

export function readText(value: unknown, maxLength: number): string | undefined {
  if (isAbsent(value)) return undefined
  const text = String(value).trim()
  if (text.length > maxLength) throw integrationErrors.required({ message: "A text is too long" })
  return text
}

export const isAbsent = (value: unknown) => value === undefined || value === null || value === ""
export const isTrue = (value: unknown) => value === true || value === "true" || value === "1"

export function missing(field: string) {
  return integrationErrors.required({ message: `${field} is required`, fields: { [field]: ["is required"] } })
}
