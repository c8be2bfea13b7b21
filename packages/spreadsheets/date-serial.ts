import type { DateShape, DateSystem } from "./cell.ts"

const msPerDay = 86_400_000
// 9999-12-31, the last day that spreadsheets know, in the 1900 system.
const lastSerial = 2_958_466

/**
 * The wall-clock time of a date number, or undefined where the calendar has none: below day 1 (1900) or 0
 * (1904), past the year 9999, and day 60 of the 1900 system, 29 February 1900, which never was.
 * A pure time of day is a number below 1 and has no date: read it with serialToTime.
 */
export function serialToDateTime(serial: number, system: DateSystem): Temporal.PlainDateTime | undefined {
  const offset = system === "1904" ? 1462 : 0
  const day1900 = serial + offset
  if (!(day1900 >= 1 && day1900 < lastSerial)) return undefined
  const day = Math.floor(day1900)
  if (day === 60) return undefined
  const epoch = day < 60 ? Date.UTC(1899, 11, 31) : Date.UTC(1899, 11, 30)
  // Rounded to the millisecond: 9:30 is stored as 0.395833333333333, a little before 9:30.
  const instant = Temporal.Instant.fromEpochMilliseconds(epoch + Math.round(day1900 * msPerDay))
  return instant.toZonedDateTimeISO("UTC").toPlainDateTime()
}

/** The time of day in a date number, whatever its day. */
export function serialToTime(serial: number): Temporal.PlainTime | undefined {
  if (!(serial >= 0 && serial < lastSerial)) return undefined
  const ms = Math.round((serial - Math.floor(serial)) * msPerDay) % msPerDay
  return Temporal.PlainTime.from("00:00").add({ milliseconds: ms })
}

/** The text of a date number in its own shape: `Y-m-d`, `H:i:s`, `Y-m-d H:i:s`; milliseconds only when there are some. */
export function serialToText(serial: number, system: DateSystem, shape: DateShape): string | undefined {
  if (shape === "duration") return durationText(serial)
  if (shape === "time") return serialToTime(serial)?.toString(precisionOf(serial))
  const time = serialToDateTime(serial, system)
  if (shape === "date") return time?.toPlainDate().toString()
  return time?.toString(precisionOf(serial)).replace("T", " ")
}

function precisionOf(serial: number): { smallestUnit: "second" | "millisecond" } {
  const ms = Math.round((serial - Math.floor(serial)) * msPerDay)
  return { smallestUnit: ms % 1000 === 0 ? "second" : "millisecond" }
}

function durationText(serial: number): string | undefined {
  if (!Number.isFinite(serial) || serial < 0) return undefined
  const seconds = Math.round(serial * 86_400)
  const two = (part: number) => String(part).padStart(2, "0")
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}
