import { calendarDate } from "./calendar.ts"

export const summaryLanguages = ["en", "id", "es", "pt", "fr", "de", "ar"] as const
export type SummaryLanguage = (typeof summaryLanguages)[number]

/** The words of one language; lists arrive joined, dates as day numbers. Names of days and months come from `Intl`. */
export type SummaryWords = {
  /** Between parts and between groups; `, ` and `; ` where a language does not say. */
  readonly separators?: readonly [comma: string, semicolon: string]
  readonly every: Readonly<Record<"daily" | "weekly" | "monthly", (interval: number) => string>>
  readonly onWeekdays: (days: string) => string
  readonly onMonthDates: (dates: string) => string
  readonly monthDate?: (date: number) => string
  readonly onDates: (dates: string) => string
  readonly manyDates: (count: number, first: string, last: string) => string
  readonly atTimes: (times: string) => string
  readonly manyTimes: (count: number, first: string, last: string) => string
  readonly differentTimes: string
  readonly range: (first: string, last: string) => string
  readonly fromTo: (start: string, end: string) => string
  readonly inTimeZone: (timeZone: string) => string
  readonly monthsWithoutDate: (dates: readonly number[]) => string
}

const english: SummaryWords = {
  every: {
    daily: (interval) => (interval === 1 ? "every day" : `every ${interval} days`),
    weekly: (interval) => (interval === 1 ? "every" : `every ${interval} weeks`),
    monthly: (interval) => (interval === 1 ? "every month" : `every ${interval} months`),
  },
  onWeekdays: (days) => `on ${days}`,
  onMonthDates: (dates) => `on the ${dates}`,
  monthDate: (date) => `${date}${englishOrdinalEnding(date)}`,
  onDates: (dates) => `on ${dates}`,
  manyDates: (count, first, last) => `on ${count} dates between ${first} and ${last}`,
  atTimes: (times) => `at ${times}`,
  manyTimes: (count, first, last) => `at ${count} times between ${first} and ${last}`,
  differentTimes: "at different times",
  range: (first, last) => `${first} to ${last}`,
  fromTo: (start, end) => `from ${start} to ${end}`,
  inTimeZone: (timeZone) => (timeZone === "UTC" ? "(UTC)" : `(${timeZone} time)`),
  monthsWithoutDate: (dates) =>
    dates.length === 1
      ? `Months without a day ${dates[0]} are skipped.`
      : "Dates that a month does not have are skipped.",
}

const indonesian: SummaryWords = {
  every: {
    daily: (interval) => (interval === 1 ? "setiap hari" : `setiap ${interval} hari`),
    weekly: (interval) => (interval === 1 ? "setiap hari" : `setiap ${interval} minggu`),
    monthly: (interval) => (interval === 1 ? "setiap bulan" : `setiap ${interval} bulan`),
  },
  onWeekdays: (days) => `pada hari ${days}`,
  onMonthDates: (dates) => `pada tanggal ${dates}`,
  onDates: (dates) => `pada ${dates}`,
  manyDates: (count, first, last) => `pada ${count} tanggal antara ${first} dan ${last}`,
  atTimes: (times) => `pukul ${times}`,
  manyTimes: (count, first, last) => `pada ${count} waktu antara pukul ${first} dan ${last}`,
  differentTimes: "pada waktu yang berbeda-beda",
  range: (first, last) => `${first} sampai ${last}`,
  fromTo: (start, end) => `dari ${start} sampai ${end}`,
  inTimeZone: (timeZone) => (timeZone === "UTC" ? "(UTC)" : `(waktu ${timeZone})`),
  monthsWithoutDate: (dates) =>
    dates.length === 1
      ? `Bulan tanpa tanggal ${dates[0]} dilewati.`
      : "Tanggal yang tidak ada dalam suatu bulan dilewati.",
}

const spanish: SummaryWords = {
  every: {
    daily: (interval) => (interval === 1 ? "todos los días" : `cada ${interval} días`),
    weekly: (interval) => (interval === 1 ? "cada" : `cada ${interval} semanas`),
    monthly: (interval) => (interval === 1 ? "todos los meses" : `cada ${interval} meses`),
  },
  onWeekdays: (days) => `los ${days}`,
  onMonthDates: (dates) => `los días ${dates}`,
  onDates: (dates) => `el ${dates}`,
  manyDates: (count, first, last) => `en ${count} fechas entre el ${first} y el ${last}`,
  atTimes: (times) => `a las ${times}`,
  manyTimes: (count, first, last) => `a ${count} horas entre las ${first} y las ${last}`,
  differentTimes: "a distintas horas",
  range: (first, last) => `${first} a ${last}`,
  fromTo: (start, end) => `del ${start} al ${end}`,
  inTimeZone: (timeZone) => (timeZone === "UTC" ? "(UTC)" : `(hora de ${timeZone})`),
  monthsWithoutDate: (dates) =>
    dates.length === 1
      ? `Los meses sin día ${dates[0]} se omiten.`
      : "Las fechas que no existen en un mes se omiten.",
}

const portuguese: SummaryWords = {
  every: {
    daily: (interval) => (interval === 1 ? "todos os dias" : `a cada ${interval} dias`),
    weekly: (interval) => (interval === 1 ? "toda semana:" : `a cada ${interval} semanas`),
    monthly: (interval) => (interval === 1 ? "todos os meses" : `a cada ${interval} meses`),
  },
  onWeekdays: (days) => `nos dias: ${days}`,
  onMonthDates: (dates) => `nos dias ${dates}`,
  onDates: (dates) => `em ${dates}`,
  manyDates: (count, first, last) => `em ${count} datas entre ${first} e ${last}`,
  atTimes: (times) => `às ${times}`,
  manyTimes: (count, first, last) => `em ${count} horários entre ${first} e ${last}`,
  differentTimes: "em horários diferentes",
  range: (first, last) => `${first} a ${last}`,
  fromTo: (start, end) => `de ${start} a ${end}`,
  inTimeZone: (timeZone) => (timeZone === "UTC" ? "(UTC)" : `(horário de ${timeZone})`),
  monthsWithoutDate: (dates) =>
    dates.length === 1
      ? `Meses sem o dia ${dates[0]} são ignorados.`
      : "Datas que não existem em um mês são ignoradas.",
}

const french: SummaryWords = {
  every: {
    daily: (interval) => (interval === 1 ? "tous les jours" : `tous les ${interval} jours`),
    weekly: (interval) => (interval === 1 ? "chaque" : `toutes les ${interval} semaines`),
    monthly: (interval) => (interval === 1 ? "tous les mois" : `tous les ${interval} mois`),
  },
  onWeekdays: (days) => `le ${days}`,
  onMonthDates: (dates) => `le ${dates}`,
  monthDate: (date) => (date === 1 ? "1er" : String(date)),
  onDates: (dates) => `le ${dates}`,
  manyDates: (count, first, last) => `à ${count} dates entre le ${first} et le ${last}`,
  atTimes: (times) => `à ${times}`,
  manyTimes: (count, first, last) => `à ${count} heures entre ${first} et ${last}`,
  differentTimes: "à des heures différentes",
  range: (first, last) => `${first} à ${last}`,
  fromTo: (start, end) => `du ${start} au ${end}`,
  inTimeZone: (timeZone) => (timeZone === "UTC" ? "(UTC)" : `(heure de ${timeZone})`),
  monthsWithoutDate: (dates) =>
    dates.length === 1
      ? `Les mois sans jour ${dates[0]} sont ignorés.`
      : "Les dates qui n’existent pas dans un mois sont ignorées.",
}

const german: SummaryWords = {
  every: {
    daily: (interval) => (interval === 1 ? "jeden Tag" : `alle ${interval} Tage`),
    weekly: (interval) => (interval === 1 ? "jeden" : `alle ${interval} Wochen`),
    monthly: (interval) => (interval === 1 ? "jeden Monat" : `alle ${interval} Monate`),
  },
  onWeekdays: (days) => `am ${days}`,
  onMonthDates: (dates) => `am ${dates}`,
  monthDate: (date) => `${date}.`,
  onDates: (dates) => `am ${dates}`,
  manyDates: (count, first, last) => `an ${count} Tagen zwischen dem ${first} und dem ${last}`,
  atTimes: (times) => `um ${times}`,
  manyTimes: (count, first, last) => `zu ${count} Zeiten zwischen ${first} und ${last}`,
  differentTimes: "zu verschiedenen Zeiten",
  range: (first, last) => `${first} bis ${last}`,
  fromTo: (start, end) => `vom ${start} bis zum ${end}`,
  inTimeZone: (timeZone) => (timeZone === "UTC" ? "(UTC)" : `(Zeit in ${timeZone})`),
  monthsWithoutDate: (dates) =>
    dates.length === 1
      ? `Monate ohne ${dates[0]}. Tag werden übersprungen.`
      : "Tage, die es in einem Monat nicht gibt, werden übersprungen.",
}

const arabicPlurals = new Intl.PluralRules("ar")

/** `two` is the dual, `few` the plural of 3 to 10, `other` the form after larger numbers. */
function arabicCount(count: number, two: string, few: string, other: string): string {
  const form = arabicPlurals.select(count)
  return form === "two" ? two : `${count} ${form === "few" ? few : other}`
}

const arabic: SummaryWords = {
  separators: ["، ", "؛ "],
  every: {
    daily: (interval) => (interval === 1 ? "كل يوم" : `كل ${arabicCount(interval, "يومين", "أيام", "يومًا")}`),
    weekly: (interval) =>
      interval === 1 ? "أسبوعيًا أيام:" : `كل ${arabicCount(interval, "أسبوعين", "أسابيع", "أسبوعًا")}`,
    monthly: (interval) =>
      interval === 1 ? "كل شهر" : `كل ${arabicCount(interval, "شهرين", "أشهر", "شهرًا")}`,
  },
  onWeekdays: (days) => `أيام: ${days}`,
  onMonthDates: (dates) => `في الأيام: ${dates}`,
  onDates: (dates) => `في ${dates}`,
  manyDates: (count, first, last) =>
    `في ${arabicCount(count, "يومين", "أيام", "يومًا")} بين ${first} و${last}`,
  atTimes: (times) => `الساعة ${times}`,
  manyTimes: (count, first, last) =>
    `في ${arabicCount(count, "وقتين", "أوقات", "وقتًا")} بين ${first} و${last}`,
  differentTimes: "في أوقات مختلفة",
  range: (first, last) => `${first} إلى ${last}`,
  fromTo: (start, end) => `من ${start} إلى ${end}`,
  inTimeZone: (timeZone) => (timeZone === "UTC" ? "(UTC)" : `(بتوقيت ${timeZone})`),
  monthsWithoutDate: (dates) =>
    dates.length === 1
      ? `تُتجاوز الأشهر التي ليس فيها يوم ${dates[0]}.`
      : "تُتجاوز التواريخ غير الموجودة في الشهر.",
}

export const summaryWords: Readonly<Record<SummaryLanguage, SummaryWords>> = {
  en: english,
  id: indonesian,
  es: spanish,
  pt: portuguese,
  fr: french,
  de: german,
  ar: arabic,
}

/** What the platform knows of a language. */
export interface SummaryFormats {
  /** By number from Monday 0. */
  weekday(day: number): string
  date(day: number): string
  list(parts: readonly string[]): string
}

const formats = new Map<SummaryLanguage, SummaryFormats>()

export function summaryFormats(language: SummaryLanguage): SummaryFormats {
  const known = formats.get(language)
  if (known) return known
  const locale = language === "en" ? "en-GB" : language
  const weekdays = new Intl.DateTimeFormat(locale, { weekday: "long", timeZone: "UTC" })
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" })
  const lists = new Intl.ListFormat(locale)
  const made: SummaryFormats = {
    // 5 January 1970 was a Monday.
    weekday: (day) => weekdays.format(Date.UTC(1970, 0, 5 + day)),
    date: (day) => {
      const { year, month, date } = calendarDate(day)
      return dates.format(Date.UTC(year, month - 1, date))
    },
    list: (parts) => lists.format(parts),
  }
  formats.set(language, made)
  return made
}

function englishOrdinalEnding(date: number): string {
  if (date >= 11 && date <= 13) return "th"
  return ["th", "st", "nd", "rd"][date % 10] ?? "th"
}
