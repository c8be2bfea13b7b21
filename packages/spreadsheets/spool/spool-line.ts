import {
  type Cell,
  type DateShape,
  emptyCell,
  falseCell,
  type SheetRow,
  textCell,
  trueCell,
} from "../cell.ts"
import { plainNumber } from "../number-text.ts"

/**
 * One row as a line of JSON: `[rowNumber, cell, …]`. Text, booleans, empty cells and ordinary numbers stand as
 * themselves; the rest as a short array that begins with its kind.
 */
type SpooledCell =
  | string
  | number
  | boolean
  | null
  | readonly ["n", number, string, "1904"?]
  | readonly ["d", number, "1900" | "1904", DateShape]
  | readonly ["e", string]

export function toSpoolLine({ rowNumber, cells }: SheetRow): string {
  return JSON.stringify([rowNumber, ...cells.map(toSpooled)])
}

function toSpooled(cell: Cell): SpooledCell {
  switch (cell.kind) {
    case "empty":
      return null
    case "text":
      return cell.text
    case "boolean":
      return cell.value
    case "number":
      if (cell.dateSystem) return ["n", cell.value, cell.text, cell.dateSystem]
      return plainNumber(cell.value) === cell.text ? cell.value : ["n", cell.value, cell.text]
    case "date":
      return ["d", cell.serial, cell.dateSystem, cell.shape]
    case "error":
      return ["e", cell.text]
  }
}

export function parseSpoolLine(line: string): SheetRow {
  // Written by toSpoolLine, and guarded against cuts by the trailer of the file.
  const [rowNumber, ...cells] = JSON.parse(line) as [number, ...SpooledCell[]]
  return { rowNumber, cells: cells.map(toCell) }
}

function toCell(spooled: SpooledCell): Cell {
  if (spooled === null) return emptyCell
  if (typeof spooled === "string") return textCell(spooled)
  if (typeof spooled === "boolean") return spooled ? trueCell : falseCell
  if (typeof spooled === "number") return { kind: "number", value: spooled, text: plainNumber(spooled) }
  switch (spooled[0]) {
    case "n":
      return {
        ...{ kind: "number", value: spooled[1], text: spooled[2] },
        ...(spooled[3] ? { dateSystem: spooled[3] } : {}),
      }
    case "d":
      return { kind: "date", serial: spooled[1], dateSystem: spooled[2], shape: spooled[3] }
    case "e":
      return { kind: "error", text: spooled[1] }
  }
}
