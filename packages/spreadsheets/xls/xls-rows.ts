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
import { numberCell } from "../xlsx/number-cell.ts"
import type { CompoundStream } from "./compound-file.ts"
import { readRk, readXlsCharacters, readXlsPart, xlsRecord } from "./xls-records.ts"
import type { XlsWorkbook } from "./xls-workbook.ts"

interface PlacedCell {
  readonly row: number
  readonly column: number
  readonly cell: Cell
}

// A sheet whose cells are not stored row by row (some writers store columns) is sorted in memory, up to this.
const maxSortedCells = 2_000_000

/** The rows of one .xls sheet that hold something, from top to bottom. */
export async function* readXlsRows(
  stream: CompoundStream,
  offset: number,
  workbook: XlsWorkbook,
  limits: SheetLimits,
): AsyncGenerator<SheetRow> {
  try {
    const cells = () => readCells(stream, offset, workbook)
    if (await isSorted(stream, offset)) yield* groupRows(cells(), limits)
    else yield* groupRows(sorted(cells()), limits)
  } catch (error) {
    throw error instanceof RangeError ? new SuspectFileError("damaged", undefined, { cause: error }) : error
  }
}

const cellRecords = new Set<number>([
  xlsRecord.formula,
  xlsRecord.multipleRk,
  xlsRecord.sharedText,
  xlsRecord.number,
  xlsRecord.label,
  xlsRecord.booleanOrError,
  xlsRecord.rk,
])

async function isSorted(stream: CompoundStream, offset: number): Promise<boolean> {
  let last = 0
  for await (const { id, body } of readXlsPart(stream, offset)) {
    if (!cellRecords.has(id)) continue
    const row = body.readUInt16LE(0)
    if (row < last) return false
    last = row
  }
  return true
}

async function* sorted(cells: AsyncIterable<PlacedCell>): AsyncGenerator<PlacedCell> {
  const all: PlacedCell[] = []
  for await (const cell of cells) {
    if (all.push(cell) > maxSortedCells) {
      throw new SuspectFileError(
        "damaged",
        "its cells are out of order. Save it as .xlsx and upload that file",
      )
    }
  }
  yield* all.sort((one, other) => one.row - other.row)
}

async function* groupRows(cells: AsyncIterable<PlacedCell>, limits: SheetLimits): AsyncGenerator<SheetRow> {
  let row = 0
  let rowCells: Cell[] = []
  const finished = (): SheetRow | undefined => {
    if (withoutBlankEnd(rowCells).length === 0) return undefined
    if (row >= limits.maxRows) throw new SuspectFileError("too-many-rows", `more than ${limits.maxRows}`)
    return { rowNumber: row + 1, cells: rowCells }
  }
  for await (const { row: next, column, cell } of cells) {
    if (next !== row) {
      const done = finished()
      if (done) yield done
      row = next
      rowCells = []
    }
    if (cell.kind === "empty") continue
    if (cell.kind === "text" && cell.text.length > limits.maxCellLength) {
      throw new SuspectFileError("cell-too-long", cellAddress(column, row + 1))
    }
    if (column >= limits.maxColumns)
      throw new SuspectFileError("too-many-columns", `more than ${limits.maxColumns}`)
    while (rowCells.length < column) rowCells.push(emptyCell)
    rowCells[column] = cell
  }
  const done = finished()
  if (done) yield done
}

async function* readCells(
  stream: CompoundStream,
  offset: number,
  { formats, dateSystem, strings }: XlsWorkbook,
): AsyncGenerator<PlacedCell> {
  const toNumber = (value: number, format: number) => numberCell(value, "", formats[format], dateSystem)
  // The text result of a formula follows in a record of its own, which may be continued.
  let formula: { row: number; column: number; text: string; missing: number } | undefined
  for await (const { id, body } of readXlsPart(stream, offset)) {
    if (formula && (id === xlsRecord.formulaText || (id === xlsRecord.continued && formula.missing > 0))) {
      const isFirst = id === xlsRecord.formulaText
      const length = isFirst ? body.readUInt16LE(0) : formula.missing
      const part = readXlsCharacters(body, isFirst ? 2 : 0, length)
      formula = { ...formula, text: formula.text + part.text, missing: part.missing }
      if (formula.missing === 0) {
        yield { row: formula.row, column: formula.column, cell: textCell(formula.text) }
        formula = undefined
      }
      continue
    }
    if (!cellRecords.has(id)) continue
    const row = body.readUInt16LE(0)
    const column = body.readUInt16LE(2)
    const format = body.readUInt16LE(4)
    switch (id) {
      case xlsRecord.sharedText:
        yield { row, column, cell: textCell(strings.get(body.readUInt32LE(6)) ?? "") }
        break
      case xlsRecord.label:
        yield { row, column, cell: textCell(readXlsCharacters(body, 8, body.readUInt16LE(6)).text) }
        break
      case xlsRecord.number:
        yield { row, column, cell: toNumber(body.readDoubleLE(6), format) }
        break
      case xlsRecord.rk:
        yield { row, column, cell: toNumber(readRk(body, 6), format) }
        break
      case xlsRecord.multipleRk:
        for (let at = 4; at + 6 <= body.length - 2; at += 6) {
          const cell = toNumber(readRk(body, at + 2), body.readUInt16LE(at))
          yield { row, column: column + (at - 4) / 6, cell }
        }
        break
      case xlsRecord.booleanOrError:
        yield { row, column, cell: body[7] === 1 ? errorCell(body[6]) : booleanCell(body[6]) }
        break
      case xlsRecord.formula: {
        const isNumber = body.readUInt16LE(12) !== 0xffff
        if (isNumber) yield { row, column, cell: toNumber(body.readDoubleLE(6), format) }
        else if (body[6] === 0) formula = { row, column, text: "", missing: 0 }
        else if (body[6] === 1) yield { row, column, cell: booleanCell(body[8]) }
        else if (body[6] === 2) yield { row, column, cell: errorCell(body[8]) }
        break
      }
    }
  }
}

const errorTexts: Readonly<Record<number, string>> = {
  0: "#NULL!",
  7: "#DIV/0!",
  15: "#VALUE!",
  23: "#REF!",
  29: "#NAME?",
  36: "#NUM!",
  42: "#N/A",
}

function errorCell(code: number | undefined): Cell {
  return { kind: "error", text: errorTexts[code ?? 42] ?? "#N/A" }
}

function booleanCell(value: number | undefined): Cell {
  return value === 0 ? falseCell : trueCell
}
