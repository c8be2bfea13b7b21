import { isNullIsland, type LngLat, wrapLongitude } from "#packages/geodesy/geodesy.ts"
import { parseLatitude, parseLongitude } from "#packages/geodesy/lng-lat-text.ts"

/** What a device sent, whichever way. Header names are lower case. */
export interface DeviceRequest {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly query: URLSearchParams
  readonly body: Uint8Array
  /** Stands in for the device time of protocols that may leave it out. */
  readonly receivedAt: Date
}

/** One fix, the same for every protocol. What the device did not say is absent, never 0 or -1. */
export interface DevicePosition {
  readonly recordedAt: Date
  readonly position: LngLat
  readonly speedMetersPerSecond?: number
  readonly accuracyMeters?: number
  readonly altitudeMeters?: number
  /** 0 (north) to below 360, clockwise. */
  readonly bearingDegrees?: number
  /** 0 to 100. */
  readonly batteryPercent?: number
  readonly charging?: boolean
  /** The device's own word: still, walking, in_vehicle … */
  readonly activity?: string
  /** The device says that the position was made up by another app. */
  readonly mock?: boolean
  /** Whatever else the protocol carries, bounded in number and length. */
  readonly extras: Readonly<Record<string, ExtraValue>>
}

export type ExtraValue = string | number | boolean | readonly string[]

/**
 * Why something was not taken. `code` is the suffix of the location feature's failed codes on the wire.
 */
export const refusals = {
  "not-readable": { code: "013", message: "The request is not in the format of this device" },
  encrypted: {
    code: "003",
    message: "Encrypted payloads are not supported. Turn off encryption in the app",
  },
  "too-many": { code: "040", message: "Too many positions in one request. Send smaller batches" },
  "not-a-position": { code: "003", message: "This entry is not a position" },
  "coordinates-missing": { code: "001", message: "Latitude and longitude are required" },
  "coordinates-invalid": {
    code: "012",
    message: "Latitude must be from -90 to 90 and longitude from -180 to 180, in plain decimal notation",
  },
  "no-fix": { code: "012", message: "The device had no position fix" },
  "time-missing": { code: "001", message: "The time of the position is required" },
  "time-invalid": { code: "008", message: "The time of the position is invalid" },
} as const satisfies Record<string, { code: string; message: string }>
export type RefusalReason = keyof typeof refusals

export interface Refusal {
  /** Place in the request, from 0; null when the whole request is refused. */
  readonly index: number | null
  readonly reason: RefusalReason
  /** Where in a file, for the person who uploaded it. */
  readonly detail?: string
}

/**
 * What a request amounts to. Refusals never hold back the positions beside them. A request may carry neither (a
 * status message): that is success.
 */
export interface DeviceReport {
  /** How the device names itself, when it does. */
  readonly deviceId?: string
  readonly positions: readonly DevicePosition[]
  readonly refusals: readonly Refusal[]
}

export function refuseAll(reason: RefusalReason, detail?: string): DeviceReport {
  return { positions: [], refusals: [{ index: null, reason, ...present("detail", detail) }] }
}

/** A fix as a protocol spells it, before it is validated. Speeds are m/s already; negative means "unknown". */
export interface RawFix {
  readonly latitude: unknown
  readonly longitude: unknown
  readonly recordedAt: Date | RefusalReason
  readonly speedMetersPerSecond?: number | undefined
  readonly accuracyMeters?: number | undefined
  readonly altitudeMeters?: number | undefined
  readonly bearingDegrees?: number | undefined
  readonly batteryPercent?: number | undefined
  readonly charging?: boolean | undefined
  readonly activity?: string | undefined
  readonly mock?: boolean | undefined
  readonly extras?: Readonly<Record<string, unknown>>
}

/** Validates a fix or returns the reason for its rejection. An odd speed or battery is left out; it does not cost the position. */
export function toPosition(fix: RawFix): DevicePosition | RefusalReason {
  if (isAbsent(fix.latitude) || isAbsent(fix.longitude)) return "coordinates-missing"
  const latitude = parseLatitude(fix.latitude)
  const longitude = parseLongitude(fix.longitude)
  if (latitude === undefined || longitude === undefined) return "coordinates-invalid"
  if (isNullIsland([longitude, latitude])) return "no-fix"
  if (typeof fix.recordedAt === "string") return fix.recordedAt
  const bearing = within(fix.bearingDegrees, 0, 360)
  return {
    recordedAt: fix.recordedAt,
    position: [wrapLongitude(longitude), latitude],
    ...present("speedMetersPerSecond", within(fix.speedMetersPerSecond, 0, 1000)),
    ...present("accuracyMeters", within(fix.accuracyMeters, 0, 10_000_000)),
    ...present("altitudeMeters", within(fix.altitudeMeters, -12_000, 100_000)),
    ...present("bearingDegrees", bearing === 360 ? 0 : bearing),
    ...present("batteryPercent", within(fix.batteryPercent, 0, 100)),
    ...present("charging", fix.charging),
    ...present("activity", fix.activity ? fix.activity.slice(0, extraLength) : undefined),
    ...present("mock", fix.mock),
    extras: boundedExtras(fix.extras ?? {}),
  }
}

/** Sorts the outcomes of a batch, in order, into positions and refusals. */
export function toReport(
  outcomes: Iterable<DevicePosition | RefusalReason>,
  deviceId: string | undefined,
): DeviceReport {
  const positions: DevicePosition[] = []
  const refused: Refusal[] = []
  let index = 0
  for (const outcome of outcomes) {
    if (typeof outcome === "string") refused.push({ index, reason: outcome })
    else positions.push(outcome)
    index++
  }
  return { ...present("deviceId", deviceId || undefined), positions, refusals: refused }
}

const extraCount = 32
const extraLength = 256

/** Extras are stored beside each of millions of points: plain values only, few and short. */
function boundedExtras(extras: Readonly<Record<string, unknown>>): Record<string, ExtraValue> {
  const kept: [string, ExtraValue][] = []
  for (const [key, value] of Object.entries(extras)) {
    if (kept.length === extraCount) break
    if (key.length === 0 || key.length > 64) continue
    if (typeof value === "string" && value !== "") kept.push([key, value.slice(0, extraLength)])
    else if (typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value))) {
      kept.push([key, value])
    } else if (Array.isArray(value)) {
      const texts = value.filter((each) => typeof each === "string").map((each) => each.slice(0, extraLength))
      if (texts.length > 0) kept.push([key, texts.slice(0, extraCount)])
    }
  }
  return Object.fromEntries(kept)
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === ""
}

function within(value: number | undefined, low: number, high: number): number | undefined {
  return value !== undefined && value >= low && value <= high ? value : undefined
}

function present<K extends string, V>(key: K, value: V | undefined): { [key in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { [key in K]?: V }
}
