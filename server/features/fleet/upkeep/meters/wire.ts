import { toT1 } from "#shared/wire-time.ts"
import type { Meters, ReadingRow } from "./queries.ts"

export const toKilometers = (meters: number) => Math.round(meters) / 1000
export const toHours = (seconds: number) => Math.round(seconds / 36) / 100

export function toWireMeters(meters: Meters | undefined) {
  return {
    odometerKilometers: toKilometers(meters?.odometerMeters ?? 0),
    engineHours: toHours(meters?.engineSeconds ?? 0),
    source: !meters?.countedAt ? "none" : meters.isByDevice ? "device" : "track",
    countedTime: meters?.countedAt ? toT1(meters.countedAt) : null,
  }
}

export function toWireReading(row: ReadingRow) {
  const orNull = (value: number | null, convert: (value: number) => number) =>
    value === null ? null : convert(value)
  return {
    _id: row.id,
    odometerBefore: orNull(row.odometerBefore, toKilometers),
    odometerAfter: orNull(row.odometerAfter, toKilometers),
    engineHoursBefore: orNull(row.secondsBefore, toHours),
    engineHoursAfter: orNull(row.secondsAfter, toHours),
    note: row.note,
    createdBy: row.createdBy,
    createdTime: toT1(row.createdTime),
  }
}
