import { type Language, languageNames, languages, localeOf } from "#shared/languages.ts"

export interface Times {
  day(at: Temporal.Instant): string
  time(at: Temporal.Instant): string
  dayAndTime(at: Temporal.Instant): string
  /** Two times of one day, in whole minutes that hold both. */
  hours(from: Temporal.Instant, to: Temporal.Instant): string
  range(from: Temporal.Instant, to: Temporal.Instant): string
}

const formats = new Map<string, Times>()

/** Times as the customer reads them, in the zone of the hub. */
export function timesIn(language: Language, timeZone: string): Times {
  const key = `${language}/${timeZone}`
  const known = formats.get(key)
  if (known) return known
  const locale = localeOf(language)
  const time = new Intl.DateTimeFormat(locale, { timeStyle: "short", timeZone })
  const midnight = new Intl.DateTimeFormat(locale, { timeStyle: "short", timeZone: "UTC" }).format(0)
  const day = new Intl.DateTimeFormat(locale, { weekday: "long", day: "numeric", month: "long", timeZone })
  const both = new Intl.DateTimeFormat(locale, {
    weekday: "long",
    day: "numeric",
    month: "long",
    // As in times alone: 09:05 and not 9:05 where the language writes them so.
    hour: midnight.startsWith("00") ? "2-digit" : "numeric",
    minute: "2-digit",
    timeZone,
  })
  const ms = (at: Temporal.Instant) => at.epochMilliseconds
  const made: Times = {
    day: (at) => day.format(ms(at)),
    time: (at) => time.format(ms(at)),
    dayAndTime: (at) => both.format(ms(at)),
    hours: (from, to) => time.formatRange(ms(from), Math.max(ms(from), ms(minuteAfter(to)))),
    range: (from, to) => both.formatRange(ms(from), Math.max(ms(from), ms(to))),
  }
  if (formats.size > 500) formats.clear()
  formats.set(key, made)
  return made
}

/**
 * An amount as text of its own direction: `US$` stays together on a page that is read from right to left, where the marks that
 * some locales add would take it apart.
 */
export function moneyIn(language: Language, currency: string): (amount: number) => string {
  const format = new Intl.NumberFormat(language, { style: "currency", currency })
  return (amount) => format.format(amount).replace(/[\u061c\u200e\u200f]/g, "")
}

const minuteAfter = (at: Temporal.Instant) => at.round({ smallestUnit: "minute", roundingMode: "ceil" })

export const phoneHref = (phone: string) => phone.replace(/[^\d+]/g, "")

export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;")
}

/** Links to a page in each language, in its own words. */
export function languageLinks(path: string, current: Language): string {
  const links = languages.map((language) =>
    language === current
      ? `<span aria-current="true" lang="${language}">${languageNames[language]}</span>`
      : `<a href="${path}?lang=${language}" lang="${language}" hreflang="${language}">${languageNames[language]}</a>`,
  )
  return links.join("")
}
