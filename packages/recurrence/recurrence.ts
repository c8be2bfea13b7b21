import { calendarDate, minutesPerDay, parseDate, parseTimeOfDay, weekdayOf } from "./calendar.ts"
import type { DayPattern, Minutes } from "./day-pattern.ts"
import {
  type ActiveWindow,
  activeWindow,
  entryKindOf,
  type Schedule,
  type ScheduleEntry,
  weekdays,
} from "./schedule.ts"
import { type WallClock, wallClockOf } from "./time-zone.ts"

/** A schedule made ready for computing: build it once, then ask `runs.ts`. */
export type Recurrence = {
  readonly pattern: DayPattern
  /** Wall minutes, both included. */
  readonly window: ActiveWindow
  readonly clock: WallClock
}

const notAccepted = "Not an accepted schedule"

/** What a schedule's recurrence is computed from: `Schedule` fits. */
export type RecurrenceSource = Pick<
  Schedule,
  "periode" | "frequency" | "interval" | "startTime" | "endTime" | "schedules" | "timeZone"
>

/**
 * Prepares a schedule that `parseSchedule` has accepted.
 * Throws a RangeError for anything else, and for a time zone that this machine does not know (which a
 * stored schedule can meet after moving to an older system).
 */
export function recurrenceOf(source: RecurrenceSource, clock = wallClockOf(source.timeZone)): Recurrence {
  if (!clock) throw new RangeError(`Unknown time zone: ${source.timeZone}`)
  const kind = entryKindOf(source.periode, source.frequency)
  if (kind === "byDate") return { ...byDate(source), clock }
  const window = activeWindow(source.startTime, source.endTime)
  if (!window || !kind) throw new RangeError(notAccepted)
  const startDay = Math.floor(window.firstMinute / minutesPerDay)
  const interval = source.interval ?? 1
  return { pattern: repeating(source, kind, startDay, interval), window, clock }
}

function repeating(
  { schedules }: RecurrenceSource,
  kind: "daily" | "weekly" | "monthly",
  startDay: number,
  interval: number,
): DayPattern {
  if (kind === "daily") {
    const minutes = schedules.flatMap((entry) => entry.time.map(minuteOf))
    return { kind: "days", anchorDay: startDay, interval, minutes: ascendingOnce(minutes) }
  }
  if (kind === "weekly") {
    const minutesByWeekday: number[][] = [[], [], [], [], [], [], []]
    for (const { day, time } of schedules) {
      const minutes = day && minutesByWeekday[weekdays.indexOf(day)]
      if (!minutes) throw new RangeError(notAccepted)
      for (const text of time) minutes.push(minuteOf(text))
    }
    return {
      kind: "weeks",
      anchorMonday: startDay - weekdayOf(startDay),
      interval,
      minutesByWeekday: minutesByWeekday.map(ascendingOnce),
    }
  }
  const { year, month } = calendarDate(startDay)
  const [dates, minutesByDate] = minutesByKey(schedules, (entry) => {
    const date = Number(entry.date)
    return date >= 1 && date <= 31 ? date : undefined
  })
  return { kind: "months", anchorMonth: year * 12 + month - 1, interval, dates, minutesByDate }
}

/** Only the listed dates count: start and end are kept with the schedule but do not filter. */
function byDate({ schedules }: RecurrenceSource): Omit<Recurrence, "clock"> {
  const [days, minutesByDay] = minutesByKey(schedules, (entry) => parseDate(entry.date ?? ""))
  const window = {
    firstMinute: (days[0] ?? 0) * minutesPerDay,
    lastMinute: (days.at(-1) ?? -1) * minutesPerDay + minutesPerDay - 1,
  }
  return { pattern: { kind: "dates", days, minutesByDay }, window }
}

/** The keys, ascending, and the minutes of each. */
function minutesByKey(
  entries: readonly ScheduleEntry[],
  keyOf: (entry: ScheduleEntry) => number | undefined,
): [number[], Map<number, Minutes>] {
  const minutesOf = new Map<number, Minutes>()
  for (const entry of entries) {
    const key = keyOf(entry)
    if (key === undefined) throw new RangeError(notAccepted)
    minutesOf.set(key, ascendingOnce([...(minutesOf.get(key) ?? []), ...entry.time.map(minuteOf)]))
  }
  return [[...minutesOf.keys()].sort((a, b) => a - b), minutesOf]
}

function minuteOf(time: string): number {
  const minute = parseTimeOfDay(time)
  if (minute === undefined) throw new RangeError(notAccepted)
  return minute
}

function ascendingOnce(minutes: number[]): Minutes {
  return minutes.length < 2 ? minutes : [...new Set(minutes)].sort((a, b) => a - b)
}
