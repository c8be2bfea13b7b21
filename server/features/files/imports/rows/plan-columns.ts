import { formatDegrees } from "#packages/geodesy/lng-lat-text.ts"
import { type Cell, emptyCell, textCell } from "#packages/spreadsheets/cell.ts"
import { cellToNumber, cellToText } from "#packages/spreadsheets/cell-text.ts"
import { headerKey, matchHeaders } from "#packages/spreadsheets/headers.ts"
import type { NumberSeparators } from "#packages/spreadsheets/parse-number.ts"
import { type ColumnMapping, type ImportMode, isSameValue } from "../settings.ts"
import type { ImportField } from "../targets/target.ts"
import { readGathering } from "./gathered-row.ts"

/** Positions in the sheet that fill each field: one, or latitude and longitude. */
export type ColumnSources = ReadonlyMap<string, readonly number[]>

export interface ColumnPlan {
  sources: ColumnSources
  /** Cells of fields that have one value for all rows; their sources are empty. */
  sameForAll: ReadonlyMap<string, Cell>
  /** Where a file of failed rows says which row of the first upload each of its rows was. */
  firstRowPosition: number | undefined
  /** Where gathered lines of items stand, behind the columns of the file. */
  gatheredPosition: number | undefined
  unknown: readonly string[]
}

/** The file as a whole cannot be imported; the message is for its sender. */
export class FileProblem extends Error {
  override readonly name = "FileProblem"
}

/**
 * Decides which column fills which field: first as `mapping` says, by header; then the rest by title or id.
 * Throws a FileProblem when a required column is missing or a header occurs twice.
 */
export function planColumns(
  header: readonly Cell[],
  fields: readonly ImportField[],
  options: { mapping: ColumnMapping; mode: ImportMode; keyId: string | undefined },
): ColumnPlan {
  const gathering = readGathering(header)
  if (gathering?.problem !== undefined) throw new FileProblem(gathering.problem)
  const { explicit, sameForAll } = readMapping(header, fields, options.mapping)
  const taken = new Set([...explicit.values()].flat())
  const rest = fields.filter((field) => !explicit.has(field.id))
  const matched = matchHeaders(
    header.map((cell, position) => (taken.has(position) ? emptyCell : cell)),
    rest,
  )
  const [duplicate] = matched.duplicates
  if (duplicate !== undefined) throw new FileProblem(`column ${duplicate} appears twice`)
  const sources = new Map<string, readonly number[]>()
  for (const field of fields) {
    const position = matched.positions.get(field.id)
    const found =
      explicit.get(field.id) ??
      (position === undefined ? otherPosition(header, field, matched.unknown) : [position])
    const isFilled = found.length > 0 || sameForAll.has(field.id)
    if (isFilled && field.isUnavailable)
      throw new FileProblem(`column ${field.title} has no component in the flow`)
    if (isFilled) sources.set(field.id, found)
    else if (options.mode === "update" ? field.id === options.keyId : field.required)
      throw new FileProblem(`missing column ${field.title}`)
  }
  if (sources.size === sameForAll.size) throw new FileProblem("no column has a known title")
  if (options.mode === "upsert" && options.keyId !== undefined && !sources.has(options.keyId))
    throw new FileProblem(
      `missing column ${fields.find((field) => field.id === options.keyId)?.title ?? options.keyId}`,
    )
  return {
    sources,
    sameForAll,
    firstRowPosition: firstRowPosition(gathering ? header.slice(0, gathering.position) : header),
    gatheredPosition: gathering?.position,
    unknown: matched.unknown,
  }
}

/** A header that means nothing else, but is another title of the field. */
export function otherPosition(
  header: readonly Cell[],
  field: ImportField,
  unknown: readonly string[],
): number[] {
  const titles = new Set((field.otherTitles ?? []).map(headerKey))
  if (titles.size === 0 || !unknown.some((text) => titles.has(headerKey(text)))) return []
  const position = header.findIndex((cell) => titles.has(headerKey(cellToText(cell))))
  return position === -1 ? [] : [position]
}

/** A mapping that names a field or a header that is not there; found when the upload is received. */
export function mappingProblem(
  header: readonly Cell[],
  fields: readonly ImportField[],
  mapping: ColumnMapping,
): string | undefined {
  try {
    readMapping(header, fields, mapping)
    return undefined
  } catch (error) {
    if (error instanceof FileProblem) return error.message
    throw error
  }
}

function readMapping(
  header: readonly Cell[],
  fields: readonly ImportField[],
  mapping: ColumnMapping,
): { explicit: Map<string, readonly number[]>; sameForAll: Map<string, Cell> } {
  const positions = new Map<string, number>()
  for (const [position, cell] of header.entries()) {
    const key = headerKey(cellToText(cell))
    if (key !== "" && !positions.has(key)) positions.set(key, position)
  }
  const explicit = new Map<string, readonly number[]>()
  const sameForAll = new Map<string, Cell>()
  for (const [name, headers] of Object.entries(mapping)) {
    const field =
      fields.find(({ id }) => id === name) ??
      fields.find(({ id, title }) => [id, title].some((known) => headerKey(known) === headerKey(name)))
    if (!field) throw new FileProblem(`there is no field ${name}`)
    if (isSameValue(headers)) sameForAll.set(field.id, textCell(headers.value))
    const wanted = headers === null || isSameValue(headers) ? [] : [headers].flat()
    explicit.set(
      field.id,
      wanted.map((text) => {
        const position = positions.get(headerKey(text))
        if (position === undefined) throw new FileProblem(`there is no column ${text}`)
        return position
      }),
    )
  }
  return { explicit, sameForAll }
}

/** The last two columns of a failed-rows workbook: Row and Error Message. */
function firstRowPosition(header: readonly Cell[]): number | undefined {
  const keys = header.map((cell) => headerKey(cellToText(cell)))
  const at = keys.lastIndexOf("error message")
  return at > 0 && keys[at - 1] === "row" ? at - 1 : undefined
}

/** The cell that fills a field. Two columns, latitude and longitude, become the text of a coordinate. */
export function cellOf(
  cells: readonly Cell[],
  { sources, sameForAll }: Pick<ColumnPlan, "sources" | "sameForAll">,
  fieldId: string,
  separators: NumberSeparators,
): Cell {
  const same = sameForAll.get(fieldId)
  if (same) return same
  const positions = sources.get(fieldId)
  const [first, second] = positions ?? []
  if (first === undefined) return emptyCell
  if (second === undefined) return cells[first] ?? emptyCell
  const [latitude, longitude] = [cells[first] ?? emptyCell, cells[second] ?? emptyCell]
  const texts = [latitude, longitude].map((cell) => {
    const degrees = cellToNumber(cell, separators)
    return degrees === undefined ? cellToText(cell) : formatDegrees(degrees)
  })
  return textCell(texts.every((text) => text === "") ? "" : texts.join(","))
}
