import { calendarDate, dayNumber, floorMod, monthLength, weekdayOf } from "./calendar.ts"

/** Minutes of a day, ascending, each once. */
export type Minutes = readonly number[]

/**
 * On which days something happens, and at which minutes of them. The anchor fixes which days, weeks or
 * months an interval above 1 counts from.
 */
export type DayPattern =
  | {
      readonly kind: "days"
      readonly anchorDay: number
      readonly interval: number
      readonly minutes: Minutes
    }
  | {
      readonly kind: "weeks"
      readonly anchorMonday: number
      readonly interval: number
      /** Seven lists, Monday first. */
      readonly minutesByWeekday: readonly Minutes[]
    }
  | {
      readonly kind: "months"
      /** Months since year 0. */
      readonly anchorMonth: number
      readonly interval: number
      /** Ascending, 1 to 31. A month without a date is passed over and does not shift the cycle. */
      readonly dates: readonly number[]
      readonly minutesByDate: ReadonlyMap<number, Minutes>
    }
  | {
      readonly kind: "dates"
      readonly days: readonly number[]
      readonly minutesByDay: ReadonlyMap<number, Minutes>
    }

const noMinutes: Minutes = Object.freeze([])

/** The minutes of a day that the pattern has; its result for other days is meaningless. */
export function minutesOn(pattern: DayPattern, day: number): Minutes {
  switch (pattern.kind) {
    case "days":
      return pattern.minutes
    case "weeks":
      return pattern.minutesByWeekday[weekdayOf(day)] ?? noMinutes
    case "months":
      return pattern.minutesByDate.get(calendarDate(day).date) ?? noMinutes
    case "dates":
      return pattern.minutesByDay.get(day) ?? noMinutes
  }
}

/** The first day of the pattern from `from` to `last`, both included. */
export function firstDayFrom(pattern: DayPattern, from: number, last: number): number | undefined {
  const day = seekForward(pattern, from, last)
  return day !== undefined && day <= last ? day : undefined
}

/** The last day of the pattern from `first` to `until`, both included. */
export function lastDayUntil(pattern: DayPattern, until: number, first: number): number | undefined {
  const day = seekBackward(pattern, until, first)
  return day !== undefined && day >= first ? day : undefined
}

function seekForward(pattern: DayPattern, from: number, last: number): number | undefined {
  switch (pattern.kind) {
    case "days": {
      const beyond = floorMod(from - pattern.anchorDay, pattern.interval)
      return beyond === 0 ? from : from + pattern.interval - beyond
    }
    case "weeks": {
      const stride = pattern.interval * 7
      const intoCycle = floorMod(from - pattern.anchorMonday, stride)
      const monday = from - intoCycle
      for (let weekday = intoCycle; weekday < 7; weekday++) {
        if (hasWeekday(pattern.minutesByWeekday, weekday)) return monday + weekday
      }
      for (let weekday = 0; weekday < 7; weekday++) {
        if (hasWeekday(pattern.minutesByWeekday, weekday)) return monday + stride + weekday
      }
      return undefined
    }
    case "months": {
      const { year, month, date } = calendarDate(from)
      const current = year * 12 + month - 1
      const beyond = floorMod(current - pattern.anchorMonth, pattern.interval)
      let index = beyond === 0 ? current : current + pattern.interval - beyond
      let firstOfMonth = beyond === 0 ? from - date + 1 : dayOfMonth(index, 1)
      let earliestDate = beyond === 0 ? date : 1
      while (firstOfMonth <= last) {
        const length = lengthOfMonth(index)
        for (const candidate of pattern.dates) {
          if (candidate >= earliestDate && candidate <= length) return firstOfMonth + candidate - 1
        }
        index += pattern.interval
        firstOfMonth = pattern.interval === 1 ? firstOfMonth + length : dayOfMonth(index, 1)
        earliestDate = 1
      }
      return undefined
    }
    case "dates":
      return pattern.days[firstIndexFrom(pattern.days, from)]
  }
}

function seekBackward(pattern: DayPattern, until: number, first: number): number | undefined {
  switch (pattern.kind) {
    case "days":
      return until - floorMod(until - pattern.anchorDay, pattern.interval)
    case "weeks": {
      const stride = pattern.interval * 7
      const intoCycle = floorMod(until - pattern.anchorMonday, stride)
      const monday = until - intoCycle
      for (let weekday = Math.min(intoCycle, 6); weekday >= 0; weekday--) {
        if (hasWeekday(pattern.minutesByWeekday, weekday)) return monday + weekday
      }
      for (let weekday = 6; weekday >= 0; weekday--) {
        if (hasWeekday(pattern.minutesByWeekday, weekday)) return monday - stride + weekday
      }
      return undefined
    }
    case "months": {
      const { year, month, date } = calendarDate(until)
      const current = year * 12 + month - 1
      const beyond = floorMod(current - pattern.anchorMonth, pattern.interval)
      let latestDate = beyond === 0 ? date : 31
      for (let index = current - beyond; ; ) {
        const length = lengthOfMonth(index)
        if (dayOfMonth(index, length) < first) return undefined
        const latest = pattern.dates.findLast((candidate) => candidate <= Math.min(latestDate, length))
        if (latest !== undefined) return dayOfMonth(index, latest)
        index -= pattern.interval
        latestDate = 31
      }
    }
    case "dates": {
      const after = firstIndexFrom(pattern.days, until + 1)
      return pattern.days[after - 1]
    }
  }
}

function hasWeekday(minutesByWeekday: readonly Minutes[], weekday: number): boolean {
  return (minutesByWeekday[weekday]?.length ?? 0) > 0
}

/** `monthIndex` counts months since year 0. */
function dayOfMonth(monthIndex: number, date: number): number {
  const year = (monthIndex / 12) | 0
  return dayNumber(year, monthIndex - year * 12 + 1, date)
}

function lengthOfMonth(monthIndex: number): number {
  const year = (monthIndex / 12) | 0
  return monthLength(year, monthIndex - year * 12 + 1)
}

/** Index of the first value that is not below `from`; the length where there is none. */
export function firstIndexFrom(ascending: readonly number[], from: number): number {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ascending[middle] ?? Number.POSITIVE_INFINITY) < from) low = middle + 1
    else high = middle
  }
  return low
}
