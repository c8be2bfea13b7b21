import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database.ts"
import type { SheetRow } from "#core/spreadsheets/cell.ts"
import { cellToText } from "#core/spreadsheets/cell-text.ts"
import type { OpenSheet } from "#core/spreadsheets/open-sheet.ts"
import { withSheet } from "./open-upload.ts"
import { FileProblem, planColumns } from "./plan-columns.ts"
import { readWish } from "./read-wish.ts"
import type { Upload } from "./receive-upload.ts"
import { suggestColumns } from "./suggest-columns.ts"
import type { ImportField } from "./target.ts"

const shownRows = 20
const countedRows = 10_000

/** How a file would be understood: its first rows, and which column fills which field. Stores nothing. */
export async function previewImport(sql: Sql, caller: Caller, upload: Upload, maxFileBytes: number) {
  const wish = await readWish(sql, caller, upload)
  return withSheet(upload, maxFileBytes, async (sheet) => {
    const { header, rows, rowCount, hasMore } = await readStart(sheet)
    const target = await wish.checkTarget()
    const cells = header?.cells ?? []
    const columns = { ...suggestColumns(cells, target.fields), ...wish.columns }
    const headers = cells.map((cell) => cellToText(cell))
    const used = new Set(
      Object.values(columns).flatMap((headers) => (headers === null ? [] : [headers].flat())),
    )
    return {
      filename: wish.filename,
      format: sheet.format,
      ...(sheet.encoding ? { encoding: sheet.encoding } : {}),
      ...(sheet.delimiter ? { delimiter: sheet.delimiter } : {}),
      sheets: sheet.sheets.flatMap(({ name, visible }) => (visible ? [name] : [])),
      headers,
      rows: rows.map(({ rowNumber, cells }) => ({
        row: rowNumber,
        values: cells.map((cell) => cellToText(cell)),
      })),
      rowCount,
      hasMore,
      fields: target.fields
        .filter(({ id, isOfExports }) => !isOfExports || columns[id] !== null)
        .map(wireField),
      columns,
      unknown: headers.filter((text) => text !== "" && !used.has(text)),
      missing: target.fields.flatMap(({ id, title, required }) =>
        required && columns[id] === null ? [title] : [],
      ),
      problem: problemOf(() =>
        planColumns(cells, target.fields, { mapping: columns, mode: wish.mode, keyId: target.keyId }),
      ),
    }
  })
}

async function readStart(sheet: OpenSheet) {
  let header: SheetRow | undefined
  const rows: SheetRow[] = []
  let rowCount = 0
  for await (const row of sheet.rows()) {
    if (!header) {
      header = row
      continue
    }
    if (rowCount === countedRows) return { header, rows, rowCount, hasMore: true }
    rowCount++
    if (rows.length < shownRows) rows.push(row)
  }
  return { header, rows, rowCount, hasMore: false }
}

function wireField({ id, title, kind, required, help, options }: ImportField) {
  return {
    id,
    title,
    kind,
    required: required === true,
    ...(help ? { help } : {}),
    ...(options ? { options: [...options] } : {}),
  }
}

function problemOf(plan: () => unknown): string | null {
  try {
    plan()
    return null
  } catch (error) {
    if (error instanceof FileProblem) return error.message
    throw error
  }
}
