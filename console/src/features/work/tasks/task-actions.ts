import type { TaskStatus } from "#shared/task-status.ts"
import { api, responseOf } from "../../../api/client.ts"
import { type BulkResult, inBulk } from "./bulk.ts"
import type { ListedTask } from "./tasks.queries.ts"

type Progress = (done: number) => void

/** Each assignment is answered by itself: one that is refused does not stop the others. */
export function assignTasks(
  taskIds: readonly string[],
  emails: readonly string[],
  onProgress?: Progress,
): Promise<BulkResult> {
  return inBulk(
    taskIds,
    (part) => {
      const tasks = part.map((_id) => ({ _id, assignee: [...emails] }))
      return responseOf(api.PUT("/api/v3/tasks/bulk/assign", { body: { tasks } }))
    },
    onProgress,
  )
}

export function finishTasks(taskIds: readonly string[], onProgress?: Progress): Promise<BulkResult> {
  return inBulk(
    taskIds,
    (part) => {
      const tasks = part.map((_id) => ({ _id, status: "DONE" }))
      return responseOf(api.PATCH("/api/v3/tasks/bulk", { body: { tasks } }))
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
      return responseOf(api.PUT("/api/v3/tasks/bulk/move", { body: { tasks } }))
    },
    onProgress,
  )
}

export function deleteTasks(taskIds: readonly string[], onProgress?: Progress): Promise<BulkResult> {
  return inBulk(
    taskIds,
    (part) => {
      const tasks = part.map((_id) => ({ _id }))
      return responseOf(api.DELETE("/api/v3/tasks/bulk", { body: { tasks } }))
    },
    onProgress,
  )
}

/** What dropping a card on another column asks of the server. Assigning needs a person, hence a dialog. */
export async function moveToStatus(task: ListedTask, to: Exclude<TaskStatus, "ONGOING">): Promise<void> {
  const params = { path: { taskId: task._id } }
  if (to === "DONE")
    await responseOf(api.PATCH("/api/v3/task/{taskId}", { params, body: { status: "DONE" } }))
  else await responseOf(api.PUT("/api/v3/task/{taskId}/assign", { params, body: { assignee: [] } }))
}

/** Moves start and due time together. */
export async function reschedule(taskId: string, startTime: Date, endTime: Date): Promise<void> {
  const body = { startTime: startTime.toISOString(), endTime: endTime.toISOString() }
  await responseOf(api.PATCH("/api/v3/task/{taskId}", { params: { path: { taskId } }, body }))
}
