import { formatTimeOfDay, minutesPerDay, parseDate, parseTimeOfDay } from "./calendar.ts"
import { type EntryKind, entryKindOf, parseDateWithTime, type Schedule, weekdays } from "./schedule.ts"
import {
  type SummaryFormats,
  type SummaryLanguage,
  type SummaryWords,
  summaryFormats,
  summaryWords,
} from "./summary-words.ts"

export { type SummaryLanguage, summaryLanguages } from "./summary-words.ts"

type Words = SummaryWords & SummaryFormats

// Longer lists are described by their number and their ends.
const listedTimes = 6
const listedDates = 4
const listedGroups = 4

/**
 * One line of plain language for people: how often, at what times, from when to when, in which time zone.
 * For an accepted schedule (`parseSchedule`).
 */
export function summarizeSchedule(schedule: Schedule, language: SummaryLanguage): string {
  const words = { ...summaryWords[language], ...summaryFormats(language) }
  const [comma, semicolon] = words.separators ?? [", ", "; "]
  const kind = entryKindOf(schedule.periode, schedule.frequency) ?? "daily"
  const groups = groupByTimes(schedule, kind)
  const parts =
    kind === "byDate"
      ? [groups.map((group) => datedText(group, words)).join(semicolon)]
      : [
          groups
            .map((group, index) => repeatedText(schedule, kind, group, index === 0, words))
            .join(semicolon),
          windowText(schedule, words),
        ]
  const sentence = `${parts.join(comma)} ${words.inTimeZone(schedule.timeZone)}.`
  const rareDates = kind === "monthly" ? groups.flatMap(({ keys }) => keys.filter((date) => date > 28)) : []
  const note = rareDates.length === 0 ? "" : ` ${words.monthsWithoutDate(rareDates)}`
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}${note}`
}

/** `times` is empty where the days have too many different times to list. */
type Group = { readonly keys: readonly number[]; readonly times: readonly number[] }

/** Days with the same times are described together. Keys: weekday from Monday 0, day of the month, day number. */
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
  if (groups.size > listedGroups) return [{ keys: [...timesByKey.keys()].sort(ascending), times: [] }]
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

function datedText({ keys, times }: Group, words: Words): string {
  return `${datesText(keys, words)} ${timesText(times, words)}`
}

/** The interval is said once, with the first group; what follows only adds days. */
function repeatedText(
  schedule: Schedule,
  kind: Exclude<EntryKind, "byDate">,
  { keys, times }: Group,
  isFirst: boolean,
  words: Words,
): string {
  const interval = schedule.interval ?? 1
  const isEveryDay =
    kind === "daily" || (kind === "weekly" && interval === 1 && keys.length === weekdays.length)
  const every = isFirst ? [words.every[isEveryDay ? "daily" : kind](interval)] : []
  const days = isEveryDay ? [] : [daysText(kind, keys, isFirst && interval === 1, words)]
  return [...every, ...days, timesText(times, words)].join(" ")
}

/** `followsEvery`: "every" has been said just before, so a weekday needs no "on". */
function daysText(
  kind: "weekly" | "monthly",
  keys: readonly number[],
  followsEvery: boolean,
  words: Words,
): string {
  if (kind === "monthly") return words.onMonthDates(words.list(keys.map(words.monthDate ?? String)))
  const names = keys.map((key) => words.weekday(key))
  const isRange = keys.length > 2 && keys.every((key, index) => key === (keys[0] ?? 0) + index)
  const text = isRange ? words.range(names[0] ?? "", names.at(-1) ?? "") : words.list(names)
  return followsEvery ? text : words.onWeekdays(text)
}

function datesText(days: readonly number[], words: Words): string {
  const [first, last] = [days[0] ?? 0, days.at(-1) ?? 0]
  if (days.length <= listedDates) return words.onDates(words.list(days.map((day) => words.date(day))))
  return words.manyDates(days.length, words.date(first), words.date(last))
}

function timesText(minutes: readonly number[], words: Words): string {
  if (minutes.length === 0) return words.differentTimes
  const [first, last] = [minutes[0] ?? 0, minutes.at(-1) ?? 0]
  if (minutes.length <= listedTimes) return words.atTimes(words.list(minutes.map(formatTimeOfDay)))
  return words.manyTimes(minutes.length, formatTimeOfDay(first), formatTimeOfDay(last))
}

/** A start at midnight and an end at 23:59 are whole days, so their times say nothing. */
function windowText({ startTime, endTime }: Schedule, words: Words): string {
  const start = boundText(startTime, 0, words)
  const end = boundText(endTime, minutesPerDay - 1, words)
  return start === end ? words.onDates(start) : words.fromTo(start, end)
}

function boundText(text: string, wholeDayMinute: number, words: Words): string {
  const bound = parseDateWithTime(text)
  if (!bound) return text
  const date = words.date(bound.day)
  const isWholeDay = bound.minute === undefined || bound.minute === wholeDayMinute
  return isWholeDay ? date : `${date} ${formatTimeOfDay(bound.minute ?? 0)}`
}

function ascending(a: number, b: number): number {
  return a - b
}
