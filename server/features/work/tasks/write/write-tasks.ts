import type { Caller } from "#core/access/caller.ts"
import type { Tx } from "#core/database/database.ts"
import type { HistoryRow, TaskRow } from "../wire.ts"
import { arrayLiteral, hasPhotos, historyRows, insertionOf, type NewHistory } from "./insert-tasks.ts"

/**
 * Writes everything that can change of these tasks, and the entries that their histories get, with one statement for any
 * number of them. Returns the entries as they are stored.
 */
export async function updateTasks(
  tx: Tx,
  caller: Caller,
  {
    tasks,
    entries,
    now,
  }: { tasks: readonly TaskRow[]; entries: readonly NewHistory[]; now: Temporal.Instant },
): Promise<HistoryRow[]> {
  if (tasks.length === 0) return []
  const histories = historyRows(caller, entries, now)
  const column = <T>(read: (task: TaskRow) => T): T[] => tasks.map(read)
  const text = (time: Temporal.Instant | null) => time?.toString() ?? null
  await tx`
    with updated as (
    update tasks set
      hub_id = changed.hub_id, status = changed.status, assignee = changed.assignee::text[],
      assigned_to = changed.assigned_to::jsonb, assigned_by = changed.assigned_by, assigned_time = changed.assigned_time,
      start_time = changed.start_time, end_time = changed.end_time, title = changed.title, content = changed.content,
      label = changed.label, lng = changed.lng, lat = changed.lat, ref_id = changed.ref_id, order_index = changed.order_index,
      done_by = changed.done_by, done_time = changed.done_time, has_photos = changed.has_photos::boolean, "values" = changed."values"::jsonb,
      attributes = changed.attributes::jsonb, routing_result_id = changed.routing_result_id, updated_by = changed.updated_by, updated_time = changed.updated_time
    from unnest(
      ${column((task) => task.id)}::text[], ${column((task) => task.hubId)}::text[], ${column((task) => task.status)}::text[],
      ${column((task) => arrayLiteral(task.assignee))}::text[],
      ${column((task) => (task.assignedTo ? JSON.stringify(task.assignedTo) : null))}::text[],
      ${column((task) => task.assignedBy)}::text[], ${column((task) => text(task.assignedTime))}::timestamptz[],
      ${column((task) => text(task.startTime))}::timestamptz[], ${column((task) => text(task.endTime))}::timestamptz[],
      ${column((task) => task.title)}::text[], ${column((task) => task.content)}::text[], ${column((task) => task.label)}::text[],
      ${column((task) => task.lng)}::float8[], ${column((task) => task.lat)}::float8[],
      ${column((task) => task.refId)}::text[], ${column((task) => task.orderIndex)}::float8[],
      ${column((task) => task.doneBy)}::text[], ${column((task) => text(task.doneTime))}::timestamptz[],
      ${column((task) => String(hasPhotos(task.values)))}::text[],
      ${column((task) => JSON.stringify(task.values))}::text[], ${column((task) => JSON.stringify(task.attributes))}::text[],
      ${column((task) => task.routingResultId)}::text[],
      ${column((task) => task.updatedBy)}::text[], ${column((task) => text(task.updatedTime))}::timestamptz[]
    ) as changed (id, hub_id, status, assignee, assigned_to, assigned_by, assigned_time, start_time, end_time, title, content,
      label, lng, lat, ref_id, order_index, done_by, done_time, has_photos, "values", attributes, routing_result_id, updated_by, updated_time)
    where tasks.organization_id = ${caller.organizationId} and tasks.id = changed.id
    )
    ${insertionOf(tx, caller, histories)}`.reusePlan()
  return histories
}
