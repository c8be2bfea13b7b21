import type { Caller } from "#core/access/caller.ts"
import type { Tx } from "#core/database/database.ts"
import { toT1 } from "#shared/wire-time.ts"
import { findFlow } from "../../flows/index.ts"
import { taskErrors } from "../errors.ts"
import { emitTasks, publishTasks } from "../events.ts"
import { findWritten, lockTasks } from "../queries.ts"
import { type TaskRow, toWireTask } from "../wire.ts"
import type { ChangeContext } from "../write/change-tasks.ts"
import { type AttemptOptions, createAttempt } from "../write/next-attempt.ts"
import { updateTasks } from "../write/write-tasks.ts"

/** Accepts a finish that broke a rule of the flow. The reasons stay with the task; a repeated call changes nothing. */
export async function acceptFinish(
  tx: Tx,
  caller: Caller,
  taskId: string,
  note: string | undefined,
  context: ChangeContext,
): Promise<TaskRow> {
  const task = await lockFinished(tx, caller, taskId)
  const { reviewReasons, needsReview, reviewedBy } = task.attributes
  if (needsReview !== true) {
    if (typeof reviewedBy === "string") return task
    throw taskErrors.invalid({ message: "This task needs no review" })
  }
  const review = {
    needsReview: false,
    reviewedBy: caller.email,
    reviewedTime: toT1(context.now),
    ...(note ? { reviewNote: note } : {}),
  }
  const next = { ...task, attributes: { ...task.attributes, ...review } }
  const details = { reviewReasons, ...(note ? { reviewNote: note } : {}) }
  return write(tx, caller, { before: task, next, action: "review", details }, context)
}

/** Makes the next attempt of a task whose work was not done. A repeated call returns the same one. */
export async function scheduleAttempt(
  tx: Tx,
  caller: Caller,
  taskId: string,
  options: AttemptOptions,
  context: ChangeContext,
): Promise<{ taskId: string; isNew: boolean }> {
  const task = await lockFinished(tx, caller, taskId)
  const { outcome, nextTaskId } = task.attributes
  if (typeof nextTaskId === "string") return { taskId: nextTaskId, isNew: false }
  if (!outcome)
    throw taskErrors.invalid({ message: "Only a task whose work was not done gets a next attempt" })
  const flow = await findFlow(tx, caller, task.flowId)
  const created = await createAttempt(tx, caller, task, { options, flow }, context)
  if ("refusal" in created) throw created.refusal
  const next = { ...task, attributes: { ...task.attributes, nextTaskId: created.taskId } }
  await write(tx, caller, { before: task, next, action: "patch", details: undefined }, context)
  return { taskId: created.taskId, isNew: true }
}

async function lockFinished(tx: Tx, caller: Caller, taskId: string): Promise<TaskRow> {
  const [task] = await lockTasks(tx, caller, [taskId])
  if (!task) throw taskErrors.notFound()
  if (task.status !== "DONE") throw taskErrors.invalid({ message: "This task is not finished" })
  return task
}

async function write(
  tx: Tx,
  caller: Caller,
  change: {
    before: TaskRow
    next: TaskRow
    action: "review" | "patch"
    details: Readonly<Record<string, unknown>> | undefined
  },
  { now, live }: ChangeContext,
): Promise<TaskRow> {
  const { before, next, action, details } = change
  const entries = [{ taskId: before.id, action, changeData: toWireTask(before), details }]
  const tasks = [{ ...next, updatedBy: caller.email, updatedTime: now }]
  await updateTasks(tx, caller, { tasks, entries, now })
  const [written] = await findWritten(tx, caller, [before.id])
  if (!written) throw new Error("a task vanished in the transaction that changed it")
  await emitTasks(tx, live, "onTaskUpdated", [written])
  await publishTasks(tx, live, "task.updated", [written])
  return written
}
