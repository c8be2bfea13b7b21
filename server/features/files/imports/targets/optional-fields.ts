import { isBlankCell } from "#packages/spreadsheets/cell.ts"
import { cellToText } from "#packages/spreadsheets/cell-text.ts"
import { fieldTitle, otherTitlesOf } from "#shared/task-field-titles/titles.ts"
import { taskFields } from "#shared/task-fields.ts"
import { toT1 } from "#shared/wire-time.ts"
import { cellToInstant, numberOrText, type Reading } from "../rows/cell-values.ts"
import type { ImportField, Line } from "./target.ts"

/** Base fields of tasks that are read where a file has them. */
export const optionalFields: readonly ImportField[] = Object.entries(taskFields).flatMap(
  ([id, { imported }]) =>
    imported
      ? [
          {
            ...imported,
            id,
            title: fieldTitle(id, "en"),
            otherTitles: otherTitlesOf(id),
            isInTemplate: false,
            isOfExports: true,
          },
        ]
      : [],
)

/** Base fields of the catalogue, as a request would carry them. */
export function readOptionalFields(
  line: Line,
  fields: readonly ImportField[],
  reading: Reading,
  problem: (fieldId: string, reason: string) => void,
): Record<string, unknown> {
  const read: Record<string, unknown> = {}
  for (const { id, kind } of fields.filter((field) => optionalFields.some((one) => one.id === field.id))) {
    const cell = line.cell(id)
    if (isBlankCell(cell)) continue
    const instant = kind === "dateTime" ? cellToInstant(cell, reading) : undefined
    if (instant) read[id] = toT1(instant)
    else if (kind === "dateTime") problem(id, "must be a date and time such as 2031-05-04 09:30:00")
    else read[id] = kind === "number" ? numberOrText(cell, reading) : cellToText(cell)
  }
  return read
}
