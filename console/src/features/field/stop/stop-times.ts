import { parseTime } from "../../../i18n/formats.ts"
import { useLanguage } from "../../../i18n/language.tsx"
import { useSession } from "../../../session/session.ts"
import { serverNow } from "../clock.ts"

export interface StopTimes {
  /** The time with its zone; with the day unless it is today. */
  at(text: string | null | undefined): string
  /** Date, time to the second and zone: what a photo shows as its proof. */
  full(text: string): string
  /** From and to, with the zone once. */
  between(from: string | null | undefined, to: string | null | undefined): string
}

const known = new Map<string, StopTimes>()

/** Times of stops in the organization's zone, which they name: a phone may be set to another one. */
export function useStopTimes(): StopTimes {
  const { locale } = useLanguage()
  const { timeZone } = useSession().organization
  // One for all cards of a day: creating formats takes long.
  const key = `${locale} ${timeZone}`
  const times = known.get(key) ?? stopTimes(locale, timeZone)
  known.set(key, times)
  return times
}

function stopTimes(locale: string, timeZone: string): StopTimes {
  const clock = { hour: "2-digit", minute: "2-digit", timeZone } as const
  const day = { day: "numeric", month: "short" } as const
  const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options)
  const time = format(clock)
  const dayTime = format({ ...day, ...clock })
  const zoned = format({ ...clock, timeZoneName: "short" })
  const zonedDay = format({ ...day, ...clock, timeZoneName: "short" })
  const proof = format({ ...day, year: "numeric", ...clock, second: "2-digit", timeZoneName: "short" })
  const dateOf = format({ dateStyle: "short", timeZone })
  const isToday = (instant: Date) => dateOf.format(instant) === dateOf.format(serverNow())
  return {
    at(text) {
      const instant = parseTime(text)
      if (!instant) return "–"
      return unbroken((isToday(instant) ? zoned : zonedDay).format(instant))
    },
    full(text) {
      const instant = parseTime(text)
      return instant ? unbroken(proof.format(instant)) : "–"
    },
    between(from, to) {
      const [start, end] = [parseTime(from), parseTime(to)]
      if (!start || !end) return "–"
      const first = (isToday(start) ? time : dayTime).format(start)
      const isOneDay = dateOf.format(start) === dateOf.format(end)
      return unbroken(isOneDay ? `${first}–${zoned.format(end)}` : `${first} – ${zonedDay.format(end)}`)
    },
  }
}

/** A zone such as GMT-3 stays on one line. */
function unbroken(text: string): string {
  return text.replace(/GMT-/g, "GMT\u2011")
}
