import { useSession } from "../session/session.ts"
import { useLanguage } from "./language.tsx"
import { listFormat } from "./messages.ts"

/** A date and time that names no zone, as `2031-05-04 03:02:01`: the server means UTC. */
const withoutZone = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)?$/

/** The server's times: ISO 8601, UTC where no zone is named. Undefined when there is none. */
export function parseTime(text: string | null | undefined): Date | undefined {
  if (!text) return undefined
  const date = new Date(withoutZone.test(text) ? `${text.replace(" ", "T")}Z` : text)
  return Number.isNaN(date.getTime()) ? undefined : date
}

export interface Formats {
  number(value: number): string
  /** A sum of money without its currency: with two decimals. */
  amount(value: number): string
  list(values: readonly string[]): string
  /** Day, month and time; the year only when it is another than this one. */
  dateTime(text: string | null | undefined): string
  date(text: string | null | undefined): string
  /** With the day of the week, for appointments. */
  weekdayDate(text: string | null | undefined): string
  time(text: string | null | undefined): string
  /** A day of the calendar, `2031-05-04`: the same in every zone. */
  day(text: string): string
  /** One day, or the first and the last of several. */
  days(from: string, until: string): string
  /** "3 min ago", from `now` in epoch milliseconds. */
  ago(text: string | null | undefined, now: number): string
  distance(meters: number): string
  speed(kilometersPerHour: number): string
  bytes(count: number): string
}

const minute = 60_000

/** How numbers, times and distances are written, in the person's language and the organization's time zone. */
export function useFormats(): Formats {
  const { locale } = useLanguage()
  const timeZone = useSession().organization.timeZone
  return knownFormats(locale, timeZone)
}

const known = new Map<string, Formats>()

/** One set for each language and zone: creating one for each cell of a grid takes longer than a frame. */
function knownFormats(locale: string, timeZone: string): Formats {
  const key = `${locale} ${timeZone}`
  const formats = known.get(key) ?? createFormats(locale, timeZone)
  known.set(key, formats)
  return formats
}

export function createFormats(locale: string, timeZone: string): Formats {
  const number = new Intl.NumberFormat(locale)
  const amount = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  const list = listFormat(locale)
  const unit = (name: string, maximumFractionDigits: number) =>
    new Intl.NumberFormat(locale, { style: "unit", unit: name, maximumFractionDigits })
  const [meters, kilometers] = [unit("meter", 0), unit("kilometer", 1)]
  const kilometersPerHour = unit("kilometer-per-hour", 0)
  const [kilobytes, megabytes] = [unit("kilobyte", 1), unit("megabyte", 1)]
  const dayAndTime = { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", timeZone } as const
  const thisYear = new Intl.DateTimeFormat(locale, dayAndTime)
  const otherYear = new Intl.DateTimeFormat(locale, { ...dayAndTime, year: "numeric" })
  const date = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone })
  const weekdayDate = new Intl.DateTimeFormat(locale, {
    ...{ weekday: "short", day: "numeric", month: "short", timeZone },
  })
  const time = new Intl.DateTimeFormat(locale, { timeStyle: "short", timeZone })
  const day = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" })
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: "short" })
  const dayText = (text: string) => {
    const instant = parseTime(text)
    return instant ? day.format(instant) : text
  }
  const write = (format: Intl.DateTimeFormat) => (text: string | null | undefined) => {
    const instant = parseTime(text)
    return instant ? format.format(instant) : "–"
  }
  return {
    number: (value) => number.format(value),
    amount: (value) => amount.format(value),
    list: (values) => list.format(values),
    dateTime(text) {
      const instant = parseTime(text)
      if (!instant) return "–"
      return (instant.getUTCFullYear() === new Date().getUTCFullYear() ? thisYear : otherYear).format(instant)
    },
    date: write(date),
    weekdayDate: write(weekdayDate),
    time: write(time),
    day: dayText,
    days: (from, until) => (from === until ? dayText(from) : `${dayText(from)} – ${dayText(until)}`),
    ago(text, now) {
      const instant = parseTime(text)
      if (!instant) return "–"
      const age = instant.getTime() - now
      const size = Math.abs(age)
      // Clocks differ by seconds: what was just reported is not in the future.
      if (age > 0 && age < minute) return relative.format(0, "second")
      if (size < minute) return relative.format(Math.round(age / 1000), "second")
      if (size < 60 * minute) return relative.format(Math.round(age / minute), "minute")
      if (size < 24 * 60 * minute) return relative.format(Math.round(age / (60 * minute)), "hour")
      return relative.format(Math.round(age / (24 * 60 * minute)), "day")
    },
    speed: (value) => kilometersPerHour.format(value),
    distance: (value) => (Math.abs(value) < 1000 ? meters.format(value) : kilometers.format(value / 1000)),
    bytes: (count) =>
      count < 1024 * 1024 ? kilobytes.format(count / 1024) : megabytes.format(count / 1024 / 1024),
  }
}
