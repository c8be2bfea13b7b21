import type { Caller } from "#core/access/caller.ts"
import type { Sql, Tx } from "#core/database/database.ts"
import { typedValue } from "#shared/values.ts"
import { findRecordsByKeys, type RecordRow, toWireRecord } from "../../../work/data-records/index.ts"
import { type DataTypeRow, findDataTypes, primaryKeyId } from "../../../work/data-types/index.ts"
import { type FlowComponent, type FlowRow, readDataSources } from "../../../work/flows/index.ts"
import type { GivenItem } from "../rows/read-items.ts"
import type { KeyedTask } from "./existing-tasks.ts"
import type { Draft, TaskWriting } from "./task-target.ts"

/** What a value fills: a component, or one part of the items of a list or bill. */
interface Place {
  component: FlowComponent
  part: "title" | "qty" | "unitPrice" | undefined
}

/** A data type that fills components of a flow: its key is typed, the rest of the record follows. */
export interface TaskSource {
  type: DataTypeRow
  trigger: Place
  fills: readonly { fieldId: string; place: Place }[]
}

const itemParts: Readonly<Record<string, Place["part"]>> = {
  itemName: "title",
  itemQty: "qty",
  itemPrice: "unitPrice",
}

/** The data sources of a flow whose records are kept here; those of external services are not looked up. */
export async function readTaskSources(
  sql: Sql,
  caller: Pick<Caller, "organizationId">,
  flow: Pick<FlowRow, "pages" | "configurations">,
): Promise<TaskSource[]> {
  const sources = readDataSources(flow.configurations)
  if (sources.length === 0) return []
  const types = await findDataTypes(
    sql,
    caller,
    sources.map(({ typeId }) => typeId),
  )
  const components = new Map(
    flow.pages.flatMap((page) => page.components.map((one) => [one.id, one] as const)),
  )
  return sources.flatMap(({ typeId, fields }): TaskSource[] => {
    const type = types.find(({ id }) => id === typeId.toLowerCase())
    const key = fields.find(({ primaryKey }) => primaryKey)
    const trigger = key && placeOf(key.componentId, components)
    if (!trigger || type?.provider !== "internal") return []
    const fills = fields.flatMap(({ id, primaryKey, componentId }) => {
      const place = primaryKey ? undefined : placeOf(componentId, components)
      return place ? [{ fieldId: id, place }] : []
    })
    return [{ type, trigger, fills }]
  })
}

function placeOf(text: string, components: ReadonlyMap<string, FlowComponent>): Place | undefined {
  const whole = components.get(text)
  if (whole) return { component: whole, part: isItems(whole) ? "title" : undefined }
  const at = text.lastIndexOf(".")
  const component = components.get(text.slice(0, at))
  const part = itemParts[text.slice(at + 1)]
  return component && part ? { component, part } : undefined
}

function isItems({ component }: FlowComponent): boolean {
  return component === "list" || component === "bill"
}

/**
 * Fills what the lines leave empty from the records that they name, in the task's hub or common to all. A record
 * that is not there is a problem of its line. Of a task that exists only a changed key is looked up, so that a file
 * that says what is so already changes nothing.
 */
export async function completeFromSources(
  tx: Tx,
  caller: Caller,
  drafts: readonly Draft[],
  existing: ReadonlyMap<string, KeyedTask> | undefined,
  { sources, hubId, fields }: TaskWriting,
): Promise<void> {
  const done = new Set<string>()
  // A record may fill the key of another source: as many rounds as there are sources reach the end of any chain.
  for (let round = 0; round < sources.length; round++) {
    for (const source of sources) {
      const asked = drafts.flatMap((draft, index) => {
        const sign = `${source.type.id} ${source.trigger.component.id} ${index}`
        if (draft.isOrphan || done.has(sign)) return []
        const keys = keysOf(draft, source, existing?.get(draft.key))
        if (keys.length > 0) done.add(sign)
        return keys.length > 0 ? [{ draft, keys }] : []
      })
      if (asked.length === 0) continue
      const wanted = [...new Set(asked.flatMap(({ keys }) => keys))]
      const key = { dataTypeId: source.type.id, hubId: source.type.commonData ? null : hubId }
      const found = await findRecordsByKeys(tx, caller, key, wanted)
      const records = new Map(found.map((record) => [record.dataId, record]))
      const column = fields.find(({ id }) => id === source.trigger.component.id)?.title ?? source.type.name
      for (const { draft, keys } of asked) {
        for (const missing of keys.filter((one) => !records.has(one)))
          refuseKey(draft, source, column, missing)
        fill(draft, source, records)
      }
    }
  }
}

function refuseKey(draft: Draft, { fills }: TaskSource, column: string, key: string): void {
  draft.problems.push({ column, value: key, reason: "is not in the data source" })
  for (const { place } of fills) draft.unfilled.add(place.component.id)
}

/** The keys that a line names: one in an input, one for each item of a list or bill. */
function keysOf({ body }: Draft, { trigger }: TaskSource, task: KeyedTask | undefined): string[] {
  const { id } = trigger.component
  const value = body[id] ?? (task ? undefined : trigger.component.default)
  if (Array.isArray(value)) {
    const stored = task?.values[id]
    const known = new Set(Array.isArray(stored) ? stored.map((item: GivenItem) => item.title) : [])
    return (value as GivenItem[]).flatMap(({ title }) => (title === "" || known.has(title) ? [] : [title]))
  }
  const text = typeof value === "string" || typeof value === "number" ? String(value).trim() : ""
  return text === "" || text === String(task?.values[id] ?? "").trim() ? [] : [text]
}

function fill({ body }: Draft, source: TaskSource, records: ReadonlyMap<string, RecordRow>): void {
  const { trigger, fills } = source
  const value = body[trigger.component.id] ?? trigger.component.default
  if (Array.isArray(value)) {
    body[trigger.component.id] = value.map((item: GivenItem) =>
      itemFrom(item, source, records.get(item.title)),
    )
    return
  }
  const record = records.get(String(value).trim())
  if (!record) return
  const newItems = new Map<string, GivenItem>()
  for (const { fieldId, place } of fills) {
    const { id } = place.component
    const filling = recordValue(record, fieldId)
    if (filling === null || (id in body && !newItems.has(id))) continue
    if (place.part === undefined) body[id] = typedValue(place.component, filling)
    else newItems.set(id, { ...(newItems.get(id) ?? snapshotItem(record)), [place.part]: filling })
    if (place.part !== undefined) body[id] = [newItems.get(id)]
  }
}

/** An item that is named by the key of a record, with what its line leaves empty. */
function itemFrom(item: GivenItem, { fills, trigger }: TaskSource, record: RecordRow | undefined): GivenItem {
  if (!record) return item
  const filled: GivenItem = { ...item, data: snapshotOf(record) }
  for (const { fieldId, place } of fills) {
    const value = recordValue(record, fieldId)
    if (place.component.id !== trigger.component.id || place.part === undefined || value === null) continue
    if (place.part === "title") filled.title = String(value)
    else filled[place.part] ??= Number(value)
  }
  return filled
}

function snapshotItem(record: RecordRow): GivenItem {
  return { title: record.dataId, data: snapshotOf(record) }
}

/** The record as an item keeps it: a later change of the record does not change the task. */
function snapshotOf(record: RecordRow): Record<string, unknown> {
  const { _id, dataId, dataTypeId, createdBy, organizationId, updatedTime, createdTime } =
    toWireRecord(record)
  const hubId = record.hubId
  return {
    _id,
    dataId,
    dataTypeId,
    hubId,
    createdBy,
    organizationId,
    updatedTime,
    createdTime,
    value: record.values,
  }
}

function recordValue(record: RecordRow, fieldId: string): string | number | null {
  const value = fieldId === primaryKeyId ? record.dataId : record.values[fieldId]
  if (value === undefined || value === null || value === "") return null
  return typeof value === "number" ? value : String(value)
}

/** What a template and the mapping step demand less of: a record may bring it. */
export function withoutDemands<Field extends { id: string; required?: boolean }>(
  fields: readonly Field[],
  sources: readonly TaskSource[],
): Field[] {
  const filled = new Set(sources.flatMap(({ fills }) => fills.map(({ place }) => place.component.id)))
  return fields.map((field) => (filled.has(field.id) ? { ...field, required: false } : field))
}
