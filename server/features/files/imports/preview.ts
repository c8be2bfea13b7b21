import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { cellToText } from "#packages/spreadsheets/cell-text.ts"
import { readOptions } from "./read-options.ts"
import { FileProblem, planColumns } from "./rows/plan-columns.ts"
import { suggestColumns } from "./rows/suggest-columns.ts"
import { isSameValue } from "./settings.ts"
import type { ImportField } from "./targets/target.ts"
import { readUploadStart } from "./upload/open-upload.ts"
import type { Upload } from "./upload/receive-upload.ts"

const shownRows = 20
const countedRows = 10_000

/** How a file would be understood: its first rows, and which column fills which field. Stores nothing. */
export async function previewImport(sql: Sql, caller: Caller, upload: Upload, maxFileBytes: number) {
  const query = await readOptions(sql, caller, upload)
  const reading = { organizationId: caller.organizationId, maxFileBytes }
  const sheet = await readUploadStart(upload, reading, { shownRows, countedRows })
  const { header, rows, rowCount, hasMore } = sheet
  const target = await query.checkTarget()
  const cells = header?.cells ?? []
  const values = rows.map((row) => row.cells)
  const columns = { ...suggestColumns(cells, values, target.fields), ...query.columns }
  const headers = cells.map((cell) => cellToText(cell))
  const used = new Set(
    Object.values(columns).flatMap((source) =>
      source === null || isSameValue(source) ? [] : [source].flat(),
    ),
  )
  return {
    filename: query.filename,
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
      planColumns(cells, target.fields, { mapping: columns, mode: query.mode, keyId: target.keyId }),
    ),
  }
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
