import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { type DataTypeRow, type Field, type FieldKind, findDataTypes } from "../data-types/index.ts"
import { checkCompletion } from "./check-completion.ts"
import { type FlowComponent, type FlowConfiguration, type FlowPage, inputTypeOf } from "./component.ts"
import { flowErrors } from "./errors.ts"

interface MappedField {
  id: string
  componentId: string
  primaryKey: boolean
}

/** One mapping of a data type: picking a record fills the components of its fields. */
export interface DataSource {
  typeId: string
  fields: MappedField[]
}

/** Which kinds of fields an input of a type takes. Anything can be shown as text. */
const textKinds: readonly FieldKind[] = ["text", "option", "primaryKey", "boolean"]
const takenKinds: Record<string, readonly FieldKind[]> = {
  String: textKinds,
  Address: textKinds,
  URL: textKinds,
  Numeric: ["number"],
  Currency: ["number"],
  Date: ["date"],
  Time: ["time"],
  Datetime: ["dateTime"],
  Geolocation: ["geolocation"],
  PhoneNumber: ["phoneNumber"],
}
const itemKeys: Record<string, readonly FieldKind[]> = {
  itemName: ["text", "option", "primaryKey"],
  itemQty: ["number"],
  itemPrice: ["number"],
}

/** A hundred years: beyond any work, and within what a date can hold. */
const maxHours = 876_000

/** Refuses configurations that no task could be filled by: unknown types and targets, wrong kinds, circles. */
export async function checkConfigurations(
  sql: Sql,
  caller: Pick<Caller, "organizationId">,
  flow: { pages: readonly FlowPage[]; configurations: readonly FlowConfiguration[] },
): Promise<void> {
  for (const configuration of flow.configurations) {
    if (configuration.id !== "startTime" && configuration.id !== "endTime") continue
    const { adjustment } = configuration
    if (adjustment !== undefined && !Number.isFinite(Number(adjustment)))
      throw bad(`the adjustment of ${configuration.id} must be a number of hours`)
    if (Math.abs(Number(adjustment ?? 0)) > maxHours)
      throw bad(`${configuration.id} must not be adjusted by more than ${maxHours} hours`)
  }
  checkCompletion(flow)
  const components = new Map(
    flow.pages.flatMap((page) => page.components.map((component) => [component.id, component] as const)),
  )
  refuseCycles(valueReferences(components), "take their values from each other in a cycle")
  const sources = readDataSources(flow.configurations)
  if (sources.length === 0) return
  const types = await findDataTypes(
    sql,
    caller,
    sources.map((source) => source.typeId),
  )
  for (const source of sources) {
    const type = types.find((candidate) => candidate.id === source.typeId.toLowerCase())
    if (!type)
      throw flowErrors.missingDependency({
        message: `The data type ${source.typeId} does not exist. Choose another one`,
      })
    checkSource(type, source, components)
  }
  refuseCycles(fillings(sources), "are filled from data sources in a cycle")
}

/** The data sources as configured, with what is not of their shape refused. */
export function readDataSources(configurations: readonly FlowConfiguration[]): DataSource[] {
  return configurations
    .filter((configuration) => configuration.id === "dataSource")
    .flatMap(({ list }) => {
      if (!Array.isArray(list ?? [])) throw bad("the list of dataSource must be an array")
      return (list as unknown[] | null | undefined) ?? []
    })
    .map((entry: unknown) => {
      const source = entry as { typeId?: unknown; fields?: unknown } | null
      if (typeof source?.typeId !== "string" || !Array.isArray(source.fields))
        throw bad("every entry of the data source list must have typeId and fields")
      return { typeId: source.typeId, fields: source.fields.map(readMappedField) }
    })
}

function readMappedField(entry: unknown): MappedField {
  const field = entry as { id?: unknown; componentId?: unknown; primaryKey?: unknown } | null
  if (typeof field?.id !== "string" || typeof field.componentId !== "string")
    throw bad("every field of a data source must have id and componentId")
  return { id: field.id, componentId: field.componentId, primaryKey: field.primaryKey === true }
}

function checkSource(
  type: DataTypeRow,
  source: DataSource,
  components: ReadonlyMap<string, FlowComponent>,
): void {
  if (source.fields.filter((field) => field.primaryKey).length !== 1)
    throw bad(`the data source ${type.name} must have exactly one primary key field`)
  for (const mapped of source.fields) {
    const field = type.fields.find((candidate) => candidate.id === mapped.id)
    if (!field) throw bad(`the data type ${type.name} has no field ${mapped.id}`)
    if (mapped.primaryKey !== field.primaryKey)
      throw bad(`the primary key of the data source ${type.name} must be its field dataId`)
    checkTarget(type, field, mapped.componentId, components)
  }
}

function checkTarget(
  type: DataTypeRow,
  field: Field,
  componentId: string,
  components: ReadonlyMap<string, FlowComponent>,
): void {
  const [id = "", itemKey] = splitItemKey(componentId, components)
  const component = components.get(id)
  if (!component) throw bad(`the data source ${type.name} fills ${componentId}, which is not a component`)
  const kinds =
    component.component === "input"
      ? takenKinds[inputTypeOf(component) ?? "String"]
      : component.component === "list" || component.component === "bill"
        ? itemKey === undefined
          ? textKinds
          : itemKeys[itemKey]
        : undefined
  if (!kinds)
    throw bad(`the data source ${type.name} fills ${componentId}: only inputs, lists and bills can be filled`)
  if (!kinds.includes(field.type))
    throw bad(
      `${field.title} of the data type ${type.name} is of the kind ${field.type}, which ${componentId} does not take`,
    )
}

/** `<componentId>.itemName`: a key of the items of a list or bill. */
function splitItemKey(
  componentId: string,
  components: ReadonlyMap<string, FlowComponent>,
): [string, string | undefined] {
  if (components.has(componentId)) return [componentId, undefined]
  const at = componentId.lastIndexOf(".")
  return at < 0 ? [componentId, undefined] : [componentId.slice(0, at), componentId.slice(at + 1)]
}

/** From the component that picks a record to those that the record fills. */
function fillings(sources: readonly DataSource[]): Map<string, Set<string>> {
  const edges = new Map<string, Set<string>>()
  for (const { fields } of sources) {
    const trigger = fields.find((field) => field.primaryKey)?.componentId
    if (trigger === undefined) continue
    const [from = ""] = trigger.split(".")
    const filled = edges.get(from) ?? new Set()
    for (const { primaryKey, componentId } of fields) {
      const [to = "", itemKey] = componentId.split(".")
      // The record that an item names may fill the rest of that item.
      if (!primaryKey && (to !== from || itemKey === undefined)) filled.add(to)
    }
    edges.set(from, filled)
  }
  return edges
}

/** From a list, bill or view to the component whose value it takes by `$<componentId>`. */
function valueReferences(components: ReadonlyMap<string, FlowComponent>): Map<string, Set<string>> {
  const edges = new Map<string, Set<string>>()
  for (const { id, value } of components.values())
    if (typeof value === "string" && value.startsWith("$")) edges.set(id, new Set([value.slice(1)]))
  return edges
}

function refuseCycles(edges: ReadonlyMap<string, ReadonlySet<string>>, reason: string): void {
  const done = new Set<string>()
  const path: string[] = []
  const visit = (id: string): void => {
    if (path.includes(id)) throw bad(`${[...path.slice(path.indexOf(id)), id].join(" > ")} ${reason}`)
    if (done.has(id)) return
    path.push(id)
    for (const next of edges.get(id) ?? []) visit(next)
    path.pop()
    done.add(id)
  }
  for (const id of edges.keys()) visit(id)
}

function bad(reason: string) {
  return flowErrors.badConfiguration({
    message: `The configurations are invalid: ${reason}`,
    fields: { configurations: [reason] },
  })
}
