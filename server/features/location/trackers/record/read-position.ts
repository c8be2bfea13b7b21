import { AppError } from "#core/errors.ts"
import { isNullIsland } from "#packages/geodesy/geodesy.ts"
import { known, type ProtocolName, type TrackerPosition } from "#packages/tracker-protocols/index.ts"
import { checkKept, entryOf, locationErrors, type Retention } from "../../positions/index.ts"

/** A position of a tracker as an entry of its person, or the reason why it can never be stored. */
export function readPosition(position: TrackerPosition, protocol: ProtocolName, retention: Retention) {
  try {
    if (isNullIsland([position.longitude, position.latitude])) throw locationErrors.badCoordinates()
    checkKept("The time of the position", position.recordedAt, retention)
  } catch (error) {
    if (error instanceof AppError) return { email: null, refusal: error }
    throw error
  }
  const { attributes } = position
  const data = known<Record<string, unknown>>({
    ignition: attributes.ignition,
    fuel: attributes.fuelPercent,
    fuelLitres: attributes.fuelLitres,
    odometer: attributes.odometerKilometers,
    batteryVolts: attributes.batteryVolts,
    externalVolts: attributes.externalVolts,
    alarm: attributes.alarm,
    satellites: attributes.satellites,
    hdop: attributes.hdop,
  })
  return entryOf({
    lat: position.latitude,
    lng: position.longitude,
    recordedAt: position.recordedAt,
    createdFrom: protocol,
    speed: position.speedKilometersPerHour ?? null,
    altitude: position.altitudeMeters ?? null,
    bearing: position.bearingDegrees ?? null,
    battery: attributes.batteryPercent ?? null,
    charging: attributes.charging ?? null,
    data: Object.keys(data).length > 0 ? data : null,
  })
}
