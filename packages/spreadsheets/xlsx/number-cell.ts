import { type Cell, type DateSystem, falseCell, trueCell } from "../cell.ts"
import type { FormatMeaning } from "../date-format.ts"
import { numberText } from "../number-text.ts"

/** The cell of a number under its number format: a date, a boolean, or a number with the text that the user sees. */
export function numberCell(
  value: number,
  raw: string,
  format: FormatMeaning | undefined,
  dateSystem: DateSystem,
): Cell {
  if (format?.kind === "date") return { kind: "date", serial: value, dateSystem, shape: format.shape }
  if (format?.kind === "boolean") return value === 0 ? falseCell : trueCell
  const text = numberText(raw, value)
  const isPadded = format?.kind === "zeros" && Number.isInteger(value) && value >= 0
  const cell = { kind: "number", value, text: isPadded ? text.padStart(format.width, "0") : text } as const
  return dateSystem === "1904" ? { ...cell, dateSystem } : cell
}
