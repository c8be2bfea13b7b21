import fc from "fast-check"
import { dayNumber, formatDate, formatTimeOfDay, minutesPerDay } from "../calendar.ts"
import { type Schedule, weekdays } from "../schedule.ts"

/** Zones with every kind of clock change: an hour, half an hour, at midnight, across midnight, none. */
const testZones = [
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "America/St_Johns",
  "America/Santiago",
  "America/Nuuk",
  "Africa/Casablanca",
  "Africa/Cairo",
  "Asia/Beirut",
  "Asia/Jakarta",
  "Asia/Kathmandu",
  "Australia/Lord_Howe",
  "Pacific/Apia",
  "Pacific/Chatham",
] as const

/** Plain objects, as a parsed body has. */
function record<T>(fields: { [Key in keyof T]: fc.Arbitrary<T[Key]> }): fc.Arbitrary<T> {
  return fc.record<T>(fields, { noNullPrototype: true })
}

/** A time of day, often one that some clock change touches. */
const time = fc
  .oneof(
    fc.integer({ min: 0, max: minutesPerDay - 1 }),
    fc.constantFrom(0, 30, 90, 120, 135, 150, 180, 1410, 1439),
  )
  .map(formatTimeOfDay)
const times = fc.array(time, { minLength: 1, maxLength: 4 })
const monthDate = fc.oneof(fc.integer({ min: 1, max: 31 }), fc.integer({ min: 28, max: 31 })).map(String)
const anyDay = fc.integer({ min: dayNumber(1995, 1, 1), max: dayNumber(2060, 12, 31) })
/** Days before and after the Sundays on which most zones change their clocks. */
const dayOfClockChange = fc
  .tuple(
    fc.integer({ min: 1995, max: 2060 }),
    fc.constantFrom(3, 4, 9, 10, 11),
    fc.integer({ min: 1, max: 31 }),
  )
  .map(([year, month, date]) => dayNumber(year, month, date))
const startDay = fc.oneof(anyDay, dayOfClockChange)
const windowDays = fc.oneof(
  fc.integer({ min: 0, max: 3 }),
  fc.integer({ min: 4, max: 45 }),
  fc.integer({ min: 46, max: 4000 }),
)

const kinds = fc.constantFrom(
  ...([
    ["daily", null],
    ["weekly", null],
    ["monthly", null],
    ["byDate", null],
    ["custom", "daily"],
    ["custom", "weekly"],
    ["custom", "monthly"],
  ] as const),
)

function entriesOf(kind: "daily" | "weekly" | "monthly" | "byDate", first: number, length: number) {
  const entry =
    kind === "daily"
      ? record({ time: times })
      : kind === "weekly"
        ? record({ day: fc.constantFrom(...weekdays), time: times })
        : kind === "monthly"
          ? record({ date: monthDate, time: times })
          : record({ date: fc.integer({ min: first, max: first + length }).map(formatDate), time: times })
  return fc.array(entry, { minLength: 1, maxLength: 4 })
}

/** Any schedule that can be stored, with the span in which it lies as day numbers. */
export const randomSchedule: fc.Arbitrary<Schedule> = fc
  .tuple(kinds, startDay, windowDays)
  .chain(([[periode, frequency], first, length]) =>
    record({
      periode: fc.constant(periode),
      frequency: fc.constant(frequency),
      interval:
        periode === "custom"
          ? fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 6, max: 99 }))
          : fc.constant(null),
      startTime: fc.option(time, { freq: 2 }).map((at) => bound(first, at)),
      // Ends on its start day at 23:59 in the shortest window, so that the end is never the earlier one.
      endTime: fc.option(time, { freq: 2 }).map((at) => bound(first + length, length === 0 ? null : at)),
      schedules: entriesOf(frequency ?? periode, first, length),
      timeZone: fc.oneof(fc.constant("UTC"), fc.constantFrom(...testZones)),
    }),
  )

function bound(day: number, at: string | null): string {
  return at === null ? formatDate(day) : `${formatDate(day)} ${at}`
}
