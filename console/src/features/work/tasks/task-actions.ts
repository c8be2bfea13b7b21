import type { TaskOutcome } from "#shared/task-outcomes.ts"
import type { TaskStatus } from "#shared/task-status.ts"
import { server } from "../../../api/server.ts"
import { type BulkResult, inBulk } from "./bulk.ts"
import type { ListedTask } from "./tasks.queries.ts"

type Progress = (done: number) => void

/** Each assignment has its own result: a rejected one does not stop the others. */
export function assignTasks(
  taskIds: readonly string[],
  emails: readonly string[],
  onProgress?: Progress,
): Promise<BulkResult> {
  return inBulk(
    taskIds,
    (part) => {
      const tasks = part.map((_id) => ({ _id, assignee: [...emails] }))
      return server.put("/api/v3/tasks/bulk/assign", { body: { tasks } })
    },
    onProgress,
  )
}

/** What came of the work; a task that is skipped stays open. */
export interface FinishedWork {
  outcome: TaskOutcome
  reason: string
}

export function finishTasks(
  taskIds: readonly string[],
  { outcome, reason }: FinishedWork,
  onProgress?: Progress,
): Promise<BulkResult> {
  const change = {
    ...(outcome === "skipped" ? {} : { status: "DONE" }),
    ...(outcome === "done" ? {} : { outcome, ...(reason ? { outcomeReason: reason } : {}) }),
    // The server keeps it for tasks that are late.
    ...(outcome === "done" && reason ? { lateReason: reason } : {}),
  }
  return inBulk(
    taskIds,
    (part) => {
      const tasks = part.map((_id) => ({ _id, ...change }))
      return server.patch("/api/v3/tasks/bulk", { body: { tasks } })
    },
    onProgress,
  )
}

/** The same change of fields for all of the tasks. */
export function changeTasks(
  taskIds: readonly string[],
  change: Readonly<Record<string, unknown>>,
  onProgress?: Progress,
): Promise<BulkResult> {
  return inBulk(
    taskIds,
    (part) => {
      const tasks = part.map((_id) => ({ _id, ...change }))
      return server.patch("/api/v3/tasks/bulk", { body: { tasks } })
    },
    onProgress,
  )
}

export function moveTasks(
  taskIds: readonly string[],
  hubId: string,
  onProgress?: Progress,
): Promise<BulkResult> {
  return inBulk(
    taskIds,
    (part) => {
      const tasks = part.map((_id) => ({ _id, hubId }))
      return server.put("/api/v3/tasks/bulk/move", { body: { tasks } })
    },
    onProgress,
  )
}

export function deleteTasks(taskIds: readonly string[], onProgress?: Progress): Promise<BulkResult> {
  return inBulk(
    taskIds,
    (part) => {
      const tasks = part.map((_id) => ({ _id }))
      return server.delete("/api/v3/tasks/bulk", { body: { tasks } })
    },
    onProgress,
  )
}

/** The request that dropping a card on another column sends. Assigning needs a person, hence a dialog. */
export async function moveToStatus(task: ListedTask, to: Exclude<TaskStatus, "ONGOING">): Promise<void> {
  if (to === "DONE")
    await server.patch("/api/v3/task/{taskId}", { taskId: task._id, body: { status: "DONE" } })
  else await server.put("/api/v3/task/{taskId}/assign", { taskId: task._id, body: { assignee: [] } })
}

/** Moves start and due time together. */
export async function reschedule(taskId: string, startTime: Date, endTime: Date): Promise<void> {
  const body = { startTime: startTime.toISOString(), endTime: endTime.toISOString() }
  await server.patch("/api/v3/task/{taskId}", { taskId, body })
}
