import { removeActions, takeUnoffered } from "../../../api/recent-actions.ts"

/** What became of each task of a bulk call. */
export interface BulkResult {
  done: number
  refused: { taskId: string; reason: string }[]
}

interface BulkResponse {
  tasks: { status: boolean; message: string; _id?: string }[]
}

/** The API takes at most this many tasks in a call. */
const maxPerCall = 2_000

/** Sends tasks in calls of the permitted size, one after the other, and reports the progress. */
export async function inBulk(
  taskIds: readonly string[],
  send: (part: readonly string[]) => Promise<BulkResponse>,
  onProgress?: (done: number) => void,
): Promise<BulkResult> {
  const result: BulkResult = { done: 0, refused: [] }
  for (let start = 0; start < taskIds.length; start += maxPerCall) {
    const part = taskIds.slice(start, start + maxPerCall)
    const response = await send(part)
    response.tasks.forEach((entry, index) => {
      const taskId = entry._id ?? part[index] ?? ""
      if (entry.status) result.done += 1
      else result.refused.push({ taskId, reason: entry.message })
    })
    onProgress?.(Math.min(start + part.length, taskIds.length))
  }
  // Where all were refused, nothing was saved that could be undone.
  if (result.done === 0) removeActions(takeUnoffered())
  return result
}
