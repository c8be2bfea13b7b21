import { type Caller, hasHub } from "#core/access/caller.ts"
import type { Tx } from "#core/database.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import { findWritten } from "./assign-tasks.ts"
import { taskErrors } from "./errors.ts"
import { publishTasks, taskMoved } from "./events.ts"
import { insertHistories } from "./insert-tasks.ts"
import { type TaskRow, toWireTask } from "./wire.ts"

/** Moves a locked, open task to another hub that the caller has; people and state stay. */
export async function moveTask(
  tx: Tx,
  caller: Caller,
  task: TaskRow,
  hubId: string,
  context: { now: Temporal.Instant; live: LiveEvents },
): Promise<TaskRow> {
  if (task.status === "DONE") throw taskErrors.alreadyDone()
  const target = hubId.toLowerCase()
  const hubs =
    await tx`select 1 from hubs where organization_id = ${caller.organizationId} and id = ${target} for key share`
  if (hubs.length === 0 || !hasHub(caller, target)) throw taskErrors.badHub()
  await tx`
    update tasks set hub_id = ${target}, updated_by = ${caller.email}, updated_time = ${context.now}
    where organization_id = ${caller.organizationId} and id = ${task.id}`
  await insertHistories(
    tx,
    caller,
    [{ taskId: task.id, action: "move", changeData: toWireTask(task) }],
    context.now,
  )
  const [after] = await findWritten(tx, caller, [task.id])
  if (!after) throw new Error("a task vanished in the transaction that moved it")
  await publishTasks(tx, context.live, taskMoved, [task, after])
  return after
}
