import { memoizeLast } from "#core/owned-state.ts"
import { isNullIsland } from "#packages/geodesy/geodesy.ts"
import { parseLatitude, parseLongitude } from "#packages/geodesy/lng-lat-text.ts"
import { parseDateTime } from "#shared/wire-time.ts"
import { normalizeEmail } from "../../../people/accounts/index.ts"
import { locationErrors } from "../errors.ts"
import { type EventName, isEventName } from "../thinning/point-codes.ts"

/** One validated entry of a call. Null: not sent. Times in epoch milliseconds. */
export interface LocationEntry {
  email: string | null
  lat: number
  lng: number
  recordedAt: number
  startedAt: number | null
  finishedAt: number | null
  taskId: string | null
  /** km/h, kilometres, minutes. */
  speed: number | null
  distance: number | null
  duration: number | null
  event: EventName | null
  notes: string | null
  createdFrom: string | null
  data: Readonly<Record<string, unknown>> | null
  /** From `data`, as phones send it, or from a device protocol: metres, percent. */
  accuracy: number | null
  battery: number | null
  charging: boolean | null
  altitude: number | null
  bearing: number | null
}

const nothing: LocationEntry = {
  email: null,
  lat: 0,
  lng: 0,
  recordedAt: 0,
  startedAt: null,
  finishedAt: null,
  taskId: null,
  speed: null,
  distance: null,
  duration: null,
  event: null,
  notes: null,
  createdFrom: null,
  data: null,
  accuracy: null,
  battery: null,
  charging: null,
  altitude: null,
  bearing: null,
}

/** An entry of what is known; the rest was not sent. */
export function entryOf(
  known: Pick<LocationEntry, "lat" | "lng" | "recordedAt"> & Partial<LocationEntry>,
): LocationEntry {
  return { ...nothing, ...known }
}

export interface Retention {
  now: number
  /** Days that points are kept; older ones are refused. */
  retentionDays: number
  /** Who may write for others says for whom. */
  isEmailRequired?: boolean
}

const dayMilliseconds = 86_400_000
const maxNotesLength = 10_000
const maxLabelLength = 200
const maxDataLength = 16_384

/**
 * Reads one entry in the order that the wire's checks have, and throws the refusal of the first problem.
 * Written by hand: of a thousand entries a call, a schema check of each would take longer than storing them.
 */
export function readEntry(value: unknown, retention: Retention): LocationEntry {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw locationErrors.badObject({ message: "An entry must be a JSON object" })
  const body = value as Readonly<Record<string, unknown>>
  const email = readEmail(body.email)
  if (email === null && retention.isEmailRequired)
    throw locationErrors.required({ message: "email is required", fields: { email: ["is required"] } })
  const { lat, lng } = readPlace(body.lat, body.lon)
  const startedAt = readTime("startTime", body.startTime)
  const finishedAt = readTime("finishTime", body.finishTime)
  const createdAt = readTime("createdTime", body.createdTime)
  const recordedAt = createdAt ?? startedAt ?? finishedAt ?? retention.now
  for (const [name, at] of [
    ["createdTime", recordedAt],
    ["startTime", startedAt],
    ["finishTime", finishedAt],
  ] as const)
    if (at !== null) checkKept(name, at, retention)
  const speed = readAmount("speed", body.speed)
  const distance = readAmount("distance", body.distance)
  const duration = readAmount("duration", body.duration)
  const data = readData(body.data)
  return {
    email,
    lat,
    lng,
    recordedAt,
    startedAt,
    finishedAt,
    taskId: readText("taskId", body.taskId, maxLabelLength) || null,
    speed,
    distance,
    duration,
    event: isEventName(body.eventName) ? body.eventName : null,
    notes: readText("notes", body.notes, maxNotesLength),
    createdFrom: readText("createdFrom", body.createdFrom, maxLabelLength) || null,
    data,
    accuracy: numberInRange(data?.gpsAccuracy, 1_000_000),
    battery: numberInRange(data?.battery, 100),
    charging: typeof data?.charging === "boolean" ? data.charging : null,
    altitude: null,
    bearing: null,
  }
}

/** A call usually carries one person's points: the e-mail before is mostly this one. */
const normalized = memoizeLast(normalizeEmail)

export function readEmail(value: unknown): string | null {
  if (value === undefined || value === null || value === "") return null
  if (typeof value !== "string" || value.length > 320 || !/^[^\s@]+@[^\s@]+$/.test(value.trim()))
    throw locationErrors.badEmail({ message: "email must be an e-mail address", fields: fieldOf("email") })
  return normalized(value)
}

export function readPlace(rawLat: unknown, rawLon: unknown): { lat: number; lng: number } {
  const lat = coordinate("lat", rawLat, parseLatitude)
  const lng = coordinate("lon", rawLon, parseLongitude)
  if (isNullIsland([lng, lat]))
    throw locationErrors.badCoordinates({
      message: "0, 0 is reported by receivers without a position fix. Send the position once there is a fix",
      fields: fieldOf("lat"),
    })
  return { lat, lng }
}

function coordinate(name: string, raw: unknown, parse: (value: unknown) => number | undefined): number {
  if (raw === undefined || raw === null || raw === "")
    throw locationErrors.required({ message: `${name} is required`, fields: fieldOf(name) })
  const degrees = parse(typeof raw === "string" ? raw.trim() : raw)
  if (degrees === undefined) throw locationErrors.badCoordinates({ fields: fieldOf(name) })
  return degrees
}

export function readTime(name: string, raw: unknown): number | null {
  if (raw === undefined || raw === null || raw === "") return null
  const at = typeof raw === "string" ? parseDateTime(raw) : undefined
  if (at === undefined)
    throw locationErrors.badTime({
      message: `${name} must be a date and time, for example 2031-05-04 03:02:01`,
      fields: fieldOf(name),
    })
  return at
}

/** Refuses a time before what is kept, or more than a day ahead: a clock that is that wrong helps nobody. */
export function checkKept(name: string, at: number, { now, retentionDays }: Retention): void {
  if (at < now - retentionDays * dayMilliseconds)
    throw locationErrors.badTime({
      message: `${name} is older than the retention period of ${retentionDays} days`,
      fields: fieldOf(name),
    })
  if (at > now + dayMilliseconds)
    throw locationErrors.badTime({
      message: `${name} is more than 24 hours in the future. Check the clock of the device`,
      fields: fieldOf(name),
    })
}

/** Negative means unknown on some phones. The bound keeps nonsense out of the columns, nothing real comes near it. */
export function readAmount(name: string, raw: unknown): number | null {
  if (raw === undefined || raw === null || raw === "") return null
  const amount =
    typeof raw === "number" ? raw : typeof raw === "string" && numberPattern.test(raw) ? Number(raw) : NaN
  if (!(Math.abs(amount) <= 1e12))
    throw locationErrors.badNumber({ message: `${name} must be a number`, fields: fieldOf(name) })
  return amount < 0 ? null : amount
}
const numberPattern = /^\s*[+-]?\d{1,15}(\.\d{1,20})?\s*$/

export function readText(name: string, raw: unknown, maxLength: number): string | null {
  if (raw === undefined || raw === null) return null
  const text = typeof raw === "number" ? String(raw) : raw
  if (typeof text !== "string" || text.length > maxLength || text.includes("\u0000") || !text.isWellFormed())
    throw locationErrors.badText({
      message: `${name} must be text of at most ${maxLength} characters`,
      fields: fieldOf(name),
    })
  return text
}

export function readData(raw: unknown): Record<string, unknown> | null {
  if (raw === undefined || raw === null) return null
  if (typeof raw !== "object" || Array.isArray(raw))
    throw locationErrors.badObject({ message: "data must be a JSON object", fields: fieldOf("data") })
  const text = JSON.stringify(raw)
  if (text.length > maxDataLength)
    throw locationErrors.badObject({
      message: `data must be at most ${maxDataLength} characters of JSON`,
      fields: fieldOf("data"),
    })
  // Neither of these can be stored: the character U+0000, and halves of a character.
  if (/\\u(0000|d[89a-f])/i.test(text.replaceAll("\\\\", "")))
    throw locationErrors.badText({
      message: "data must not contain the character U+0000",
      fields: fieldOf("data"),
    })
  return raw as Record<string, unknown>
}

function numberInRange(value: unknown, max: number): number | null {
  return typeof value === "number" && value >= 0 && value <= max ? value : null
}

function fieldOf(name: string): Record<string, readonly string[]> {
  return { [name]: ["is not valid"] }
}
