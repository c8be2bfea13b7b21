const formats = new Map<string, Intl.DateTimeFormat>()

/** One for each zone: a list of stops asks for many times, and creating a format is slow. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  })
  formats.set(timeZone, format)
  return format
}

/** How far the zone is ahead of UTC at an instant, in milliseconds. */
function offsetAt(epochMilliseconds: number, timeZone: string): number {
  const parts = formatOf(timeZone).formatToParts(epochMilliseconds)
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((candidate) => candidate.type === type)?.value)
  const asUtc = Date.UTC(
    part("year"),
    part("month") - 1,
    part("day"),
    part("hour"),
    part("minute"),
    part("second"),
  )
  return asUtc - Math.floor(epochMilliseconds / 1000) * 1000
}

/** The instant of a wall-clock time `2031-05-04T08:00` in a zone; in a gap of the clock, as after the gap. */
export function instantOf(local: string, timeZone: string): Date {
  const asUtc = Date.parse(`${local.length === 16 ? `${local}:00` : local}Z`)
  const first = asUtc - offsetAt(asUtc, timeZone)
  return new Date(asUtc - offsetAt(first, timeZone))
}

/** The wall-clock time of an instant in a zone, as `2031-05-04T08:00`: what an input of kind datetime-local holds. */
export function localOf(instant: Date, timeZone: string): string {
  return new Date(instant.getTime() + offsetAt(instant.getTime(), timeZone)).toISOString().slice(0, 16)
}

/** First or last second of a calendar day in a zone, as the API takes it: ISO 8601 in UTC. */
export function dayBound(date: string, end: "from" | "to", timeZone: string): string {
  if (end === "from") return instantOf(`${date}T00:00:00`, timeZone).toISOString()
  const next = new Date(`${date}T00:00:00Z`)
  next.setUTCDate(next.getUTCDate() + 1)
  const start = instantOf(`${next.toISOString().slice(0, 10)}T00:00:00`, timeZone)
  return new Date(start.getTime() - 1).toISOString()
}
