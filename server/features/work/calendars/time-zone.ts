/**
 * A VTIMEZONE (RFC 5545, 3.6.5) with every change of the clock from a year before `from` until `to`: programs that do not
 * know the zone by its name compute local times from it.
 */
export function timeZoneComponent(timeZone: string, from: Temporal.Instant, to: Temporal.Instant): string[] {
  // By the day: an unchanged feed keeps its ETag.
  const start = from
    .subtract({ hours: 366 * 24 })
    .toZonedDateTimeISO(timeZone)
    .startOfDay()
  const observances = [observance(start, start)]
  let before = start
  for (let at = start.getTimeZoneTransition("next"); at; at = at.getTimeZoneTransition("next")) {
    if (Temporal.Instant.compare(at.toInstant(), to) > 0) break
    observances.push(observance(at, before))
    before = at
  }
  return ["BEGIN:VTIMEZONE", `TZID:${timeZone}`, ...observances.flat(), "END:VTIMEZONE"]
}

/** From `at` on; its local time is given with the offset of `before`. */
function observance(at: Temporal.ZonedDateTime, before: Temporal.ZonedDateTime): string[] {
  const began = at.toInstant().toZonedDateTimeISO(before.offset).toPlainDateTime()
  const kind = at.offsetNanoseconds > before.offsetNanoseconds ? "DAYLIGHT" : "STANDARD"
  return [
    `BEGIN:${kind}`,
    `DTSTART:${began.toString({ smallestUnit: "second" }).replaceAll(/[-:]/g, "")}`,
    `TZOFFSETFROM:${before.offset.replace(":", "")}`,
    `TZOFFSETTO:${at.offset.replace(":", "")}`,
    `END:${kind}`,
  ]
}
