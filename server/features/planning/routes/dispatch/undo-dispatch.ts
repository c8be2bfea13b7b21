import type { Caller } from "#core/access/caller.ts"
import type { Tx } from "#core/database/database.ts"
import { publish } from "#core/events/publish.ts"
import {
  findTasks,
  removeUntouchedTasks,
  restoreUntouchedTasks,
  type TaskRow,
} from "../../../work/tasks/index.ts"
import { resultErrors } from "../errors.ts"
import { lockResult } from "../queries.ts"
import type { DispatchContext, DispatchedTask } from "./dispatch.ts"
import { type ChangedTask, readRecord, removeRecord } from "./dispatch-record.ts"

/**
 * Undoes a dispatch before any work has started: every task as it was before the first dispatch, tasks that were
 * made for parts gone. One that somebody changed meanwhile stays as it is, and the report says so. Once work on
 * any of them has begun, the dispatch stays as a whole.
 */
export async function undoDispatch(
  tx: Tx,
  caller: Caller,
  resultId: string,
  { now, live }: DispatchContext,
): Promise<DispatchedTask[]> {
  const row = await lockResult(tx, caller, resultId)
  if (!row) throw resultErrors.notFound()
  if (row.dispatchStatus === null) throw resultErrors.notDispatched()
  const { changed, created } = await readRecord(tx, row)
  const permissions = new Set([...caller.permissions].filter((name) => name !== "view/task/only-me"))
  const planner = { ...caller, permissions }
  const ids = [...changed, ...created].map(({ id }) => id)
  const tasks = new Map((await findTasks(tx, planner, ids)).map((task) => [task.id as string, task]))
  const started = [...tasks.values()].filter((task) => hasStarted(task, changed))
  if (started.length > 0) {
    const message = `Work on ${started.length} of these tasks has started. The dispatch cannot be undone`
    throw resultErrors.started({
      message,
      extra: { tasks: started.slice(0, 100).map(({ id, title }) => ({ _id: id, title })) },
    })
  }
  const restored = new Set<string>()
  for (const [writtenTime, group] of Map.groupBy(changed, (entry) => entry.writtenTime)) {
    const back = await restoreUntouchedTasks(tx, planner, group, Temporal.Instant.from(writtenTime), {
      now,
      live,
    })
    for (const id of back) restored.add(id)
  }
  for (const { id, writtenTime } of created) {
    const gone = await removeUntouchedTasks(tx, planner, [id], Temporal.Instant.from(writtenTime), live)
    if (gone.length > 0) restored.add(id)
  }
  await removeRecord(tx, row)
  const { organizationId, hubId } = row
  await tx`
    update routing_results set dispatch_status = null, dispatch_message = null, updated_time = ${now}
    where organization_id = ${organizationId} and id = ${row.id}`
  await publish(tx, live, "routing.changed", { organizationId, hubId, content: { resultIds: [row.id] } })
  return ids.map((_id) => ({
    _id,
    title: tasks.get(_id)?.title ?? null,
    status: restored.has(_id),
    message: restored.has(_id)
      ? "Restored to the state before the dispatch"
      : tasks.has(_id)
        ? "Changed since the dispatch and therefore kept"
        : "This task no longer exists",
    action: "update" as const,
  }))
}

/** Done, or opened by the person since the dispatch. */
function hasStarted(task: TaskRow, changed: readonly ChangedTask[]): boolean {
  if (task.status === "DONE") return true
  const before = changed.find(({ id }) => id === task.id)?.before as
    | { attributes?: Record<string, unknown> }
    | undefined
  const marks = Object.keys(task.attributes).filter(
    (key) => key === "openTaskTime" || /^page\d+DoneTime$/.test(key),
  )
  return marks.some((key) => task.attributes[key] !== before?.attributes?.[key])
}
