import { PassThrough } from "node:stream"
import { buffer } from "node:stream/consumers"
import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { writeCsv } from "#packages/spreadsheets/csv/write-csv.ts"
import type { SheetValue } from "#packages/spreadsheets/sheet-values.ts"
import { writeXlsx } from "#packages/spreadsheets/xlsx/write-xlsx.ts"
import { makeReport, type RowOrder } from "./report.ts"
import type { ReportInput } from "./report-query.ts"
import type { ReportRow } from "./schemas.ts"

export const fileTypes = {
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  csv: "text/csv; charset=utf-8",
} as const
export type FileType = keyof typeof fileTypes

const everyRow = { page: 1, limit: 20_000, offset: 0 }

/** All rows of a report and its total as a file, with the figures of the compared range beside them. */
export async function makeReportFile(
  sql: Sql,
  caller: Caller,
  input: ReportInput,
  { type, order }: { type: FileType; order: RowOrder },
): Promise<Buffer> {
  const report = await makeReport(sql, caller, input, { page: everyRow, order })
  const groups = Object.keys(report.rows[0]?.key ?? {})
  const metrics = Object.keys(report.total.values)
  const before = report.compared ? `${report.compared.from} – ${report.compared.until}` : undefined
  const columns = [
    ...groups.map((name) => ({ title: titleOf(name) })),
    ...metrics.flatMap((name) => [
      { title: titleOf(name) },
      ...(before ? [{ title: `${titleOf(name)} ${before}` }] : []),
    ]),
  ]
  const cells = (row: ReportRow, isTotal: boolean): SheetValue[] => [
    ...groups.map((name, index) =>
      isTotal ? (index === 0 ? "Total" : "") : (row.labels[name] ?? row.key[name] ?? ""),
    ),
    ...metrics.flatMap((name) => [row.values[name], ...(before ? [row.compared?.[name]] : [])]),
  ]
  const rows = [...report.rows.map((row) => cells(row, false)), cells(report.total, true)]
  const out = new PassThrough()
  const written = buffer(out)
  if (type === "csv") await writeCsv(out, { columns, rows })
  else await writeXlsx(out, [{ name: `${report.from} – ${report.until}`, columns, rows }])
  out.end()
  return written
}

/** `onTimeRate` as "On time rate". */
function titleOf(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}
