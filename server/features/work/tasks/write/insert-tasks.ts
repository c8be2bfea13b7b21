import type { Caller } from "#core/access/caller.ts"
import type { Fragment, Tx } from "#core/database/database.ts"
import { type Id, newId, newIds } from "#core/ids.ts"
import type { TaskStatus } from "#shared/task-status.ts"
import type { AssignedTo, HistoryRow } from "../wire.ts"

export interface NewTask {
  id: Id<"task">
  organizationId: Id<"organization">
  hubId: Id<"hub">
  flowId: Id<"flow">
  flow: string
  status: TaskStatus
  title: string | null
  content: string | null
  label: string | null
  lng: number | null
  lat: number | null
  assignee: string[]
  assignedTo: AssignedTo | null
  assignedBy: string | null
  startTime: Temporal.Instant
  endTime: Temporal.Instant
  createdTime: Temporal.Instant
  createdBy: string | null
  createdFrom: string
  taskType: string
  parentId: string | null
  flowVersion: number | null
  orderIndex: number
  refId: string | null
  values: Record<string, unknown>
  attributes: Record<string, unknown>
}

/**
 * Inserts tasks and their first history entries, and returns the entries. One statement for any number of tasks: columns
 * travel as arrays, which the server unpacks several times faster than as many rows of parameters.
 */
export async function insertTasks(tx: Tx, caller: Caller, tasks: readonly NewTask[]): Promise<HistoryRow[]> {
  const [first] = tasks
  if (!first) return []
  const entries = tasks.map((task): NewHistory => ({ taskId: task.id, action: "create", changeData: null }))
  const histories = historyRows(caller, entries, first.createdTime)
  const column = <T>(read: (task: NewTask) => T): T[] => tasks.map(read)
  await tx`
    with inserted as (
    insert into tasks (organization_id, id, hub_id, flow_id, flow, status, title, content, label, lng, lat, assignee,
      assigned_to, assigned_by, assigned_time, start_time, end_time, created_time, updated_time, created_by,
      created_from, task_type, parent_id, flow_version, order_index, ref_id, has_photos, "values", attributes)
    select ${caller.organizationId}, id, hub_id, flow_id, flow, status, title, content, label, lng, lat, assignee::text[],
      assigned_to::jsonb, assigned_by, case when assigned_by is not null then created_time end,
      start_time, end_time, created_time, created_time, created_by, created_from, task_type, parent_id, flow_version, order_index, ref_id, has_photos::boolean, "values"::jsonb, attributes::jsonb
    from unnest(
      ${column((task) => task.id)}::text[], ${column((task) => task.hubId)}::text[], ${column((task) => task.flowId)}::text[],
      ${column((task) => task.flow)}::text[], ${column((task) => task.status)}::text[], ${column((task) => task.title)}::text[],
      ${column((task) => task.content)}::text[], ${column((task) => task.label)}::text[],
      ${column((task) => task.lng)}::float8[], ${column((task) => task.lat)}::float8[],
      ${column((task) => arrayLiteral(task.assignee))}::text[],
      ${column((task) => (task.assignedTo ? JSON.stringify(task.assignedTo) : null))}::text[],
      ${column((task) => task.assignedBy)}::text[],
      ${column((task) => task.startTime.toString())}::timestamptz[], ${column((task) => task.endTime.toString())}::timestamptz[],
      ${column((task) => task.createdTime.toString())}::timestamptz[], ${column((task) => task.createdBy)}::text[],
      ${column((task) => task.createdFrom)}::text[], ${column((task) => task.taskType)}::text[],
      ${column((task) => task.parentId)}::text[], ${column((task) => task.flowVersion)}::int[], ${column((task) => task.orderIndex)}::float8[],
      ${column((task) => task.refId)}::text[], ${column((task) => String(hasPhotos(task.values)))}::text[], ${column((task) => JSON.stringify(task.values))}::text[],
      ${column((task) => JSON.stringify(task.attributes))}::text[]
    ) as task (id, hub_id, flow_id, flow, status, title, content, label, lng, lat, assignee, assigned_to, assigned_by,
      start_time, end_time, created_time, created_by, created_from, task_type, parent_id, flow_version, order_index, ref_id, has_photos, "values", attributes)
    )
    ${insertionOf(tx, caller, histories)}`.reusePlan()
  return histories
}

/** Whether a photo, required or not, is among the values: it is then in the index of the gallery. */
export function hasPhotos(values: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(values).some(
    ([key, value]) => typeof value === "string" && value !== "" && /_\d{1,3}_url$/.test(key),
  )
}

export interface NewHistory {
  taskId: string
  action: "create" | "put" | "patch" | "delete" | "assign" | "unassign" | "move" | "add" | "review"
  /** The task before the change; null for creation, when it is what the task still is. */
  changeData: Record<string, unknown> | null
  /** What the change did not apply, and what a supervisor decided. */
  details?: Record<string, unknown> | undefined
}

const pastTense = {
  create: "created",
  put: "put",
  patch: "patched",
  delete: "deleted",
  assign: "assigned",
  unassign: "unassigned",
  move: "moved",
  add: "added to",
  review: "reviewed",
} as const

export function historyRows(
  caller: Caller,
  entries: readonly NewHistory[],
  createdAt: Temporal.Instant,
): HistoryRow[] {
  const ids = newIds<"history">(entries.length, createdAt.epochMilliseconds)
  return entries.map(({ taskId, action, changeData, details }, index) => ({
    taskId,
    id: ids[index] ?? newId(),
    action,
    notes: `${pastTense[action]} by ${caller.name}`,
    changeData,
    details: details ?? null,
    createdAt,
  }))
}

/** The statement that inserts entries, which may follow others in `with`. */
export function insertionOf(tx: Tx, caller: Caller, rows: readonly HistoryRow[]): Fragment {
  const column = <T>(read: (row: HistoryRow) => T): T[] => rows.map(read)
  return tx`
    insert into task_histories (organization_id, task_id, id, action, notes, change_data, details, created_at)
    select ${caller.organizationId}, task_id, id, action, notes, change_data::jsonb, details::jsonb, created_at
    from unnest(${column((row) => row.taskId)}::text[], ${column((row) => row.id)}::text[], ${column((row) => row.action)}::text[],
      ${column((row) => row.notes)}::text[], ${column((row) => (row.changeData ? JSON.stringify(row.changeData) : null))}::text[],
      ${column((row) => (row.details ? JSON.stringify(row.details) : null))}::text[],
      ${column((row) => row.createdAt.toString())}::timestamptz[]
    ) as history (task_id, id, action, notes, change_data, details, created_at)`
}

/** A text array as one text, because an array of arrays must not be ragged. */
export function arrayLiteral(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replace(/[\\"]/g, "\\$&")}"`).join(",")}}`
}
