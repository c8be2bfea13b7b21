import { calendarDate } from "./calendar.ts"

export type SummaryLanguage = "en" | "id"

/** The words of one language; lists arrive joined, dates as day numbers, weekdays with Monday as 0. */
export type SummaryWords = {
  readonly and: string
  readonly weekdays: readonly string[]
  readonly every: Readonly<Record<"daily" | "weekly" | "monthly", (interval: number) => string>>
  readonly onWeekdays: (days: string) => string
  readonly onMonthDates: (dates: string) => string
  readonly monthDate: (date: number) => string
  readonly onDates: (dates: string) => string
  readonly date: (day: number) => string
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
  and: "and",
  weekdays: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
  every: {
    daily: (interval) => (interval === 1 ? "every day" : `every ${interval} days`),
    weekly: (interval) => (interval === 1 ? "every" : `every ${interval} weeks`),
    monthly: (interval) => (interval === 1 ? "every month" : `every ${interval} months`),
  },
  onWeekdays: (days) => `on ${days}`,
  onMonthDates: (dates) => `on the ${dates}`,
  monthDate: (date) => `${date}${englishOrdinalEnding(date)}`,
  onDates: (dates) => `on ${dates}`,
  date: dateIn(
    "January February March April May June July August September October November December".split(" "),
  ),
  manyDates: (count, first, last) => `${count} dates between ${first} and ${last}`,
  atTimes: (times) => `at ${times}`,
  manyTimes: (count, first, last) => `at ${count} times between ${first} and ${last}`,
  differentTimes: "at different times",
  range: (first, last) => `${first} to ${last}`,
  fromTo: (start, end) => `from ${start} to ${end}`,
  inTimeZone: (timeZone) => (timeZone === "UTC" ? "(UTC)" : `(${timeZone} time)`),
  monthsWithoutDate: (dates) =>
    dates.length === 1
      ? `Months without a day ${dates[0]} are skipped.`
      : `Dates that a month does not have are skipped.`,
}

const indonesian: SummaryWords = {
  and: "dan",
  weekdays: ["Senin", "Selasa", "Rabu", "Kamis", "Jumat", "Sabtu", "Minggu"],
  every: {
    daily: (interval) => (interval === 1 ? "setiap hari" : `setiap ${interval} hari`),
    weekly: (interval) => (interval === 1 ? "setiap hari" : `setiap ${interval} minggu`),
    monthly: (interval) => (interval === 1 ? "setiap bulan" : `setiap ${interval} bulan`),
  },
  onWeekdays: (days) => `pada hari ${days}`,
  onMonthDates: (dates) => `pada tanggal ${dates}`,
  monthDate: (date) => String(date),
  onDates: (dates) => `pada ${dates}`,
  date: dateIn(
    "Januari Februari Maret April Mei Juni Juli Agustus September Oktober November Desember".split(" "),
  ),
  manyDates: (count, first, last) => `${count} tanggal antara ${first} dan ${last}`,
  atTimes: (times) => `pukul ${times}`,
  manyTimes: (count, first, last) => `pada ${count} waktu antara pukul ${first} dan ${last}`,
  differentTimes: "pada waktu yang berbeda-beda",
  range: (first, last) => `${first} sampai ${last}`,
  fromTo: (start, end) => `dari ${start} sampai ${end}`,
  inTimeZone: (timeZone) => (timeZone === "UTC" ? "(UTC)" : `(waktu ${timeZone})`),
  monthsWithoutDate: (dates) =>
    dates.length === 1
      ? `Bulan tanpa tanggal ${dates[0]} dilewati.`
      : `Tanggal yang tidak ada dalam suatu bulan dilewati.`,
}

export const summaryWords: Readonly<Record<SummaryLanguage, SummaryWords>> = { en: english, id: indonesian }

function dateIn(months: readonly string[]): (day: number) => string {
  return (day) => {
    const { year, month, date } = calendarDate(day)
    return `${date} ${months[month - 1]} ${year}`
  }
}

function englishOrdinalEnding(date: number): string {
  if (date >= 11 && date <= 13) return "th"
  return ["th", "st", "nd", "rd"][date % 10] ?? "th"
}
