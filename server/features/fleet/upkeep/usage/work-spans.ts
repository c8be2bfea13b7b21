import type { TimeSpan } from "../../../location/positions/index.ts"
import { defaultWorkingTime, type VehicleRow } from "../../../work/vehicles/index.ts"

type Hours = Pick<VehicleRow, "workingTime" | "breakTime">

interface Shift {
  /** The day on which it begins. */
  day: string
  /** Without the break. */
  spans: readonly TimeSpan[]
}

/** A session over more days than this has an end that nobody pressed. */
const maxDays = 31

/** The working times of a vehicle that touch a span, in order. */
export function shiftsWithin([from, until]: TimeSpan, hours: Hours, timeZone: string): Shift[] {
  const dayOf = (at: number) =>
    Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).toPlainDate()
  const last = dayOf(until)
  const shifts: Shift[] = []
  // The working time of the day before may reach into the first one.
  let day = dayOf(from).subtract({ days: 1 })
  for (let count = 0; count <= maxDays && Temporal.PlainDate.compare(day, last) <= 0; count += 1) {
    const spans = shiftOn(day, hours, timeZone)
    if (common(spans, [[from, until]]).length > 0) shifts.push({ day: day.toString(), spans })
    day = day.add({ days: 1 })
  }
  return shifts
}

function shiftOn(day: Temporal.PlainDate, { workingTime, breakTime }: Hours, timeZone: string): TimeSpan[] {
  const { startTime, endTime, multiday = 0 } = { ...defaultWorkingTime, ...workingTime }
  const at = (date: Temporal.PlainDate, plainTime: string) =>
    date.toZonedDateTime({ timeZone, plainTime }).epochMilliseconds
  const from = at(day, startTime)
  const days = multiday === 0 && endTime <= startTime ? 1 : multiday
  const until = at(day.add({ days }), endTime)
  if (!breakTime?.startTime || !breakTime.endTime) return [[from, until]]
  const pauseDay = breakTime.startTime < startTime && days > 0 ? day.add({ days: 1 }) : day
  const resumeDay = breakTime.endTime <= breakTime.startTime ? pauseDay.add({ days: 1 }) : pauseDay
  return without([[from, until]], [at(pauseDay, breakTime.startTime), at(resumeDay, breakTime.endTime)])
}

/** What two lists of spans have in common. */
function common(some: readonly TimeSpan[], others: readonly TimeSpan[]): TimeSpan[] {
  return some.flatMap(([from, until]) =>
    others.flatMap(([otherFrom, otherUntil]): TimeSpan[] => {
      const [first, last] = [Math.max(from, otherFrom), Math.min(until, otherUntil)]
      return first < last ? [[first, last]] : []
    }),
  )
}

export function without(spans: readonly TimeSpan[], [from, until]: TimeSpan): TimeSpan[] {
  return common(spans, [
    [Number.NEGATIVE_INFINITY, from],
    [until, Number.POSITIVE_INFINITY],
  ])
}

export function secondsOf(spans: readonly TimeSpan[]): number {
  return spans.reduce((sum, [from, until]) => sum + (until - from) / 1000, 0)
}
