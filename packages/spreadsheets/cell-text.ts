import type { Cell, DateShape } from "./cell.ts"
import { serialToDateTime, serialToText, serialToTime } from "./date-serial.ts"
import { plainNumber } from "./number-text.ts"
import { type NumberSeparators, parseNumber } from "./parse-number.ts"

/**
 * The text of a cell as an import reads it: trimmed; numbers without exponent and `.0`; booleans `true` and `false`;
 * dates in the shape that the field wants (`Y-m-d`, `H:i:s`, `Y-m-d H:i:s`), or in the cell's own shape.
 * A number is the date that it stands for where the field wants one, as in a workbook that lost its formats.
 * A date that lacks what the field wants keeps its own shape, so that the field's rule refuses it by what the user
 * sees: a time in a date field, a time other than midnight beside a date.
 */
export function cellToText(cell: Cell, wanted?: Exclude<DateShape, "duration">): string {
  switch (cell.kind) {
    case "empty":
      return ""
    case "text":
      return cell.text.trim()
    case "number":
      return (wanted && bareSerialText(cell, wanted)) ?? cell.text
    case "boolean":
      return cell.value ? "true" : "false"
    case "error":
      return cell.text
    case "date":
      return dateText(cell, wanted)
  }
}

// 1927-05-18. Smaller numbers in a column of dates are rather years, or mistakes.
const firstBareSerial = 10_000

/** The text of a date number whose format was lost, as programs that only copy values write it; undefined for others. */
function bareSerialText(
  cell: Cell & { kind: "number" },
  wanted: Exclude<DateShape, "duration">,
): string | undefined {
  const { value } = cell
  const dateSystem = cell.dateSystem ?? "1900"
  if (wanted === "time") return value > 0 && value < 1 ? serialToText(value, dateSystem, "time") : undefined
  const isDate = value >= firstBareSerial && (wanted === "dateTime" || Number.isInteger(value))
  return isDate ? serialToText(value, dateSystem, wanted) : undefined
}

function dateText(cell: Cell & { kind: "date" }, wanted: DateShape | undefined): string {
  const { serial, dateSystem } = cell
  // A date number outside the calendar is shown as the number it is.
  const own = serialToText(serial, dateSystem, cell.shape) ?? plainNumber(serial)
  if (wanted === undefined || wanted === cell.shape || cell.shape === "duration") return own
  // A number below 1 is a time of day, whatever its format shows.
  if (wanted === "time") return serial < 1 ? (serialToText(serial, dateSystem, "time") ?? own) : own
  if (cell.shape === "time") return own
  const isMidnight = serialToTime(serial)?.equals("00:00") ?? false
  if (wanted === "date" && !isMidnight) return own
  return serialToText(serial, dateSystem, wanted) ?? own
}

/**
 * The number in a cell, or undefined when it holds none. Text is read by parseNumber with the separators
 * of the organization's language.
 */
export function cellToNumber(cell: Cell, separators: NumberSeparators): number | undefined {
  if (cell.kind === "number") return cell.value
  return cell.kind === "text" ? parseNumber(cell.text, separators) : undefined
}

/** true/false, 1/0, yes/no in any case, or undefined. */
export function cellToBoolean(cell: Cell): boolean | undefined {
  if (cell.kind === "boolean") return cell.value
  const text = cellToText(cell).toLowerCase()
  if (text === "true" || text === "1" || text === "yes") return true
  return text === "false" || text === "0" || text === "no" ? false : undefined
}

/** The calendar day in a cell: a date, or the text `Y-m-d`; undefined for anything else. */
export function cellToDate(cell: Cell): Temporal.PlainDate | undefined {
  const match = /^(\d{4}-\d\d-\d\d)$/.exec(cellToText(cell, "date"))
  return match?.[1] === undefined ? undefined : orUndefined(() => Temporal.PlainDate.from(match[1] ?? ""))
}

/** The time of day in a cell: a time, or the text `H:i` or `H:i:s`; undefined for anything else. */
export function cellToTime(cell: Cell): Temporal.PlainTime | undefined {
  const text = cellToText(cell, "time")
  return /^\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/.test(text)
    ? orUndefined(() => Temporal.PlainTime.from(text))
    : undefined
}

/** A moment as a sheet gives it: wall-clock time, with the offset from UTC when it was written beside it. */
export interface CellDateTime {
  readonly local: Temporal.PlainDateTime
  /** `Z` or `+02:00`; without it the time zone is the reader's to choose. */
  readonly offset?: string
}

/** The date and time in a cell: a date cell, or text in one of the four accepted forms; undefined for anything else. */
export function cellToDateTime(cell: Cell): CellDateTime | undefined {
  if (cell.kind === "date") {
    const local =
      cell.shape === "date" || cell.shape === "dateTime"
        ? serialToDateTime(cell.serial, cell.dateSystem)
        : undefined
    return local && { local }
  }
  if (cell.kind === "number" && cell.value >= firstBareSerial) {
    const local = serialToDateTime(cell.value, cell.dateSystem ?? "1900")
    return local && { local }
  }
  const match = /^(\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d{1,3})?)(Z|[+-]\d\d:\d\d)?$/.exec(cellToText(cell))
  const [, time, offset] = match ?? []
  if (time === undefined) return undefined
  const local = orUndefined(() => Temporal.PlainDateTime.from(time.replace(" ", "T"), { overflow: "reject" }))
  if (!local) return undefined
  return offset === undefined ? { local } : { local, offset }
}

function orUndefined<T>(parse: () => T): T | undefined {
  try {
    return parse()
  } catch (error) {
    // Temporal refuses 30 February and 25:10 by a RangeError; anything else is a fault of ours.
    if (error instanceof RangeError) return undefined
    throw error
  }
}
