import { localOf } from "../../../i18n/day-bounds.ts"
import type { Recurrence, Schedule } from "./schedules.queries.ts"

export const weekdays = [
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
  "sunday",
] as const
export const periods = ["daily", "weekly", "monthly", "byDate", "custom"] as const
type Period = (typeof periods)[number]
export const frequencies = ["daily", "weekly", "monthly"] as const
export type Frequency = (typeof frequencies)[number]

/** What the form holds of when a schedule runs. */
export interface When {
  period: Period
  /** What `interval` counts where the period is custom. */
  frequency: Frequency
  interval: number
  days: string[]
  /** Days of the month. */
  monthDays: string[]
  /** Single dates, as `2031-05-04`. */
  dates: string[]
  times: string[]
  from: string
  until: string
}

const usualDays = 365

export function whenOf(schedule: Schedule | undefined, timeZone: string): When {
  const today = localOf(new Date(), timeZone).slice(0, 10)
  const nextYear = localOf(new Date(Date.now() + usualDays * 86_400_000), timeZone).slice(0, 10)
  const usual: When = {
    period: "weekly",
    frequency: "weekly",
    interval: 2,
    days: ["monday"],
    monthDays: ["1"],
    dates: [today],
    times: ["08:00"],
    from: today,
    until: nextYear,
  }
  if (!schedule) return usual
  const entries = schedule.schedules
  const dates = entries.flatMap(({ date }) => date ?? [])
  const isOf = (pattern: RegExp) => [...new Set(dates.filter((date) => pattern.test(date)))]
  const days = [...new Set(entries.flatMap(({ day }) => day ?? []))]
  const monthDays = isOf(/^\d{1,2}$/)
  const single = isOf(/^\d{4}-/)
  return {
    period: periods.find((period) => period === schedule.periode) ?? usual.period,
    frequency: frequencies.find((frequency) => frequency === schedule.frequency) ?? usual.frequency,
    interval: schedule.interval ?? usual.interval,
    days: days.length > 0 ? days : usual.days,
    monthDays: monthDays.length > 0 ? monthDays : usual.monthDays,
    dates: single.length > 0 ? single : usual.dates,
    times: [...new Set(entries.flatMap(({ time }) => time))],
    from: schedule.startTime.slice(0, 10),
    until: schedule.endTime.slice(0, 10),
  }
}

export function recurrenceOf(when: When, timeZone: string): Recurrence {
  const time = when.times
  const entries = {
    daily: () => [{ time }],
    weekly: () => weekdays.filter((day) => when.days.includes(day)).map((day) => ({ day, time })),
    monthly: () => when.monthDays.map((date) => ({ date, time })),
    byDate: () => when.dates.toSorted().map((date) => ({ date, time })),
  }
  const isCustom = when.period === "custom"
  return {
    periode: when.period,
    schedules: entries[when.period === "custom" ? when.frequency : when.period](),
    ...(isCustom ? { frequency: when.frequency, interval: when.interval } : {}),
    ...(when.period === "byDate" ? {} : { startTime: when.from, endTime: when.until }),
    timeZone,
  }
}

/** The recurrence as it is stored: an untouched form must not simplify it. */
export function storedRecurrence(schedule: Schedule): Recurrence {
  const { periode, frequency, interval, schedules, startTime, endTime, timeZone } = schedule
  return {
    periode,
    schedules,
    startTime,
    endTime,
    timeZone,
    ...(frequency === null ? {} : { frequency }),
    ...(interval === null ? {} : { interval }),
  }
}
