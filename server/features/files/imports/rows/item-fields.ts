import { billCosts, type FlowComponent, type FlowRow } from "../../../work/flows/index.ts"
import { titleOf } from "../../../work/tasks/index.ts"
import type { ImportField } from "../targets/target.ts"
import { type ItemGroup, itemFieldId, itemParts, itemTitles } from "./item-columns.ts"

export function itemGroups(flow: Pick<FlowRow, "pages">): ItemGroup[] {
  return itemComponents(flow).map((component) => ({
    id: component.id,
    title: titleOf(component),
    isBill: component.component === "bill",
    needsQuantity: component.component === "bill" || component.type === "quantity",
    names: namesOf(component),
  }))
}

export function itemComponents(flow: Pick<FlowRow, "pages">): FlowComponent[] {
  const page = flow.pages.find(({ id }) => id === "page0") ?? flow.pages[0]
  return (page?.components ?? []).filter(({ component }) => component === "list" || component === "bill")
}

function namesOf(component: FlowComponent): string[] {
  const entries: unknown[] = [component.masterItems, component.addNewData].flatMap((list) =>
    Array.isArray(list) ? list : [],
  )
  return entries.flatMap((entry) => {
    const name = typeof entry === "string" ? entry : (entry as { name?: unknown } | null)?.name
    return typeof name === "string" && name !== "" ? [name] : []
  })
}

export interface CostField extends ImportField {
  /** What the flow itself has for it. */
  amount: number | null
}

/** One column for every cost of a bill. */
export function costFields(flow: Pick<FlowRow, "pages">): CostField[] {
  return itemComponents(flow).flatMap((component) =>
    billCosts(component).map(({ name, amount }) => ({
      id: `${component.id}.${name}`,
      title: name,
      otherTitles: [`${titleOf(component)}: ${name}`],
      kind: "number" as const,
      isMatchedExactly: true,
      help: `Amount of ${name} for this task's ${titleOf(component)}${amount === null ? "" : `. Empty: ${amount}`}`,
      sample: amount ?? 0,
      amount,
    })),
  )
}

/** Columns for items and costs beside those of the task. The template has sheets for the items instead. */
export function itemFields(flow: Pick<FlowRow, "pages">): ImportField[] {
  const items = itemComponents(flow).flatMap((component) => {
    const title = titleOf(component)
    const hidden = { isInTemplate: false, isMatchedExactly: true } as const
    // An export to CSV has all items of a list or bill in one cell, as JSON.
    const whole: ImportField = { id: component.id, title, kind: "text", ...hidden, isOfExports: true }
    const ownParts = itemParts.filter((part) => part !== "price" || component.component === "bill")
    const parts = ownParts.map(
      (part): ImportField => ({
        id: itemFieldId(component.id, part),
        title: `${title}: ${itemTitles[part]}`,
        kind: part === "item" ? "text" : "number",
        help: "One item per row; rows with the same ID form one task",
        ...hidden,
        isOfExports: part === "qtyProcessed",
      }),
    )
    return [whole, ...parts]
  })
  return [...costFields(flow), ...items]
}
