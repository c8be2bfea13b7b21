import { daysOfWeek, numberOfWeek } from "#shared/iso-week.ts"
import {
  isReportMetric,
  type ReportDimension,
  type ReportMetricName,
  reportMetrics,
} from "#shared/report-metrics.ts"
import { useLanguage, useMessages } from "../../i18n/language.tsx"
import { insightMessages } from "./messages.ts"
import type { ReportRow } from "./reports.queries.ts"

/** How figures and groups are written. */
export function useFigureTexts(currency: string) {
  const t = useMessages(insightMessages)
  const { locale } = useLanguage()
  const number = (options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options)
  const percent = number({ style: "percent", maximumFractionDigits: 1 })
  const short = number({ maximumFractionDigits: 1 })
  const money = currency ? number({ style: "currency", currency, maximumFractionDigits: 2 }) : short
  const month = new Intl.DateTimeFormat(locale, { month: "short", year: "numeric", timeZone: "UTC" })
  const shortDay = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", timeZone: "UTC" })
  const longDay = new Intl.DateTimeFormat(locale, {
    ...{ weekday: "short", day: "numeric", month: "short", year: "numeric" },
    timeZone: "UTC",
  })
  const days = new Intl.DateTimeFormat(locale, {
    ...{ day: "numeric", month: "short", year: "numeric" },
    timeZone: "UTC",
  })
  const weekday = new Intl.DateTimeFormat(locale, { weekday: "long", timeZone: "UTC" })
  const figure = (metric: ReportMetricName, value: number | null | undefined): string => {
    if (value === null || value === undefined) return "–"
    const { unit } = reportMetrics[metric]
    if (unit === "rate") return percent.format(value)
    if (unit === "money") return money.format(value)
    if (unit === "minutes") return t("minutesText", { value: short.format(value) })
    if (unit === "hours") return t("hoursText", { value: short.format(value) })
    if (unit === "kilometers") return t("kilometersText", { value: short.format(value) })
    return short.format(value)
  }
  const group = (
    dimension: ReportDimension,
    row: Pick<ReportRow, "key" | "labels">,
    isShort = false,
  ): string => {
    const key = row.key[dimension] ?? ""
    const label = row.labels[dimension]
    if (label !== undefined) return label
    if (key === "") return t(dimension === "person" ? "nobody" : "none")
    if (dimension === "day") return (isShort ? shortDay : longDay).format(new Date(`${key}T00:00:00Z`))
    if (dimension === "week") {
      const week = t("weekNumber", { number: numberOfWeek(key) })
      const { monday, sunday } = daysOfWeek(key)
      return isShort ? week : `${week}: ${days.formatRange(new Date(monday), new Date(sunday))}`
    }
    if (dimension === "month") return month.format(new Date(`${key}-01T00:00:00Z`))
    // The first of January 2024 was a Monday.
    if (dimension === "weekday") return weekday.format(new Date(Date.UTC(2024, 0, Number(key))))
    if (dimension === "hour") return `${key.padStart(2, "0")}:00`
    if (dimension === "outcome" && isOutcome(key)) return t(`metric_${key}`)
    return key
  }
  return { figure, group, metric: (name: string) => (isReportMetric(name) ? t(`metric_${name}`) : name) }
}

function isOutcome(key: string): key is "done" | "partial" | "failed" | "returned" {
  return ["done", "partial", "failed", "returned"].includes(key)
}
