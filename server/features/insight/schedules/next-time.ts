import type { ScheduleSettings } from "./schemas.ts"

type Rhythm = Pick<ScheduleSettings, "every" | "weekday" | "day" | "time">

/** The next moment after another one at which a report is due. A time that a clock change leaves out comes an hour later. */
export function nextTime(
  { every, weekday = 1, day = 1, time }: Rhythm,
  timeZone: string,
  after: Temporal.Instant,
): Temporal.Instant {
  const isDue = (date: Temporal.PlainDate) =>
    every === "day" ||
    (every === "week" ? date.dayOfWeek === weekday : date.day === Math.min(day, date.daysInMonth))
  const plainTime = Temporal.PlainTime.from(time)
  let date = after.toZonedDateTimeISO(timeZone).toPlainDate()
  for (;;) {
    const at = date.toZonedDateTime({ timeZone, plainTime }).toInstant()
    if (isDue(date) && Temporal.Instant.compare(at, after) > 0) return at
    date = date.add({ days: 1 })
  }
}
