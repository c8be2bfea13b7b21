import { textsByField } from "#core/errors.ts"
import { parseNumber } from "#core/http/tolerance.ts"
import { ownEntry } from "#core/paging.ts"
import { formatLatLng, parseLatLng } from "#packages/geodesy/lng-lat-text.ts"
import { type FieldForm, isYielding, taskFieldNames, taskFields } from "#shared/task-fields.ts"
import { isTaskOutcome, taskOutcomes } from "#shared/task-outcomes.ts"
import { isTaskPriority, taskPriorities } from "#shared/task-priorities.ts"
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
  meters: readMeters,
  priority: (value) => readWhole(value, 100),
  outcome: readOutcome,
  level: readLevel,
  tags: readTags,
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

/** Values that refuse the change when they cannot be read. */
const strictAttributes: ReadonlySet<string> = new Set(
  taskFieldNames(({ sent }) => sent !== undefined && sent[0] !== "phone"),
)

/** What workers say of their work; a new task has none of it. */
export const workAttributes: ReadonlySet<string> = new Set(
  taskFieldNames(({ sent }) => sent?.[0] === "worker"),
)

/** Whether a key is one of the rarer base fields that planners, workers and phones send. */
export function isClientField(field: string): boolean {
  const plain = field.startsWith("_") ? field.slice(1) : field
  return readerOf(isYielding(plain) ? plain : field) !== undefined || plain === "nextAttempt"
}

/** The name of the field that a key means on a flow with these components; undefined for ids of components. */
export function fieldOfKey(key: string, own: ReadonlySet<string>): string | undefined {
  const plain = key.slice(1)
  if (key.startsWith("_") && isYielding(plain) && own.has(plain)) return plain
  return own.has(key) ? undefined : key
}

export interface ClientAttributes {
  attributes: Record<string, unknown>
  /** What was left out, and why. */
  warnings: string[]
}

/**
 * The rarer base fields of a body as they are stored: instants as T1 text in UTC, coordinates without
 * blanks, numbers as numbers. Null and empty text clear. Ids of the flow's own components are no such fields: a field
 * whose id an older flow uses is sent with a leading underscore. Throws `task-032` that names every wrong field of a
 * planner or worker.
 */
export function readClientAttributes(
  body: Readonly<Record<string, unknown>>,
  pages: readonly FlowPage[],
): ClientAttributes {
  const own = new Set(pages.flatMap(({ components }) => components.map(({ id }) => id)))
  const read: ClientAttributes = { attributes: {}, warnings: [] }
  const problems: { field: string; text: string }[] = []
  for (const [key, sent] of Object.entries(body)) {
    const field = fieldOfKey(key, own)
    const reader = field === undefined ? undefined : readerOf(field)
    if (field === undefined || !reader) continue
    const outcome = sent === null || sent === "" ? { value: null } : reader(sent)
    if ("value" in outcome) read.attributes[field] = outcome.value
    else if (strictAttributes.has(field)) problems.push({ field: key, text: outcome.reason })
    else read.warnings.push(`${key} was ignored: it ${outcome.reason}`)
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

function readMeters(value: unknown): Read {
  const number = typeof value === "string" ? parseNumber(value) : value
  return typeof number === "number" && Number.isFinite(number) && number >= 0
    ? { value: number }
    : { reason: "must be a number of metres of 0 or more" }
}

function readOutcome(value: unknown): Read {
  const word = typeof value === "string" ? value.trim().toLowerCase() : undefined
  return isTaskOutcome(word) ? { value: word } : { reason: `must be one of ${taskOutcomes.join(", ")}` }
}

function readLevel(value: unknown): Read {
  const word = typeof value === "string" ? value.trim().toLowerCase() : undefined
  return isTaskPriority(word) ? { value: word } : { reason: `must be one of ${taskPriorities.join(", ")}` }
}

const maxTags = 20
const maxTagLength = 50

/** Several texts, each once; none at all clears them. */
function readTags(value: unknown): Read {
  const sent = typeof value === "string" ? value.split(",") : value
  const isList = Array.isArray(sent) && sent.every((tag) => typeof tag === "string")
  const tags = isList ? [...new Set(sent.map((tag) => String(tag).trim()).filter((tag) => tag !== ""))] : []
  return isList && tags.length <= maxTags && tags.every((tag) => tag.length <= maxTagLength)
    ? { value: tags.length === 0 ? null : tags }
    : { reason: `must be at most ${maxTags} texts of at most ${maxTagLength} characters` }
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
