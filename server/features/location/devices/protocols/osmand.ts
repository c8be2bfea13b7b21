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
    "batt charge activity mock"
  ).split(" "),
)

/**
 * Reads one request. An empty 200 is the response, also to a refusal: Traccar Client repeats what was answered otherwise
 * before it sends anything newer. 5xx and 429 are right when nothing could be stored.
 */
export function parseOsmAnd(request: DeviceRequest): DeviceReport {
  if (request.body.length === 0) return parseFields(request.query, request.receivedAt)
  const type = headerOf(request, "content-type") ?? ""
  if (type.toLowerCase().startsWith("application/json")) return parseTraccarClient(request.body)
  if (request.query.has("lat") || request.query.has("location"))
    return parseFields(request.query, request.receivedAt)
  const form = parseFormBody(request.body)
  return form ? parseFields(form, request.receivedAt) : refuseAll("not-readable")
}

/**
 * `speed` is in knots, as Traccar reads it; OsmAnd's own template writes metres per second, hence `speedUnit`
 * (`kn`, `kmh`, `mps`) in the address. Without a timestamp the position is of now.
 */
function parseFields(fields: URLSearchParams, receivedAt: Date): DeviceReport {
  const [latitude, longitude] = fields.get("location")?.split(",", 2) ?? [
    fields.get("lat"),
    fields.get("lon"),
  ]
  const deviceId = fields.get("id") ?? fields.get("deviceid") ?? undefined
  const unit = fields.get("speedUnit")
  const factor = unit === "kmh" || unit === "mps" ? metersPerSecondPerUnit[unit] : metersPerSecondPerUnit.kn
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
          recordedAt: fields.get("timestamp") ? parseInstant(fields.get("timestamp")) : receivedAt,
          speedMetersPerSecond: times(asNumber(fields.get("speed")), factor),
          accuracyMeters: asNumber(fields.get("accuracy")),
          altitudeMeters: asNumber(fields.get("altitude")),
          bearingDegrees: asNumber(fields.get("bearing") ?? fields.get("heading")),
          batteryPercent: asNumber(fields.get("batt")),
          charging: asBoolean(fields.get("charge")),
          activity: asText(fields.get("activity")),
          mock: asBoolean(fields.get("mock")),
          extras,
        })
  return toReport([outcome], deviceId)
}

/** Traccar Client sends one location; its library can be set to send its whole queue as an array. */
export const osmAndMaxPositions = 10_000

function parseTraccarClient(body: Uint8Array): DeviceReport {
  const message = asObject(parseJsonBody(body))
  if (!message) return refuseAll("not-readable")
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
