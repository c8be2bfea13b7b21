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

const dateTimePattern =
  /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?(Z|z|[+-]\d{2}(?::?\d{2})?)?$/
const timePattern = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/

/**
 * Reads a date and time as callers write it: `Y-m-d H:i:s`, `Y-m-dTH:i:s`, with or without fractions of
 * a second and an offset; no offset means UTC. Undefined for anything else, impossible days included.
 */
export function parseDateTime(text: string): EpochMilliseconds | undefined {
  const plain = plainDateTime(text)
  if (plain !== undefined) return plain
  const match = dateTimePattern.exec(text.trim())
  if (!match) return undefined
  const [, year, month, day, hour, minute, second = "0", fraction = "0", offset = "Z"] = match
  const fields = [year, month, day, hour, minute, second].map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const local = utc(fields, Math.floor(Number(`0.${fraction}`) * 1000))
  if (local === undefined) return undefined
  const shift = offsetMinutes(offset)
  if (shift === undefined) return undefined
  const at = local - shift * 60_000
  return at < earliestInstant || at > latestInstant ? undefined : at
}

/** The usual form, without fraction and offset, several times as fast as the pattern: files have millions. */
function plainDateTime(text: string): EpochMilliseconds | undefined {
  const hasSeconds = text.length === 19 && text[16] === ":"
  if ((text.length !== 16 && !hasSeconds) || text[4] !== "-" || text[7] !== "-" || text[13] !== ":")
    return undefined
  if (text[10] !== "T" && text[10] !== " ") return undefined
  const [year, month, day] = [digits(text, 0, 4), digits(text, 5, 7), digits(text, 8, 10)]
  const [hour, minute] = [digits(text, 11, 13), digits(text, 14, 16)]
  return utc([year, month, day, hour, minute, hasSeconds ? digits(text, 17, 19) : 0], 0)
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

function utc(
  [year, month, day, hour, minute, second]: [number, number, number, number, number, number],
  milliseconds: number,
): EpochMilliseconds | undefined {
  // Written so that NaN is refused too.
  if (!(year >= 1 && month >= 1 && month <= 12 && hour <= 23 && minute <= 59 && second <= 59))
    return undefined
  if (!(day >= 1 && day <= daysInMonth(year, month))) return undefined
  // Date.UTC takes the years 0 to 99 for those of the twentieth century.
  if (year > 99) return Date.UTC(year, month - 1, day, hour, minute, second, milliseconds)
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date.setUTCHours(hour, minute, second, milliseconds)
}

function daysInMonth(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
}

function offsetMinutes(offset: string): number | undefined {
  if (offset === "Z" || offset === "z") return 0
  const sign = offset.startsWith("-") ? -1 : 1
  const digits = offset.slice(1).replace(":", "")
  const [hours, minutes] = [Number(digits.slice(0, 2)), Number(digits.slice(2) || 0)]
  return hours > 18 || minutes > 59 ? undefined : sign * (hours * 60 + minutes)
}

/** A calendar date `Y-m-d` that exists, as given; undefined otherwise. */
export function parseDate(text: string): string | undefined {
  const date = text.trim()
  if (date.length !== 10 || date[4] !== "-" || date[7] !== "-") return undefined
  const [year, month, day] = [digits(date, 0, 4), digits(date, 5, 7), digits(date, 8, 10)]
  return utc([year, month, day, 0, 0, 0], 0) === undefined ? undefined : date
}

/** A time of day `H:i` or `H:i:s` as `HH:mm` or `HH:mm:ss`; undefined otherwise. */
export function parseTime(text: string): string | undefined {
  // The usual form first, several times as fast as the pattern: files have millions.
  if (text.length === 5 && text[2] === ":" && digits(text, 0, 2) <= 23 && digits(text, 3, 5) <= 59)
    return text
  const match = timePattern.exec(text.trim())
  if (!match || Number(match[1]) > 23 || Number(match[2]) > 59 || Number(match[3] ?? 0) > 59) return undefined
  const parts = [match[1], match[2], match[3]].filter((part) => part !== undefined)
  return parts.map((part) => part.padStart(2, "0")).join(":")
}

/**
 * One end of a time filter: a date and time, or a whole day (its first millisecond for `from`, its last
 * for `to`, so that equal dates mean that day). Undefined for anything else.
 */
export function parseTimeBound(text: string, end: "from" | "to"): EpochMilliseconds | undefined {
  const day = parseDate(text)
  if (day === undefined) return inclusiveBound(parseDateTime(text), text, end)
  const start = Date.parse(`${day}T00:00:00Z`)
  return end === "from" ? start : start + 86_400_000 - 1
}

/** A bound written to the second includes the whole second, as the formats shown to callers have no fractions. */
function inclusiveBound(at: EpochMilliseconds | undefined, text: string, end: "from" | "to") {
  if (at === undefined || end === "from" || /[.,]\d/.test(text)) return at
  return at + 999
}
