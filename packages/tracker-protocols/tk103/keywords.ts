import { asciiOf, bytesOf } from "../bytes.ts"
import {
  deviceNumber,
  known,
  message,
  type TrackerAlarm,
  type TrackerAttributes,
  TrackerFormatError,
  type TrackerMessage,
  type TrackerPosition,
  type TrackerSession,
} from "../tracker.ts"
import { decimal, degreesOf, knotsToKilometersPerHour, pairsOf, utcTime } from "../values.ts"

const dayMilliseconds = 86_400_000

/**
 * Coban (TK103A, TK103B, TK303, GPS103): `##,imei:…,A;` as login, the IMEI alone as heartbeat, and
 * `imei:…,keyword,local time,phone,F,UTC time,A,latitude,N,longitude,E,knots,course,altitude,ACC,door,fuel,fuel,temperature;`
 */
export function decodeKeywords(frame: Uint8Array, session: TrackerSession): TrackerMessage {
  const text = asciiOf(frame).slice(0, -1)
  if (/^\d/.test(text)) {
    session.device = deviceNumber(text)
    return message("status", frame, session, { acknowledgement: bytesOf("ON") })
  }
  const [, login, device = "", rest = ""] = /^(##,)?imei:(\d+),(.*)$/s.exec(text) ?? []
  session.device = deviceNumber(device)
  if (login) return message("login", frame, session, { acknowledgement: bytesOf("LOAD") })
  return decodeReport(rest.split(","), frame, session)
}

function decodeReport(fields: readonly string[], frame: Uint8Array, session: TrackerSession): TrackerMessage {
  const [keyword = "", localTime = "", , fix, time = "", validity] = fields
  // The device repeats a call for help until it knows that somebody has noticed.
  const confirmed =
    keyword === "help me" ? { acknowledgement: bytesOf(`**,imei:${session.device},E;`) } : undefined
  const attributes = attributesOf(keyword, fields)
  if (fix === "L" || validity === "V")
    return message("position", frame, session, { withoutFix: 1, attributes, ...confirmed })
  if (fix !== "F" || validity !== "A") return message("other", frame, session, { attributes, ...confirmed })
  return message("position", frame, session, {
    positions: [positionOf(fields, timeOf(localTime, time), attributes)],
    ...confirmed,
  })
}

function positionOf(
  fields: readonly string[],
  recordedAt: number,
  attributes: TrackerAttributes,
): TrackerPosition {
  const [latitude = "", northSouth = "", longitude = "", eastWest = "", speed, course, altitude] =
    fields.slice(6)
  const knots = decimal(speed, 0)
  return known<TrackerPosition>({
    recordedAt,
    latitude: degreesOf(latitude, northSouth),
    longitude: degreesOf(longitude, eastWest),
    altitudeMeters: decimal(altitude),
    speedKilometersPerHour: knots === undefined ? undefined : knotsToKilometersPerHour(knots),
    bearingDegrees: decimal(course, 0, 360),
    attributes,
  })
}

/** The date is local and the time UTC: it is the instant next to the local time. */
function timeOf(localTime: string, time: string): number {
  if (!/^(?:\d{10}|\d{12})$/.test(localTime) || !/^\d{6}(?:\.\d{1,3})?$/.test(time))
    throw new TrackerFormatError("The frame contains an invalid date or time")
  const [year, month, day] = pairsOf(localTime.slice(0, 6))
  const local = utcTime(year, month, day, Number(localTime.slice(6, 8)), Number(localTime.slice(8, 10)), 0)
  const sameDay = utcTime(year, month, day, ...pairsOf(time.slice(0, 6)))
  return sameDay + Math.round((local - sameDay) / dayMilliseconds) * dayMilliseconds
}

const alarms: Readonly<Record<string, TrackerAlarm>> = {
  "help me": "sos",
  "low battery": "low-battery",
  "ac alarm": "power-cut",
  "sensor alarm": "vibration",
  "door alarm": "door",
  "accident alarm": "crash",
  stockade: "geofence-exit",
  move: "movement",
  speed: "overspeed",
}

const ignitionOf: Readonly<Record<string, boolean>> = {
  "acc on": true,
  "acc off": false,
  "0": false,
  "1": true,
}

function attributesOf(keyword: string, fields: readonly string[]): TrackerAttributes {
  const [accessory = "", , fuel] = fields.slice(13)
  // Zero is also sent without a sensor.
  const fuelPercent = decimal(fuel?.replace(/%$/, ""), 0, 100) || undefined
  return known<TrackerAttributes>({
    ignition: ignitionOf[keyword] ?? ignitionOf[accessory],
    fuelPercent,
    alarm: alarms[keyword.replace(/!$/, "")],
  })
}
