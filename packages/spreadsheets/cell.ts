/** The calendar behind a workbook's date numbers: day 1 is 1900-01-01, or day 0 is 1904-01-01 (old Macs). */
export type DateSystem = "1900" | "1904"

/** What a number format shows of a date number. `duration` counts hours past 24 (`[h]:mm`). */
export type DateShape = "date" | "time" | "dateTime" | "duration"

/**
 * One cell as the file holds it, before any field type is known.
 * `number.text` is what the user sees: no exponent, no trailing `.0`, leading zeros of a `00000` format kept.
 */
export type Cell =
  | { readonly kind: "empty" }
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "number"
      readonly value: number
      readonly text: string
      /** Of the workbook, where it is not 1900: the number may be a date whose format was lost. */
      readonly dateSystem?: "1904"
    }
  | { readonly kind: "boolean"; readonly value: boolean }
  | {
      readonly kind: "date"
      readonly serial: number
      readonly dateSystem: DateSystem
      readonly shape: DateShape
    }
  | { readonly kind: "error"; readonly text: string }

/** A row that holds something. `rowNumber` counts as the user's program does: the first row of the sheet is 1. */
export interface SheetRow {
  readonly rowNumber: number
  readonly cells: readonly Cell[]
}

export const emptyCell: Cell = { kind: "empty" }
export const trueCell: Cell = { kind: "boolean", value: true }
export const falseCell: Cell = { kind: "boolean", value: false }

/** A cell of text; nothing at all is an empty cell. */
export function textCell(text: string): Cell {
  return text === "" ? emptyCell : { kind: "text", text }
}

/** True when nobody would see anything in the cell: empty, or white space only. */
export function isBlankCell(cell: Cell): boolean {
  return cell.kind === "empty" || (cell.kind === "text" && cell.text.trim() === "")
}

/** Cells without the blank ones at the end, so that a row that was once formatted wide is not wide. */
export function withoutBlankEnd(cells: Cell[]): Cell[] {
  let length = cells.length
  while (length > 0 && isBlankCell(cells[length - 1] ?? emptyCell)) length--
  if (length < cells.length) cells.length = length
  return cells
}
