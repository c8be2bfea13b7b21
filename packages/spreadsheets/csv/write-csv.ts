import type { Writable } from "node:stream"
import { guardFormula } from "../formula-text.ts"
import { exactNumber } from "../number-text.ts"
import {
  plainValue,
  type SheetColumn,
  type SheetValue,
  type SheetValues,
  wallClockText,
} from "../sheet-values.ts"
import { writeTo } from "../xlsx/zip-writer.ts"

const pieceCharacters = 64 * 1024

/** What must be in quotes, by the delimiter. */
const quoted = {
  ",": /["\r\n,]|^ | $/,
  ";": /["\r\n;]|^ | $/,
  "\t": /["\r\n\t]|^ | $/,
} as const

export interface CsvWriting {
  readonly columns: readonly SheetColumn[]
  readonly rows: SheetValues
  readonly delimiter?: "," | ";" | "\t"
  /** A byte-order mark in front (the default): without it Excel takes UTF-8 for windows-1252. */
  readonly byteOrderMark?: boolean
}

/**
 * Writes a CSV after RFC 4180 (comma, CRLF, quotes doubled) in UTF-8, waiting for the stream.
 * Text that a program would run as a formula gets an apostrophe in front, which openSheet takes away again.
 * Returns the number of rows without the header. Does not end the stream.
 */
export async function writeCsv(
  out: Writable,
  { columns, rows, delimiter = ",", byteOrderMark = true }: CsvWriting,
): Promise<number> {
  const special = quoted[delimiter]
  const field = (text: string) => (special.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  const titles = columns.map(({ title }) => field(guardFormula(title)))
  let piece = `${byteOrderMark ? "\uFEFF" : ""}${titles.join(delimiter)}\r\n`
  let count = 0
  for await (const row of rows) {
    for (let column = 0; column < columns.length; column++) {
      if (column > 0) piece += delimiter
      piece += field(csvText(row[column], columns[column]?.kind))
    }
    piece += "\r\n"
    count++
    if (piece.length > pieceCharacters) {
      await writeTo(out, piece)
      piece = ""
    }
  }
  await writeTo(out, piece)
  return count
}

function csvText(value: SheetValue, kind: SheetColumn["kind"]): string {
  const plain = plainValue(value, kind)
  if (plain === undefined) return ""
  if ("text" in plain) return guardFormula(plain.text)
  if ("number" in plain) return exactNumber(plain.number)
  return "boolean" in plain ? String(plain.boolean) : wallClockText(plain.ms, plain.date)
}
