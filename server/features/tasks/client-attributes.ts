import { textsByField } from "#core/errors.ts"
import { parseNumber } from "#core/http/tolerance.ts"
import { formatLatLng, parseLatLng } from "#shared/lng-lat-text.ts"
import { parseDateTime, toT1 } from "#shared/wire-time.ts"
import { taskErrors } from "./errors.ts"

type Read = { value: unknown } | { reason: string }

/** Base fields that a client may write although they are kept with the rarer ones: what a phone or a planner knows. */
const readers: Readonly<Record<string, (value: unknown) => Read>> = {
  idLocal: readText,
  createdCoordinate: readCoordinate,
  doneCoordinate: readCoordinate,
  doneFrom: readText,
  openTaskTime: readInstant,
  expectedDoneTime: readInstant,
  visitGroup: readText,
  visitGroupPriority: (value) => readWhole(value, 100),
  deviceInformation: (value) => ({ value }),
  appVersion: readText,
  syncedTime: readInstant,
  inLocation: readInstant,
  outLocation: readInstant,
  idleDuration: (value) => readWhole(value, Number.MAX_SAFE_INTEGER),
}

/** Of these, the ones that planning sets: a full replacement that leaves them out clears them. */
export const plannedAttributes: ReadonlySet<string> = new Set([
  "expectedDoneTime",
  "visitGroup",
  "visitGroupPriority",
])

/**
 * The rarer base fields of a body as they are stored: instants as T1 text in UTC, coordinates without
 * blanks, numbers as numbers. Null and empty text clear. Throws `task-032` that names every wrong one.
 */
export function readClientAttributes(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const attributes: Record<string, unknown> = {}
  const problems: { field: string; text: string }[] = []
  for (const [field, sent] of Object.entries(body)) {
    const reader = readers[field] ?? (/^page\d{1,3}DoneTime$/.test(field) ? readInstant : undefined)
    if (!reader) continue
    const read = sent === null || sent === "" ? { value: null } : reader(sent)
    if ("reason" in read) problems.push({ field, text: read.reason })
    else attributes[field] = read.value
  }
  const first = problems[0]
  if (first)
    throw taskErrors.invalid({ message: `${first.field} ${first.text}`, fields: textsByField(problems) })
  return attributes
}

function readInstant(value: unknown): Read {
  const at = typeof value === "string" ? parseDateTime(value) : undefined
  return at === undefined
    ? { reason: "must be a date and time such as 2031-05-04 03:02:01" }
    : { value: toT1({ epochMilliseconds: at }) }
}

function readCoordinate(value: unknown): Read {
  const place = typeof value === "string" ? parseLatLng(value) : undefined
  return place ? { value: formatLatLng(place) } : { reason: "must be latitude,longitude" }
}

function readWhole(value: unknown, max: number): Read {
  const number = typeof value === "string" ? parseNumber(value) : value
  const isWhole = typeof number === "number" && Number.isInteger(number) && number >= 0 && number <= max
  return isWhole ? { value: number } : { reason: `must be a whole number from 0 to ${max}` }
}

function readText(value: unknown): Read {
  const text = typeof value === "number" ? String(value) : value
  return typeof text === "string" && text.length <= 255
    ? { value: text }
    : { reason: "must be text of at most 255 characters" }
}
