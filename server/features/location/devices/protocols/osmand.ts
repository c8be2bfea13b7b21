import {
  type DevicePosition,
  type DeviceReport,
  type DeviceRequest,
  type RefusalReason,
  refuseAll,
  toPosition,
  toReport,
} from "./device-report.ts"
import {
  asBoolean,
  asNumber,
  asObject,
  asText,
  headerOf,
  parseFormBody,
  parseInstant,
  parseJsonBody,
  times,
} from "./device-values.ts"

/*
 * OsmAnd protocol, as spoken by OsmAnd itself, Traccar Client and many trackers (traccar.org/osmand): a query string
 * or a form with one position, or (Traccar Client from version 9) a JSON body.
 */

const metersPerSecondPerUnit = { kn: 1852 / 3600, kmh: 1 / 3.6, mps: 1 } as const

/** Read into fields of their own, or of no use once the request has arrived. */
const queryFields = new Set(
  (
    "id deviceid key lat lon location timestamp valid speed speedUnit bearing heading altitude accuracy " +
    "batt charge activity mock latitude longitude lng time timeoffset s spd dir alt acc bat battery ischarging act"
  ).split(" "),
)

/**
 * Reads one request. An empty 200 is the response, also to a refusal: Traccar Client repeats what was answered otherwise
 * before it sends anything newer. 5xx and 429 are right when nothing could be stored.
 */
export function parseOsmAnd(request: DeviceRequest): DeviceReport {
  if (request.body.length === 0) return parseFields(request.query, request.receivedAt)
  const type = headerOf(request, "content-type") ?? ""
  if (type.toLowerCase().startsWith("application/json"))
    return parseTraccarClient(request.body, request.receivedAt)
  if (["lat", "latitude", "location"].some((name) => request.query.has(name)))
    return parseFields(request.query, request.receivedAt)
  const form = parseFormBody(request.body)
  return form ? parseFields(form, request.receivedAt) : refuseAll("not-readable")
}

/**
 * `speed` is in knots, as Traccar reads it; OsmAnd's own template writes metres per second, hence `speedUnit`
 * (`kn`, `kmh`, `mps`) in the address. GPSLogger's names are read too: `time`, `acc`, `s` or `spd` (metres per second),
 * `dir`, `alt`. Without a time the position is of now.
 */
function parseFields(fields: URLSearchParams, receivedAt: Date): DeviceReport {
  const first = (...names: string[]) => {
    const name = names.find((candidate) => fields.get(candidate))
    return name === undefined ? undefined : (fields.get(name)?.trim() ?? undefined)
  }
  const [latitude, longitude] = fields.get("location")?.split(",", 2) ?? [
    first("lat", "latitude"),
    first("lon", "longitude", "lng"),
  ]
  const deviceId = fields.get("id") ?? fields.get("deviceid") ?? undefined
  const unit = fields.get("speedUnit")
  // GPSLogger names its speed otherwise, and writes metres per second.
  const speed = first("speed")
  const usual = speed === undefined ? "mps" : "kn"
  const factor = metersPerSecondPerUnit[unit === "kmh" || unit === "mps" || unit === "kn" ? unit : usual]
  const time = first("timestamp", "timeoffset", "time")
  const names = [...new Set(fields.keys())].filter((name) => !queryFields.has(name))
  // Neighbouring cells and networks come as repeated keys.
  const extras = Object.fromEntries(
    names.map((name) => [name, fields.getAll(name).length > 1 ? fields.getAll(name) : fields.get(name)]),
  )
  const outcome =
    asBoolean(fields.get("valid")) === false
      ? "no-fix"
      : toPosition({
          latitude: latitude?.trim(),
          longitude: longitude?.trim(),
          recordedAt: time === undefined ? receivedAt : parseInstant(withPlus(time)),
          speedMetersPerSecond: times(asNumber(speed ?? first("s", "spd")), factor),
          accuracyMeters: asNumber(first("accuracy", "acc")),
          altitudeMeters: asNumber(first("altitude", "alt")),
          bearingDegrees: asNumber(first("bearing", "heading", "dir")),
          batteryPercent: asNumber(first("batt", "bat", "battery")),
          charging: asBoolean(first("charge", "ischarging")),
          activity: asText(first("activity", "act")),
          mock: asBoolean(fields.get("mock")),
          extras,
        })
  return toReport([outcome], deviceId)
}

/** The plus of an offset arrives as a blank where an app does not encode it. */
function withPlus(time: string): string {
  return time.replace(/(T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?) (\d{2}:?\d{2})$/, "$1+$2")
}

/** Traccar Client sends one location; its library can be set to send its whole queue as an array. */
export const osmAndMaxPositions = 10_000

/** The body that GPSLogger can be set to send has the parameters of the address as JSON. */
function fieldsOf(message: Readonly<Record<string, unknown>>): URLSearchParams {
  return new URLSearchParams(
    Object.entries(message).flatMap(([name, value]) =>
      ["string", "number", "boolean"].includes(typeof value) ? [[name, String(value)]] : [],
    ),
  )
}

function parseTraccarClient(body: Uint8Array, receivedAt: Date): DeviceReport {
  const message = asObject(parseJsonBody(body))
  if (!message) return refuseAll("not-readable")
  if (!("location" in message) && ("lat" in message || "latitude" in message))
    return parseFields(fieldsOf(message), receivedAt)
  const locations = Array.isArray(message.location) ? message.location : [message.location]
  if (locations.length > osmAndMaxPositions) return refuseAll("too-many")
  const deviceId = asText(message.device_id) ?? asNumber(message.device_id)?.toString()
  return toReport(locations.map(parseLocation), deviceId)
}

function parseLocation(value: unknown): DevicePosition | RefusalReason {
  const location = asObject(value)
  const coords = asObject(location?.coords)
  if (!location || !coords) return "coordinates-missing"
  const battery = asObject(location.battery)
  return toPosition({
    latitude: coords.latitude,
    longitude: coords.longitude,
    recordedAt: parseInstant(location.timestamp),
    speedMetersPerSecond: asNumber(coords.speed),
    accuracyMeters: asNumber(coords.accuracy),
    altitudeMeters: asNumber(coords.altitude),
    bearingDegrees: asNumber(coords.heading),
    batteryPercent: times(asNumber(battery?.level), 100),
    charging: asBoolean(battery?.is_charging),
    activity: knownActivity(asText(asObject(location.activity)?.type) ?? asText(location.activity)),
    mock: asBoolean(location.mock),
    extras: {
      event: location.event,
      isMoving: location.is_moving,
      odometer: location.odometer,
      ...asObject(location.extras),
    },
  })
}

function knownActivity(activity: string | undefined): string | undefined {
  return activity === "unknown" ? undefined : activity
}
