import type { Static } from "typebox"
import type { Id } from "#core/ids.ts"
import { isYielding, taskFieldNames, taskKey } from "#shared/task-fields.ts"
import type { TaskStatus } from "#shared/task-status.ts"
import { toT1, toT2 } from "#shared/wire-time.ts"
import { toWireCountry } from "../../organization/organizations/index.ts"
import type { TaskSchema } from "./schemas.ts"

export interface AssignedTo {
  _id: string
  name: string
  email: string
  hubId: string[]
}

export interface TaskHub {
  _id: Id<"hub">
  name: string
  lat: number
  lng: number
  countryCode: string | null
}

export interface TaskRow {
  id: Id<"task">
  organizationId: Id<"organization">
  hubId: Id<"hub">
  hub: TaskHub | null
  organizationName: string
  flowId: Id<"flow">
  flow: string
  status: TaskStatus
  taskType: string
  title: string | null
  content: string | null
  label: string | null
  assignee: string[]
  assignedTo: AssignedTo | null
  assignedBy: string | null
  assignedTime: Temporal.Instant | null
  startTime: Temporal.Instant
  endTime: Temporal.Instant
  createdTime: Temporal.Instant
  updatedTime: Temporal.Instant
  createdBy: string | null
  updatedBy: string | null
  createdFrom: string
  doneBy: string | null
  doneTime: Temporal.Instant | null
  /** Whether its person finished no other one after it on that day (UTC); null while it is open. */
  isLastDoneOrder: boolean | null
  orderIndex: number
  refId: string | null
  parentId: string | null
  routingResultId: string | null
  lng: number | null
  lat: number | null
  /** The flow's version when the task was made. */
  flowVersion: number | null
  values: Record<string, unknown>
  /** Rarer base fields under their wire names, and headings that are not text. */
  attributes: Record<string, unknown>
}

/** Entries that a task carries: a task that changes all day stays cheap to read and to change. */
export const maxHistories = 100

export interface HistoryRow {
  taskId: string
  id: string
  action: string
  notes: string
  changeData: Record<string, unknown> | null
  details: Record<string, unknown> | null
  createdAt: Temporal.Instant
}

/** A task that was made or changed. */
export interface Written {
  task: TaskRow
  /** What was left out of it. */
  warnings: string[]
  /** The entries that its history got. */
  histories: HistoryRow[]
}

/** See TaskSchema; the keys of components and rarer base fields vary from task to task. */
export type WireTask = Static<typeof TaskSchema> & Record<string, unknown>

/**
 * A task as the wire has it: base fields, the rarer ones that are set, and the component values flat beside
 * them. Where a component has the id of a base field (title, content, label) the computed base field wins.
 */
export function toWireTask(row: TaskRow, histories?: readonly HistoryRow[]): WireTask {
  const task = wireWithoutHistories(row)
  if (!histories) return task
  task.histories = toWireHistories(task, histories).slice(-maxHistories)
  if (histories.length > maxHistories) task.historiesUrl = `/api/v3/task-histories/${row.id}`
  return task
}

const shownNames = taskFieldNames(({ isAlwaysShown }) => isAlwaysShown === true)

const yieldingNames = taskFieldNames(({ yields }) => yields === true)

/** The rarer fields under their keys: a field whose id a component of an older flow has gets a leading underscore. */
function wireAttributes({ status, values, attributes }: TaskRow): Record<string, unknown> {
  // Work that was finished without an outcome was done.
  const all = status === "DONE" && !attributes.outcome ? { ...attributes, outcome: "done" } : attributes
  if (!yieldingNames.some((name) => Object.hasOwn(values, name))) return all
  return Object.fromEntries(
    Object.entries(all).map(([name, value]) =>
      isYielding(name) && Object.hasOwn(values, name) ? [`_${name}`, value] : [name, value],
    ),
  )
}

function wireWithoutHistories(row: TaskRow): WireTask {
  return {
    ...row.values,
    ...wireAttributes(row),
    _id: row.id,
    isDeleted: false,
    organizationId: row.organizationId,
    organization: { _id: row.organizationId, name: row.organizationName },
    flowId: row.flowId,
    flow: row.flow,
    hubId: row.hubId,
    hub: row.hub && toWireHub(row.hub),
    title: row.attributes.title ?? row.title,
    content: row.attributes.content ?? row.content,
    label: row.attributes.label ?? row.label,
    status: row.status,
    taskType: row.taskType,
    assignee: row.assignee,
    ...(row.assignedTo ? { assignedTo: { ...row.assignedTo, organization: null, role: null } } : {}),
    ...(row.assignedBy ? { assignedBy: row.assignedBy } : {}),
    ...(row.assignedTime ? { assignedTime: toT1(row.assignedTime) } : {}),
    startTime: toT1(row.startTime),
    endTime: toT1(row.endTime),
    createdTime: toT1(row.createdTime),
    updatedTime: toT1(row.updatedTime),
    createdBy: row.createdBy,
    updatedBy: row.updatedBy,
    createdFrom: row.createdFrom,
    orderIndex: row.orderIndex,
    ...(row.doneBy ? { doneBy: row.doneBy } : {}),
    ...(row.doneTime ? { doneTime: toT1(row.doneTime) } : {}),
    ...(row.isLastDoneOrder === null ? {} : { isLastDoneOrder: row.isLastDoneOrder }),
    ...(row.refId === null ? {} : { refId: row.refId }),
    ...(row.parentId === null ? {} : { parentId: row.parentId }),
    ...(row.routingResultId === null ? {} : { routingResultId: row.routingResultId }),
    ...Object.fromEntries(shownNames.map((name) => [name, row.attributes[name] ?? null])),
  }
}

/** Fields that another feature adds to a task, under their keys. */
export function withTaskKeys({ values }: Pick<TaskRow, "values">, added: object | undefined): object {
  return Object.fromEntries(
    Object.entries(added ?? {}).map(([name, value]) => [taskKey(name, values), value]),
  )
}

function toWireHub({ countryCode, ...hub }: TaskHub) {
  return { ...hub, country: toWireCountry(countryCode) }
}

/** Entries in order. What a task was when it was created is what it was before its first change. */
function toWireHistories(task: WireTask, histories: readonly HistoryRow[]) {
  return histories.map(({ id, action, notes, changeData, details, createdAt }, index) => {
    const created = () =>
      histories.slice(index + 1).find((later) => later.changeData)?.changeData ?? { ...task }
    return {
      _id: id,
      action,
      notes,
      changeData: changeData ?? (action === "create" ? created() : null),
      ...(details ? { details } : {}),
      createdAt: toT2(createdAt),
    }
  })
}

/** Changes with every write: two reads with the same tag show the same task. */
export function taskETag(row: Pick<TaskRow, "id" | "updatedTime">): string {
  return `"${row.id}-${row.updatedTime.epochMilliseconds.toString(36)}"`
}
