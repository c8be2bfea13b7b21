import type { Writable } from "node:stream"
import type { Sql } from "#core/database.ts"
import type { Objects } from "#core/objects/objects.ts"
import type { PageWish } from "#core/paging.ts"
import { cellToText } from "#core/spreadsheets/cell-text.ts"
import { headerKey } from "#core/spreadsheets/headers.ts"
import { readSpool } from "#core/spreadsheets/spool.ts"
import { writeXlsx } from "#core/spreadsheets/write-xlsx.ts"
import type { ImportRow } from "./queries.ts"
import type { RowProblem } from "./target.ts"

export interface FailureRow {
  rowIndex: number
  rowNumber: number
  cells: string[]
  problems: RowProblem[]
  resolvedBy: string | null
}

/** `Customer: is required; Fee: must be a number` */
export function errorText(problems: readonly RowProblem[]): string {
  return problems.map(({ column, reason }) => (column === "" ? reason : `${column}: ${reason}`)).join("; ")
}

/**
 * The workbook of refused rows: the columns and texts of the upload in its order, then the row's number there
 * and what is wrong. Corrected, it can be uploaded as it is.
 */
export async function writeFailedRows(
  context: { sql: Sql; objects: Objects },
  record: Pick<ImportRow, "organizationId" | "id" | "rowsKey">,
  out: Writable,
): Promise<void> {
  const titles = await headerTexts(context.objects, record.rowsKey)
  const width = ownColumns(titles)
  const columns = [...titles.slice(0, width), "Row", "Error Message"].map((title) => ({ title }))
  await writeXlsx(out, [{ name: "Failed rows", columns, rows: failedRows(context.sql, record, width) }])
}

async function* failedRows(sql: Sql, record: Pick<ImportRow, "organizationId" | "id">, width: number) {
  const failures = sql<FailureRow[]>`
    select row_index, row_number, cells, problems from import_failures
    where organization_id = ${record.organizationId} and import_id = ${record.id} order by row_index`.cursor(
    500,
  )
  for await (const rows of failures) {
    for (const { cells, rowNumber, problems } of rows) {
      const own = Array.from({ length: width }, (_, position) => cells[position] ?? "")
      yield [...own, rowNumber, errorText(problems)]
    }
  }
}

export async function headerTexts(objects: Objects, rowsKey: string): Promise<string[]> {
  const rows = await objects.openRanges(rowsKey)
  if (!rows) return []
  try {
    return ((await readSpool(rows)).header?.cells ?? []).map((cell) => cellToText(cell))
  } finally {
    await rows.close()
  }
}

/** The columns before the two that a workbook of failed rows adds. */
function ownColumns(titles: readonly string[]): number {
  const last = titles.length - 1
  const isFailedRows =
    headerKey(titles[last] ?? "") === "error message" && headerKey(titles[last - 1] ?? "") === "row"
  return isFailedRows ? last - 1 : titles.length
}

/** A page of refused rows, for looking at them without a download. */
export async function listFailures(
  sql: Sql,
  record: Pick<ImportRow, "organizationId" | "id" | "totalInvalid">,
  page: PageWish,
): Promise<FailureRow[]> {
  return sql<FailureRow[]>`
    select row_index, row_number, cells, problems, resolved_by from import_failures
    where organization_id = ${record.organizationId} and import_id = ${record.id}
    order by row_index limit ${page.limit} offset ${page.offset}`
}
