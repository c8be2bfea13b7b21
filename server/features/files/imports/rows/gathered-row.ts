import { type Cell, emptyCell, type SheetRow, textCell } from "#packages/spreadsheets/cell.ts"
import { cellToText } from "#packages/spreadsheets/cell-text.ts"
import { parseSpoolLine, toSpoolLine } from "#packages/spreadsheets/spool/spool-line.ts"

/*
 * A task whose items are on separate lines is kept as one row: its cells, then one cell more that holds those
 * lines. The header has one cell more as well, which begins with a mark that nobody types.
 */
const mark = "\uE000"

/** A line that belongs to a task: a further row of the main sheet, or a row of a list's or bill's own sheet. */
export interface ItemLine {
  /** Id of the list or bill; undefined for a row of the main sheet. */
  groupId: string | undefined
  /** Of a sheet of items the cells in the order of `itemParts`; of the main sheet its row as it is. */
  row: SheetRow
}

export interface GatheredItems {
  lines: readonly ItemLine[]
  /** The ID is on a sheet of items only; empty: it is nowhere. */
  isOrphan: boolean
}

/** What a gathered file says about itself. */
export interface Gathering {
  /** Where the ID is in the main sheet. */
  idPosition: number | undefined
  /** The lists and bills that came on sheets of their own. */
  sheets: readonly { id: string; title: string }[]
  /** Why the file cannot be imported. */
  problem?: string | undefined
}

type StoredLine = [groupId: string | null, spoolLine: string, id: string]
type StoredItems = { lines: StoredLine[]; isOrphan?: boolean }

export function gatheredHeader(cells: readonly Cell[], gathering: Gathering): Cell[] {
  return [...cells, textCell(mark + JSON.stringify(gathering))]
}

/** A line as a store keeps it, with the ID that it names; `gatheredRow` puts any number of them in a cell. */
export function storedLine({ groupId, row }: ItemLine, id: string): string {
  return JSON.stringify([groupId ?? null, toSpoolLine(row), id] satisfies StoredLine)
}

export function idOfStored(line: string): string {
  return (JSON.parse(line) as StoredLine)[2]
}

/** The row of a task with its lines behind its cells, which are cut or filled up to the header's width. */
export function gatheredRow(
  { rowNumber, cells }: SheetRow,
  width: number,
  lines: readonly string[],
  isOrphan = false,
): SheetRow {
  const own = Array.from({ length: width }, (_, position) => cells[position] ?? emptyCell)
  if (lines.length === 0 && !isOrphan) return { rowNumber, cells: own }
  const orphan = isOrphan ? ',"isOrphan":true' : ""
  return { rowNumber, cells: [...own, textCell(`{"lines":[${lines.join(",")}]${orphan}}`)] }
}

/** Where the lines stand, and what they came from; undefined for a file of plain rows. */
export function readGathering(header: readonly Cell[]): (Gathering & { position: number }) | undefined {
  const last = header.at(-1)
  if (last?.kind !== "text" || !last.text.startsWith(mark)) return undefined
  const parsed = parsedOr<Partial<Gathering> | null>(last.text.slice(mark.length), null)
  if (!Array.isArray(parsed?.sheets)) return undefined
  const { idPosition, sheets, problem } = parsed
  return { position: header.length - 1, idPosition, sheets, problem }
}

/** The lines of a task as they were gathered. Text that is no such thing holds none. */
export function readGathered(text: string): GatheredItems {
  const stored = text === "" ? undefined : parsedOr<Partial<StoredItems> | null>(text, null)
  if (!Array.isArray(stored?.lines)) return { lines: [], isOrphan: false }
  const lines = stored.lines.map(([groupId, line]) => ({
    groupId: groupId ?? undefined,
    row: parseSpoolLine(line),
  }))
  return { lines, isOrphan: stored.isOrphan === true }
}

export function gatheredText(cells: readonly Cell[], position: number | undefined): string {
  const cell = position === undefined ? undefined : cells[position]
  return cell ? cellToText(cell) : ""
}

function parsedOr<T>(text: string, otherwise: T): T {
  try {
    return JSON.parse(text) as T
  } catch {
    return otherwise
  }
}
