import type { Caller } from "#core/access/caller.ts"
import type { Tx } from "#core/database/database.ts"
import { AppError } from "#core/errors.ts"
import { moveToTrash } from "#core/trash.ts"
import { taskErrors } from "../errors.ts"
import { emitTasks, publishTasks } from "../events.ts"
import { lockTasks, relatedColumns, taskColumns } from "../queries.ts"
import { listHistories } from "../read/histories.ts"
import type { TaskRow } from "../wire.ts"
import { checkMatch } from "../write/change-rules.ts"
import type { ChangeContext, Changed } from "../write/change-tasks.ts"
import { notifyAssignees } from "../write/notify-assignees.ts"

/**
 * Deletes open tasks, each by itself; they stay in the trash for 30 days. Returns them as they were. The open sub-tasks of
 * a task go with it and come back with it; finished ones stay, as all finished work does.
 */
export async function deleteTasks(
  tx: Tx,
  caller: Caller,
  deletions: readonly { taskId: string; ifMatch?: string | undefined }[],
  context: ChangeContext,
): Promise<Changed[]> {
  const locked = await lockTasks(
    tx,
    caller,
    deletions.map(({ taskId }) => taskId),
  )
  const found = new Map(locked.map((task) => [task.id as string, task]))
  const gone = new Set<string>()
  const outcomes = deletions.map(({ taskId, ifMatch }): Changed => {
    const task = found.get(taskId.toLowerCase())
    try {
      if (!task || gone.has(task.id)) throw taskErrors.notFound()
      checkMatch(task, ifMatch)
      checkDeletable(task)
      gone.add(task.id)
      return { task, warnings: [], histories: [] }
    } catch (error) {
      if (error instanceof AppError) return { refusal: error }
      throw error
    }
  })
  await discardTasks(
    tx,
    caller,
    locked.filter((task) => gone.has(task.id)),
    context,
  )
  return outcomes
}

function checkDeletable(task: TaskRow): void {
  if (task.status === "DONE") throw taskErrors.alreadyDone()
  if (task.taskType === "activityMaster" || task.taskType === "activityChild")
    throw taskErrors.invalid({ message: "This task belongs to an activity. Delete the activity instead" })
}

async function discardTasks(
  tx: Tx,
  caller: Caller,
  tasks: readonly TaskRow[],
  context: ChangeContext,
): Promise<void> {
  if (tasks.length === 0) return
  const subTasks = await lockOpenSubTasks(tx, caller, tasks)
  const ids = [...tasks, ...subTasks].map((task) => task.id as string)
  const rows = await tx<{ id: string; content: { task: unknown; histories: unknown } }[]>`
    select id, jsonb_build_object('task', to_jsonb(tasks) - 'first_assignee', 'histories', coalesce((
      select jsonb_agg(to_jsonb(h)) from task_histories h
      where h.organization_id = tasks.organization_id and h.task_id = tasks.id), '[]')) as content
    from tasks where organization_id = ${caller.organizationId} and id = any (${ids})`.reusePlan()
  const contents = new Map(rows.map((row) => [row.id, row.content]))
  const contentOf = (task: TaskRow) => {
    const own = subTasks.filter(({ parentId }) => parentId === task.id)
    if (own.length === 0) return contents.get(task.id)
    return { ...contents.get(task.id), subTasks: own.flatMap(({ id }) => contents.get(id) ?? []) }
  }
  const discarded = tasks.map((task) => ({
    type: "Task" as const,
    name: task.title ?? task.flow,
    sourceId: task.id,
    hubId: task.hubId,
    content: contentOf(task),
  }))
  const gone = [...tasks, ...subTasks]
  await Promise.all([
    moveToTrash(tx, caller, discarded),
    tx`delete from tasks where organization_id = ${caller.organizationId} and id = any (${ids})`.reusePlan(),
    emitTasks(tx, context.live, "onTaskDeleted", gone),
    publishTasks(tx, context.live, "task.deleted", gone),
    notifyAssignees(
      tx,
      caller,
      gone.map((before) => ({ before })),
      context,
    ),
  ])
}

/** Those that are not deleted themselves. */
async function lockOpenSubTasks(tx: Tx, caller: Caller, tasks: readonly TaskRow[]): Promise<TaskRow[]> {
  const masters = tasks.filter(({ taskType }) => taskType === "taskMaster").map(({ id }) => id as string)
  if (masters.length === 0) return []
  return tx<TaskRow[]>`
    select ${taskColumns(tx)}, ${relatedColumns(tx)} from tasks
    where organization_id = ${caller.organizationId} and parent_id = any (${masters}) and task_type = 'taskChild'
      and status <> 'DONE' and id <> all (${tasks.map(({ id }) => id as string)}) order by id for update`
}

/** One deletion; throws what refuses it. */
export async function deleteTask(
  tx: Tx,
  caller: Caller,
  deletion: { taskId: string; ifMatch?: string | undefined },
  context: ChangeContext,
): Promise<{ task: TaskRow; histories: Awaited<ReturnType<typeof listHistories>> }> {
  // Sent behind the statement that locks the task, and before the one that deletes it.
  const [[outcome], histories] = await Promise.all([
    deleteTasks(tx, caller, [deletion], context),
    listHistories(tx, caller.organizationId, [deletion.taskId.toLowerCase()]),
  ])
  if (!outcome || "refusal" in outcome) throw outcome?.refusal ?? taskErrors.notFound()
  return { task: outcome.task, histories }
}
