import { ownEntry } from "#core/paging.ts"
import { type SheetValue, wallClockText } from "#packages/spreadsheets/sheet-values.ts"
import { isYielding } from "#shared/task-fields.ts"
import { isNumberInput, valueNumber } from "#shared/values.ts"
import { toT2 } from "#shared/wire-time.ts"
import {
  type BillCost,
  billCosts,
  type FlowComponent,
  type InputType,
  inputTypeOf,
  reservedTaskKeys,
} from "../../../work/flows/index.ts"
import type { ExportColumn } from "../source.ts"
import { type ToLocal, wallClock } from "./local-time.ts"

/** A task as exports read it: times as epoch milliseconds, which are the cheapest to carry. */
export interface TaskExportRow {
  id: string
  organizationId: string
  flowId: string
  flow: string
  hubId: string
  hubName: string | null
  status: string
  taskType: string
  title: string | null
  content: string | null
  label: string | null
  lng: number | null
  lat: number | null
  assignee: string[]
  assignedName: string | null
  assignedBy: string | null
  assignedMs: number | null
  startMs: number
  endMs: number
  createdMs: number
  updatedMs: number
  doneMs: number | null
  createdBy: string | null
  updatedBy: string | null
  createdFrom: string
  doneBy: string | null
  orderIndex: number
  refId: string | null
  parentId: string | null
  routingResultId: string | null
  values: Record<string, unknown>
  attributes: Record<string, unknown>
  /** In order; empty where no column shows them. */
  histories: { id: string; action: string; notes: string; ms: number }[]
}

const texts: Readonly<Record<string, (row: TaskExportRow) => SheetValue>> = {
  _id: (row) => row.id,
  organizationId: (row) => row.organizationId,
  flow: (row) => row.flow,
  flowId: (row) => row.flowId,
  hub: (row) => row.hubName,
  hubId: (row) => row.hubId,
  title: (row) => row.title,
  content: (row) => row.content,
  label: (row) => row.label,
  status: (row) => row.status,
  taskType: (row) => row.taskType,
  assignee: (row) => row.assignee.join(","),
  assignedTo: (row) => row.assignedName,
  assignedBy: (row) => row.assignedBy,
  createdBy: (row) => row.createdBy,
  updatedBy: (row) => row.updatedBy,
  createdFrom: (row) => row.createdFrom,
  doneBy: (row) => row.doneBy,
  orderIndex: (row) => row.orderIndex,
  refId: (row) => row.refId,
  parentId: (row) => row.parentId,
  routingResultId: (row) => row.routingResultId,
  isDeleted: () => false,
}

const times: Readonly<Record<string, (row: TaskExportRow) => number | null>> = {
  startTime: (row) => row.startMs,
  endTime: (row) => row.endMs,
  createdTime: (row) => row.createdMs,
  updatedTime: (row) => row.updatedMs,
  assignedTime: (row) => row.assignedMs,
  doneTime: (row) => row.doneMs,
}

/** The field that a key means: `_outcome` is the outcome of tasks whose flow has a component `outcome`. */
export function plainKey(key: string): string {
  const plain = key.slice(1)
  return key.startsWith("_") && isYielding(plain) ? plain : key
}

/** The column of one of the task's own keys; rarer ones are kept with the attributes. */
export function taskKeyColumn(key: string, title: string, toLocal: ToLocal): ExportColumn<TaskExportRow> {
  const time = ownEntry(times, key)
  if (time) {
    return {
      ...{ key, title, kind: "dateTime" as const },
      cell: (row) => localOrNull(time(row), toLocal),
      json: (row) => isoOrNull(time(row)),
    }
  }
  const text = ownEntry(texts, key)
  if (key === "histories") return historiesColumn(title, toLocal)
  if (key === "assignee") return { key, title, cell: (row) => text?.(row), json: (row) => row.assignee }
  if (text && isHeading(key))
    return { key, title, cell: text, json: (row) => row.attributes[key] ?? text(row) }
  if (text) return { key, title, cell: text, json: text }
  if (plainKey(key) === "additions") return additionsColumn(key, title)
  if (plainKey(key) === "outcome") {
    const outcome = ({ status, attributes }: TaskExportRow) =>
      attributes.outcome ? String(attributes.outcome) : status === "DONE" ? "done" : null
    return { key, title, cell: outcome, json: outcome }
  }
  const value = (row: TaskExportRow) => row.attributes[plainKey(key)]
  return { key, title, cell: (row) => plainCell(value(row)), json: value }
}

/** What happened to the task: in a sheet as a line of text, in JSON as lists show it, without what was changed. */
function historiesColumn(title: string, toLocal: ToLocal): ExportColumn<TaskExportRow> {
  return {
    ...{ key: "histories", title },
    cell: ({ histories }) =>
      histories
        .map(
          ({ action, notes, ms }) =>
            `${wallClockText(toLocal(ms), "dateTime").slice(0, 19)} ${notes === "" ? action : notes}`,
        )
        .join("; "),
    json: ({ histories }) =>
      histories.map(({ id, action, notes, ms }) => ({
        _id: id,
        action,
        notes,
        createdAt: toT2({ epochMilliseconds: ms }),
      })),
  }
}

interface ExportedAddition {
  doneBy: string
  doneTime: string
  isCorrection?: boolean
  values: Record<string, unknown>
}

/** What was attached to a finished task: in a sheet as text, who and when before what they entered. */
function additionsColumn(key: string, title: string): ExportColumn<TaskExportRow> {
  const additions = ({ attributes }: TaskExportRow) =>
    (Array.isArray(attributes.additions) ? attributes.additions : []) as ExportedAddition[]
  const entered = (values: ExportedAddition["values"]) =>
    Object.entries(values).map(([id, value]) => `${id}: ${plainCell(value)}`)
  return {
    ...{ key, title },
    cell: (row) =>
      additions(row)
        .map(({ doneBy, doneTime, isCorrection, values }) =>
          [`${doneTime} ${doneBy}${isCorrection ? " (correction)" : ""}`, ...entered(values)].join(", "),
        )
        .join("; "),
    json: additions,
  }
}

/** Headings have a column for their text; one that is not text is with the attributes in its own form. */
export function isHeading(key: string): boolean {
  return key === "title" || key === "content" || key === "label"
}

export function isTaskKey(key: string): boolean {
  return reservedTaskKeys.has(plainKey(key)) || hasOwnColumn(key)
}

/** Whether a key of tasks is kept neither with the values nor with the attributes. */
export function hasOwnColumn(key: string): boolean {
  return key === "histories" || Object.hasOwn(times, key) || Object.hasOwn(texts, key)
}

function localOrNull(milliseconds: number | null, toLocal: ToLocal): number | null {
  return milliseconds === null ? null : toLocal(milliseconds)
}

function isoOrNull(milliseconds: number | null): string | null {
  return milliseconds === null ? null : `${new Date(milliseconds).toISOString().slice(0, 19)}+00:00`
}

/** Objects with a name (a vehicle, a person, an application with its version) show it, other objects their JSON, lists their entries. */
export function plainCell(value: unknown): SheetValue {
  switch (typeof value) {
    case "string":
    case "number":
    case "boolean":
      return value
    case "object": {
      if (value === null) return null
      if (Array.isArray(value) && value.every((entry) => typeof entry !== "object")) return value.join(", ")
      const { name, version } = value as { name?: unknown; version?: unknown }
      if (typeof name !== "string") return JSON.stringify(value)
      return version === undefined ? name : `${name} ${String(version)}`
    }
    default:
      return null
  }
}

/** The columns of a flow's component: its value, and what else is kept under its id. */
export function componentColumns(
  component: FlowComponent,
  title: string,
  toLocal: ToLocal,
): ExportColumn<TaskExportRow>[] {
  const { id } = component
  if (component.component === "view") return []
  if (component.component === "photo") return photoColumns(component, title)
  const value = valueColumn(component, title, toLocal)
  if (component.useUnit === true) return [value, plainColumn(`${id}_unit`, `${title} Unit`)]
  return component.component === "bill" ? [value, ...billColumns(component, title)] : [value]
}

/** What a bill's costs are on a task, and what the whole of it comes to. */
function billColumns(component: FlowComponent, title: string): ExportColumn<TaskExportRow>[] {
  const { id } = component
  const costs = billCosts(component)
  const itemsOf = (row: TaskExportRow) =>
    Array.isArray(row.values[id]) ? (row.values[id] as BillItem[]) : []
  const amountOf = (row: TaskExportRow, { name, amount }: BillCost) => {
    const own = valueNumber(row.values[`${id}.${name}`])
    return own !== undefined ? own : itemsOf(row).length > 0 ? amount : null
  }
  const totalOf = (row: TaskExportRow) => {
    const items = itemsOf(row)
    if (items.length === 0) return null
    const goods = items.reduce(
      (sum, { qty, unitPrice }) => sum + Number(qty ?? 0) * Number(unitPrice ?? 0),
      0,
    )
    const total = costs.reduce(
      (sum, cost) => sum + (cost.isDiscount ? -1 : 1) * (amountOf(row, cost) ?? 0),
      goods,
    )
    // Sums of decimal prices carry binary dust, such as 5.300000000000001.
    return Number(total.toFixed(6))
  }
  const column = (name: string, json: (row: TaskExportRow) => number | null) => ({
    ...{ key: `${id}.${name}`, title: `${title}: ${name}`, cell: json, json },
  })
  return [
    ...costs.map((cost) => column(cost.name, (row) => amountOf(row, cost))),
    column("totalCost", totalOf),
  ]
}

interface BillItem {
  qty?: unknown
  unitPrice?: unknown
}

function valueColumn(component: FlowComponent, title: string, toLocal: ToLocal): ExportColumn<TaskExportRow> {
  const { id: key } = component
  const json = (row: TaskExportRow) => row.values[key]
  if (isNumberInput(component))
    return { key, title, cell: (row) => valueNumber(json(row)) ?? plainCell(json(row)), json }
  const kind = component.component === "input" ? sheetKinds[inputTypeOf(component) ?? "String"] : undefined
  if (!kind) return { key, title, cell: (row) => plainCell(json(row)), json }
  return {
    ...{ key, title, kind, json },
    cell: (row) => {
      const value = json(row)
      return typeof value === "string" ? (wallClock(value, kind, toLocal) ?? value) : plainCell(value)
    },
  }
}

const sheetKinds: Partial<Record<InputType, "date" | "dateTime" | "time">> = {
  Date: "date",
  Datetime: "dateTime",
  Time: "time",
}

const maxPhotos = 20

function photoColumns(component: FlowComponent, title: string): ExportColumn<TaskExportRow>[] {
  const count = Math.min(maxPhotos, Math.max(1, Number(component.max ?? 1) || 1))
  return Array.from({ length: count }, (_, index) =>
    plainColumn(`${component.id}_${index}_url`, `${title} ${index + 1}`),
  )
}

/** A value that is kept under a key of its own. */
export function plainColumn(key: string, title: string): ExportColumn<TaskExportRow> {
  const json = (row: TaskExportRow) =>
    Object.hasOwn(row.values, key) ? row.values[key] : ownEntry(row.attributes, key)
  return { key, title, cell: (row) => plainCell(json(row)), json }
}
