import { parseDate, parseDateTime, parseTime } from "#shared/wire-time.ts"

/** Turns instants into wall-clock milliseconds of a time zone, as sheets hold times. */
export type ToLocal = (epochMilliseconds: number) => number

// Offsets only ever change on full quarters of an hour, so one lookup serves all instants of a quarter.
const quarterMilliseconds = 900_000

/** Looks each quarter of an hour up once: a hundred times cheaper than asking the calendar for every instant. */
export function localTimeOf(timeZone: string): ToLocal {
  if (timeZone === "UTC") return (milliseconds) => milliseconds
  const offsets = new Map<number, number>()
  return (milliseconds) => {
    const quarter = Math.floor(milliseconds / quarterMilliseconds)
    let offset = offsets.get(quarter)
    if (offset === undefined) {
      const instant = Temporal.Instant.fromEpochMilliseconds(quarter * quarterMilliseconds)
      offset = instant.toZonedDateTimeISO(timeZone).offsetNanoseconds / 1e6
      offsets.set(quarter, offset)
      if (offsets.size > 100_000) offsets.clear()
    }
    return milliseconds + offset
  }
}

/** Wall-clock milliseconds of a stored value; with an offset it is a moment, without one wall-clock time already. */
export function wallClock(
  text: string,
  kind: "date" | "dateTime" | "time",
  toLocal: ToLocal,
): number | undefined {
  if (kind === "date") return parseDate(text) === undefined ? undefined : Date.parse(`${text}T00:00:00Z`)
  if (kind === "time") {
    const [hours, minutes, seconds = "0"] = parseTime(text)?.split(":") ?? []
    return hours === undefined
      ? undefined
      : (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000
  }
  const at = parseDateTime(text)
  if (at === undefined) return undefined
  return /(Z|[+-]\d{2}(:?\d{2})?)$/i.test(text.slice(10)) ? toLocal(at) : at
}
