import type { Cell } from "#packages/spreadsheets/cell.ts"
import { cellToDate, cellToDateTime, cellToNumber, cellToText } from "#packages/spreadsheets/cell-text.ts"
import type { NumberSeparators } from "#packages/spreadsheets/parse-number.ts"
import { parseDateTime } from "#shared/wire-time.ts"

/** How cells of an organization's files are read. */
export interface Reading {
  timeZone: string
  separators: NumberSeparators
}

/**
 * The moment in a cell. Without an offset beside it, it is wall-clock time in the organization's time zone, as
 * people write it and as exports show it. A date alone is its midnight, as in a date cell of a workbook. Undefined when the
 * cell holds neither.
 */
export function cellToInstant(cell: Cell, { timeZone }: Reading): Temporal.Instant | undefined {
  const read = cellToDateTime(cell)
  if (read?.offset !== undefined) return Temporal.Instant.from(`${read.local.toString()}${read.offset}`)
  if (read) return read.local.toZonedDateTime(timeZone).toInstant()
  const text = cellToText(cell)
  const milliseconds = parseDateTime(text)
  if (milliseconds === undefined)
    return cellToDate(cell)?.toPlainDateTime().toZonedDateTime(timeZone).toInstant()
  const instant = Temporal.Instant.fromEpochMilliseconds(milliseconds)
  const hasOffset = /(Z|[+-]\d{2}(:?\d{2})?)$/i.test(text) && /[z+-]/i.test(timeOf(text))
  if (hasOffset) return instant
  return instant.toZonedDateTimeISO("UTC").toPlainDateTime().toZonedDateTime(timeZone).toInstant()
}

/** A number where the cell holds one in the organization's spelling; else the text, for the rule to refuse. */
export function numberOrText(cell: Cell, { separators }: Reading): number | string {
  return cellToNumber(cell, separators) ?? cellToText(cell)
}

/** What follows the first hour, empty without one. */
function timeOf(text: string): string {
  const at = text.search(/:\d{2}/)
  return at < 0 ? "" : text.slice(at)
}
