/**
 * The time formats of the HTTP interface, by their names in its contract. All instants leave in UTC.
 *
 * T1 `2031-05-04T03:02:01+00:00`, T2 `2031-05-04T03:02:01.123000Z`, T3 `2031-05-04 03:02:01`,
 * T4 `2031-05-04`, T5 `03:02`, T6 epoch milliseconds, T7 epoch seconds as text.
 */
export type EpochMilliseconds = number

/** The parts of Temporal.Instant that are needed here, so that browsers without Temporal can pass their own. */
interface InstantLike {
  readonly epochMilliseconds: EpochMilliseconds
}

function isoOf(instant: InstantLike): string {
  return new Date(instant.epochMilliseconds).toISOString()
}

/** `2031-05-04T03:02:01+00:00` */
export function toT1(instant: InstantLike): string {
  return `${isoOf(instant).slice(0, 19)}+00:00`
}

/** `2031-05-04T03:02:01.123000Z`: milliseconds are carried, the last three digits are always 000. */
export function toT2(instant: InstantLike): string {
  return `${isoOf(instant).slice(0, 23)}000Z`
}

/** `2031-05-04 03:02:01` */
export function toT3(instant: InstantLike): string {
  return isoOf(instant).slice(0, 19).replace("T", " ")
}

/** `2031-05-04` */
export function toT4(instant: InstantLike): string {
  return isoOf(instant).slice(0, 10)
}

/** Epoch seconds as text. */
export function toT7(instant: InstantLike): string {
  return String(Math.floor(instant.epochMilliseconds / 1000))
}

export function orNull<T, Wire>(value: T | null | undefined, write: (value: T) => Wire): Wire | null {
  return value === null || value === undefined ? null : write(value)
}

/** The first and the last instant whose year has four digits in UTC, as every format here has. */
export const earliestInstant: EpochMilliseconds = -62_135_596_800_000
export const latestInstant: EpochMilliseconds = 253_402_300_799_999

/** What follows the seconds, or the minutes: a fraction and an offset. */
const restPattern = /^(?:[.,](\d{1,9}))?\s?(Z|z|[+-]\d{2}(?::?\d{2})?)?$/
/** The Gregorian calendar repeats itself after 400 years. */
const cycleYears = 400
const cycleMilliseconds = 146_097 * 86_400_000

/**
 * Reads a date and time as callers write it: `Y-m-d H:i:s`, `Y-m-dTH:i:s`, with or without fractions of
 * a second and an offset; no offset means UTC. Undefined for anything else, impossible days included.
 * Without a pattern up to the seconds, which takes a fraction of the time: files have millions.
 */
export function parseDateTime(text: string): EpochMilliseconds | undefined {
  const trimmed = text.trim()
  if (trimmed[13] !== ":" || (trimmed[10] !== "T" && trimmed[10] !== " ")) return undefined
  const date = dateAt(trimmed)
  const hasSeconds = trimmed[16] === ":"
  const [hour, minute] = [digits(trimmed, 11, 13), digits(trimmed, 14, 16)]
  const second = hasSeconds ? digits(trimmed, 17, 19) : 0
  // Written so that NaN is refused too.
  if (!date || !(hour <= 23 && minute <= 59 && second <= 59)) return undefined
  const rest = restPattern.exec(trimmed.slice(hasSeconds ? 19 : 16))
  if (!rest) return undefined
  const [, fraction, offset] = rest
  if (fraction !== undefined && !hasSeconds) return undefined
  const shift = offsetMinutes(offset)
  if (shift === undefined) return undefined
  const milliseconds = fraction === undefined ? 0 : Math.floor(Number(`0.${fraction}`) * 1000)
  // Date.UTC takes the years 0 to 99 for those of the twentieth century.
  const inNextCycle = Date.UTC(date.year + cycleYears, date.month - 1, date.day, hour, minute - shift, second)
  const at = inNextCycle - cycleMilliseconds + milliseconds
  return at < earliestInstant || at > latestInstant ? undefined : at
}

/** The number that these characters write; NaN when one is no digit. */
function digits(text: string, from: number, to: number): number {
  let number = 0
  for (let at = from; at < to; at++) {
    const digit = text.charCodeAt(at) - 48
    number = digit >= 0 && digit <= 9 ? number * 10 + digit : Number.NaN
  }
  return number
}

/** The date `Y-m-d` at the start of a text, if it exists. */
function dateAt(text: string): { year: number; month: number; day: number } | undefined {
  if (text[4] !== "-" || text[7] !== "-") return undefined
  const [year, month, day] = [digits(text, 0, 4), digits(text, 5, 7), digits(text, 8, 10)]
  // Written so that NaN is refused too.
  const isDate = year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month)
  return isDate ? { year, month, day } : undefined
}

function daysInMonth(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
}

/** Of `Z`, `+07`, `+07:00` or `+0700`; undefined for what no clock has. */
function offsetMinutes(offset = "Z"): number | undefined {
  const sign = offset.startsWith("-") ? -1 : 1
  const digits = offset.slice(1).replace(":", "")
  const [hours, minutes] = [Number(digits.slice(0, 2)), Number(digits.slice(2))]
  return hours > 18 || minutes > 59 ? undefined : sign * (hours * 60 + minutes)
}

/** A calendar date `Y-m-d` that exists, as given; undefined otherwise. */
export function parseDate(text: string): string | undefined {
  const date = text.trim()
  return date.length === 10 && dateAt(date) ? date : undefined
}

/** A time of day `H:i` or `H:i:s` as `HH:mm` or `HH:mm:ss`; undefined otherwise. */
export function parseTime(text: string): string | undefined {
  const trimmed = text.trim()
  const time = trimmed[1] === ":" ? `0${trimmed}` : trimmed
  const hasSeconds = time[5] === ":"
  if (time[2] !== ":" || time.length !== (hasSeconds ? 8 : 5)) return undefined
  const isTime =
    digits(time, 0, 2) <= 23 && digits(time, 3, 5) <= 59 && (!hasSeconds || digits(time, 6, 8) <= 59)
  return isTime ? time : undefined
}

/** An unencoded plus sign arrives as a space: `2031-05-04T03:02:01 07:00` in an address meant `+07:00`. */
function withPlus(text: string): string {
  return text.replace(/(:\d{2}(?:[.,]\d+)?) (\d{2}:?\d{2})$/, "$1+$2")
}

/**
 * One end of a time filter: a date and time, or a whole day (its first millisecond for `from`, its last
 * for `to`, so that equal dates mean that day). Undefined for anything else.
 */
export function parseTimeBound(text: string, end: "from" | "to"): EpochMilliseconds | undefined {
  const day = parseDate(text)
  if (day === undefined) return inclusiveBound(parseDateTime(withPlus(text)), text, end)
  const start = Date.parse(`${day}T00:00:00Z`)
  return end === "from" ? start : start + 86_400_000 - 1
}

/** A bound written to the second includes the whole second, as the formats shown to callers have no fractions. */
function inclusiveBound(at: EpochMilliseconds | undefined, text: string, end: "from" | "to") {
  if (at === undefined || end === "from" || /[.,]\d/.test(text)) return at
  return at + 999
}
