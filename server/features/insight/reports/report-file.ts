import { PassThrough } from "node:stream"
import { buffer } from "node:stream/consumers"
import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { writeCsv } from "#packages/spreadsheets/csv/write-csv.ts"
import type { SheetValue } from "#packages/spreadsheets/sheet-values.ts"
import { writeXlsx } from "#packages/spreadsheets/xlsx/write-xlsx.ts"
import { isReportDimension, isReportMetric } from "#shared/report-metrics.ts"
import { makeReport, type RowOrder } from "./report.ts"
import { makeReportPdf } from "./report-pdf.ts"
import type { ReportInput } from "./report-query.ts"
import type { ReportData, ReportRow } from "./schemas.ts"
import { reportTextsIn } from "./texts/texts.ts"

export const fileTypes = {
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  csv: "text/csv; charset=utf-8",
  pdf: "application/pdf",
} as const
export type FileType = keyof typeof fileTypes

export interface FileOptions {
  type: FileType
  order: RowOrder
  /** Of headings and of the PDF. */
  language: string
  /** The heading of a PDF. */
  name?: string
}

const everyRow = { page: 1, limit: 20_000, offset: 0 }

/** All rows of a report and its total as a file, with the figures of the compared range beside them. */
export async function makeReportFile(
  sql: Sql,
  caller: Caller,
  input: ReportInput,
  { type, order, language, name }: FileOptions,
): Promise<Buffer> {
  const report = await makeReport(sql, caller, input, { page: everyRow, order })
  if (type === "pdf") return makeReportPdf(sql, caller, report, { input, language, name })
  const out = new PassThrough()
  const written = buffer(out)
  const sheet = sheetOf(report, input, language)
  if (type === "csv") await writeCsv(out, sheet)
  else await writeXlsx(out, [{ name: `${report.from} – ${report.until}`, ...sheet }])
  out.end()
  return written
}

function sheetOf(report: ReportData, { groupBy = "" }: ReportInput, language: string) {
  const texts = reportTextsIn(language)
  const groups = groupBy.split(",").filter(isReportDimension)
  const metrics = Object.keys(report.total.values).filter(isReportMetric)
  const before = report.compared ? `${report.compared.from} – ${report.compared.until}` : undefined
  const columns = [
    ...groups.map((name) => ({ title: texts.groups[name] })),
    ...metrics.flatMap((name) => [
      { title: texts.metrics[name] },
      ...(before ? [{ title: `${texts.metrics[name]} ${before}` }] : []),
    ]),
  ]
  const cells = (row: ReportRow, isTotal: boolean): SheetValue[] => [
    ...groups.map((name, index) =>
      isTotal ? (index === 0 ? texts.total : "") : (row.labels[name] ?? row.key[name] ?? ""),
    ),
    ...metrics.flatMap((name) => [row.values[name], ...(before ? [row.compared?.[name]] : [])]),
  ]
  return { columns, rows: [...report.rows.map((row) => cells(row, false)), cells(report.total, true)] }
}
