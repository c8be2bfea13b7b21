/*
 * Calendar arithmetic on integers, in the proleptic Gregorian calendar.
 *
 * A day is a number: days since 1970-01-01 (which is 0), the same in every time zone. A wall time is a
 * number of minutes since 1970-01-01 00:00 on some clock on the wall. Neither knows a time zone, so this
 * file needs neither Date nor Temporal: the engine stays fast and runs in browsers that lack Temporal.
 */

export const minutesPerDay = 1440
export const millisecondsPerMinute = 60_000
export const millisecondsPerDay = 86_400_000

/** The range of years that a schedule may name. Four digits on the wire, and no time zones before 1900. */
const firstYear = 1900

export function floorMod(value: number, divisor: number): number {
  return value - Math.floor(value / divisor) * divisor
}

/*
 * Both conversions follow Neri and Schneider, "Euclidean affine functions and their application to calendar
 * algorithms" (2022): years begin on 1 March, so that the leap day ends them; 1461 days in four years,
 * 146 097 in 400, 153 in five months. All values are positive 32-bit integers from 1 March of year 0 on, so
 * `| 0` divides like integers: four times as fast as Math.floor here, and the next run is computed for every
 * schedule.
 */
const daysFromYearZero = 719_468

/** Day number of a calendar date; `month` 1 to 12, `date` 1 to 31, years 1 to 9999. */
export function dayNumber(year: number, month: number, date: number): number {
  const marchYear = month > 2 ? year : year - 1
  const marchMonth = month > 2 ? month : month + 12
  const century = (marchYear / 100) | 0
  const daysBeforeYear = ((1461 * marchYear) >> 2) - century + (century >> 2)
  const daysBeforeMonth = ((153 * marchMonth - 457) / 5) | 0
  return daysBeforeYear + daysBeforeMonth + date - 1 - daysFromYearZero
}

export type CalendarDate = { readonly year: number; readonly month: number; readonly date: number }

/** The inverse of `dayNumber`. */
export function calendarDate(day: number): CalendarDate {
  const quartersOfDays = 4 * (day + daysFromYearZero) + 3
  const century = (quartersOfDays / 146_097) | 0
  const quartersInCentury = (quartersOfDays - century * 146_097) | 3
  const yearOfCentury = (quartersInCentury / 1461) | 0
  const dayOfYear = (quartersInCentury - yearOfCentury * 1461) >> 2
  const fifthsOfDays = 5 * dayOfYear + 461
  const marchMonth = (fifthsOfDays / 153) | 0
  const date = (((fifthsOfDays - marchMonth * 153) / 5) | 0) + 1
  const marchYear = 100 * century + yearOfCentury
  return marchMonth > 12
    ? { year: marchYear + 1, month: marchMonth - 12, date }
    : { year: marchYear, month: marchMonth, date }
}

export function monthLength(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/** Monday is 0, Sunday is 6. Day 0 was a Thursday. */
export function weekdayOf(day: number): number {
  return floorMod(day + 3, 7)
}

/** Day number of `Y-m-d`, or undefined where the text is no date of the years 1900 to 9999. */
export function parseDate(text: string): number | undefined {
  if (text.length !== 10 || text[4] !== "-" || text[7] !== "-") return undefined
  const year = twoDigitsAt(text, 0) * 100 + twoDigitsAt(text, 2)
  const month = twoDigitsAt(text, 5)
  const date = twoDigitsAt(text, 8)
  // Written so that NaN fails.
  const isDate =
    year >= firstYear && month >= 1 && month <= 12 && date >= 1 && date <= monthLength(year, month)
  return isDate ? dayNumber(year, month, date) : undefined
}

/** Minute of the day of `HH:mm` or `HH:mm:ss`, seconds cut; undefined where the text is no time. */
export function parseTimeOfDay(text: string): number | undefined {
  const hasSeconds = text.length === 8 && text[5] === ":" && twoDigitsAt(text, 6) <= 59
  if ((text.length !== 5 && !hasSeconds) || text[2] !== ":") return undefined
  const hour = twoDigitsAt(text, 0)
  const minute = twoDigitsAt(text, 3)
  return hour <= 23 && minute <= 59 ? hour * 60 + minute : undefined
}

/** NaN where there are no two digits. Schedules are read for each run, and this is ten times a RegExp's speed. */
function twoDigitsAt(text: string, index: number): number {
  const tens = text.charCodeAt(index) - 48
  const ones = text.charCodeAt(index + 1) - 48
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN
}

export function formatDate(day: number): string {
  const { year, month, date } = calendarDate(day)
  return `${String(year).padStart(4, "0")}-${twoDigits(month)}-${twoDigits(date)}`
}

/** `HH:mm` of a minute of the day, 0 to 1439. */
export function formatTimeOfDay(minute: number): string {
  return `${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}`
}

/** `Y-m-d HH:mm` of a wall time. */
export function formatWallTime(wallMinute: number): string {
  const day = Math.floor(wallMinute / minutesPerDay)
  return `${formatDate(day)} ${formatTimeOfDay(wallMinute - day * minutesPerDay)}`
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0")
}
