import { parseDate } from "./calendar.ts"
import { parseEntries } from "./parse-entries.ts"
import { isGiven, type ParsedSchedule, type Refuse, type ScheduleProblem } from "./problems.ts"
import {
  activeWindow,
  entryKindOf,
  type Frequency,
  frequencies,
  type Periode,
  parseDateWithTime,
  periodes,
  type ScheduleEntry,
  scheduleLimits,
} from "./schedule.ts"
import { wallClockOf } from "./time-zone.ts"

/**
 * Reads the recurrence of a schedule from a request body: `periode`, `frequency`, `interval`,
 * `startTime`, `endTime`, `schedules`, `timeZone`. Other keys are the caller's business.
 * Returns the form that is stored (parsing it again changes nothing), or every problem, in the order in
 * which they are to be reported: missing fields, period, frequency and interval, entries, dates, zone.
 */
export function parseSchedule(body: unknown): ParsedSchedule {
  const input: Record<string, unknown> = isObject(body) ? body : {}
  const problems: ScheduleProblem[] = []
  const refuse: Refuse = (field, code, message) => {
    problems.push({ field, code, message })
    return undefined
  }

  refuseMissing(input, refuse)
  const periode = parsePeriode(input.periode, refuse)
  const isCustom = periode === "custom"
  const frequency = isCustom ? parseFrequency(input.frequency, refuse) : null
  const interval = isCustom ? parseInterval(input.interval, refuse) : null
  const kind = periode && frequency !== undefined ? entryKindOf(periode, frequency) : undefined
  const entries = parseEntries(input.schedules, kind, refuse)
  const window = parseWindow(input, kind === "byDate" ? entries : undefined, refuse)
  const timeZone = parseTimeZone(input.timeZone, refuse)

  const [first, ...rest] = problems
  if (first) return { ok: false, problems: [first, ...rest] }
  if (!periode || frequency === undefined || interval === undefined || !entries || !window || !timeZone) {
    throw new Error("A schedule was refused without a problem")
  }
  return { ok: true, schedule: { periode, frequency, interval, ...window, schedules: entries, timeZone } }
}

function refuseMissing(input: Record<string, unknown>, refuse: Refuse) {
  const required = ["periode", "schedules"]
  if (input.periode !== "byDate") required.push("startTime", "endTime")
  if (input.periode === "custom") required.push("frequency", "interval")
  for (const field of required) {
    const value = input[field]
    const isEmptyList = field === "schedules" && Array.isArray(value) && value.length === 0
    if (!isGiven(value) || isEmptyList) refuse(field, "sched-001", `The ${field} field is required.`)
  }
}

function parsePeriode(value: unknown, refuse: Refuse): Periode | undefined {
  if (!isGiven(value)) return undefined
  const periode = periodes.find((known) => known === value)
  return periode ?? refuse("periode", "sched-017", `The periode field must be ${oneOf(periodes)}.`)
}

function parseFrequency(value: unknown, refuse: Refuse): Frequency | undefined {
  if (!isGiven(value)) return undefined
  const frequency = frequencies.find((known) => known === value)
  return frequency ?? refuse("frequency", "sched-017", `The frequency field must be ${oneOf(frequencies)}.`)
}

function parseInterval(value: unknown, refuse: Refuse): number | undefined {
  if (!isGiven(value)) return undefined
  const interval = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value
  const isAllowed = Number.isInteger(interval) && Number(interval) >= 1
  if (isAllowed && Number(interval) <= scheduleLimits.interval) return Number(interval)
  return refuse(
    "interval",
    "sched-009",
    `The interval field must be a whole number from 1 to ${scheduleLimits.interval}.`,
  )
}

type Window = { readonly startTime: string; readonly endTime: string }

/** `datedEntries` fill in a start or end that a schedule by date leaves out. */
function parseWindow(
  input: Record<string, unknown>,
  datedEntries: readonly ScheduleEntry[] | undefined,
  refuse: Refuse,
): Window | undefined {
  const dates = (datedEntries ?? []).map((entry) => entry.date ?? "").sort()
  const startTime = isGiven(input.startTime) ? parseBound("startTime", input.startTime, refuse) : dates[0]
  const endTime = isGiven(input.endTime) ? parseBound("endTime", input.endTime, refuse) : dates.at(-1)
  if (startTime === undefined || endTime === undefined) return undefined
  const window = activeWindow(startTime, endTime)
  // A bound that was filled in is not the caller's mistake, and a schedule by date does not apply either.
  const bothGiven = isGiven(input.startTime) && isGiven(input.endTime)
  if (bothGiven && window && window.lastMinute < window.firstMinute) {
    return refuse("endTime", "sched-008", "The endTime field must not be earlier than startTime.")
  }
  return { startTime, endTime }
}

function parseBound(field: "startTime" | "endTime", value: unknown, refuse: Refuse): string | undefined {
  if (typeof value === "string" && parseDateWithTime(value)) return value
  return refuse(
    field,
    "sched-008",
    `The ${field} field must be a date such as 2027-04-07 or a date with a time such as 2027-04-07 08:30.`,
  )
}

function parseTimeZone(value: unknown, refuse: Refuse): string | undefined {
  if (value === undefined || value === null) return "UTC"
  if (typeof value === "string" && wallClockOf(value)) return value
  return refuse(
    "timeZone",
    "sched-034",
    "The timeZone field must be a time zone such as Asia/Jakarta or UTC.",
  )
}

/** The day number of a date to skip, `Y-m-d` in the schedule's time zone, or the problem with it. */
export function parseSkipDate(value: unknown): { day: number } | { problem: ScheduleProblem } {
  if (!isGiven(value)) {
    return { problem: { field: "date", code: "sched-001", message: "The date field is required." } }
  }
  const day = typeof value === "string" ? parseDate(value) : undefined
  if (day !== undefined) return { day }
  return {
    problem: {
      field: "date",
      code: "sched-008",
      message: "The date field must be a date such as 2027-04-07.",
    },
  }
}

function oneOf(values: readonly string[]): string {
  return `one of ${values.join(", ")}`
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
