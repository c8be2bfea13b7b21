import { formatTimeOfDay, minutesPerDay, parseDate, parseTimeOfDay } from "./calendar.ts"

/** How often a schedule repeats. The spelling is the wire's. */
export const periodes = ["daily", "weekly", "monthly", "byDate", "custom"] as const
export type Periode = (typeof periodes)[number]

/** What `interval` counts in a custom schedule. */
export const frequencies = ["daily", "weekly", "monthly"] as const
export type Frequency = (typeof frequencies)[number]

/** Monday first, as the weeks of a custom schedule are counted (RFC 5545, WKST=MO). */
export const weekdays = [
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
  "sunday",
] as const
type Weekday = (typeof weekdays)[number]

export const scheduleLimits = { interval: 99, entries: 100, timesPerEntry: 48 } as const

/** Times of a day, with the day they belong to: what `day` and `date` hold depends on the entry kind. */
export type ScheduleEntry = {
  readonly day?: Weekday
  /** "1" to "31" without padding in monthly entries, `Y-m-d` in entries by date. */
  readonly date?: string
  /** `HH:mm`, as sent: neither sorted nor freed of doubles. */
  readonly time: readonly string[]
}

/** The recurrence part of a task schedule as it is stored and answered. Made by `parseSchedule`. */
export type Schedule = {
  readonly periode: Periode
  /** Both null unless `periode` is `custom`. */
  readonly frequency: Frequency | null
  readonly interval: number | null
  /** First and last active day, or minute: `Y-m-d` or `Y-m-d H:i`, in the form that was sent. */
  readonly startTime: string
  readonly endTime: string
  readonly schedules: readonly ScheduleEntry[]
  /** IANA name. All dates, weekdays and times above are read on the wall clock of this zone. */
  readonly timeZone: string
}

export type EntryKind = "daily" | "weekly" | "monthly" | "byDate"

/** Which entries the schedule takes; undefined while a custom schedule lacks its frequency. */
export function entryKindOf(periode: Periode, frequency: Frequency | null): EntryKind | undefined {
  return periode === "custom" ? (frequency ?? undefined) : periode
}

/** The wire's `timeSchedules`: one text per entry and time, in entry order. */
export function timeSchedules(schedule: Pick<Schedule, "schedules">): string[] {
  return schedule.schedules.flatMap(({ day, date, time }) => {
    const prefix = day ?? date
    return time.map((at) => (prefix === undefined ? at : `${prefix} ${at}`))
  })
}

/** `Y-m-d` or `Y-m-d H:i` as a day and, where one is named, a minute of that day. */
export function parseDateWithTime(text: string): { day: number; minute: number | undefined } | undefined {
  const [dateText = "", timeText, ...rest] = text.split(" ")
  const day = parseDate(dateText)
  if (day === undefined || rest.length > 0) return undefined
  if (timeText === undefined) return { day, minute: undefined }
  const minute = timeText.length === 5 ? parseTimeOfDay(timeText) : undefined
  return minute === undefined ? undefined : { day, minute }
}

/**
 * First and last wall minute of the active window, both included: a date alone means the whole day.
 * Undefined where a text is malformed.
 */
export function activeWindow(startTime: string, endTime: string): ActiveWindow | undefined {
  const start = parseDateWithTime(startTime)
  const end = parseDateWithTime(endTime)
  if (!start || !end) return undefined
  return {
    firstMinute: start.day * minutesPerDay + (start.minute ?? 0),
    lastMinute: end.day * minutesPerDay + (end.minute ?? minutesPerDay - 1),
  }
}

export type ActiveWindow = { readonly firstMinute: number; readonly lastMinute: number }

/** `HH:mm` of a text that may carry seconds; undefined where it is no time. */
export function normalizeTime(text: string): string | undefined {
  const minute = parseTimeOfDay(text)
  return minute === undefined ? undefined : formatTimeOfDay(minute)
}
