import { defineErrors } from "#core/errors.ts"
import { parseDate } from "#shared/wire-time.ts"

export const dashboardErrors = defineErrors("dash", {
  invalid: [400, "001", "The dates are invalid"],
  badHub: [400, "001", "This hub does not exist, or you do not have access to it"],
})

/** From the first instant of a day to the first instant after another, in one time zone. */
export interface Span {
  from: Temporal.Instant
  until: Temporal.Instant
}

const maxDays = 30

/** The days from `startDate` to `endDate`, both included, at most thirty. */
export function spanOf(startDate: string, endDate: string, timeZone: string): Span {
  const [start, end] = [parseDate(startDate), parseDate(endDate)].map((text) =>
    text === undefined ? undefined : Temporal.PlainDate.from(text),
  )
  if (!start || !end) throw dashboardErrors.invalid()
  const days = start.until(end, { largestUnit: "days" }).days + 1
  if (days < 1 || days > maxDays)
    throw dashboardErrors.invalid({
      message: `endDate must be on or after startDate, and the range at most ${maxDays} days`,
      fields: { endDate: [`must be within ${maxDays} days from startDate`] },
    })
  return {
    from: start.toZonedDateTime(timeZone).toInstant(),
    until: end.add({ days: 1 }).toZonedDateTime(timeZone).toInstant(),
  }
}

/** The day that it is now in a time zone, and how the wire writes it: `from - to` with the zone's offsets. */
export function today(now: Temporal.Instant, timeZone: string): Span & { text: string } {
  const start = now.toZonedDateTimeISO(timeZone).startOfDay()
  const next = start.add({ days: 1 })
  const write = (time: Temporal.ZonedDateTime) =>
    time.toString({ timeZoneName: "never", fractionalSecondDigits: 0 })
  return {
    from: start.toInstant(),
    until: next.toInstant(),
    text: `${write(start)} - ${write(next.subtract({ seconds: 1 }))}`,
  }
}
