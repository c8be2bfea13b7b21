import { formatTimeOfDay, minutesPerDay, parseDate, parseTimeOfDay } from "./calendar.ts"
import { type EntryKind, entryKindOf, parseDateWithTime, type Schedule, weekdays } from "./schedule.ts"
import { type SummaryLanguage, type SummaryWords, summaryWords } from "./summary-words.ts"

// Longer lists are told by their number and their ends.
const listedTimes = 6
const listedDates = 4

/**
 * One line of plain language for people: how often, at what times, from when to when, in which time zone.
 * English for every language but Indonesian. For an accepted schedule (`parseSchedule`).
 */
export function summarizeSchedule(schedule: Schedule, language: SummaryLanguage): string {
  const words = summaryWords[language]
  const kind = entryKindOf(schedule.periode, schedule.frequency) ?? "daily"
  const groups = groupByTimes(schedule, kind)
  const rule =
    kind === "byDate"
      ? groups.map(({ keys, times }) => `${words.onDates(datesText(keys, words))} ${timesText(times, words)}`)
      : groups.map(({ keys, times }, index) =>
          [
            // The interval is said once; what follows only adds days.
            index === 0 ? words.every[kind](schedule.interval ?? 1) : "",
            daysText(kind, keys, schedule.interval ?? 1, index === 0, words),
            timesText(times, words),
          ]
            .filter((part) => part !== "")
            .join(" "),
        )
  const parts = [rule.join("; ")]
  if (kind !== "byDate") parts.push(windowText(schedule, words))
  parts.push(words.inTimeZone(schedule.timeZone))
  const sentence = parts.join(", ")
  const rareDates = groups.flatMap(({ keys }) => (kind === "monthly" ? keys.filter((date) => date > 28) : []))
  const note = rareDates.length > 0 ? ` ${words.monthsWithoutDate(rareDates.sort(ascending))}` : ""
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.${note}`
}

type Group = { readonly keys: readonly number[]; readonly times: readonly number[] }

/** Days with the same times are told together. Keys: weekday from Monday 0, day of the month, day number. */
function groupByTimes({ schedules }: Schedule, kind: EntryKind): Group[] {
  const timesByKey = new Map<number, Set<number>>()
  for (const entry of schedules) {
    const key = keyOf(entry, kind)
    const times = timesByKey.get(key) ?? new Set()
    for (const time of entry.time) times.add(parseTimeOfDay(time) ?? 0)
    timesByKey.set(key, times)
  }
  const groups = new Map<string, { keys: number[]; times: number[] }>()
  for (const [key, minutes] of [...timesByKey].sort(([a], [b]) => a - b)) {
    const times = [...minutes].sort(ascending)
    const group = groups.get(times.join()) ?? { keys: [], times }
    group.keys.push(key)
    groups.set(times.join(), group)
  }
  return [...groups.values()]
}

function keyOf(entry: Schedule["schedules"][number], kind: EntryKind): number {
  switch (kind) {
    case "daily":
      return 0
    case "weekly":
      return weekdays.indexOf(entry.day ?? "monday")
    case "monthly":
      return Number(entry.date)
    case "byDate":
      return parseDate(entry.date ?? "") ?? 0
  }
}

function daysText(
  kind: Exclude<EntryKind, "byDate">,
  keys: readonly number[],
  interval: number,
  isFirst: boolean,
  words: SummaryWords,
): string {
  switch (kind) {
    case "daily":
      return ""
    case "weekly": {
      if (keys.length === 7)
        return isFirst && interval === 1 ? words.allWeekdays : words.onWeekdays(words.allWeekdays)
      const isRange = keys.length > 2 && keys.every((key, index) => key === (keys[0] ?? 0) + index)
      const names = keys.map((key) => words.weekdays[key] ?? "")
      const text = isRange ? words.range(names[0] ?? "", names.at(-1) ?? "") : list(names, words)
      return isFirst && interval === 1 ? text : words.onWeekdays(text)
    }
    case "monthly":
      return words.onMonthDates(list(keys.map(words.monthDate), words))
  }
}

function datesText(days: readonly number[], words: SummaryWords): string {
  const [first, last] = [days[0] ?? 0, days.at(-1) ?? 0]
  if (days.length <= listedDates)
    return list(
      days.map((day) => words.date(day)),
      words,
    )
  return words.manyDates(days.length, words.date(first), words.date(last))
}

function timesText(minutes: readonly number[], words: SummaryWords): string {
  const [first, last] = [minutes[0] ?? 0, minutes.at(-1) ?? 0]
  if (minutes.length <= listedTimes) return words.atTimes(list(minutes.map(formatTimeOfDay), words))
  return words.manyTimes(minutes.length, formatTimeOfDay(first), formatTimeOfDay(last))
}

/** A start at midnight and an end at 23:59 are whole days, so their times say nothing. */
function windowText({ startTime, endTime }: Schedule, words: SummaryWords): string {
  const start = boundText(startTime, 0, words)
  const end = boundText(endTime, minutesPerDay - 1, words)
  return start === end ? words.onDates(start) : words.fromTo(start, end)
}

function boundText(text: string, wholeDayMinute: number, words: SummaryWords): string {
  const bound = parseDateWithTime(text)
  if (!bound) return text
  const date = words.date(bound.day)
  const isWholeDay = bound.minute === undefined || bound.minute === wholeDayMinute
  return isWholeDay ? date : `${date} ${formatTimeOfDay(bound.minute ?? 0)}`
}

function list(parts: readonly string[], { and }: SummaryWords): string {
  if (parts.length <= 1) return parts.join("")
  return `${parts.slice(0, -1).join(", ")} ${and} ${parts.at(-1)}`
}

function ascending(a: number, b: number): number {
  return a - b
}
