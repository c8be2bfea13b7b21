import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { daysOfWeek, numberOfWeek } from "#shared/iso-week.ts"
import { chooseLanguage, directionOf } from "#shared/languages.ts"
import {
  isReportDimension,
  isReportMetric,
  type ReportDimension,
  type ReportMetricName,
  reportMetrics,
} from "#shared/report-metrics.ts"
import { drawPdf, type ReportContent } from "../../customers/reports/index.ts"
import { findOrganization } from "../../organization/organizations/index.ts"
import type { ReportInput } from "./report-query.ts"
import type { ReportData, ReportRow } from "./schemas.ts"
import { type ReportTexts, reportTextsIn } from "./texts/texts.ts"

const maxBars = 31
const maxRows = 500
const color = "#1864ab"

/** A report as a document to read: what the figures are about, bars of the first figure, and the table. */
export async function makeReportPdf(
  sql: Sql,
  caller: Caller,
  report: ReportData,
  { input, language: wanted, name }: { input: ReportInput; language: string; name: string | undefined },
): Promise<Buffer> {
  const language = chooseLanguage(wanted)
  const texts = reportTextsIn(language)
  const { name: organization } = await findOrganization(sql, caller.organizationId)
  const writer = figureWriter(texts, language, report.currency)
  const groups = (input.groupBy ?? "").split(",").filter(isReportDimension)
  const metrics = Object.keys(report.total.values).filter(isReportMetric)
  const range = (from: string, until: string) => `${writer.day(from)} – ${writer.day(until)}`
  const rows = report.rows.slice(0, maxRows)
  const cells = (row: ReportRow, names: readonly string[]) => [
    ...names,
    ...metrics.map((metric) => writer.figure(metric, row.values[metric])),
  ]
  const namesOf = (row: ReportRow) => groups.map((group) => writer.group(group, row))
  const content: ReportContent = {
    isRtl: directionOf(language) === "rtl",
    ...{ language, organization, color, logo: null },
    title: name ?? texts.title,
    subtitle: range(report.from, report.until),
    facts: metrics.map((metric) => [texts.metrics[metric], totalOf(report, metric, writer, texts)]),
    ...{
      sections: [],
      itemTitle: "",
      items: [],
      total: null,
      photoTitle: "",
      photos: [],
      signature: null,
      map: null,
    },
    ...(metrics[0] && groups.length > 0 ? { chart: chartOf(rows, metrics[0], writer, namesOf, texts) } : {}),
    table: {
      title: groups.map((group) => texts.groups[group]).join(" · "),
      head: [
        ...groups.map((group) => texts.groups[group]),
        ...metrics.map((metric) => texts.metrics[metric]),
      ],
      names: Math.max(groups.length, 1),
      rows: rows.map((row) => cells(row, namesOf(row))),
      total: groups.length > 0 ? cells(report.total, [texts.total, ...groups.slice(1).map(() => "")]) : null,
      note:
        report.rows.length > maxRows
          ? filled(texts.firstRows, { shown: String(maxRows), count: String(report.rows.length) })
          : "",
    },
    foot: [organization, report.timeZone].join(" · "),
  }
  if (groups.length === 0) delete content.table
  return drawPdf(caller.organizationId, content)
}

type Writer = ReturnType<typeof figureWriter>

function totalOf(
  { total }: ReportData,
  metric: ReportMetricName,
  writer: Writer,
  texts: ReportTexts,
): string {
  const value = writer.figure(metric, total.values[metric])
  if (!total.compared) return value
  return `${value} (${filled(texts.before, { value: writer.figure(metric, total.compared[metric]) })})`
}

function chartOf(
  rows: readonly ReportRow[],
  metric: ReportMetricName,
  writer: Writer,
  namesOf: (row: ReportRow) => readonly string[],
  texts: ReportTexts,
) {
  const shown = rows.slice(0, maxBars)
  const most = Math.max(...shown.map((row) => row.values[metric] ?? 0), 0)
  return {
    title: texts.metrics[metric],
    bars: shown.map((row) => ({
      name: namesOf(row).join(" · "),
      share: most > 0 ? Math.max(row.values[metric] ?? 0, 0) / most : 0,
      figure: writer.figure(metric, row.values[metric]),
    })),
  }
}

/** Figures and groups as the console writes them. */
function figureWriter(texts: ReportTexts, language: string, currency: string) {
  const percent = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 1 })
  const short = new Intl.NumberFormat(language, { maximumFractionDigits: 1 })
  const money = currency ? new Intl.NumberFormat(language, { style: "currency", currency }) : short
  const date = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { ...options, timeZone: "UTC" })
  const [days, months, weekdays] = [
    date({ dateStyle: "medium" }),
    date({ month: "short", year: "numeric" }),
    date({ weekday: "long" }),
  ]
  const day = (text: string) => days.format(new Date(`${text}T00:00:00Z`))
  const week = (text: string) => {
    const { monday, sunday } = daysOfWeek(text)
    return `${filled(texts.week, { number: String(numberOfWeek(text)) })}, ${days.formatRange(new Date(monday), new Date(sunday))}`
  }
  return {
    day,
    figure(metric: ReportMetricName, value: number | null | undefined): string {
      if (value === null || value === undefined) return "–"
      const { unit } = reportMetrics[metric]
      if (unit === "rate") return percent.format(value)
      if (unit === "money") return money.format(value)
      if (unit === "minutes" || unit === "hours" || unit === "kilometers")
        return filled(texts.units[unit], { value: short.format(value) })
      return short.format(value)
    },
    group(group: ReportDimension, { key, labels }: ReportRow): string {
      const text = key[group] ?? ""
      if (labels[group] !== undefined) return labels[group]
      if (text === "") return group === "person" ? texts.nobody : texts.none
      if (group === "day") return day(text)
      if (group === "week") return week(text)
      if (group === "month") return months.format(new Date(`${text}-01T00:00:00Z`))
      // The first of January 2024 was a Monday.
      if (group === "weekday") return weekdays.format(new Date(Date.UTC(2024, 0, Number(text))))
      if (group === "hour") return `${text.padStart(2, "0")}:00`
      return group === "outcome" && isReportMetric(text) ? texts.metrics[text] : text
    },
  }
}

function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
}
