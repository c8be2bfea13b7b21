import { billCosts, type FlowComponent, reservedTaskKeys } from "./component.ts"
import type { FlowRow } from "./queries.ts"

/** The kinds of components that lists of them may be narrowed to, by the words of the wire. */
const componentGroups: Record<string, (component: FlowComponent) => boolean> = {
  all: () => true,
  routeAs: ({ routeAs }) => typeof routeAs === "string" && routeAs !== "",
  basicStructurData: ({ component }) => singleValues.has(component),
  singleValue: ({ component }) => singleValues.has(component),
  structurData: ({ component }) => singleValues.has(component) || itemLists.has(component),
  image: ({ component }) => component === "photo" || component === "signature",
  listItemData: ({ component }) => itemLists.has(component),
  reservedKey: () => false,
}
const singleValues: ReadonlySet<string> = new Set(["input", "select", "voice", "timer"])
const itemLists: ReadonlySet<string> = new Set(["list", "bill"])

export const flowFieldTypes = [
  "routeAs",
  "basicStructurData",
  "structurData",
  "image",
  "listItemData",
  "reservedKey",
  "all",
] as const
export const flowComponentTypes = [
  "routeAs",
  "structurData",
  "singleValue",
  "image",
  "listItemData",
  "reservedKey",
  "all",
] as const

/** The keys that every task has, as if they were components. */
export const reservedComponents: readonly FlowComponent[] = [...reservedTaskKeys].map((id) => ({
  component: "input",
  id,
  type: "String",
  source: "reservedKey",
  title: id,
  uniqueTitle: id,
}))

/** One group a flow; every group of `reservedKey` has the same keys. */
export function groupComponents(
  flows: readonly FlowRow[],
  fieldType: string,
  onlyIds?: ReadonlySet<string>,
): { _id: string; flowName: string; fields: FlowComponent[] }[] {
  return flows.map((flow) => ({
    _id: flow.id,
    flowName: flow.name,
    fields: componentsOf(flow, fieldType)
      .map(({ component }) => component)
      .filter(({ id }) => !onlyIds || onlyIds.has(id)),
  }))
}

function componentsOf(flow: FlowRow, fieldType: string): { component: FlowComponent; page: string }[] {
  if (fieldType === "reservedKey")
    return reservedComponents.map((component) => ({ component, page: "page0" }))
  const isWanted = componentGroups[fieldType] ?? (() => false)
  return flow.pages.flatMap((page) =>
    page.components.filter(isWanted).map((component) => ({ component, page: page.id })),
  )
}

export interface MergedComponent extends FlowComponent {
  page: string
  flowId: string[]
  flowName: string[]
  /** The title, with the id where two components share a title. */
  uniqueTitle: string
}

/** One flat list: components with one id in several flows become one that names them all. */
export function mergeComponents(
  flows: readonly FlowRow[],
  fieldType: string,
  onlyIds?: ReadonlySet<string>,
): MergedComponent[] {
  const merged = new Map<string, MergedComponent>()
  for (const flow of flows) {
    for (const { component, page } of componentsOf(flow, fieldType)) {
      if (onlyIds && !onlyIds.has(component.id)) continue
      const known = merged.get(component.id)
      if (known) {
        known.flowId.push(flow.id)
        known.flowName.push(flow.name)
      } else {
        const title = component.title || component.id
        const where = { page, flowId: [flow.id], flowName: [flow.name], uniqueTitle: title }
        merged.set(component.id, { ...component, ...where, ...billParts(component) })
      }
    }
  }
  const list = [...merged.values()]
  const times = Map.groupBy(list, (component) => component.uniqueTitle)
  for (const component of list)
    if ((times.get(component.uniqueTitle)?.length ?? 0) > 1)
      component.uniqueTitle = `${component.uniqueTitle} (${component.id})`
  return list
}

function billParts(component: FlowComponent): { additionalField?: string[] } {
  if (component.component !== "bill") return {}
  const costs = billCosts(component).map(({ name }) => name)
  return { additionalField: [...costs, "totalCost"].map((part) => `${component.id}.${part}`) }
}
