import {
  type CellStyle,
  type DataValidation,
  type Cell as HucreCell,
  type WriteSheet,
  writeXlsx,
} from "hucre/xlsx"
import { columnLetters } from "./cell-address.ts"
import { sheetNames } from "./xlsx/xlsx-parts.ts"

export interface TemplateColumn {
  /** The header as it is written, `*` of a required column included. */
  readonly title: string
  /** Shown when the pointer rests on the header: what belongs here. */
  readonly help?: string
  /** Offered as a drop-down list; `strict` refuses anything else (not for columns that take several). */
  readonly options?: readonly string[]
  readonly strict?: boolean
  /** `text` keeps leading zeros and codes from turning into numbers or dates; otherwise the cells show as given. */
  readonly kind?: "text" | "number" | "date" | "dateTime" | "time"
  readonly sample?: string | number | boolean
  readonly width?: number
}

export interface TemplateSheet {
  readonly name: string
  readonly columns: readonly TemplateColumn[]
}

// As far down as drop-downs and formats reach; the rows themselves cost nothing.
const preparedRows = 10_000

const numberFormats = {
  text: "@",
  number: "General",
  date: "yyyy-mm-dd",
  dateTime: "yyyy-mm-dd hh:mm:ss",
  time: "hh:mm",
} as const

/**
 * An .xlsx to fill in: a frozen bold header with notes, a sample row, column formats and drop-down lists, which stand on
 * a hidden sheet so that they may be long and contain commas. A template is small, so it is made in memory
 * (hucre writes the notes and validations, which its streaming writer does not offer).
 */
export async function writeTemplate(sheets: readonly TemplateSheet[]): Promise<Uint8Array> {
  const names = sheetNames([...sheets.map(({ name }) => name), "Options"])
  const optionsName = names[sheets.length] ?? "Options"
  const lists: (readonly string[])[] = []
  const written = sheets.map((sheet, index): WriteSheet => {
    const validations: DataValidation[] = []
    for (const [column, { options, strict = false, title }] of sheet.columns.entries()) {
      if (!options || options.length === 0) continue
      const list = columnLetters(lists.length)
      lists.push(options)
      validations.push({
        type: "list",
        range: `${columnLetters(column)}2:${columnLetters(column)}${preparedRows}`,
        formula1: `'${optionsName.replaceAll("'", "''")}'!$${list}$1:$${list}$${options.length}`,
        allowBlank: true,
        showErrorMessage: strict,
        errorTitle: title.slice(0, 32),
        errorMessage: "Choose a value from the list",
      })
    }
    return {
      name: names[index] ?? sheet.name,
      columns: sheet.columns.map((column) => ({
        width: column.width ?? Math.min(60, Math.max(12, column.title.length + 2)),
        ...(column.kind === undefined ? {} : { numFmt: numberFormats[column.kind] }),
      })),
      rows: [sheet.columns.map(({ title }) => title), sheet.columns.map(({ sample }) => sample ?? null)],
      cells: headerCells(sheet.columns),
      freezePane: { rows: 1 },
      dataValidations: validations,
    }
  })
  if (lists.length > 0) {
    const length = Math.max(...lists.map((list) => list.length))
    const rows = Array.from({ length }, (_, row) => lists.map((list) => list[row] ?? null))
    written.push({ name: optionsName, rows, veryHidden: true })
  }
  return await writeXlsx({ sheets: written })
}

function headerCells(columns: readonly TemplateColumn[]): Map<string, Partial<HucreCell>> {
  const bold: CellStyle = { font: { bold: true } }
  return new Map(
    columns.map(({ title, help }, column) => [
      `0,${column}`,
      { value: title, type: "string", style: bold, ...(help ? { comment: { text: help, author: "" } } : {}) },
    ]),
  )
}
