import type { ByteReader } from "../bytes.ts"
import {
  known,
  type TrackerAlarm,
  type TrackerAttributes,
  type TrackerPosition,
  type TrackerSession,
} from "../tracker.ts"
import { round, utcTime } from "../values.ts"

export type Fix = Omit<TrackerPosition, "attributes"> & { isValid: boolean; attributes: TrackerAttributes }

function readTime(reader: ByteReader, session: TrackerSession): number {
  const [year, month, day, hour, minute, second] = reader.bytes(6)
  const time = utcTime(year ?? 0, month ?? 0, day ?? 0, hour ?? 0, minute ?? 0, second ?? 0)
  return time - session.zoneOffsetMilliseconds
}

/** Date, satellites, place, speed, course and flags: 18 bytes. */
export function readFix(reader: ByteReader, session: TrackerSession): Fix {
  const recordedAt = readTime(reader, session)
  const satellites = reader.u8() & 0x0f
  return { recordedAt, ...readPlace(reader, satellites) }
}

/** Latitude, longitude (in 1/30,000 of a minute), speed in km/h, course and flags. */
export function readPlace(reader: ByteReader, satellites: number): Omit<Fix, "recordedAt"> {
  const latitude = reader.u32() / 1_800_000
  const longitude = reader.u32() / 1_800_000
  const speedKilometersPerHour = reader.u8()
  const flags = reader.u16()
  const isNorth = (flags & 0x0400) !== 0
  const isWest = (flags & 0x0800) !== 0
  const isOutside = latitude > 90 || longitude > 180 || (latitude === 0 && longitude === 0)
  return {
    latitude: round(isNorth ? latitude : -latitude, 7),
    longitude: round(isWest ? -longitude : longitude, 7),
    speedKilometersPerHour,
    bearingDegrees: (flags & 0x03ff) % 360,
    isValid: (flags & 0x1000) !== 0 && !isOutside,
    // Some models say whether bit 15 is the ignition.
    attributes: known<TrackerAttributes>({
      satellites,
      ignition: (flags & 0x4000) !== 0 ? (flags & 0x8000) !== 0 : undefined,
    }),
  }
}

/** Terminal information, voltage level from 0 to 6 (or percent) and signal strength. */
export function readStatus(reader: ByteReader): TrackerAttributes {
  const information = reader.u8()
  const level = reader.left > 0 ? reader.u8() : undefined
  if (reader.left > 0) reader.skip(1)
  const alarm = reader.left > 0 ? alarmOfCode(reader.u8()) : undefined
  return known<TrackerAttributes>({
    ignition: (information & 0x02) !== 0,
    charging: (information & 0x04) !== 0,
    batteryPercent: percentOfLevel(level),
    alarm: alarm ?? alarmsOfInformation[(information >> 3) & 0x07],
  })
}

function percentOfLevel(level: number | undefined): number | undefined {
  if (level === undefined || level > 100) return undefined
  return level <= 6 ? Math.round((level * 100) / 6) : level
}

const alarmsOfInformation: readonly (TrackerAlarm | undefined)[] = [
  undefined,
  "vibration",
  "power-cut",
  "low-battery",
  "sos",
]

const alarmsOfCode: Readonly<Record<number, TrackerAlarm>> = {
  1: "sos",
  2: "power-cut",
  3: "vibration",
  4: "geofence-enter",
  5: "geofence-exit",
  6: "overspeed",
  9: "movement",
  14: "low-battery",
  15: "low-battery",
  19: "tamper",
  20: "door",
  24: "tamper",
  25: "low-battery",
  41: "harsh-acceleration",
  42: "harsh-cornering",
  43: "harsh-cornering",
  44: "crash",
  48: "harsh-braking",
}

function alarmOfCode(code: number): TrackerAlarm | undefined {
  return alarmsOfCode[code]
}
