import { trimEndOf } from "#packages/text/trim-characters.ts"
import type { Cell } from "./cell.ts"
import { cellToText } from "./cell-text.ts"

/** A column that an import understands. */
export interface KnownColumn {
  readonly id: string
  readonly title: string
  readonly required?: boolean
}

export interface HeaderMatch<Column extends KnownColumn> {
  /** Position in the sheet (from 0) of each known column that was found. */
  readonly positions: ReadonlyMap<Column["id"], number>
  /** Known columns that the sheet lacks; the file is refused when one of them is required. */
  readonly missing: readonly Column[]
  /** Headers that occur twice, as written; the file is refused. Two headers that mean one column count as well. */
  readonly duplicates: readonly string[]
  /** Headers that mean nothing here; their columns are ignored. */
  readonly unknown: readonly string[]
}

/** A header as it is compared: outer spaces and trailing stars dropped, inner spaces collapsed, lower case. */
export function headerKey(header: string): string {
  let key = header.trim()
  while (key.endsWith("*")) key = trimEndOf(key, "*").trimEnd()
  return key.replace(/\s+/g, " ").toLowerCase()
}

/**
 * The titles that a template writes for columns: those that share a title become `Title (id)`,
 * required ones end in `*`.
 */
export function headerTitles(columns: readonly KnownColumn[]): string[] {
  return columns.map((column) => uniqueTitle(column, columns) + (column.required ? "*" : ""))
}

function uniqueTitle(column: KnownColumn, all: readonly KnownColumn[]): string {
  const key = headerKey(column.title)
  const isShared = all.some((other) => other !== column && headerKey(other.title) === key)
  return isShared ? `${column.title} (${column.id})` : column.title
}

/** Matches the header row of a sheet to the columns that an import knows: by title first, then by id. */
export function matchHeaders<Column extends KnownColumn>(
  header: readonly Cell[],
  columns: readonly Column[],
): HeaderMatch<Column> {
  const byTitle = new Map<string, Column>()
  const byId = new Map<string, Column>()
  for (const column of columns) {
    byTitle.set(headerKey(uniqueTitle(column, columns)), column)
    byId.set(headerKey(column.id), column)
  }
  const positions = new Map<Column["id"], number>()
  const seen = new Set<string>()
  const duplicates: string[] = []
  const unknown: string[] = []
  for (const [position, cell] of header.entries()) {
    const text = cellToText(cell)
    const key = headerKey(text)
    if (key === "") continue
    const column = byTitle.get(key) ?? byId.get(key)
    if (seen.has(key) || (column && positions.has(column.id))) duplicates.push(text)
    else if (column) positions.set(column.id, position)
    else unknown.push(text)
    seen.add(key)
  }
  return { positions, missing: columns.filter(({ id }) => !positions.has(id)), duplicates, unknown }
}
