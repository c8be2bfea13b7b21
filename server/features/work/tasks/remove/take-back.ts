import type { Caller } from "#core/access/caller.ts"
import type { Tx } from "#core/database/database.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import type { Id } from "#core/ids.ts"
import { keepRemoved } from "#core/trash.ts"
import { emitTasks, publishTasks } from "../events.ts"
import { findWritten, relatedColumns, taskColumns, visibleTasks } from "../queries.ts"
import type { TaskRow } from "../wire.ts"
import { holdRestoredRefs } from "../write/unique-refs.ts"

interface Changed {
  organizationId: Id<"organization">
  id: Id<"task">
  hubId: Id<"hub">
  assignee: string[]
}

/** Tasks as they are stored, to put them back later. */
export function snapshotTasks(
  tx: Tx,
  caller: Caller,
  taskIds: readonly string[],
): Promise<{ id: Id<"task">; before: unknown }[]> {
  return tx<{ id: Id<"task">; before: unknown }[]>`
    select id, to_jsonb(tasks) as before from tasks where ${visibleTasks(tx, caller)} and id = any (${taskIds as string[]})`
}

/**
 * Deletes tasks that a bulk created at `writtenTime` and that are unchanged since, with the sub-tasks that came with
 * them; a touched sub-task keeps its task. Returns the ids that went, those of sub-tasks left out.
 */
export async function removeUntouchedTasks(
  tx: Tx,
  caller: Caller,
  taskIds: readonly string[],
  writtenTime: Temporal.Instant,
  live: LiveEvents,
): Promise<string[]> {
  const removed = await tx<TaskRow[]>`
    with removed as (
      delete from tasks
      where ${visibleTasks(tx, caller)} and id = any (${taskIds as string[]}) and updated_time = ${writtenTime}
        and not exists (select from tasks sub where sub.organization_id = tasks.organization_id
          and sub.parent_id = tasks.id and sub.task_type = 'taskChild' and sub.updated_time <> ${writtenTime})
      returning tasks.*
    ), kept as (${keepRemoved(tx, "Task")})
    select ${taskColumns(tx)}, ${relatedColumns(tx)} from removed tasks`
  const subTasks = await tx<TaskRow[]>`
    with removed as (
      delete from tasks
      where organization_id = ${caller.organizationId} and parent_id = any (${removed.map(({ id }) => id)}) and task_type = 'taskChild'
      returning tasks.*
    ), kept as (${keepRemoved(tx, "Task")})
    select ${taskColumns(tx)}, ${relatedColumns(tx)} from removed tasks`
  await emitTasks(tx, live, "onTaskDeleted", [...removed, ...subTasks])
  await publishTasks(tx, live, "task.deleted", [...removed, ...subTasks])
  return removed.map(({ id }) => id)
}

/** Throws when a task would get back a `refId` that must be unique and that another task has by now. */
async function holdFormerRefs(
  tx: Tx,
  caller: Caller,
  snapshots: readonly { id: string; before: unknown }[],
): Promise<void> {
  const former = await tx<{ refId: string }[]>`
    select old.ref_id from unnest(${snapshots.map(({ before }) => JSON.stringify(before))}::text[]) as snapshot (content),
      jsonb_populate_record(null::tasks, snapshot.content::jsonb) as old
    join tasks on tasks.organization_id = ${caller.organizationId} and tasks.id = old.id
    where old.ref_id is distinct from tasks.ref_id and old.ref_id <> ''`
  await holdRestoredRefs(
    tx,
    caller,
    former.map(({ refId }) => refId),
  )
}

/** Restores snapshots of tasks that a bulk changed at `writtenTime` and that are unchanged since. */
export async function restoreUntouchedTasks(
  tx: Tx,
  caller: Caller,
  snapshots: readonly { id: string; before: unknown }[],
  writtenTime: Temporal.Instant,
  context: { now: Temporal.Instant; live: LiveEvents },
): Promise<string[]> {
  if (snapshots.length === 0) return []
  await holdFormerRefs(tx, caller, snapshots)
  const restored = await tx<Changed[]>`
    update tasks set
      status = old.status, title = old.title, content = old.content, label = old.label, lng = old.lng, lat = old.lat,
      assignee = old.assignee, assigned_to = old.assigned_to, assigned_by = old.assigned_by, assigned_time = old.assigned_time,
      start_time = old.start_time, end_time = old.end_time, ref_id = old.ref_id, order_index = old.order_index,
      "values" = old."values", attributes = old.attributes, hub_id = old.hub_id, routing_result_id = old.routing_result_id, updated_by = ${caller.email}, updated_time = ${context.now}
    from unnest(${snapshots.map(({ before }) => JSON.stringify(before))}::text[]) as snapshot (content),
      jsonb_populate_record(null::tasks, snapshot.content::jsonb) as old
    where ${visibleTasks(tx, caller)} and tasks.id = old.id and tasks.updated_time = ${writtenTime}
    returning tasks.organization_id, tasks.id, tasks.hub_id, tasks.assignee`
  const ids = restored.map(({ id }) => id)
  await emitTasks(tx, context.live, "onTaskUpdated", await findWritten(tx, caller, ids))
  await publishTasks(tx, context.live, "task.updated", restored)
  return ids
}
