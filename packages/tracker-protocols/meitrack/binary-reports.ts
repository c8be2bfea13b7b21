import { ByteReader } from "../bytes.ts"
import { known, type TrackerAttributes, type TrackerPosition } from "../tracker.ts"
import { round } from "../values.ts"
import { alarmOfEvent } from "./text-report.ts"

/** 2000-01-01 */
const epochSeconds = 946_684_800
/** A report of the CCC format, version 1. */
const cccBytes = 0x34

export interface Reports {
  count: number
  positions: TrackerPosition[]
}

/** CCC: version, length of a report, reports left, then reports of fixed length. */
export function readCcc(content: Uint8Array): Reports {
  const reader = new ByteReader(content)
  reader.skip(2)
  const length = Math.max(reader.u16(true), cccBytes)
  reader.skip(4)
  const positions: TrackerPosition[] = []
  let count = 0
  for (; reader.left >= length; count++) {
    const position = readCccReport(new ByteReader(reader.bytes(length)))
    if (position) positions.push(position)
  }
  return { count, positions }
}

function readCccReport(reader: ByteReader): TrackerPosition | undefined {
  const alarm = alarmOfEvent(reader.u8())
  const latitude = round(reader.i32(true) * 1e-6, 6)
  const longitude = round(reader.i32(true) * 1e-6, 6)
  const recordedAt = (epochSeconds + reader.u32(true)) * 1000
  const isValid = reader.u8() === 1
  const satellites = reader.u8()
  reader.skip(1)
  const speedKilometersPerHour = reader.u16(true)
  const bearing = reader.u16(true)
  const hdop = round(reader.u16(true) * 0.1, 1)
  const altitudeMeters = reader.i16(true)
  const odometerKilometers = round(reader.u32(true) / 1000, 3)
  reader.skip(4 + 8 + 2 + 2)
  const batteryVolts = round(reader.u16(true) * 0.01, 2)
  const attributes = { satellites, hdop, odometerKilometers, batteryVolts, alarm }
  return positionOf(isValid, {
    recordedAt,
    latitude,
    longitude,
    altitudeMeters,
    speedKilometersPerHour,
    bearingDegrees: bearing <= 360 ? bearing % 360 : undefined,
    attributes: known<TrackerAttributes>(attributes),
  })
}

/** CCE: reports left, number of reports, then each with its length and parameters of one, two, four and more bytes. */
export function readCce(content: Uint8Array): Reports {
  const reader = new ByteReader(content)
  reader.skip(4)
  const count = reader.u16(true)
  const positions: TrackerPosition[] = []
  for (let index = 0; index < count; index++) {
    const position = readCceReport(new ByteReader(reader.bytes(reader.u16(true))))
    if (position) positions.push(position)
  }
  return { count, positions }
}

function readCceReport(reader: ByteReader): TrackerPosition | undefined {
  reader.skip(2)
  const values = new Map<number, number>()
  const readId = () => (reader.peekU8() === 0xfe ? reader.u16() : reader.u8())
  const readValues = (read: (id: number) => number) => {
    for (let left = reader.u8(); left > 0; left--) {
      const id = readId()
      values.set(id, read(id))
    }
  }
  const signed = new Set([0x02, 0x03, 0x0b])
  readValues(() => reader.u8())
  readValues((id) => (signed.has(id) ? reader.i16(true) : reader.u16(true)))
  readValues((id) => (signed.has(id) ? reader.i32(true) : reader.u32(true)))
  return positionOfValues(values)
}

function positionOfValues(values: ReadonlyMap<number, number>): TrackerPosition | undefined {
  const scaled = (id: number, factor: number, decimals: number) => {
    const value = values.get(id)
    return value === undefined ? undefined : round(value * factor, decimals)
  }
  const seconds = values.get(0x04)
  const bearing = values.get(0x09)
  if (seconds === undefined) return undefined
  return positionOf(values.get(0x05) === 1, {
    recordedAt: (epochSeconds + seconds) * 1000,
    latitude: scaled(0x02, 1e-6, 6) ?? 0,
    longitude: scaled(0x03, 1e-6, 6) ?? 0,
    altitudeMeters: values.get(0x0b),
    speedKilometersPerHour: values.get(0x08),
    bearingDegrees: bearing === undefined || bearing > 360 ? undefined : bearing % 360,
    attributes: known<TrackerAttributes>({
      satellites: values.get(0x06),
      hdop: scaled(0x0a, 0.1, 1),
      odometerKilometers: scaled(0x0c, 0.001, 3),
      batteryVolts: scaled(0x19, 0.01, 2),
      externalVolts: scaled(0x1a, 0.01, 2),
      batteryPercent: percent(values.get(0xfe69)),
      fuelPercent: percent(values.get(0x9d)),
      alarm: alarmOfEvent(values.get(0x40) ?? values.get(0x01)),
    }),
  })
}

function percent(value: number | undefined): number | undefined {
  return value !== undefined && value <= 100 ? value : undefined
}

function positionOf(
  isValid: boolean,
  position: { [Key in keyof TrackerPosition]: TrackerPosition[Key] | undefined },
): TrackerPosition | undefined {
  const { latitude = 0, longitude = 0 } = position
  const isOutside =
    Math.abs(latitude) > 90 || Math.abs(longitude) > 180 || (latitude === 0 && longitude === 0)
  return isValid && !isOutside ? known<TrackerPosition>(position) : undefined
}
