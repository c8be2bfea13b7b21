import {
  type DevicePosition,
  type DeviceReport,
  type DeviceRequest,
  type RefusalReason,
  refuseAll,
  toPosition,
  toReport,
} from "./device-report.ts"
import { asNumber, asObject, asText, parseInstant, parseJsonBody, times } from "./device-values.ts"

/*
 * Overland for iOS and Android (github.com/aaronpk/Overland-iOS, "API"): batches of GeoJSON features in `locations`,
 * and while the queue is long the newest position as `current`, which comes again with a later batch.
 */

/**
 * The only response on which the app deletes a batch; on any other it resends the same batch forever. It is returned
 * once every valid position is stored, even if others were rejected.
 */
export const overlandResponse = { result: "ok" } as const

/** The app's largest batch is 1000. */
export const overlandMaxPositions = 10_000

const ownFields = new Set([
  "timestamp",
  "altitude",
  "speed",
  "horizontal_accuracy",
  "course",
  "battery_level",
  "battery_state",
  "device_id",
  "motion",
])

export function parseOverland(request: DeviceRequest): DeviceReport {
  const message = asObject(parseJsonBody(request.body))
  const locations = message?.locations
  if (!message || !Array.isArray(locations)) return refuseAll("not-readable")
  if (locations.length > overlandMaxPositions) return refuseAll("too-many")
  const features: unknown[] = message.current === undefined ? locations : [...locations, message.current]
  const deviceId = features
    .map((each) => asText(propertiesOf(each)?.device_id))
    .find((id) => id !== undefined)
  return toReport(features.map(parseFeature), deviceId)
}

function propertiesOf(feature: unknown): Readonly<Record<string, unknown>> | undefined {
  return asObject(asObject(feature)?.properties)
}

function parseFeature(feature: unknown): DevicePosition | RefusalReason {
  const properties = propertiesOf(feature)
  const geometry = asObject(asObject(feature)?.geometry)
  // Trips and app events travel in the same list.
  if (!properties || geometry?.type !== "Point") return "not-a-position"
  const coordinates: unknown[] = Array.isArray(geometry.coordinates) ? geometry.coordinates : []
  const motion: unknown[] = Array.isArray(properties.motion) ? properties.motion : []
  const extras = Object.fromEntries(Object.entries(properties).filter(([name]) => !ownFields.has(name)))
  return toPosition({
    latitude: coordinates[1],
    longitude: coordinates[0],
    recordedAt: parseInstant(properties.timestamp),
    speedMetersPerSecond: asNumber(properties.speed),
    accuracyMeters: asNumber(properties.horizontal_accuracy),
    altitudeMeters: asNumber(properties.altitude) ?? asNumber(coordinates[2]),
    bearingDegrees: asNumber(properties.course),
    batteryPercent: times(asNumber(properties.battery_level), 100),
    charging: isCharging(properties.battery_state),
    activity: motion.filter((each) => typeof each === "string").join(","),
    extras,
  })
}

/** A full battery is one on the charger; iOS says "unplugged" as soon as it is not. */
function isCharging(state: unknown): boolean | undefined {
  if (state === "charging" || state === "full") return true
  return state === "unplugged" ? false : undefined
}
