import { isDeepStrictEqual } from "node:util"
import { type Cell, isBlankCell } from "#packages/spreadsheets/cell.ts"
import { cellToText } from "#packages/spreadsheets/cell-text.ts"
import type { Line, RowProblem } from "../targets/target.ts"
import { numberOrText, type Reading } from "./cell-values.ts"
import { maxItems } from "./gather-items.ts"
import { readGathered } from "./gathered-row.ts"
import { type ItemGroup, type ItemPart, itemFieldId, itemParts, itemTitles } from "./item-columns.ts"

/** An item as a file gives it: what its line leaves empty is absent. */
export interface GivenItem {
  title: string
  qty?: number
  unitPrice?: number
  qtyProcessed?: number
  [key: string]: unknown
}

export interface ReadItems {
  /** By the id of the list or bill; those of which the file says nothing are absent. */
  items: Map<string, GivenItem[]>
  problems: RowProblem[]
  /** No row of the main sheet has the ID of these items. */
  isOrphan: boolean
}

/** The items that a task brings: on its own line, on further lines with its ID, or on sheets of their own. */
export function readItems(line: Line, groups: readonly ItemGroup[], reading: Reading): ReadItems {
  const items = new Map<string, GivenItem[]>()
  const problems: RowProblem[] = []
  const { lines, isOrphan } = readGathered(line.gathered)
  for (const group of groups) {
    const rows = [
      { cells: partsOf(line, line.cells, group), where: "" },
      ...lines.flatMap(({ groupId, row: { rowNumber, cells } }) => {
        if (groupId === undefined)
          return [{ cells: partsOf(line, cells, group), where: ` (row ${rowNumber})` }]
        return groupId === group.id ? [{ cells, where: ` (row ${rowNumber} of its sheet)` }] : []
      }),
    ].filter(({ cells }) => !cells.every(isBlankCell))
    if (rows.length > maxItems) {
      const reason = `has more than ${maxItems} items`
      problems.push({ column: group.title, value: "", reason })
    } else if (rows.length > 0) {
      const read = rows.map(({ cells, where }) => readItem(group, cells, where, reading, problems))
      items.set(group.id, read)
    } else {
      const whole = wholeList(cellToText(line.cell(group.id)))
      if (whole) items.set(group.id, whole)
    }
  }
  return { items, problems, isOrphan }
}

function partsOf(line: Line, cells: readonly Cell[], { id }: ItemGroup): Cell[] {
  return itemParts.map((part) => line.cellIn(cells, itemFieldId(id, part)))
}

function readItem(
  group: ItemGroup,
  cells: readonly Cell[],
  where: string,
  reading: Reading,
  problems: RowProblem[],
): GivenItem {
  const cellOf = (part: ItemPart): Cell => cells[itemParts.indexOf(part)] ?? { kind: "empty" }
  const problem = (part: ItemPart, reason: string) => {
    const column = `${group.title}: ${itemTitles[part]}`
    problems.push({ column, value: cellToText(cellOf(part)), reason: reason + where })
  }
  const numberOf = (part: ItemPart): number | undefined => {
    const cell = cellOf(part)
    if (isBlankCell(cell)) return undefined
    const value = numberOrText(cell, reading)
    if (typeof value !== "number") problem(part, "must be a number")
    else if (value < 0) problem(part, "must be 0 or more")
    else return value
    return undefined
  }
  const title = cellToText(cellOf("item"))
  if (title === "") problem("item", "is required")
  if (group.needsQuantity && isBlankCell(cellOf("qty"))) problem("qty", "is required")
  const [qty, unitPrice, qtyProcessed] = [numberOf("qty"), numberOf("price"), numberOf("qtyProcessed")]
  return {
    title,
    ...(qty === undefined ? {} : { qty }),
    ...(unitPrice === undefined ? {} : { unitPrice }),
    ...(qtyProcessed === undefined ? {} : { qtyProcessed }),
  }
}

/** All items in one cell, as an export to CSV has them. Anything else that is there means nothing. */
function wholeList(text: string): GivenItem[] | undefined {
  if (!text.startsWith("[")) return undefined
  try {
    const parsed: unknown = JSON.parse(text)
    return Array.isArray(parsed) && parsed.length > 0 ? (parsed as GivenItem[]) : undefined
  } catch {
    return undefined
  }
}

/**
 * Items as they will be stored when a file changes a task: what it leaves empty stays, as far as the same item stands
 * in the same place. Undefined when nothing is different.
 */
export function changedItems(stored: unknown, given: readonly GivenItem[]): GivenItem[] | undefined {
  const before: unknown[] = Array.isArray(stored) ? stored : []
  const after = given.map((item, index) => {
    const old = before[index] as (GivenItem & { name?: unknown }) | null | undefined
    return old && (old.title ?? old.name) === item.title ? { ...old, ...item } : item
  })
  const isSame =
    after.length === before.length &&
    after.every((item, index) => {
      const old = before[index] as Record<string, unknown> | null
      return old !== null && typeof old === "object" && sameKeys(item, old)
    })
  return isSame ? undefined : after
}

function sameKeys(item: GivenItem, old: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(item).every(([key, value]) =>
    key === "title" ? value === (old.title ?? old.name) : isDeepStrictEqual(value, old[key]),
  )
}
