import type { Writable } from "node:stream"
import { columnLetters } from "../cell-address.ts"
import {
  type PlainValue,
  plainValue,
  type SheetColumn,
  type SheetValue,
  type SheetValues,
  wallClockText,
} from "../sheet-values.ts"
import { sheetEnd, sheetNames, sheetStart, workbookParts, xlsxStyle, xmlText } from "./xlsx-parts.ts"
import { zipWriter } from "./zip-writer.ts"

export interface XlsxSheetWriting {
  /** Title of the tab; made acceptable and unique by sheetNames. */
  readonly name: string
  readonly columns: readonly SheetColumn[]
  /** Taken when the sheets before it are written, row by row, as fast as the stream accepts them. */
  readonly rows: SheetValues
}

const pieceCharacters = 64 * 1024
const maxRows = 1_048_576
const maxTextLength = 32_767
const msPerDay = 86_400_000
const epochMs = Date.UTC(1899, 11, 30)
// 1900-03-01. Before it the programs disagree about the calendar, so that earlier days are written as text.
const firstCommonDayMs = Date.UTC(1900, 2, 1)

/**
 * Writes a workbook to a stream, holding neither rows nor texts: memory is the same for ten rows and a million.
 * Text is always text, never a formula; numbers of 16 digits and more are text; dates are real dates; text over the
 * 32,767 characters that a cell can hold ends in `…`. Returns the rows written per sheet, headers not counted.
 * Does not end the stream. Throws RangeError past 1,048,576 rows or 4 GiB of sheet.
 */
export async function writeXlsx(out: Writable, sheets: readonly XlsxSheetWriting[]): Promise<number[]> {
  // Level 3: sheets are so repetitive that level 6 takes twice the time for a tenth less.
  const zip = zipWriter(out, { level: 3 })
  for (const [path, xml] of Object.entries(workbookParts(sheetNames(sheets.map(({ name }) => name))))) {
    await zip.part(path, [xml])
  }
  const counts: number[] = []
  for (const [index, sheet] of sheets.entries()) {
    let count = 0
    const pieces = sheetPieces(sheet, index === 0, () => count++)
    await zip.part(`xl/worksheets/sheet${index + 1}.xml`, pieces)
    counts.push(count)
  }
  await zip.finish()
  return counts
}

async function* sheetPieces(
  { columns, rows }: XlsxSheetWriting,
  isFirst: boolean,
  count: () => void,
): AsyncGenerator<string> {
  const letters = columns.map((_, index) => columnLetters(index))
  let piece = sheetStart(columns, isFirst)
  piece += '<row r="1">'
  for (const [index, { title }] of columns.entries()) {
    piece += textCell(`${letters[index]}1`, title, xlsxStyle.header)
  }
  piece += "</row>"
  let rowNumber = 1
  for await (const row of rows) {
    rowNumber++
    if (rowNumber > maxRows) throw new RangeError(`A sheet holds at most ${maxRows} rows`)
    piece += `<row r="${rowNumber}">`
    for (let index = 0; index < columns.length; index++) {
      piece += cellXml(`${letters[index]}${rowNumber}`, row[index], columns[index]?.kind)
    }
    piece += "</row>"
    count()
    if (piece.length > pieceCharacters) {
      yield piece
      piece = ""
    }
  }
  yield piece + sheetEnd
}

function cellXml(reference: string, value: SheetValue, kind: SheetColumn["kind"]): string {
  if (typeof value === "string") return value === "" ? "" : textCell(reference, value, textStyle(value))
  const plain: PlainValue = plainValue(value, kind)
  if (plain === undefined) return ""
  if ("number" in plain) return `<c r="${reference}"><v>${plain.number}</v></c>`
  if ("boolean" in plain) return `<c r="${reference}" t="b"><v>${plain.boolean ? 1 : 0}</v></c>`
  if ("text" in plain) return textCell(reference, plain.text, xlsxStyle.plain)
  const { date, ms } = plain
  if (date !== "time" && ms < firstCommonDayMs)
    return textCell(reference, wallClockText(ms, date), xlsxStyle.plain)
  const serial = date === "time" ? ms / msPerDay : (ms - epochMs) / msPerDay
  return `<c r="${reference}" s="${xlsxStyle[date]}"><v>${date === "date" ? Math.floor(serial) : serial}</v></c>`
}

/** Text that would run as a formula, were it typed, is marked as text. */
function textStyle(text: string): number {
  const first = text.charCodeAt(0)
  // = + - @ tab CR, and an apostrophe, which would otherwise be taken for that very mark.
  const isRisky = first === 0x3d || first === 0x2b || first === 0x2d || first === 0x40 || first === 0x27
  return isRisky || first === 0x09 || first === 0x0d ? xlsxStyle.guarded : xlsxStyle.plain
}

function textCell(reference: string, text: string, style: number): string {
  const bounded = text.length > maxTextLength ? `${text.slice(0, maxTextLength - 1)}…` : text
  const space = bounded.charCodeAt(0) <= 0x20 || bounded.charCodeAt(bounded.length - 1) <= 0x20
  const styled = style === xlsxStyle.plain ? "" : ` s="${style}"`
  return `<c r="${reference}"${styled} t="inlineStr"><is><t${space ? ' xml:space="preserve"' : ""}>${xmlText(bounded)}</t></is></c>`
}
