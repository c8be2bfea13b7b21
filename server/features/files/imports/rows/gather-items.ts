import { type Cell, emptyCell, isBlankCell, type SheetRow, textCell } from "#packages/spreadsheets/cell.ts"
import { cellToText } from "#packages/spreadsheets/cell-text.ts"
import { matchHeaders } from "#packages/spreadsheets/headers.ts"
import type { OpenSheet } from "#packages/spreadsheets/open-sheet.ts"
import { sheetNames } from "#packages/spreadsheets/xlsx/xlsx-parts.ts"
import { hashOf } from "../upload/file-keys.ts"
import { createKeySet } from "../upload/key-set.ts"
import { createLineStore, type LineStore } from "../upload/line-store.ts"
import { type Gathering, gatheredHeader, gatheredRow, idOfStored, storedLine } from "./gathered-row.ts"
import { type ItemGroup, itemFieldId, itemParts, itemSheetColumns, taskKeyId } from "./item-columns.ts"
import type { ColumnPlan } from "./plan-columns.ts"

/** More items of one task are refused: nobody works through them, and they would fill the memory. */
export const maxItems = 5_000

interface ItemSheet {
  group: ItemGroup
  name: string
}

/** Whether the items of lists and bills are on separate lines: beside the task's columns, or on other sheets. */
export function hasItemLines(sheet: OpenSheet, groups: readonly ItemGroup[], plan: ColumnPlan): boolean {
  return findItemSheets(sheet, groups).length > 0 || hasItemColumns(groups, plan)
}

function hasItemColumns(groups: readonly ItemGroup[], { sources }: ColumnPlan): boolean {
  return groups.some(({ id }) => itemParts.some((part) => sources.has(itemFieldId(id, part))))
}

/** The visible sheets behind the first one that have the title of a list or bill, cut as workbooks need it. */
function findItemSheets({ sheets }: OpenSheet, groups: readonly ItemGroup[]): ItemSheet[] {
  const first = sheets.find(({ visible }) => visible)
  const others = sheets.filter((sheet) => sheet.visible && sheet !== first)
  const titles = groups.map(({ title }) => title)
  const names = sheetNames(titles)
  const besideFirst = sheetNames([first?.name ?? "", ...titles]).slice(1)
  return groups.flatMap((group, index) => {
    const wanted = [names[index], besideFirst[index], group.title].map((name) => name?.trim().toLowerCase())
    const found = others.find(({ name }) => wanted.includes(name.trim().toLowerCase()))
    return found ? [{ group, name: found.name }] : []
  })
}

/**
 * The rows of a file with the items of each task behind its own cells: one row for an ID, whatever number of lines
 * it has, in the order of the first ones. An ID that is on a sheet of items only comes last, as a row of its
 * own. The sheet is read twice; lines wait in a file at `path`.
 */
export async function* gatherItems(
  sheet: OpenSheet,
  groups: readonly ItemGroup[],
  plan: ColumnPlan,
  path: string,
): AsyncGenerator<SheetRow> {
  const idPosition = plan.sources.get(taskKeyId)?.[0]
  const idOf = ({ cells }: SheetRow) =>
    idPosition === undefined ? "" : cellToText(cells[idPosition] ?? emptyCell)
  const store = await createLineStore(path)
  try {
    const gathering = await storeLines(sheet, findItemSheets(sheet, groups), idPosition, idOf, store)
    const seen = createKeySet()
    let width: number | undefined
    let lastRow = 1
    for await (const row of sheet.rows()) {
      if (width === undefined) {
        width = row.cells.length
        yield { ...row, cells: gatheredHeader(row.cells, gathering) }
        continue
      }
      lastRow = row.rowNumber
      const id = idOf(row)
      const key = id === "" ? undefined : hashOf(id)
      if (key && seen.has(key)) continue
      if (key) seen.addAll(key)
      yield gatheredRow(row, width, key ? await store.take(key, maxItems + 1) : [])
    }
    for await (const lines of store.rest(maxItems + 1)) {
      const cells = Array.from(
        { length: width ?? 0 },
        (_, position): Cell =>
          position === idPosition && lines[0] ? textCell(idOfStored(lines[0])) : emptyCell,
      )
      yield gatheredRow({ rowNumber: ++lastRow, cells }, width ?? 0, lines, true)
    }
  } finally {
    await store.close()
  }
}

/** Puts away what belongs to another row: rows with the ID of an earlier one, and sheets of items. */
async function storeLines(
  sheet: OpenSheet,
  itemSheets: readonly ItemSheet[],
  idPosition: number | undefined,
  idOf: (row: SheetRow) => string,
  store: LineStore,
): Promise<Gathering> {
  const sheets = itemSheets.map(({ group: { id, title } }) => ({ id, title }))
  const refuse = (problem: string): Gathering => ({ idPosition, sheets, problem })
  if (idPosition === undefined)
    return sheets.length === 0 ? { idPosition, sheets } : refuse("missing column ID")
  const seen = createKeySet()
  let isHeader = true
  for await (const row of sheet.rows()) {
    const id = isHeader ? "" : idOf(row)
    isHeader = false
    if (id === "") continue
    const key = hashOf(id)
    if (seen.has(key)) await store.add(key, storedLine({ groupId: undefined, row }, id))
    else seen.addAll(key)
  }
  for (const { group, name } of itemSheets) {
    const problem = await storeSheet(sheet, group, name, store)
    if (problem) return refuse(`${problem} in the sheet ${name}`)
  }
  return { idPosition, sheets }
}

/** Returns why the sheet cannot be read, if it cannot. */
async function storeSheet(
  sheet: OpenSheet,
  group: ItemGroup,
  name: string,
  store: LineStore,
): Promise<string | undefined> {
  let positions: ReadonlyMap<string, number> | undefined
  for await (const { rowNumber, cells } of sheet.rows({ sheet: name })) {
    if (!positions) {
      const matched = matchHeaders(cells, itemSheetColumns)
      if (matched.duplicates[0] !== undefined) return `column ${matched.duplicates[0]} appears twice`
      const missing = matched.missing.find(({ id }) => id === "ID" || id === "item")
      if (missing) return `missing column ${missing.title}`
      positions = matched.positions
      continue
    }
    const cellOf = (part: string) => cells[positions?.get(part) ?? -1] ?? emptyCell
    const parts = itemParts.map(cellOf)
    const id = cellToText(cellOf("ID"))
    if (id === "" && parts.every(isBlankCell)) continue
    // Lines without an ID belong to nothing, and not to each other.
    const key = hashOf(id === "" ? `\0${group.id} ${rowNumber}` : id)
    await store.add(key, storedLine({ groupId: group.id, row: { rowNumber, cells: parts } }, id))
  }
  return undefined
}
