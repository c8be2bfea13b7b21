import {
  known,
  type TrackerAlarm,
  type TrackerAttributes,
  TrackerFormatError,
  type TrackerPosition,
} from "../tracker.ts"
import { decimal, round, timeOfDigits } from "../values.ts"

const alarms: Readonly<Record<number, TrackerAlarm>> = {
  1: "sos",
  17: "low-battery",
  18: "low-battery",
  19: "overspeed",
  20: "geofence-enter",
  21: "geofence-exit",
  23: "power-cut",
  36: "tow",
  44: "jamming",
  78: "crash",
  79: "crash",
  90: "harsh-cornering",
  91: "harsh-cornering",
  129: "harsh-braking",
  130: "harsh-acceleration",
}

export function alarmOfEvent(event: number | undefined): TrackerAlarm | undefined {
  return event === undefined ? undefined : alarms[event]
}

export interface Report {
  position: TrackerPosition | undefined
  attributes: TrackerAttributes
}

/**
 * Event, latitude, longitude, time, validity, satellites, signal, speed, course, HDOP, altitude, metres, running time, cell,
 * ports, voltages, and after them what differs between models; the third of those is followed by the fuel level.
 */
export function readReport(fields: readonly string[]): Report {
  if (fields.length < 15) throw new TrackerFormatError("The report is too short")
  const [
    event,
    latitude,
    longitude,
    time = "",
    validity,
    satellites,
    ,
    speed,
    course,
    hdop,
    altitude,
    meters,
  ] = fields
  const distance = decimal(meters, 0)
  const attributes = known<TrackerAttributes>({
    satellites: decimal(satellites, 0, 99),
    hdop: decimal(hdop, 0, 99),
    odometerKilometers: distance === undefined ? undefined : round(distance / 1000, 3),
    fuelPercent: fuelOf(fields[19]),
    alarm: alarmOfEvent(decimal(event)),
    ...voltagesOf(fields[15]),
  })
  const north = decimal(latitude, -90, 90)
  const east = decimal(longitude, -180, 180)
  if (validity !== "A" || north === undefined || east === undefined || (north === 0 && east === 0))
    return { position: undefined, attributes }
  const position = known<TrackerPosition>({
    recordedAt: timeOfDigits(`20${time}`),
    latitude: north,
    longitude: east,
    altitudeMeters: decimal(altitude),
    speedKilometersPerHour: decimal(speed, 0),
    bearingDegrees: decimal(course, 0, 360),
    attributes,
  })
  return { position, attributes: {} }
}

/** Whole percents and hundredths, two hexadecimal digits each. Zero is also sent without a sensor. */
function fuelOf(field: string | undefined): number | undefined {
  if (field === undefined || !/^[0-9A-F]{4}$/i.test(field)) return undefined
  const percent = Number.parseInt(field.slice(0, 2), 16) + Number.parseInt(field.slice(2), 16) / 100
  return percent > 0 && percent <= 100 ? round(percent, 2) : undefined
}

/**
 * The last two of five are battery and external voltage: in volts, in hundredths of a volt, or as the value of a converter
 * of 10 or 12 bits. The battery shows which one: its cell has 3 to 4.5 V.
 */
function voltagesOf(field: string | undefined): TrackerAttributes {
  const values = field?.split("|") ?? []
  if (values.length !== 5) return {}
  if (/^\d+\.\d+$/.test(values[0] ?? ""))
    return known<TrackerAttributes>({
      batteryVolts: decimal(values[0], 0, 10),
      externalVolts: decimal(values[1], 0, 100),
    })
  const [battery, external] = values
    .slice(3)
    .map((value) => (/^[0-9A-F]{1,4}$/i.test(value) ? Number.parseInt(value, 16) : 0))
  const isCell = (volts: number) => volts >= 3 && volts <= 4.5
  const hundredths = (battery ?? 0) / 100
  if (isCell(hundredths))
    return known<TrackerAttributes>({
      batteryVolts: hundredths,
      externalVolts: external ? external / 100 : undefined,
    })
  const converted = [((battery ?? 0) * 6) / 1024, ((battery ?? 0) * 6.6) / 4096].find(isCell)
  return known<TrackerAttributes>({ batteryVolts: converted === undefined ? undefined : round(converted, 2) })
}
