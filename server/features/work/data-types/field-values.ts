import { isStorableText } from "#core/database/storable-json.ts"
import { latLngProblem } from "#packages/geodesy/lng-lat-text.ts"
import { valueNumber } from "#shared/values.ts"
import { parseDate, parseDateTime, parseTime } from "#shared/wire-time.ts"
import { type Field, fieldKinds, primaryKeyId } from "./field.ts"

export type FieldValue = string | number | boolean

/** Where a value comes from. A file's cells are text that people typed: `yes`, `GOLD`. */
export type ValueSource = "api" | "file"

/** What is wrong with one value: the wire's code suffix, and words that follow the field's title. */
export interface ValueProblem {
  fieldId: string
  title: string
  code: string
  reason: string
}

export type FieldRead = { value: FieldValue } | { reason: string; code: string }

export const maxTextLength = 10_000
export const maxKeyLength = 255

export function isEmptyValue(value: unknown): value is undefined | null | "" {
  return value === undefined || value === null || value === ""
}

/** One value by the rules of its field's kind. Not for empty values. */
export function readFieldValue(field: Field, value: unknown, source: ValueSource = "api"): FieldRead {
  const text =
    typeof value === "string" ? value.trim() : typeof value === "number" ? String(value) : undefined
  switch (field.type) {
    case "number":
      return judged(field, readNumber(value, source), "must be a number")
    case "boolean":
      return judged(field, readBoolean(value, source), "must be true or false")
    case "option":
      return judged(field, readOption(field.optionData, text, source), "is not an allowed option")
    case "date":
      return judged(field, text && parseDate(text), "must be a date such as 2031-05-04")
    case "time":
      return judged(field, text && parseTime(text) && text, "must be a time, for example 09:30")
    case "dateTime":
      return judged(
        field,
        text && parseDateTime(text) !== undefined && text,
        "must be a date and time, for example 2031-05-04 09:30:00",
      )
    case "geolocation": {
      const reason = latLngProblem(text ?? "")
      return judged(field, reason === undefined && text?.replace(/\s+/g, ""), reason ?? "")
    }
    case "phoneNumber":
      return judged(field, text && isPhoneNumber(text) && text, "must be a phone number")
    default:
      return readText(field, typeof value === "number" ? String(value) : value)
  }
}

function judged(field: Field, value: FieldValue | undefined, reason: string): FieldRead {
  const isGood = value !== undefined && value !== "" && (value !== false || field.type === "boolean")
  return isGood ? { value } : { reason, code: fieldKinds[field.type] }
}

/** Numbers stay numbers and numeric text stays text: clients get back the form that they sent. Files bring numbers. */
function readNumber(value: unknown, source: ValueSource): FieldValue | undefined {
  const number = valueNumber(value)
  return number === undefined || source === "file" || typeof value !== "string" ? number : value.trim()
}

const words: Readonly<Record<string, boolean>> = { true: true, "1": true, false: false, "0": false }
const spokenWords: Readonly<Record<string, boolean>> = { ...words, yes: true, no: false }

function readBoolean(value: unknown, source: ValueSource): boolean | undefined {
  if (typeof value === "boolean") return value
  if (typeof value !== "string" && typeof value !== "number") return undefined
  const word = String(value).trim().toLowerCase()
  const known = source === "file" ? spokenWords : words
  return Object.hasOwn(known, word) ? known[word] : undefined
}

function readOption(options: readonly string[], text: string | undefined, source: ValueSource) {
  if (text === undefined) return undefined
  const exact = options.find((option) => option === text)
  if (exact !== undefined || source === "api") return exact
  const wanted = text.toLowerCase()
  return options.find((option) => option.toLowerCase() === wanted)
}

/** A `+` or none, digits with single spaces between them, 6 to 20 digits. */
export function isPhoneNumber(text: string): boolean {
  const digits = text.replace(/\D/g, "").length
  return /^\+?\d(?: ?\d)*$/.test(text) && digits >= 6 && digits <= 20
}

function readText(field: Field, value: unknown): FieldRead {
  const code = fieldKinds[field.type]
  if (typeof value !== "string") return { reason: "must be text", code }
  if (value.length > maxTextLength)
    return { reason: `must not be longer than ${maxTextLength} characters`, code }
  return isStorableText(value) ? { value } : { reason: unstorable, code }
}

const unstorable = "must not contain the character U+0000 or an unpaired surrogate"

/** The primary key of a record: trimmed text, numbers as text. */
export function readPrimaryKey(value: unknown): { value: string } | { reason: string; code: string } {
  const text = typeof value === "number" ? String(value) : typeof value === "string" ? value.trim() : value
  if (isEmptyValue(text)) return { reason: "is required", code: "001" }
  if (typeof text !== "string") return { reason: "must be text", code: "016" }
  if (text.length > maxKeyLength)
    return { reason: `must not be longer than ${maxKeyLength} characters`, code: "016" }
  return isStorableText(text) ? { value: text } : { reason: unstorable, code: "016" }
}

/**
 * The number that orders a value among those of its field: milliseconds for times, seconds of the day for
 * a time of day. Undefined for kinds without an order, and for text that is not of the kind.
 */
export function orderKeyOf(field: Field, value: unknown): number | undefined {
  switch (field.type) {
    case "number":
      return valueNumber(value)
    case "date":
      return typeof value === "string" ? parseDateTime(`${value} 00:00`) : undefined
    case "dateTime":
      return typeof value === "string" ? parseDateTime(value) : undefined
    case "time": {
      const time = typeof value === "string" ? parseTime(value) : undefined
      if (time === undefined) return undefined
      // `HH:mm` or `HH:mm:ss`.
      return Number(time.slice(0, 2)) * 3600 + Number(time.slice(3, 5)) * 60 + Number(time.slice(6))
    }
    default:
      return undefined
  }
}

export function hasOrder(field: Field): boolean {
  return ["number", "date", "dateTime", "time"].includes(field.type)
}

/**
 * `create` fills defaults and demands what is required, `replace` demands it too and clears what is not
 * sent, `change` looks at the sent keys only.
 */
export type Stage = "create" | "replace" | "change"

export interface ReadFields {
  values: Record<string, FieldValue>
  ordered: Record<string, number>
  /** Ids of fields that the call sets to nothing. Only with `change`. */
  cleared: string[]
  problems: ValueProblem[]
}

/** The values of a record as sent, by the rules of its type. The primary key is read by `readPrimaryKey`. */
export function readFields(
  fields: readonly Field[],
  sent: Readonly<Record<string, unknown>>,
  stage: Stage,
  source: ValueSource = "api",
): ReadFields {
  const read: ReadFields = { values: {}, ordered: {}, cleared: [], problems: [] }
  for (const field of fields) {
    if (field.id === primaryKeyId) continue
    const isSent = Object.hasOwn(sent, field.id)
    if (stage === "change" && !isSent) continue
    const given = isSent ? blankToNothing(sent[field.id]) : undefined
    const value = isEmptyValue(given) ? defaultFor(field, stage) : given
    if (isEmptyValue(value)) {
      if (field.required) addProblem(read, field, { reason: "is required", code: "001" })
      else if (stage === "change") read.cleared.push(field.id)
      continue
    }
    const outcome = readFieldValue(field, value, source)
    if ("reason" in outcome) {
      addProblem(read, field, outcome)
      continue
    }
    read.values[field.id] = outcome.value
    const key = orderKeyOf(field, outcome.value)
    if (key !== undefined) read.ordered[field.id] = key
  }
  return read
}

/** Blanks alone are nothing, as an empty text is. */
function blankToNothing(value: unknown): unknown {
  return typeof value === "string" && value.trim() === "" ? "" : value
}

function defaultFor(field: Field, stage: Stage): unknown {
  return stage === "create" || (stage === "replace" && field.required) ? field.default : undefined
}

function addProblem(read: ReadFields, field: Field, outcome: { reason: string; code: string }): void {
  read.problems.push({ fieldId: field.id, title: field.title || field.id, ...outcome })
}

/** Reads a value of another kind as generously as a person would: `yes`, `GOLD`, the day of an instant. */
export function convert(field: Field, stored: unknown): FieldValue | undefined {
  const attempts = [stored, typeof stored === "boolean" ? String(stored) : undefined]
  if (field.type === "date" && typeof stored === "string") attempts.push(stored.slice(0, 10))
  if (field.type === "dateTime" && typeof stored === "string") attempts.push(`${stored} 00:00:00`)
  if (field.type === "number" && typeof stored === "boolean") attempts.push(stored ? 1 : 0)
  for (const attempt of attempts) {
    if (isEmptyValue(attempt)) continue
    const read = readFieldValue(field, attempt, "file")
    if ("value" in read) return read.value
  }
  return undefined
}
