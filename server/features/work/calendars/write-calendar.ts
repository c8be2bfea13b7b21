import { timeZoneComponent } from "./time-zone.ts"

export interface CalendarEvent {
  uid: string
  start: Temporal.Instant
  end: Temporal.Instant
  timeZone: string
  title: string
  details: string
  changed: Temporal.Instant
  place?: { lat: number; lng: number }
  url: string
}

interface Calendar {
  name: string
  timeZone: string
  /** How often programs that respect it read the calendar again. */
  refreshMinutes: number
  events: readonly CalendarEvent[]
  /** What the rules of time zones have to cover. */
  span: { from: Temporal.Instant; to: Temporal.Instant }
}

/** An iCalendar object (RFC 5545). */
export function writeCalendar({ name, timeZone, refreshMinutes, events, span }: Calendar): string {
  const timeZones = new Set(events.map((event) => event.timeZone))
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Fieldway//Fieldway//EN",
    "METHOD:PUBLISH",
    `NAME:${escapeText(name)}`,
    `X-WR-CALNAME:${escapeText(name)}`,
    `X-WR-TIMEZONE:${timeZone}`,
    `REFRESH-INTERVAL;VALUE=DURATION:PT${refreshMinutes}M`,
    `X-PUBLISHED-TTL:PT${refreshMinutes}M`,
    ...[...timeZones].flatMap((zone) => timeZoneComponent(zone, span.from, span.to)),
    ...events.flatMap(writeEvent),
    "END:VCALENDAR",
  ]
  return lines.map((line) => `${fold(line)}\r\n`).join("")
}

function writeEvent(event: CalendarEvent): string[] {
  const { uid, start, end, timeZone, title, details, changed, place, url } = event
  const local = (time: Temporal.Instant) => digitsOf(time.toZonedDateTimeISO(timeZone).toPlainDateTime())
  const stamp = `${digitsOf(changed.toZonedDateTimeISO("UTC").toPlainDateTime())}Z`
  return [
    "BEGIN:VEVENT",
    `UID:${uid}`,
    `DTSTAMP:${stamp}`,
    `LAST-MODIFIED:${stamp}`,
    `DTSTART;TZID=${timeZone}:${local(start)}`,
    `DTEND;TZID=${timeZone}:${local(end)}`,
    `SUMMARY:${escapeText(title)}`,
    `DESCRIPTION:${escapeText(details)}`,
    ...(place ? [`LOCATION:${escapeText(placeText(place))}`, `GEO:${place.lat};${place.lng}`] : []),
    `URL:${url}`,
    "STATUS:CONFIRMED",
    "END:VEVENT",
  ]
}

/** Programs show the text, and navigate to the coordinates. */
const placeText = ({ lat, lng }: { lat: number; lng: number }) => `${lat.toFixed(5)},${lng.toFixed(5)}`

const digitsOf = (time: Temporal.PlainDateTime) =>
  time.toString({ smallestUnit: "second" }).replaceAll(/[-:]/g, "")

/** RFC 5545, section 3.3.11. Other control characters are not allowed at all. */
function escapeText(text: string): string {
  return text
    .replaceAll(/[\\;,]/g, "\\$&")
    .replaceAll(/\r\n?|\n/g, "\\n")
    .replaceAll(/[\p{Cc}]/gu, " ")
}

const maxLineBytes = 75

/** Section 3.1: at most 75 octets a line; no character is cut. */
function fold(line: string): string {
  if (Buffer.byteLength(line) <= maxLineBytes) return line
  let folded = ""
  let bytes = 0
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (bytes + size > maxLineBytes) {
      folded += "\r\n "
      bytes = 1
    }
    folded += character
    bytes += size
  }
  return folded
}
