import { textsByField } from "#core/errors.ts"
import { parseNumber } from "#core/http/tolerance.ts"
import { ownEntry } from "#core/paging.ts"
import { formatLatLng, parseLatLng } from "#packages/geodesy/lng-lat-text.ts"
import { type FieldForm, taskFieldNames, taskFields } from "#shared/task-fields.ts"
import { parseDateTime, toT1 } from "#shared/wire-time.ts"
import type { FlowPage } from "../../flows/index.ts"
import { taskErrors } from "../errors.ts"

type Read = { value: unknown } | { reason: string }

type Reader = (value: unknown) => Read

const readers: Readonly<Record<FieldForm, Reader>> = {
  text: readText,
  instant: readInstant,
  coordinate: readCoordinate,
  count: (value) => readWhole(value, Number.MAX_SAFE_INTEGER),
  priority: (value) => readWhole(value, 100),
  version: readVersion,
  details: readDetails,
  anything: (value) => ({ value }),
}

/** Fields that are named by a pattern: when a page was finished, and when and where something was clicked. */
const informativePatterns: readonly (readonly [RegExp, Reader])[] = [
  [/^page\d{1,3}DoneTime$/, readInstant],
  [/^[a-zA-Z0-9]{0,60}[cC]lick[a-zA-Z0-9]{0,60}(Coordinate|Location)$/, readCoordinate],
  [/^[a-zA-Z0-9]{0,60}[cC]lick[a-zA-Z0-9]{0,60}(Time|Stamp|At)$/, readInstant],
]

/** A full replacement that leaves these out clears them. */
export const plannedAttributes: ReadonlySet<string> = new Set(
  taskFieldNames(({ sent }) => sent?.[0] === "planner"),
)

/** Whether a key is one of the rarer base fields that planners and phones send. */
export function isClientField(field: string): boolean {
  return readerOf(field) !== undefined
}

export interface ClientAttributes {
  attributes: Record<string, unknown>
  /** What was left out, and why. */
  warnings: string[]
}

/**
 * The rarer base fields of a body as they are stored: instants as T1 text in UTC, coordinates without
 * blanks, numbers as numbers. Null and empty text clear. Ids of the flow's own components are no such fields.
 * Throws `task-032` that names every wrong field of a planner.
 */
export function readClientAttributes(
  body: Readonly<Record<string, unknown>>,
  pages: readonly FlowPage[],
): ClientAttributes {
  const own = new Set(pages.flatMap(({ components }) => components.map(({ id }) => id)))
  const read: ClientAttributes = { attributes: {}, warnings: [] }
  const problems: { field: string; text: string }[] = []
  for (const [field, sent] of Object.entries(body)) {
    if (own.has(field)) continue
    const reader = readerOf(field)
    if (!reader) continue
    const outcome = sent === null || sent === "" ? { value: null } : reader(sent)
    if ("value" in outcome) read.attributes[field] = outcome.value
    else if (plannedAttributes.has(field)) problems.push({ field, text: outcome.reason })
    else read.warnings.push(`${field} was ignored: it ${outcome.reason}`)
  }
  const first = problems[0]
  if (first)
    throw taskErrors.invalid({ message: `${first.field} ${first.text}`, fields: textsByField(problems) })
  return read
}

function readerOf(field: string): Reader | undefined {
  const form = ownEntry(taskFields, field)?.sent?.[1]
  return form ? readers[form] : informativePatterns.find(([pattern]) => pattern.test(field))?.[1]
}

function readInstant(value: unknown): Read {
  const at = typeof value === "string" ? parseDateTime(value) : undefined
  return at === undefined
    ? { reason: "must be a date and time, for example 2031-05-04 03:02:01" }
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

/** As it was sent: text, or the name of the application and its version. */
function readVersion(value: unknown): Read {
  if (typeof value === "string" || typeof value === "number") return readText(value)
  const { name, version } = (value ?? {}) as { name?: unknown; version?: unknown }
  const isKnown = [name, version].every((part) => "value" in readText(part))
  return isKnown ? readDetails(value) : { reason: "must be text or {name, version}" }
}

const maxDetailsLength = 5_000

/** Whatever a phone says of itself, as long as it is short. */
function readDetails(value: unknown): Read {
  return JSON.stringify(value).length <= maxDetailsLength
    ? { value }
    : { reason: `must not be longer than ${maxDetailsLength} characters` }
}
