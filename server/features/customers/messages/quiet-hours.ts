/** Hours in which customers are not written to, in the customer's time zone; equal bounds: none. */
export interface QuietHours {
  /** `21:00` */
  quietFrom: string
  quietTo: string
}

/** When the quiet hours that an instant lies in end; undefined outside of them. */
export function endOfQuiet(
  hours: QuietHours,
  timeZone: string,
  at: Temporal.Instant,
): Temporal.Instant | undefined {
  const end = nextEnd(hours, timeZone, at)
  // Where clocks skip the free time of a day, its end is quiet, too.
  return end && (endOfQuiet(hours, timeZone, end) ?? end)
}

function nextEnd(
  { quietFrom, quietTo }: QuietHours,
  timeZone: string,
  at: Temporal.Instant,
): Temporal.Instant | undefined {
  if (quietFrom === quietTo) return undefined
  const local = at.toZonedDateTimeISO(timeZone)
  const now = local.toPlainTime().toString({ smallestUnit: "minute" })
  const isOverMidnight = quietFrom > quietTo
  const isQuiet = isOverMidnight ? now >= quietFrom || now < quietTo : now >= quietFrom && now < quietTo
  if (!isQuiet) return undefined
  const day = isOverMidnight && now >= quietFrom ? local.toPlainDate().add({ days: 1 }) : local.toPlainDate()
  const end = day.toPlainDateTime(Temporal.PlainTime.from(quietTo))
  const first = end.toZonedDateTime(timeZone).toInstant()
  // Where clocks are set back, the end occurs twice, and the first time may be over.
  if (Temporal.Instant.compare(first, at) > 0) return first
  return end.toZonedDateTime(timeZone, { disambiguation: "later" }).toInstant()
}
