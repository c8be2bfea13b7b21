import { taskFields } from "#shared/task-fields.ts"
import { isNumberInput, valueText } from "#shared/values.ts"
import type { Formats } from "../../../../i18n/formats.ts"
import type { Column } from "../../../../ui/tables/VirtualGrid.tsx"
import { componentsOf, type Flow, type FlowComponent, namedComponents } from "../../flows/flows.queries.ts"
import type { ListedTask } from "../tasks.queries.ts"

const prefix = "value-"

/** Ids of the components whose columns are shown. */
export function componentsShown(columns: readonly string[]): string[] {
  return columns.flatMap((id) => (id.startsWith(prefix) ? [id.slice(prefix.length)] : [])).toSorted()
}

/** The field whose values a column shows, where rows can be grouped by it. */
export function groupFieldOf(column: string): string | undefined {
  if (column === "task" || column === "expected") return undefined
  if (column === "hub") return "hubId"
  return column.startsWith(prefix) ? column.slice(prefix.length) : column
}

/** The component whose values a column shows, by the flows that have it. */
export function componentsOfColumn(flows: readonly Flow[], column: string): Map<string, FlowComponent> {
  const id = groupFieldOf(column)
  return new Map(
    flows.flatMap((flow) =>
      componentsOf(flow).flatMap((one) => (one.id === id ? [[flow._id, one] as const] : [])),
    ),
  )
}

/** Components with numbers among those that are shown: they are added up. */
export function numbersShown(flows: readonly Flow[], shown: readonly string[]): string[] {
  const numbers = new Set(flows.flatMap(componentsOf).flatMap((one) => (isNumberInput(one) ? [one.id] : [])))
  return shown.filter((id) => numbers.has(id))
}

/** A column for each component of the flows that holds a text, number, choice or time; each id once. */
export function componentColumns(flows: readonly Flow[], formats: Formats): Column<ListedTask>[] {
  return namedComponents(flows).flatMap(({ component, name }) => {
    const { id } = component
    const isValue = component.component === "input" || component.component === "select"
    if (!isValue || Object.hasOwn(taskFields, id)) return []
    const type = (component.type ?? "").toLowerCase()
    return {
      id: `${prefix}${id}`,
      title: name,
      width: isNumberInput(component) ? "110px" : "minmax(120px, 0.9fr)",
      sort: id,
      isExtra: true,
      render: (task: ListedTask) => {
        const text = valueText((task as ListedTask & Record<string, unknown>)[id])
        if (text === null) return "–"
        return type === "datetime"
          ? formats.dateTime(text)
          : type === "date"
            ? formats.day(text.slice(0, 10))
            : text
      },
    }
  })
}
