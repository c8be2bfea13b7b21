import type { FileHandle } from "node:fs/promises"
import {
  type Cell,
  emptyCell,
  falseCell,
  type SheetRow,
  textCell,
  trueCell,
  withoutBlankEnd,
} from "../cell.ts"
import { cellAddress } from "../cell-address.ts"
import type { SheetLimits } from "../limits.ts"
import { SuspectFileError } from "../suspect-file.ts"
import { numberCell } from "./number-cell.ts"
import type { StringTable } from "./string-table.ts"
import { decodeCellText, escapedLength, xmlPieces } from "./xlsx-strings.ts"
import type { XlsxWorkbook } from "./xlsx-workbook.ts"
import { attributeOf, decodeXmlText, xmlScanner } from "./xml-scan.ts"
import type { ZipEntry } from "./zip-directory.ts"

/**
 * The rows of one worksheet that hold something, from top to bottom, read as fast as they are taken.
 * Formulas give the value that was stored with them; a merged range has its value in its first cell.
 */
export async function* readXlsxRows(
  file: FileHandle,
  part: ZipEntry,
  workbook: Pick<XlsxWorkbook, "formats" | "dateSystem">,
  strings: StringTable,
  limits: SheetLimits,
): AsyncGenerator<SheetRow> {
  let ready: SheetRow[] = []
  const scanner = rowScanner(workbook, strings, limits, (row) => ready.push(row))
  for await (const piece of xmlPieces(file, part)) {
    scanner.push(piece)
    const rows = ready
    ready = []
    yield* rows
  }
  scanner.end()
}

function rowScanner(
  { formats, dateSystem }: Pick<XlsxWorkbook, "formats" | "dateSystem">,
  strings: StringTable,
  limits: SheetLimits,
  emit: (row: SheetRow) => void,
) {
  let rowNumber = 0
  let cells: Cell[] = []
  let column = -1
  let type = ""
  let style = -1
  let value = ""
  let inSheetData = false
  let collecting = false
  let inPhonetic = false

  function finishCell(): void {
    const cell = toCell()
    if (cell.kind === "empty") return
    if (column >= limits.maxColumns) {
      throw new SuspectFileError("too-many-columns", `more than ${limits.maxColumns}`)
    }
    while (cells.length < column) cells.push(emptyCell)
    cells[column] = cell
  }

  function toCell(): Cell {
    if (value === "") return emptyCell
    switch (type) {
      case "s":
        return checked(strings.get(Number(value)) ?? "")
      case "str":
      case "inlineStr":
        return checked(decodeCellText(value))
      case "b":
        return value.trim() === "1" || value.trim() === "true" ? trueCell : falseCell
      case "e":
        return { kind: "error", text: value }
      case "d":
        return isoDateCell(value)
      default:
        return toNumberCell(value)
    }
  }

  function checked(text: string): Cell {
    if (text.length > limits.maxCellLength) {
      throw new SuspectFileError(
        "cell-too-long",
        `${cellAddress(column, rowNumber)} has ${text.length} characters`,
      )
    }
    return textCell(text)
  }

  function toNumberCell(raw: string): Cell {
    const number = Number(raw)
    if (!Number.isFinite(number)) return checked(raw)
    return numberCell(number, raw, formats[style], dateSystem)
  }

  return xmlScanner({
    open(name, attributes) {
      if (!inSheetData) {
        if (name === "sheetData") inSheetData = true
        return
      }
      if (name === "c") {
        const reference = attributeOf(attributes, "r")
        column = reference === undefined ? column + 1 : columnOf(reference)
        type = attributeOf(attributes, "t") ?? ""
        const styleNumber = attributeOf(attributes, "s")
        style = styleNumber === undefined ? -1 : Number(styleNumber)
        value = ""
      } else if (name === "v" || name === "t") {
        collecting = !inPhonetic
      } else if (name === "row") {
        const given = attributeOf(attributes, "r")
        const next = given === undefined ? rowNumber + 1 : Number(given)
        if (!(Number.isInteger(next) && next > rowNumber)) throw new SuspectFileError("damaged")
        rowNumber = next
        cells = []
        column = -1
      } else if (name === "rPh") inPhonetic = true
    },
    close(name) {
      if (!inSheetData) return
      if (name === "v" || name === "t") collecting = false
      else if (name === "c") finishCell()
      else if (name === "row") {
        if (withoutBlankEnd(cells).length === 0) return
        if (rowNumber > limits.maxRows)
          throw new SuspectFileError("too-many-rows", `more than ${limits.maxRows}`)
        emit({ rowNumber, cells })
      } else if (name === "sheetData") inSheetData = false
      else if (name === "rPh") inPhonetic = false
    },
    text(raw) {
      if (!collecting) return
      const decoded = decodeXmlText(raw)
      value = value === "" ? decoded : value + decoded
      if (value.length > limits.maxCellLength * escapedLength) {
        throw new SuspectFileError("cell-too-long", cellAddress(column, rowNumber))
      }
    },
  })
}

/** Zero-based column of a reference such as `AB12`. */
function columnOf(reference: string): number {
  let column = 0
  for (let at = 0; at < reference.length; at++) {
    const code = reference.charCodeAt(at) & ~0x20
    if (code < 65 || code > 90) break
    column = column * 26 + code - 64
  }
  if (column === 0 || column > 16_384) throw new SuspectFileError("damaged")
  return column - 1
}

/** A cell of type `d` holds its date as ISO text already; only the T goes, as in every other date here. */
function isoDateCell(text: string): Cell {
  return textCell(text.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.0+)?Z?$/, "$1 $2"))
}
