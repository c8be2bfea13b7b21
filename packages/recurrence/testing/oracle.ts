import { RRuleTemporal } from "rrule-temporal"
import { formatDate, minutesPerDay } from "../calendar.ts"
import { activeWindow, entryKindOf, type Schedule } from "../schedule.ts"

/*
 * A second opinion: the same schedules computed by `rrule-temporal`, a library for RFC 5545 rules, and
 * wall times turned into instants by Temporal. It shares only the reading of texts with the engine.
 */

/**
 * The wire's equivalent of a schedule: one rule per entry and time, which start on the first active day at
 * midnight and end with the window. `timeZone` UTC gives plain wall times.
 */
export function libraryRules(schedule: Schedule, timeZone: string): RRuleTemporal[] {
  const window = activeWindow(schedule.startTime, schedule.endTime)
  const kind = entryKindOf(schedule.periode, schedule.frequency)
  if (!window || !kind) throw new Error("not an accepted schedule")
  const startDate = formatDate(Math.floor(window.firstMinute / minutesPerDay))
  const end = wallText(window.lastMinute)
  return schedule.schedules.flatMap((entry) => {
    // A listed date is a daily rule of one day: as DTSTART itself, a time in a gap would be moved by Temporal.
    const firstDate = kind === "byDate" ? entry.date : startDate
    const until = kind === "byDate" ? `${entry.date}T23:59` : end
    return entry.time.map(
      (time) =>
        new RRuleTemporal({
          freq: kind === "weekly" ? "WEEKLY" : kind === "monthly" ? "MONTHLY" : "DAILY",
          interval: schedule.interval ?? 1,
          wkst: "MO",
          dtstart: zoned(`${firstDate}T00:00`, timeZone),
          until: zoned(until, timeZone),
          byHour: [Number(time.slice(0, 2))],
          byMinute: [Number(time.slice(3))],
          bySecond: [0],
          ...(kind === "weekly" && entry.day ? { byDay: [entry.day.slice(0, 2).toUpperCase()] } : {}),
          ...(kind === "monthly" ? { byMonthDay: [Number(entry.date)] } : {}),
        }),
    )
  })
}

/** `YYYY-MM-DDTHH:mm` of a wall minute, by Temporal. */
function wallText(wallMinute: number): string {
  return Temporal.PlainDateTime.from("1970-01-01T00:00")
    .add({ minutes: wallMinute })
    .toString({ smallestUnit: "minute" })
}

function zoned(wall: string, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.PlainDateTime.from(wall).toZonedDateTime(timeZone)
}

/** The instant of a wall time by Temporal, and whether clocks skipped that wall time. */
export function temporalInstant(wallMinute: number, timeZone: string): { at: number; inGap: boolean } {
  const wall = Temporal.PlainDateTime.from(wallText(wallMinute))
  const before = wall.toZonedDateTime(timeZone, { disambiguation: "earlier" })
  if (before.toPlainDateTime().equals(wall)) return { at: before.epochMilliseconds, inGap: false }
  // "earlier" steps back over the gap, so the next change of the zone is the end of it.
  const change = before.getTimeZoneTransition("next")
  if (!change) throw new Error(`no clock change after ${before}`)
  return { at: change.epochMilliseconds, inGap: true }
}
