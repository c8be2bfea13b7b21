import { answerOf, api } from "../../api/client.ts"
import { type BulkResult, inBulk } from "./bulk.ts"

/** Each assignment is answered by itself: one that is refused does not stop the others. */
export function assignTasks(
  taskIds: readonly string[],
  emails: readonly string[],
  onProgress?: (done: number) => void,
): Promise<BulkResult> {
  return inBulk(
    taskIds,
    (part) => {
      const tasks = part.map((_id) => ({ _id, assignee: [...emails] }))
      return answerOf(api.PUT("/api/v3/tasks/bulk/assign", { body: { tasks } }))
    },
    onProgress,
  )
}
