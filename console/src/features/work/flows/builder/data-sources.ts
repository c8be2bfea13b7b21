import { valueNumber } from "#shared/values.ts"
import type { FlowComponent } from "../flows.queries.ts"

/** One field of a data type and what it fills: a component, or a key of its items as `<component>.itemName`. */
interface SourceField {
  id: string
  title?: string
  type?: string
  componentId: string
  primaryKey?: boolean
}

/** A data type whose records fill a task of the flow. The field of its key is what the record is chosen by. */
export interface DataSource {
  typeId: string
  fields: SourceField[]
}

export type Configuration = { id: string } & Record<string, unknown>

/** The data sources of a flow; what is not of their shape is left out. */
export function dataSourcesOf(configurations: readonly Configuration[]): DataSource[] {
  return configurations
    .filter(({ id }) => id === "dataSource")
    .flatMap(({ list }) => (Array.isArray(list) ? list : []))
    .flatMap((entry: Partial<DataSource> | null) => {
      if (typeof entry?.typeId !== "string" || !Array.isArray(entry.fields)) return []
      const fields = entry.fields.filter(
        (field) => typeof field?.id === "string" && typeof field.componentId === "string",
      )
      return [{ ...entry, typeId: entry.typeId, fields }]
    })
}

/** The configurations with these data sources in the place of the former. */
export function withDataSources(
  configurations: readonly Configuration[],
  list: readonly DataSource[],
): Configuration[] {
  const others = configurations.filter(({ id }) => id !== "dataSource")
  return list.length === 0 ? others : [...others, { id: "dataSource", list: [...list] }]
}

/** The key of a data type's field in every type. */
export const keyFieldId = "dataId"

const textKinds = ["text", "option", "primaryKey", "boolean"]
const takenKinds: Readonly<Record<string, readonly string[]>> = {
  string: textKinds,
  address: textKinds,
  url: textKinds,
  numeric: ["number"],
  number: ["number"],
  currency: ["number"],
  date: ["date"],
  time: ["time"],
  datetime: ["dateTime"],
  geolocation: ["geolocation"],
  phonenumber: ["phoneNumber"],
}
/** Keys of the items of a list or bill, and the kinds of fields that they take. */
const itemKinds = {
  itemName: ["text", "option", "primaryKey"],
  itemQty: ["number"],
  itemPrice: ["number"],
} as const
export type ItemKey = keyof typeof itemKinds
const itemKeys = Object.keys(itemKinds) as ItemKey[]

/** What a field of this kind can fill: components by id, keys of items as `<component>.<key>`. */
export function targetsOf(
  kind: string,
  components: readonly FlowComponent[],
): { componentId: string; component: FlowComponent; itemKey?: ItemKey }[] {
  return components.flatMap((component) => {
    const form = component.component.toLowerCase()
    if (form === "input")
      return takenKinds[(component.type ?? "String").toLowerCase()]?.includes(kind)
        ? [{ componentId: component.id, component }]
        : []
    if (form !== "list" && form !== "bill") return []
    return itemKeys
      .filter((key) => (itemKinds[key] as readonly string[]).includes(kind))
      .filter((key) => key !== "itemPrice" || form === "bill")
      .map((itemKey) => ({ componentId: `${component.id}.${itemKey}`, component, itemKey }))
  })
}

type DataRecord = Readonly<Record<string, unknown>> & { _id: string; dataId: string }

/** Keys of a record that travel with an item that came from it. */
const snapshotKeys = [
  "_id",
  "dataId",
  "dataTypeId",
  "hubId",
  "createdBy",
  "organizationId",
  "updatedTime",
  "createdTime",
] as const

const recordKeys: ReadonlySet<string> = new Set([...snapshotKeys, "data_type", "limitUser", "updatedBy"])

/**
 * What choosing a record enters into a task: the values of its mapped fields, and one more item in the lists and
 * bills that it fills. `valueFor` returns what those have so far.
 */
export function valuesOfRecord(
  source: DataSource,
  record: DataRecord,
  valueFor: (componentId: string) => unknown,
): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  const items = new Map<string, Partial<Record<ItemKey, unknown>>>()
  for (const { id, componentId } of source.fields) {
    const [target = "", itemKey] = componentId.split(".")
    const value = record[id] ?? null
    if (itemKey === undefined) values[target] = value
    else items.set(target, { ...items.get(target), [itemKey]: value })
  }
  const rest = Object.entries(record).filter(([key]) => !recordKeys.has(key))
  const snapshot = {
    ...Object.fromEntries(snapshotKeys.map((key) => [key, record[key] ?? null])),
    value: Object.fromEntries(rest),
  }
  for (const [target, { itemName, itemQty, itemPrice }] of items) {
    const lines = valueFor(target)
    const item = {
      title: String(itemName ?? record.dataId),
      qty: valueNumber(itemQty) ?? 1,
      ...(valueNumber(itemPrice) === undefined ? {} : { unitPrice: valueNumber(itemPrice) }),
      data: snapshot,
    }
    values[target] = [...(Array.isArray(lines) ? lines : []), item]
  }
  return values
}

/** The data source that a component chooses records of, by its key or by the name of its items. */
export function sourceChosenBy(sources: readonly DataSource[], componentId: string): DataSource | undefined {
  return sources.find((source) =>
    source.fields.some(
      (field) => field.primaryKey === true && field.componentId.split(".")[0] === componentId,
    ),
  )
}
