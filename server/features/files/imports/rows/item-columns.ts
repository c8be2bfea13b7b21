import type { KnownColumn } from "#packages/spreadsheets/headers.ts"

/** The field by which an import finds a task. */
export const taskKeyId = "ID"

/** What a file says about an item of a list or bill, in the order of the columns of its sheet. */
export const itemParts = ["item", "qty", "price", "qtyProcessed"] as const
export type ItemPart = (typeof itemParts)[number]

export const itemTitles: Readonly<Record<ItemPart, string>> = {
  item: "Item",
  qty: "Qty",
  price: "Price",
  qtyProcessed: "Qty Processed",
}

/** A list or bill of a flow's initial page. Its items are next to the task's columns, or on a sheet of its title. */
export interface ItemGroup {
  readonly id: string
  readonly title: string
  readonly isBill: boolean
  /** Every item needs a quantity: bills and lists of the type quantity. */
  readonly needsQuantity: boolean
  /** Names to offer for items. */
  readonly names: readonly string[]
}

/** The columns of a sheet of items. Totals and other columns of exports mean nothing here. */
export const itemSheetColumns: readonly KnownColumn[] = [
  { id: "ID", title: "ID" },
  ...itemParts.map((part) => ({ id: part, title: itemTitles[part] })),
]

/** The id of the column beside a task's own that brings one part of an item. */
export function itemFieldId(groupId: string, part: ItemPart): string {
  return `${groupId}:${part}`
}
