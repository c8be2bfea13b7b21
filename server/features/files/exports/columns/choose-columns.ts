import { isYielding, taskFieldNames } from "#shared/task-fields.ts"
import type { FlowComponent, FlowPage } from "../../../work/flows/index.ts"
import { titleOf } from "../../../work/tasks/index.ts"
import type { ExportColumn } from "../source.ts"
import { keyTitle } from "./key-titles.ts"
import type { ToLocal } from "./local-time.ts"
import {
  componentColumns,
  isTaskKey,
  plainColumn,
  plainKey,
  type TaskExportRow,
  taskKeyColumn,
} from "./task-columns.ts"

export interface FlowOfExport {
  id: string
  name: string
  pages: FlowPage[]
}

/** A column of a saved configuration: a key, and the title that it got there. */
export interface ConfigField {
  id: string
  title: string
  uniqueTitle?: string | undefined
  /** Of a bill: the keys of its costs and its total, which are columns too. */
  additionalField?: unknown
}

type Column = ExportColumn<TaskExportRow>

const firstKeys = taskFieldNames(({ exported }) => exported === "first")
const laterKeys = taskFieldNames(({ exported }) => exported === "later")

/**
 * The columns of a task export in order: what a configuration or `fields` names, else all groups with the union
 * of the flows' components. No two columns have the same title, so that the file can be read back.
 */
export function chooseColumns(
  flows: readonly FlowOfExport[],
  options: { fields: readonly string[] | undefined; configFields: readonly ConfigField[] | undefined },
  { toLocal, language }: { toLocal: ToLocal; language: string },
): Column[] {
  const components = new Map<string, { component: FlowComponent; flow: string }>()
  for (const { name, pages } of flows) {
    for (const component of pages.flatMap((page) => page.components)) {
      if (!components.has(component.id)) components.set(component.id, { component, flow: name })
    }
  }
  const groupOf = (key: string): Column[] => {
    const known = components.get(key)
    if (known && !firstKeys.includes(key))
      return componentColumns(known.component, titleOf(known.component), toLocal)
    return [taskKeyColumn(key, keyTitle(plainKey(key), language), toLocal)]
  }
  const ofComponents = new Map(
    [...components.keys()].flatMap(groupOf).map((column) => [column.key, column] as const),
  )
  /** One named key is one column; a photo, which has no value of its own, is all its addresses. */
  const columnsOf = (key: string, title?: string): Column[] => {
    const known = ofComponents.get(key)
    if (known) return [title === undefined ? known : { ...known, title }]
    if (isTaskKey(key) || components.has(key))
      return groupOf(key).map((column) => (title === undefined ? column : { ...column, title }))
    return [plainColumn(key, title ?? key)]
  }
  const partsOf = (id: string, named: unknown): Column[] =>
    Array.isArray(named)
      ? [...ofComponents.values()].filter(({ key }) => key.startsWith(`${id}.`) && named.includes(key))
      : []
  const chosen = options.fields
    ? options.fields.flatMap((key) => columnsOf(key))
    : options.configFields
      ? options.configFields.flatMap(({ id, title, uniqueTitle, additionalField }) => [
          ...columnsOf(id, uniqueTitle ?? title),
          ...partsOf(id, additionalField),
        ])
      : [
          ...firstKeys.flatMap((key) => columnsOf(key)),
          ...[...components.keys()].filter((key) => !firstKeys.includes(key)).flatMap((key) => groupOf(key)),
          ...laterKeys
            .map((key) => (isYielding(key) && components.has(key) ? `_${key}` : key))
            .filter((key) => !components.has(key))
            .flatMap((key) => columnsOf(key)),
        ]
  const byKey = new Map(chosen.map((column) => [column.key, column]))
  return withUniqueTitles([...byKey.values()], (key) => components.get(componentKeyOf(key))?.flow)
}

/**
 * Of columns with one title the component of a flow's initial page keeps it, as imports look for it; a task key
 * gets ` (task)` behind it, another flow's component the name of its flow.
 */
function withUniqueTitles(columns: readonly Column[], flowOf: (key: string) => string | undefined): Column[] {
  const titleKey = (title: string) => title.trim().toLowerCase()
  const groups = Map.groupBy(columns, ({ title }) => titleKey(title))
  const taken = new Set<string>()
  return columns.map((column) => {
    const group = groups.get(titleKey(column.title)) ?? []
    const ofFlows = group.filter(({ key }) => flowOf(key) !== undefined)
    const flow = flowOf(column.key)
    const isPlain = group.length === 1 || (flow !== undefined && ofFlows.length === 1)
    let title = isPlain ? column.title : `${column.title} (${flow ?? "task"})`
    for (let number = 2; taken.has(titleKey(title)); number++)
      title = `${column.title} (${flow ?? "task"} ${number})`
    taken.add(titleKey(title))
    return { ...column, title }
  })
}

/** The key of the component that a column with a unit, a photo or a part of its value belongs to. */
function componentKeyOf(key: string): string {
  const [head = key, ...parts] = key.split(".")
  return parts.length > 0 ? head : key.replace(/_unit$|_\d+_url$/, "")
}
