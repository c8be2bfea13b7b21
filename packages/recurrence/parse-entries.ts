import { formatDate, parseDate } from "./calendar.ts"
import { isGiven, type Refuse } from "./problems.ts"
import { type EntryKind, normalizeTime, type ScheduleEntry, scheduleLimits, weekdays } from "./schedule.ts"

/**
 * Reads `schedules`. `kind` is undefined where the period itself was refused: then only what all kinds
 * share is checked. Unknown keys of an entry are dropped.
 */
export function parseEntries(
  value: unknown,
  kind: EntryKind | undefined,
  refuse: Refuse,
): ScheduleEntry[] | undefined {
  if (!isGiven(value)) return undefined
  if (!Array.isArray(value)) {
    return refuse("schedules", "sched-011", "The schedules field must be a list of entries.")
  }
  if (value.length > scheduleLimits.entries) {
    return refuse(
      "schedules",
      "sched-040",
      `The schedules field must not have more than ${scheduleLimits.entries} entries.`,
    )
  }
  const entries = value.map((entry: unknown, index) => parseEntry(entry, `schedules.${index}`, kind, refuse))
  return entries.every((entry) => entry !== undefined) ? entries : undefined
}

function parseEntry(
  value: unknown,
  path: string,
  kind: EntryKind | undefined,
  refuse: Refuse,
): ScheduleEntry | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return refuse(path, "sched-003", `The ${path} field must be an object with a time.`)
  }
  const input: { day?: unknown; date?: unknown; time?: unknown } = value
  const when = parseWhen(input, path, kind, refuse)
  const time = parseTimes(input.time, `${path}.time`, refuse)
  return when && time ? { ...when, time } : undefined
}

function parseWhen(
  input: { day?: unknown; date?: unknown },
  path: string,
  kind: EntryKind | undefined,
  refuse: Refuse,
): Pick<ScheduleEntry, "day" | "date"> | undefined {
  switch (kind) {
    case undefined:
    case "daily":
      return {}
    case "weekly": {
      const field = `${path}.day`
      if (!isGiven(input.day)) {
        const hint = isFullDate(input.date) ? " For single dates set periode to byDate." : ""
        return refuse(field, "sched-001", `The ${field} field is required.${hint}`)
      }
      const name = typeof input.day === "string" ? input.day.toLowerCase() : undefined
      const day = weekdays.find((weekday) => weekday === name)
      return day
        ? { day }
        : refuse(field, "sched-017", `The ${field} field must be one of ${weekdays.join(", ")}.`)
    }
    case "monthly": {
      const field = `${path}.date`
      if (!isGiven(input.date)) return refuse(field, "sched-001", `The ${field} field is required.`)
      const date = typeof input.date === "number" ? String(input.date) : input.date
      if (typeof date === "string" && /^(0?[1-9]|[12]\d|3[01])$/.test(date))
        return { date: String(Number(date)) }
      const hint = isFullDate(input.date) ? " For single dates set periode to byDate." : ""
      return refuse(field, "sched-003", `The ${field} field must be a day of the month from 1 to 31.${hint}`)
    }
    case "byDate": {
      const field = `${path}.date`
      if (!isGiven(input.date)) return refuse(field, "sched-001", `The ${field} field is required.`)
      const day = typeof input.date === "string" ? parseDate(input.date) : undefined
      if (day !== undefined) return { date: formatDate(day) }
      return refuse(field, "sched-008", `The ${field} field must be a date such as 2027-11-26.`)
    }
  }
}

function parseTimes(value: unknown, field: string, refuse: Refuse): string[] | undefined {
  if (!isGiven(value) || (Array.isArray(value) && value.length === 0)) {
    return refuse(field, "sched-001", `The ${field} field is required.`)
  }
  const texts: unknown[] = Array.isArray(value) ? value : [value]
  if (texts.length > scheduleLimits.timesPerEntry) {
    return refuse(
      field,
      "sched-040",
      `The ${field} field must not have more than ${scheduleLimits.timesPerEntry} times.`,
    )
  }
  const times = texts.map((text) => (typeof text === "string" ? normalizeTime(text) : undefined))
  if (times.every((time) => time !== undefined)) return times
  return refuse(field, "sched-018", `The ${field} field must hold times from 00:00 to 23:59, such as 06:30.`)
}

function isFullDate(value: unknown): boolean {
  return typeof value === "string" && parseDate(value) !== undefined
}
