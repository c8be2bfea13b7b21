import type { Writable } from "node:stream"
import type { Sql } from "#core/database/database.ts"
import type { Objects } from "#core/objects/objects.ts"
import type { PageOptions } from "#core/paging.ts"
import { cellToText } from "#packages/spreadsheets/cell-text.ts"
import { headerKey } from "#packages/spreadsheets/headers.ts"
import { readSpool } from "#packages/spreadsheets/spool/spool.ts"
import { writeXlsx } from "#packages/spreadsheets/xlsx/write-xlsx.ts"
import type { ImportRow } from "../queries.ts"
import { readGathered, readGathering } from "../rows/gathered-row.ts"
import { itemSheetColumns } from "../rows/item-columns.ts"
import type { RowProblem } from "../targets/target.ts"

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
  const { titles, gathering } = await readHeader(context.objects, record.rowsKey)
  const width = ownColumns(titles)
  const columns = [...titles.slice(0, width), "Row", "Error Message"].map((title) => ({ title }))
  const failures = () => readFailures(context.sql, record)
  await writeXlsx(out, [
    { name: "Failed rows", columns, rows: failedRows(failures(), width, gathering) },
    ...(gathering?.sheets ?? []).map(({ id, title }) => ({
      name: title,
      columns: itemSheetColumns,
      rows: failedItems(failures(), id, gathering),
    })),
  ])
}

type Failures = AsyncIterable<FailureRow[]>

function readFailures(sql: Sql, record: Pick<ImportRow, "organizationId" | "id">): Failures {
  return sql<FailureRow[]>`
    select row_index, row_number, cells, problems from import_failures
    where organization_id = ${record.organizationId} and import_id = ${record.id} order by row_index`.cursor(
    500,
  )
}

/** Each refused row; further rows of the same task are below it, as they must stay together. */
async function* failedRows(failures: Failures, width: number, gathering: HeaderGathering | undefined) {
  const ownOf = (texts: readonly string[]) =>
    Array.from({ length: width }, (_, position) => texts[position] ?? "")
  for await (const rows of failures) {
    for (const { cells, rowNumber, problems } of rows) {
      yield [...ownOf(cells), rowNumber, errorText(problems)]
      for (const { groupId, row } of gatheredLines(cells, gathering))
        if (groupId === undefined)
          yield [...ownOf(row.cells.map((cell) => cellToText(cell))), row.rowNumber, ""]
    }
  }
}

/** The items of refused tasks on their sheet, so that the corrected workbook is whole. */
async function* failedItems(failures: Failures, groupId: string, gathering: HeaderGathering | undefined) {
  for await (const rows of failures) {
    for (const { cells } of rows) {
      const id = cells[gathering?.idPosition ?? -1] ?? ""
      for (const line of gatheredLines(cells, gathering))
        if (line.groupId === groupId) yield [id, ...line.row.cells.map((cell) => cellToText(cell))]
    }
  }
}

function gatheredLines(cells: readonly string[], gathering: HeaderGathering | undefined) {
  return readGathered(cells[gathering?.position ?? -1] ?? "").lines
}

type HeaderGathering = NonNullable<ReturnType<typeof readGathering>>

async function readHeader(
  objects: Objects,
  rowsKey: string,
): Promise<{ titles: string[]; gathering: HeaderGathering | undefined }> {
  const rows = await objects.openRanges(rowsKey)
  if (!rows) return { titles: [], gathering: undefined }
  try {
    const cells = (await readSpool(rows)).header?.cells ?? []
    const gathering = readGathering(cells)
    return { titles: cells.slice(0, gathering?.position).map((cell) => cellToText(cell)), gathering }
  } finally {
    await rows.close()
  }
}

export async function headerTexts(objects: Objects, rowsKey: string): Promise<string[]> {
  return (await readHeader(objects, rowsKey)).titles
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
  page: PageOptions,
): Promise<FailureRow[]> {
  return sql<FailureRow[]>`
    select row_index, row_number, cells, problems, resolved_by from import_failures
    where organization_id = ${record.organizationId} and import_id = ${record.id}
    order by row_index limit ${page.limit} offset ${page.offset}`
}
